//! Counts of parts of the games: added up they are those of all, and no file makes the program fail.

use go_engine::board::Board19;
use go_engine::rng::Rng;
use go_engine::{Color, Point};
use go_patterns::file::{FileError, sealed};
use go_patterns::frequencies::parts::{Chances, CountedOtherwise, Played, learned};
use go_patterns::frequencies::{Katz, Learned, Settings, Table, Timing, learn};
use go_patterns::game::Game;
use go_patterns::joseki::{self, Counts, JosekiBook};
use go_patterns::progress::Silent;

const MEMORY: usize = 1 << 30;

/// Games of random moves near the corners, with passes and winners.
fn random_games(side: u8, seeds: std::ops::Range<u64>) -> Vec<Game> {
    let game = |seed| {
        let mut rng = Rng::new(seed);
        let winner = [None, Some(Color::Black), Some(Color::White)][rng.below(3) as usize];
        let mut game = Game { side, year: Some(2010 + seed as u16), winner, ..Game::default() };
        let mut board = Board19::new(side, side).unwrap();
        let mut color = Color::Black;
        while game.moves.len() < 70 {
            let mut line = || {
                let near = if rng.below(8) == 0 { u32::from(side) } else { 5 };
                let line = rng.below(near) as u8;
                if rng.below(2) == 0 { line } else { side - 1 - line }
            };
            let point = Point::new(line(), line());
            let site = board.site(point).unwrap();
            if rng.below(12) == 0 {
                game.moves.push((color, None));
                board.pass();
            } else if board.is_legal(site, color) {
                game.moves.push((color, Some(point)));
                board.play(site, color);
            } else {
                continue;
            }
            color = color.other();
        }
        game
    };
    seeds.map(game).collect()
}

fn played(games: &[Game]) -> Played {
    Played::of(games, 13, Timing::BeforeMove, MEMORY, &Silent).unwrap()
}

fn all_played(parts: &[&[Game]]) -> Played {
    let parts = parts.iter().map(|games| {
        let part = played(games);
        assert!(part.is_of(games));
        Ok(Played::from_bytes(&part.to_bytes()).unwrap())
    });
    Played::merged(parts).map_err(|wrong: CountedOtherwise| wrong).unwrap().unwrap()
}

fn chances(parts: &[&[Game]], all: &Played) -> Vec<Chances> {
    let of_part = |games: &&[Game]| {
        Chances::from_bytes(&Chances::of(games, all, 2, &Silent).unwrap().to_bytes()).unwrap()
    };
    parts.iter().map(of_part).collect()
}

fn put_together(
    played: Played,
    parts: impl IntoIterator<Item = Chances>,
) -> Result<Learned, CountedOtherwise> {
    learned(played, parts.into_iter().map(Ok), 2)
}

/// The counts of parts together.
fn all_counts(parts: impl IntoIterator<Item = Counts>) -> Option<Counts> {
    Counts::merged(parts.into_iter().map(Ok::<_, joseki::CountedOtherwise>)).ok()?
}

#[test]
fn patterns_in_parts_are_those_of_all_games_at_once() {
    let games = random_games(13, 0..24);
    let settings =
        Settings { max_memory: MEMORY, distinct_playable: false, timing: Timing::BeforeMove };
    let at_once = learn(&games, 2, settings, &Silent).unwrap();
    let bytes = |learned| Table::new(&learned, 13, 24, Katz::GOOD_TURING).to_bytes();
    let at_once = bytes(at_once);
    for ends in [[0, 24], [8, 16], [1, 2]] {
        let parts = [&games[..ends[0]], &games[ends[0]..ends[1]], &games[ends[1]..]];
        let all = all_played(&parts);
        let learned = put_together(all.clone(), chances(&parts, &all)).unwrap();
        assert_eq!(bytes(learned), at_once, "{ends:?}");
    }
}

