//! Pattern counting against counting by brute force, and what makes two patterns the same.

use game_record::{Games, Record};
use go_engine::board::{Board9, Board19};
use go_engine::{Color, Point, Site};
use go_patterns::file::FileError;
use go_patterns::frequencies::{
    Codes, Discount, Estimator, Katz, Name, Normaliser, Settings, TEMPLATES, Table, Template,
    Timing, learn,
};
use go_patterns::game::{Game, Replay};
use go_patterns::progress::Silent;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

const ALL: Settings =
    Settings { max_memory: 1 << 30, distinct_playable: true, timing: Timing::BeforeMove };

/// Games of random legal moves with captures, kos and passes.
fn random_games(side: u8, games: u64) -> Vec<Game> {
    (0..games)
        .map(|seed| {
            let mut rng = go_engine::rng::Rng::new(seed);
            let mut game = Game { side, ..Game::default() };
            let mut board = Board9::new(side, side).unwrap();
            let mut color = Color::Black;
            for _ in 0..150 {
                let legal: Vec<_> = board.sites().filter(|&s| board.is_legal(s, color)).collect();
                if legal.is_empty() || rng.chance(4) {
                    game.moves.push((color, None));
                    board.pass();
                } else {
                    let site = legal[rng.below(legal.len() as u32) as usize];
                    game.moves.push((color, Some(board.point(site))));
                    board.play(site, color);
                }
                color = color.other();
            }
            game
        })
        .collect()
}

/// A chance to play: a playable point of a position in which somebody played a stone.
struct Chance<'a> {
    board: &'a Board9,
    codes: &'a Codes,
    mover: Color,
    point: Site,
    is_played: bool,
}

impl Chance<'_> {
    /// The patterns about the point, the smallest first.
    fn names(&self) -> Vec<Name> {
        self.codes.names(self.codes.cell(self.board, self.point), self.mover).collect()
    }
}

/// Every chance of the games, one after another.
fn for_each_chance(games: &[Game], mut call: impl FnMut(&Chance<'_>)) {
    for game in games {
        let mut replay: Replay<'_, 128, 2> = game.replay().unwrap();
        while let Some((mover, site)) = replay.upcoming() {
            if !site.is_pass() {
                let (board, codes) = (&replay.board, &Codes::of_board(&replay.board));
                for point in board.sites().filter(|&point| board.is_legal(point, mover)) {
                    call(&Chance { board, codes, mover, point, is_played: point == site });
                }
            }
            replay.advance();
        }
    }
}

/// C_A and C_N by the definition. Looked at after the move as the paper does it: play, take the pattern, count, take back.
fn by_definition(games: &[Game], timing: Timing) -> HashMap<Name, (u32, u64)> {
    let mut counts: HashMap<Name, (u32, u64)> = HashMap::new();
    for_each_chance(games, |chance| {
        let played = match timing {
            Timing::BeforeMove => None,
            Timing::AfterMove => {
                let mut board = chance.board.clone();
                board.play(chance.point, chance.mover);
                Some(Codes::of_board(&board))
            }
        };
        let codes = played.as_ref().unwrap_or(chance.codes);
        for name in (Chance { codes, ..*chance }).names() {
            let count = counts.entry(name).or_default();
            count.1 += 1;
            count.0 += u32::from(chance.is_played);
        }
    });
    counts
}

#[test]
fn counts_are_those_of_the_definition() {
    let both = [Timing::BeforeMove, Timing::AfterMove];
    for (side, timing) in [5, 7, 9].into_iter().flat_map(|side| both.map(|timing| (side, timing))) {
        let games = random_games(side, 12);
        let expected = by_definition(&games, timing);
        // With much memory in one round, with little in several.
        for max_memory in [1 << 30, 600_000] {
            let learned =
                learn(&games, 1, Settings { max_memory, timing, ..ALL }, &Silent).unwrap();
            for count in &learned.counts {
                assert_eq!(
                    (count.played, count.chances),
                    expected[&count.name],
                    "{side} {max_memory} {timing:?} {count:?}"
                );
            }
            let played = expected.values().filter(|count| count.0 > 0).count();
            assert_eq!(learned.counts.len(), played);
            if max_memory == 1 << 30 {
                let mut playable = [0u64; TEMPLATES];
                for name in expected.keys() {
                    playable[name.template().index()] += 1;
                }
                for (totals, playable) in learned.totals.iter().zip(playable) {
                    let error = totals.distinct_playable.abs_diff(playable) as f64;
                    assert!(error <= 0.02 * playable as f64, "{totals:?} {playable}");
                }
            }
        }
    }
}

#[test]
fn the_same_games_give_the_same_bytes_whatever_the_threads_and_the_memory() {
    let games = random_games(9, 80);
    let bytes = |threads: usize, max_memory: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let settings = Settings { max_memory, distinct_playable: false, ..ALL };
        let learned = pool.install(|| learn(&games, 1, settings, &Silent)).unwrap();
        Table::new(&learned, 9, 80, Katz::GOOD_TURING).to_bytes()
    };
    let first = bytes(1, 1 << 30);
    assert_eq!(first, bytes(2, 1 << 30));
    assert_eq!(first, bytes(2, 4_000_000));
}

