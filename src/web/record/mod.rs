//! A game with its variations from the bytes of a record, and as SGF again.

mod properties;
mod variations;
mod write;

use anyhow::{Context, Result};
use game_record::{Games, Tree as RecordTree};

use super::tree::{MAX_NODES, Tree};
use crate::gtp::{Color, Failure, Step};
use crate::session::Game;
use crate::session::game::sgf::{is_sgf, without_bom};
pub use write::write;

/// A record that was read.
pub struct Loaded<G> {
    /// The position before the first turn.
    pub root: G,
    /// What was played and tried.
    pub tree: Tree,
    /// The players as the record names them, Black first.
    pub names: [String; 2],
    /// The result as the record has it.
    pub result: String,
    /// What was left out, in words.
    pub notes: Vec<String>,
}

/// The bytes of one game of a collection, by its number from 1, and how many games there are; what stands before a game, as
/// where it is quoted, is no part of it. Where there is no game that can be read, all bytes: they may be a record of another
/// kind.
pub fn one_of(bytes: &[u8], number: usize) -> (&[u8], usize) {
    let mut games = Games::new(bytes);
    let (mut count, mut any) = (0, false);
    let mut wanted = bytes;
    let mut before = 0;
    while let Some(game) = games.next() {
        count += 1;
        any |= game.is_ok();
        // Of a damaged one all is kept, so that what is wrong can be told.
        let start = game.map_or(before, |game| game.offset);
        before = games.position();
        if count == number {
            wanted = bytes.get(start..before).unwrap_or(bytes);
        }
    }
    if count > 1 || any { (wanted, count) } else { (bytes, 1) }
}

/// Reads the first game in the bytes of a file, in any of the game's forms; what it does not say is as in `like`.
///
/// # Errors
/// What is wrong with it, and where.
pub fn read<G: Game>(like: &G, bytes: &[u8]) -> Result<Loaded<G>> {
    let root = like.load(bytes, Some(0))?;
    let mut loaded = Loaded {
        root,
        tree: Tree::new(),
        names: Default::default(),
        result: String::new(),
        notes: Vec::new(),
    };
    let whole = like.load(bytes, None);
    let mut later = None;
    if is_sgf(without_bom(bytes)) {
        let text = Games::new(bytes).next().context("there is no game in the file")??;
        let record = RecordTree::parse(&text)?;
        let of_root =
            |name| record.node(RecordTree::ROOT).text(name).map(|text| text.trim().to_owned());
        loaded.names = ["PB", "PW"].map(|name| of_root(name).unwrap_or_default());
        loaded.result = of_root("RE").unwrap_or_default();
        later = variations::later_setup(&record);
        variations::follow(&mut loaded, &record, later);
    }
    match whole {
        Ok(game) => complete(&mut loaded, game, later.map(|later| later.moves)),
        Err(why) if loaded.tree.main_line().is_empty() => return Err(why),
        Err(why) => loaded.notes.push(format!("the rest of the game: {why:#}")),
    }
    Ok(loaded)
}

/// What the record's own reader makes of it counts where the tree of its nodes says less: setups in the game, turns in parts.
/// `setup` is after how many moves of the main line stones are set up.
fn complete<G: Game>(loaded: &mut Loaded<G>, game: G, setup: Option<usize>) {
    let mut history = game.history();
    let mut begin = game;
    if let Some(&first) = begin.marks().first() {
        begin.rewind(first);
    }
    // Records are read with moves that the rules forbid, as when a position is repeated; here they cannot be made.
    let rest = first_forbidden(&begin, &history).map(|(number, why)| {
        history.truncate(number);
        format!("the rest of the game: move {}: {why}", number + 1)
    });
    let played = loaded.tree.main_line().len();
    // Some games take what is set up for turns, for others they begin anew with it.
    let begins_anew = setup.is_some() && begin.fingerprint() != loaded.root.fingerprint();
    match setup.filter(|_| begins_anew) {
        Some(moves) if history.len() < played => {
            let note = format!("stones are set up after move {moves}: what follows is left out");
            loaded.notes.push(note);
            return;
        }
        Some(moves) => {
            let s = if moves == 1 { "" } else { "s" };
            loaded.notes = vec![format!(
                "stones are set up later: the {moves} move{s} before that and all variations are left out"
            )];
            loaded.root = begin;
        }
        // A tree that is full has as many of them as it can.
        None if history.len() <= played || played + 1 >= MAX_NODES => {
            loaded.notes.extend(rest);
            return;
        }
        None if loaded.tree.is_annotated() => {
            let note = "nodes hold several moves: all variations and comments are left out";
            loaded.notes.push(note.to_owned());
        }
        None => {}
    }
    loaded.notes.extend(rest);
    let before = std::mem::take(&mut loaded.tree);
    if let (Some(root), Some(old)) = (loaded.tree.get_mut(Tree::ROOT), before.get(Tree::ROOT)) {
        root.comment.clone_from(&old.comment);
        root.properties.clone_from(&old.properties);
    }
    let mut at = Tree::ROOT;
    for (color, steps) in history {
        match loaded.tree.add(at, color, &steps) {
            Ok((id, _)) => at = id,
            Err(why) => {
                loaded.notes.push(format!("the rest of the game: {why}"));
                break;
            }
        }
    }
}