#[test]
fn parts_of_other_games_are_refused_though_they_are_as_many() {
    let (games, others) = (random_games(13, 0..12), random_games(13, 50..62));
    let parts = [&games[..4], &games[4..8], &games[8..]];
    let all = all_played(&parts);
    let with = |parts: [&[Game]; 3]| {
        put_together(all.clone(), chances(&parts, &all)).map(|learned| learned.counts.len())
    };
    assert!(with(parts).is_ok());
    assert!(with([parts[2], parts[0], parts[1]]).is_ok(), "the order says nothing");
    assert_eq!(with([parts[0], parts[1], &others[..4]]), Err(CountedOtherwise));
    assert_eq!(with([parts[0], parts[1], parts[1]]), Err(CountedOtherwise), "one of them twice");
    assert!(!played(&games).is_of(&others));
}

/// The bytes with a few of them changed, put in or taken out, and the checksum of what came of it.
fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=rng.below(3) {
        let at = 12 + rng.below(bytes.len() as u32 - 20) as usize;
        // What is said at the beginning matters more.
        let at = if rng.below(2) == 0 { at.min(12 + rng.below(60) as usize) } else { at };
        let byte = [0, 1, 0x7f, 0x80, 0xff, rng.bits() as u8][rng.below(6) as usize];
        match rng.below(4) {
            0 => bytes.insert(at, byte),
            1 => drop(bytes.remove(at)),
            2 => drop(bytes.splice(at..at, [0xff; 9].into_iter().chain([1]))),
            _ => bytes[at] = byte,
        }
    }
    sealed(&bytes)
}

#[test]
fn whatever_a_part_of_patterns_says_it_is_refused_or_added_up() {
    let games = random_games(13, 0..3);
    let parts = [&games[..1], &games[1..]];
    let all = all_played(&parts);
    let (first, second) = (all.to_bytes(), chances(&parts, &all));
    let second: Vec<Vec<u8>> = second.iter().map(Chances::to_bytes).collect();
    // A pattern of a template that there is none of, and one that was never played.
    for (more, times) in [(15, 1), (16, 0)] {
        let mut bytes = first[..12].to_vec();
        bytes.extend([13, 0, 1]);
        bytes.extend([0; 8]);
        bytes.extend([1, more, times]);
        bytes.extend([0; 8]);
        assert_eq!(Played::from_bytes(&sealed(&bytes)), Err(FileError::Damaged));
    }
    let mut rng = Rng::new(1);
    let (mut read, mut added) = (0, 0);
    for _ in 0..150 {
        let played = Played::from_bytes(&damaged(&first, &mut rng));
        let played = played.unwrap_or_else(|_| all.clone());
        read += usize::from(played != all);
        let parts = [0, 1].map(|part| {
            let chances = Chances::from_bytes(&damaged(&second[part], &mut rng));
            chances.or_else(|_| Chances::from_bytes(&second[part])).unwrap()
        });
        if let Ok(learned) = put_together(played, parts) {
            added += 1;
            let bytes = Table::new(&learned, 13, 3, Katz::GOOD_TURING).to_bytes();
            drop(Table::from_bytes(&bytes));
        }
    }
    assert!(read > 5 && added > 5, "{read} {added}");
}

#[test]
fn whatever_a_part_of_joseki_says_it_is_refused_or_added_up() {
    let games = random_games(19, 0..6);
    let settings = joseki::Settings { min_count: 1, min_state: 1, ..Default::default() };
    let parts = [&games[..2], &games[2..]];
    let counts = |games: &[Game]| Counts::of(games, &settings, &Silent).unwrap();
    let bytes = parts.map(|games| counts(games).to_bytes());
    let whole = counts(&games).learn(&settings, &Silent).unwrap().book.to_bytes();
    let read = |bytes: &[u8]| Counts::from_bytes(bytes);
    let merged = all_counts(bytes.iter().map(|bytes| read(bytes).unwrap())).unwrap();
    assert_eq!(merged.learn(&settings, &Silent).unwrap().book.to_bytes(), whole);

    let mut rng = Rng::new(2);
    let mut added = 0;
    for _ in 0..300 {
        let Ok(one) = read(&damaged(&bytes[0], &mut rng)) else { continue };
        let other = read(&bytes[rng.below(2) as usize]).unwrap();
        let Some(merged) = all_counts([one, other]) else { continue };
        let book = merged.learn(&settings, &Silent).unwrap().book;
        assert_eq!(JosekiBook::from_bytes(&book.to_bytes()).as_ref(), Ok(&book));
        added += 1;
    }
    assert!(added > 10, "{added}");
}