#[test]
fn files_read_back_and_damage_is_named() {
    let games = random_games(7, 20);
    let learned = learn(&games, 1, ALL, &Silent).unwrap();
    let table = Table::new(&learned, 7, 20, Katz::GOOD_TURING);
    let bytes = table.to_bytes();
    let again = Table::from_bytes(&bytes).unwrap();
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!(again.len(), table.len());
    assert_eq!(Table::responses_from_bytes(&bytes), Ok(table.responses));

    assert!(matches!(Table::from_bytes(b"(;GM[1])"), Err(FileError::Foreign(_))));
    assert!(matches!(Table::from_bytes(b""), Err(FileError::Foreign(_))));
    assert_eq!(Table::from_bytes(&bytes[..10]), Err(FileError::Truncated));
    for at in (12..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert_eq!(Table::from_bytes(&damaged), Err(FileError::Damaged));
        assert!(Table::from_bytes(&bytes[..at]).is_err());
    }
    let mut newer = bytes.clone();
    newer[8] += 1;
    assert_eq!(Table::from_bytes(&newer), Err(FileError::Version { found: 5, expected: 4 }));
}

#[test]
fn katz_accounts_for_every_move() {
    // With the proper normaliser the estimates, summed over all chances, give the moves back.
    let games = random_games(7, 60);
    let learned = learn(&games, 3, ALL, &Silent).unwrap();
    let table = Table::new(&learned, 7, 60, Katz::GOOD_TURING);
    let (proper, degenerate) = (Estimator::of(&table), Estimator::with(&table, Katz::PAPER));
    let (mut sum, mut paper, mut moves) = (0.0, 0.0, 0.0);
    for_each_chance(&games, |chance| {
        moves += f64::from(u8::from(chance.is_played));
        sum += proper.estimate(chance.names());
        paper += degenerate.estimate(chance.names());
    });
    assert!((sum / moves - 1.0f64).abs() < 0.03, "{sum} {moves}");
    // The degenerate form counts the large patterns' moves twice.
    assert!(paper > 1.03 * moves, "{paper} {moves}");
}

#[test]
fn moves_of_patterns_that_are_not_trusted_are_accounted_for_once() {
    // Whatever is not trusted on the way, the estimates summed over all chances give back the moves of the smallest
    // patterns that are.
    let games = random_games(7, 60);
    let learned = learn(&games, 3, ALL, &Silent).unwrap();
    for (threshold, discount) in [(0.02, 0.0), (0.05, 0.0), (0.05, 0.3), (0.2, 0.0), (0.2, 0.6)] {
        let katz =
            Katz { discount: Discount::Fixed(discount), normaliser: Normaliser::Proper, threshold };
        let table = Table::new(&learned, 7, 60, katz);
        let estimator = Estimator::of(&table);
        let (mut sum, mut expected) = (0.0, 0.0);
        for_each_chance(&games, |chance| {
            let names = chance.names();
            sum += estimator.estimate(names.iter().copied());
            let mut rates =
                names.iter().filter_map(|&name| table.get(name)).map(|entry| entry.rate());
            expected += (1.0 - discount) * rates.find(|&rate| rate > threshold).unwrap_or(0.0);
        });
        assert!(
            (sum / expected - 1.0f64).abs() < 0.01,
            "{threshold} {discount}: {sum} instead of {expected}"
        );
    }
}

#[test]
fn an_empty_board_has_few_patterns() {
    let board = Board19::new(19, 19).unwrap();
    let codes = Codes::of_board(&board);
    let mut seen: Vec<HashSet<Name>> = vec![HashSet::new(); TEMPLATES];
    for site in board.sites() {
        for name in codes.names(codes.cell(&board, site), Color::Black) {
            seen[name.template().index()].insert(name);
        }
    }
    // Points told apart by their distances to the two nearest edges, as far as a template reaches.
    for template in Template::all() {
        let near = usize::from(template.radius()) + 1;
        assert_eq!(seen[template.index()].len(), near * (near + 1) / 2, "{template}");
    }
}