/// The first of these turns that cannot be made from here, by its number from 0, and why.
fn first_forbidden<G: Game>(begin: &G, turns: &[(Color, Vec<Step>)]) -> Option<(usize, Failure)> {
    let mut game = begin.clone();
    turns.iter().enumerate().find_map(|(number, (color, steps))| {
        game.play(*color, steps).err().map(|why| (number, why.with_reason()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::Vertex;

    #[test]
    fn variations_and_comments_survive() {
        let like = go_engine::Game::new(19, 19).unwrap();
        let sgf = "(;GM[1]FF[4]SZ[9]KM[6.5]PB[a\\]b]AB[cc]C[start];W[gg](;B[cg]C[one];W[gc])(;B[gc](;W[cg])(;W[dd])))";
        let loaded = read(&like, sgf.as_bytes()).unwrap();
        assert_eq!(loaded.tree.main_line().len(), 3);
        assert_eq!(loaded.names[0], "a]b");
        let names = ["RE[)".to_owned(), "b)".to_owned()];
        let text = write(&loaded.root, &loaded.tree, &names, "W+3");
        let again = read(&like, text.as_bytes()).unwrap();
        assert_eq!((&again.names, again.result.as_str()), (&names, "W+3"), "{text}");
        assert_eq!(again.tree.json(), loaded.tree.json(), "{text}");
        assert_eq!(again.root.komi(), 6.5);
        let at: Vertex = "C7".parse().unwrap();
        assert_eq!(Game::stone(&again.root, at), Some(Color::Black));
    }

    #[test]
    fn the_other_games_have_their_own_words() {
        let like = connect6_engine::Game::new(connect6_engine::Rules::CONNECT6);
        for text in
            ["(;SZ[19];B[j10];W[j9k11](;B[i11l9])(;B[a1a2]))", "move JJ\nmove JIKK\n", "j10 j9k11"]
        {
            let loaded = read(&like, text.as_bytes()).unwrap();
            assert!(loaded.tree.main_line().len() >= 2, "{text}");
            let again = write(&loaded.root, &loaded.tree, &loaded.names, "B+R");
            assert_eq!(read(&like, again.as_bytes()).unwrap().tree.json(), loaded.tree.json());
        }
        let like = amazons_engine::Game::new(amazons_engine::Position::start());
        let loaded = read(&like, b"j4-g7/d7 a7-b7/b8").unwrap();
        let text = write(&loaded.root, &loaded.tree, &loaded.names, "");
        assert!(text.contains(";W[j4-g7/d7];B[a7-b7/b8]"), "{text}");
        assert!(read(&like, b"junk").is_err());
    }

    #[test]
    fn a_game_of_a_collection_is_its_own_record() {
        let file = "games of mine\n(;SZ[9];B[aa])\n(;SZ[9];B[bb\n(;GM[1]CA[UTF-8]PB[木谷];B[cc])"
            .as_bytes();
        let text = |number| String::from_utf8_lossy(one_of(file, number).0).into_owned();
        assert_eq!(one_of(file, 1).1, 3);
        assert_eq!(text(1), "(;SZ[9];B[aa])");
        assert_eq!(text(3), "(;GM[1]CA[UTF-8]PB[木谷];B[cc])");
        let broken = read(&go_engine::Game::new(19, 19).unwrap(), text(2).as_bytes()).err();
        let broken = format!("{:#}", broken.expect("it is damaged"));
        assert!(broken.contains("not closed"), "{broken}");
        assert_eq!(one_of(b"j10 j9k11", 1), (&b"j10 j9k11"[..], 1));
        assert_eq!(one_of(file, 9).0, file);
    }

    #[test]
    fn what_stands_around_a_game_takes_nothing_from_it() {
        let mail =
            b"Look at my game:\n(;SZ[9]PB[me]C[hi];B[aa](;W[bb])(;W[cc]))\nWhat do you think?";
        let (game, count) = one_of(mail, 1);
        let loaded = read(&go_engine::Game::new(19, 19).unwrap(), game).unwrap();
        assert_eq!((count, loaded.names[0].as_str()), (1, "me"));
        assert_eq!(loaded.tree.json().as_array().unwrap().len(), 4);
        assert_eq!(loaded.tree.get(Tree::ROOT).unwrap().comment, "hi");
    }

    #[test]
    fn what_cannot_be_played_is_left_out_and_said() {
        let like = go_engine::Game::new(19, 19).unwrap();
        let loaded = read(&like, b"(;SZ[9];B[aa](;W[bb])(;W[aa]))").unwrap();
        assert_eq!(loaded.notes, ["1 variation cannot be played and is left out"]);
        let broken = read(&like, b"(;SZ[9];B[aa];W[aa])").unwrap();
        assert_eq!(broken.tree.main_line().len(), 1);
        assert!(broken.notes.iter().any(|note| note.contains("move 2")), "{:?}", broken.notes);
        assert!(read(&like, b"(;GM[3];B[aa])").is_err());
        // Black takes a ko, White takes back at once.
        let ko = "(;SZ[9]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb];B[ee])";
        let loaded = read(&like, ko.as_bytes()).unwrap();
        assert_eq!(loaded.tree.main_line().len(), 1);
        assert!(loaded.notes.iter().any(|note| note.contains("move 2: ")), "{:?}", loaded.notes);
    }

    #[test]
    fn stones_set_up_on_the_way_are_never_lost_silently() {
        let like = go_engine::Game::new(19, 19).unwrap();
        let at =
            |game: &go_engine::Game, name: &str| Game::stone(game, name.parse::<Vertex>().unwrap());
        let read = |text: &str| read(&like, text.as_bytes()).unwrap();
        // The larger part of the game is kept: the one after the setup,
        let loaded = read("(;SZ[9]DT[2026];B[aa];W[bb];AB[cc][dd];W[ee];B[ff])");
        assert_eq!(loaded.tree.main_line().len(), 2);
        for (name, color) in [("A9", Color::Black), ("B8", Color::White), ("C7", Color::Black)] {
            assert_eq!(at(&loaded.root, name), Some(color), "{name}");
        }
        assert!(loaded.notes[0].contains("the 2 moves before"), "{:?}", loaded.notes);
        let text = write(&loaded.root, &loaded.tree, &loaded.names, "");
        let again = like.load(text.as_bytes(), None).unwrap();
        assert_eq!(at(&again, "D6"), Some(Color::Black), "{text}");
        assert_eq!(at(&again, "E5"), Some(Color::White), "{text}");
        assert!(text.contains("DT[2026]"), "{text}");
        // or the one before.
        let loaded = read("(;SZ[9];B[aa];W[bb];AE[aa])");
        assert_eq!((loaded.tree.main_line().len(), loaded.root.moves().len()), (2, 0));
        assert!(loaded.notes[0].contains("after move 2"), "{:?}", loaded.notes);
        // Variations end before it.
        let loaded = read("(;SZ[9];B[aa](;W[bb];B[cc])(;AW[dd];W[ee]))");
        assert_eq!(loaded.tree.json().as_array().unwrap().len(), 4);
        assert!(loaded.notes[0].contains("1 variation with stones"), "{:?}", loaded.notes);
        let loaded = read("(;SZ[9](;AB[cc];B[dd])(;B[ff]))");
        assert_eq!(at(&loaded.root, "C7"), Some(Color::Black));
        assert_eq!((loaded.tree.main_line().len(), loaded.notes.len()), (1, 1));
        // Before the first move it is the root.
        let loaded = read("(;SZ[9];AB[cc]C[two];AW[dd];B[ee](;W[ff])(;W[gg]))");
        assert_eq!((loaded.tree.json().as_array().unwrap().len(), loaded.notes.len()), (4, 0));
        assert_eq!(loaded.tree.get(Tree::ROOT).unwrap().comment, "two");
    }

    #[test]
    fn no_comment_is_lost_silently() {
        let like = go_engine::Game::new(19, 19).unwrap();
        let read = |text: &str| read(&like, text.as_bytes()).unwrap();
        // Nodes without a move are of the position before them, and the same move twice is one.
        let loaded = read("(;SZ[9]C[a];C[b](;B[aa]C[c];C[d];W[bb])(;B[aa]C[e]))");
        let comment = |id| loaded.tree.get(id).unwrap().comment.clone();
        let first = loaded.tree.main_line()[0];
        assert_eq!((comment(Tree::ROOT), comment(first)), ("a\n\nb".into(), "c\n\nd\n\ne".into()));
        let long = read(&format!("(;SZ[9]C[{}];B[aa])", "\u{6728}".repeat(30_000)));
        assert!(long.notes[0].contains("20000 characters"), "{:?}", long.notes);
        // Two moves in a node are told by the record's own reader, which knows the main line alone.
        let loaded = read("(;SZ[9];B[aa]W[bb](;B[cc]C[good])(;B[dd]))");
        assert_eq!(loaded.tree.main_line().len(), 3);
        assert!(loaded.notes[0].contains("are left out"), "{:?}", loaded.notes);
        assert!(read("(;SZ[9];B[aa]W[bb];B[cc])").notes.is_empty());
    }

    #[test]
    fn a_record_with_very_many_variations_is_read_in_part() {
        let like = go_engine::Game::new(19, 19).unwrap();
        let mut text = "(;SZ[19];B[aa];W[bb]".to_owned();
        for number in 0..100_000 {
            let letter = |of: u32| char::from(b'a' + (of % 19) as u8);
            text += &format!("(;B[{}{}])", letter(number), letter(number / 19));
        }
        let loaded = read(&like, (text + ")").as_bytes()).unwrap();
        assert_eq!(loaded.tree.children(loaded.tree.main_line()[1]).len(), 361 - 2);
        assert!(loaded.notes.iter().any(|note| note.contains("20000")), "{:?}", loaded.notes);
        // The same of very many moves, before stones are set up and after.
        for begin in ["(;SZ[9]", "(;SZ[9];B[aa];AB[bb]"] {
            let loaded =
                read(&like, format!("{begin}{})", ";B[]".repeat(20_500)).as_bytes()).unwrap();
            assert_eq!(loaded.tree.main_line().len(), MAX_NODES - 1, "{begin}");
            assert!(loaded.notes.iter().any(|note| note.contains("20000")), "{:?}", loaded.notes);
        }
    }

    #[test]
    fn properties_without_a_meaning_here_are_written_back() {
        let like = go_engine::Game::new(19, 19).unwrap();
        let sgf = r"(;GM[1]FF[4]SZ[9]AP[x]DT[2026-11-28]EVent[a \] b\\]BR[3d]WR[5k]HA[0];B[cc]LB[cc:1]N[one]LB[dd:2];TR[ee];W[gg]BL[9.5](;B[cg])(;B[gc]TR[gc]))";
        let loaded = read(&like, sgf.as_bytes()).unwrap();
        let text = write(&loaded.root, &loaded.tree, &loaded.names, "W+R");
        for part in [
            r"DT[2026-11-28]EV[a \] b\\]BR[3d]WR[5k]",
            ";B[cc]LB[cc:1][dd:2]N[one]TR[ee]",
            ";W[gg]BL[9.5]",
            ";B[gc]TR[gc]",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("AP[") && text.matches("GM[").count() == 1, "{text}");
        let again = read(&like, text.as_bytes()).unwrap();
        assert_eq!(write(&again.root, &again.tree, &again.names, "W+R"), text);
    }
}
