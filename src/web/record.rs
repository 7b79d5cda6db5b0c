//! A game with its variations from the bytes of a record, and as SGF again.

use anyhow::{Context, Result};
use game_record::{Games, NodeId as RecordNode, Tree as RecordTree, escape_text};

use super::tree::{MAX_COMMENT, MAX_NODES, NodeId, Tree};
use crate::gtp::Color;
use crate::session::Game;

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

/// The bytes of one game of a collection, by its number from 1, and how many games there are. Where there are not several, all
/// bytes: they may be a record of another kind.
pub fn one_of(bytes: &[u8], number: usize) -> (&[u8], usize) {
    let mut games = Games::new(bytes);
    let mut count = 0;
    let mut wanted = bytes;
    while let Some(game) = games.next() {
        count += 1;
        let start = game.map_or_else(|broken| broken.offset, |game| game.offset);
        if count == number {
            wanted = bytes.get(start..games.position()).unwrap_or(bytes);
        }
    }
    if count > 1 { (wanted, count) } else { (bytes, 1) }
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
    let is_sgf =
        bytes.iter().find(|byte| !byte.is_ascii_whitespace() && byte.is_ascii()) == Some(&b'(');
    if is_sgf {
        let text = Games::new(bytes).next().context("there is no game in the file")??;
        let record = RecordTree::parse(&text)?;
        let of_root =
            |name| record.node(RecordTree::ROOT).text(name).map(|text| text.trim().to_owned());
        loaded.names = ["PB", "PW"].map(|name| of_root(name).unwrap_or_default());
        loaded.result = of_root("RE").unwrap_or_default();
        variations(&mut loaded, &record);
    }
    // What the record's own reader makes of it counts where the tree of its nodes says less: setups in the game, turns in
    // parts.
    match whole {
        Ok(game) => {
            let history = game.history();
            if history.len() > loaded.tree.main_line().len() {
                loaded.tree = Tree::new();
                let mut at = Tree::ROOT;
                for (color, steps) in history {
                    at = loaded.tree.add(at, color, &steps).map_err(anyhow::Error::new)?.0;
                }
            }
        }
        Err(why) if loaded.tree.main_line().is_empty() => return Err(why),
        Err(why) => loaded.notes.push(format!("the rest of the game: {why:#}")),
    }
    Ok(loaded)
}

/// Follows all variations of a record as far as they can be played.
fn variations<G: Game>(loaded: &mut Loaded<G>, record: &RecordTree) {
    let mut open: Vec<(RecordNode, NodeId, G)> =
        vec![(RecordTree::ROOT, Tree::ROOT, loaded.root.clone())];
    let mut left_out = 0;
    while let Some((id, before, game)) = open.pop() {
        let node = record.node(id);
        let turn = [("B", Color::Black), ("W", Color::White)]
            .into_iter()
            .find_map(|(name, color)| Some((color, node.value(name)?)));
        let (mut at, mut game) = (before, game);
        if let Some((color, word)) = turn {
            let played =
                game.record_steps(word).filter(|steps| !steps.is_empty()).and_then(|steps| {
                    let after = game.after(color, &steps).ok()?;
                    Some((loaded.tree.add(before, color, &steps).ok()?.0, after))
                });
            match played {
                Some((id, after)) => (at, game) = (id, after),
                None => {
                    left_out += 1;
                    continue;
                }
            }
        }
        if let (Some(text), Some(node)) = (node.text("C"), loaded.tree.get_mut(at)) {
            let text: String = text.trim().chars().take(MAX_COMMENT).collect();
            if !text.is_empty() && node.comment.is_empty() {
                node.comment = text;
            }
        }
        let children: Vec<RecordNode> = node.children().collect();
        // The last to be pushed is the first to be followed. A game without a choice is not copied.
        let (first, others) = match children.split_first() {
            Some((first, others)) => (*first, others),
            None => continue,
        };
        open.extend(others.iter().rev().map(|&child| (child, at, game.clone())));
        open.push((first, at, game));
        if open.len() > MAX_NODES {
            break;
        }
    }
    if left_out > 0 {
        let (s, are) = if left_out == 1 { ("", "is") } else { ("s", "are") };
        loaded.notes.push(format!("{left_out} variation{s} cannot be played and {are} left out"));
    }
}

/// The game with all its variations as SGF; `game` is any position of it.
pub fn write<G: Game>(game: &G, tree: &Tree, names: &[String; 2], result: &str) -> String {
    let mut root = game.clone();
    if let Some(&first) = root.marks().first() {
        root.rewind(first);
    }
    let head = root.sgf(&names[0], &names[1]);
    let mut text = head.trim_end().trim_end_matches(')').to_owned();
    if !result.is_empty() && !has_result(&head) {
        text += &format!("RE[{}]", escape_text(result));
    }
    comment(&mut text, tree, Tree::ROOT);
    // What is still to be written: a node, or the end of a variation.
    enum Part {
        Node(NodeId),
        Begin,
        End,
    }
    let follow = |open: &mut Vec<Part>, id: NodeId| match tree.children(id) {
        [only] => open.push(Part::Node(*only)),
        children => {
            for &child in children.iter().rev() {
                open.extend([Part::End, Part::Node(child), Part::Begin]);
            }
        }
    };
    let mut open = Vec::new();
    follow(&mut open, Tree::ROOT);
    while let Some(part) = open.pop() {
        match part {
            Part::Begin => text += "\n(",
            Part::End => text.push(')'),
            Part::Node(id) => {
                let Some(node) = tree.get(id) else { continue };
                text += &format!(";{}[{}]", node.color.initial(), root.record_word(&node.steps));
                comment(&mut text, tree, id);
                follow(&mut open, id);
            }
        }
    }
    text + ")\n"
}

/// Whether a record says who has won.
fn has_result(record: &str) -> bool {
    let Some(Ok(game)) = Games::new(record.as_bytes()).next() else { return false };
    RecordTree::parse(&game).is_ok_and(|tree| tree.node(RecordTree::ROOT).value("RE").is_some())
}

fn comment(text: &mut String, tree: &Tree, id: NodeId) {
    if let Some(node) = tree.get(id).filter(|node| !node.comment.is_empty()) {
        *text += &format!("C[{}]\n", escape_text(&node.comment));
    }
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
        assert!(read(&go_engine::Game::new(19, 19).unwrap(), text(2).as_bytes()).is_err());
        assert_eq!(one_of(b"j10 j9k11", 1), (&b"j10 j9k11"[..], 1));
        assert_eq!(one_of(file, 9).0, file);
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
    }
}