fn stones() -> impl Strategy<Value = Vec<(u8, u8, bool)>> {
    proptest::collection::vec((0u8..9, 0u8..9, any::<bool>()), 0..40)
}

fn names_of(stones: &[(u8, u8, bool)], at: (u8, u8), mover: Color) -> Vec<Name> {
    let mut codes = Codes::new(9);
    let mut taken = HashSet::new();
    for &(col, row, black) in stones {
        if taken.insert((col, row)) && (col, row) != at {
            let color = if black { Color::Black } else { Color::White };
            codes.toggle(usize::from(row) * 9 + usize::from(col), color);
        }
    }
    codes.names(usize::from(at.1) * 9 + usize::from(at.0), mover).collect()
}

proptest! {
    #[test]
    fn symmetries_and_colours_change_nothing(stones in stones(), col in 0u8..9, row in 0u8..9) {
        let names = names_of(&stones, (col, row), Color::Black);
        let turned: Vec<_> = stones.iter().map(|&(c, r, b)| (8 - r, c, b)).collect();
        prop_assert_eq!(&names, &names_of(&turned, (8 - row, col), Color::Black));
        let flipped: Vec<_> = stones.iter().map(|&(c, r, b)| (8 - c, r, b)).collect();
        prop_assert_eq!(&names, &names_of(&flipped, (8 - col, row), Color::Black));
        let swapped: Vec<_> = stones.iter().map(|&(c, r, b)| (c, r, !b)).collect();
        prop_assert_eq!(&names, &names_of(&swapped, (col, row), Color::White));
    }

    #[test]
    fn a_stone_inside_changes_the_name_and_one_outside_does_not(
        stones in stones(), dx in -4i32..=4, dy in -4i32..=4,
    ) {
        prop_assume!((dx, dy) != (0, 0));
        let stone = ((4 + dx) as u8, (4 + dy) as u8, true);
        let without: Vec<_> = stones.into_iter().filter(|s| (s.0, s.1) != (stone.0, stone.1)).collect();
        let mut with = without.clone();
        with.push(stone);
        let first = Template::of_offset(dx, dy).unwrap();
        let (a, b) = (names_of(&without, (4, 4), Color::Black), names_of(&with, (4, 4), Color::Black));
        for template in Template::all() {
            prop_assert_eq!(a[template.index()] == b[template.index()], template < first);
        }
    }

    #[test]
    fn codes_kept_move_by_move_are_those_made_afresh(seed in any::<u64>()) {
        let mut rng = go_engine::rng::Rng::new(seed);
        let mut board = Board9::new(9, 9).unwrap();
        let mut codes = Codes::of_board(&board);
        let mut color = Color::White;
        for _ in 0..120 {
            let legal: Vec<_> = board.sites().filter(|&s| board.is_legal(s, color)).collect();
            let Some(&site) = legal.get(rng.below(legal.len().max(1) as u32) as usize) else { break };
            let before: Vec<_> = board.sites().map(|s| board.color(s)).collect();
            board.play(site, color);
            for (s, before) in board.sites().zip(before) {
                if board.color(s) != before {
                    let cell = codes.cell(&board, s);
                    codes.toggle(cell, board.color(s).or(before).unwrap());
                }
            }
            color = color.other();
        }
        let fresh = Codes::of_board(&board);
        for s in board.sites() {
            let cell = codes.cell(&board, s);
            prop_assert!(codes.names(cell, color).eq(fresh.names(cell, color)));
        }
    }
}

#[test]
fn records_that_cannot_be_learned_from_say_why() {
    let why = |text: &str| {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        Game::from_record(&Record::read(&game).unwrap(), 19).unwrap_err().to_string()
    };
    assert_eq!(why("(;SZ[13];B[aa])"), "a 13 board, not 19x19");
    assert_eq!(why("(;GM[2];B[aa])"), "not a game of Go (GM[2])");
    assert_eq!(why("(;B[aa];W[aa])"), "illegal move 2 at A19");
    assert_eq!(why("(;B[aa];AW[bb])"), "stones are placed after the first move");
    assert_eq!(why("(;B[];W[])"), "no moves");
    let point = Point::new(0, 18);
    assert_eq!(point.to_string(), "A19");
}
