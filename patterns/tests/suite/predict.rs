//! The predictor: features that do not depend on how the board lies, learning that repeats, files.

use go_engine::board::Board9;
use go_engine::playout::ladder::{atari_is_deadly, ladder_catches};
use go_engine::rng::Rng;
use go_engine::{Color, Point, Site};
use go_patterns::file::{FileError, sealed};
use go_patterns::game::Game;
use go_patterns::learned;
use go_patterns::predict::bradley_terry::{self, ShapeLevels};
use go_patterns::predict::features::{Extractor, Features, Position};
use go_patterns::predict::learner::{Settings, learn};
use go_patterns::predict::predictor::{Predictor, Scratch};
use go_patterns::progress::Silent;
use std::collections::HashMap;

/// Games in which Black and White follow a simple habit: answer on the point right of the last move.
fn habitual_games(games: u64) -> Vec<Game> {
    (0..games)
        .map(|seed| {
            let mut rng = Rng::new(seed);
            let mut game = Game { side: 9, ..Game::default() };
            let mut board = Board9::new(9, 9).unwrap();
            let mut color = Color::Black;
            let mut last = Site::PASS;
            for _ in 0..60 {
                let legal: Vec<_> = board.sites().filter(|&s| board.is_legal(s, color)).collect();
                if legal.is_empty() {
                    break;
                }
                let habit = last.offset(1);
                let site = if legal.contains(&habit) && !last.is_pass() {
                    habit
                } else {
                    legal[rng.below(legal.len() as u32) as usize]
                };
                game.moves.push((color, Some(board.point(site))));
                board.play(site, color);
                last = site;
                color = color.other();
            }
            game
        })
        .collect()
}

const SMALL: Settings = Settings {
    rate: 0.2,
    hidden_rate: 0.2,
    batch: 8,
    share: 1.0,
    counted: 1,
    min_count: 3,
    shapes: 5_000,
    hidden_shapes: 1_000,
    hidden: true,
    seed: 3,
};

fn learned_by(games: &[Game], threads: usize, settings: Settings) -> Predictor {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let learned = pool.install(|| learn(games, settings, &Silent, &mut |_| {}));
    let (dict, net) = learned.unwrap();
    Predictor::new(&dict, &net, 9, games.len() as u64)
}

fn learned_from(games: &[Game], threads: usize) -> Predictor {
    learned_by(games, threads, SMALL)
}

/// Without hidden units.
fn linear_from(games: &[Game], threads: usize) -> Predictor {
    learned_by(games, threads, Settings { hidden: false, ..SMALL })
}

/// By minorisation-maximisation.
fn strengths_from(games: &[Game], threads: usize) -> Predictor {
    let settings = bradley_terry::Settings {
        positions: 1_000_000,
        iterations: 10,
        counted: 1,
        min_count: 3,
        shapes: 5_000,
        levels: ShapeLevels::All,
        seed: 3,
    };
    let mut likelihoods = Vec::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let learned = pool.install(|| {
        let mut report = |report: bradley_terry::Report| likelihoods.push(report.log_likelihood);
        bradley_terry::learn(games, settings, &Silent, &mut report)
    });
    assert_eq!(likelihoods.len(), 11);
    assert!(likelihoods.is_sorted(), "{likelihoods:?}");
    let (dict, net) = learned.unwrap();
    Predictor::new(&dict, &net, 9, games.len() as u64)
}

#[test]
fn learns_a_habit_and_repeats_byte_for_byte() {
    let games = habitual_games(120);
    let (learned, validation) = games.split_at(100);
    let ways: [fn(&[Game], usize) -> Predictor; 3] =
        [|games, threads| learned_from(games, threads), linear_from, strengths_from];
    for learn in ways {
        let predictor = learn(learned, 1);
        assert_eq!(predictor.to_bytes(), learn(learned, 2).to_bytes());
        let again = Predictor::from_bytes(&predictor.to_bytes()).unwrap();
        foresees_the_habit(&again, validation);
    }
}

fn foresees_the_habit(predictor: &Predictor, validation: &[Game]) {
    let mut scratch = Scratch::default();
    let (mut habits, mut first) = (0, 0);
    for game in validation {
        let mut replay = game.replay::<128, 2>().unwrap();
        while let Some((mover, site)) = replay.upcoming() {
            let position = Position { board: &replay.board, mover, last: replay.last };
            let found = predictor.predict(position, &mut scratch);
            let sum: f32 = found.probabilities().iter().sum();
            assert!((sum - 1.0).abs() < 1e-3);
            if site == replay.last[0].offset(1) {
                let own = found.moves().iter().position(|&s| s == site).unwrap();
                let best = found.probabilities()[own];
                habits += 1;
                first += usize::from(found.probabilities().iter().all(|&p| p <= best));
            }
            replay.advance();
        }
    }
    // Shapes know no direction, so the four neighbours look alike but for what stands around.
    assert!(habits > 500 && first * 5 > habits * 2, "{first} of {habits}");
}

/// Steps of hidden rows to one, as the file has it.
fn row_scale(bytes: &[u8]) -> f32 {
    let scale = f32::from_le_bytes(bytes[16..20].try_into().unwrap());
    assert!((1.0..=200.0).contains(&scale), "{scale}");
    scale
}

#[test]
fn files_read_back_and_damage_is_named() {
    let predictor = learned_from(&habitual_games(20), 1);
    let bytes = predictor.to_bytes();
    assert_eq!(Predictor::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    assert!(matches!(Predictor::from_bytes(b"GIF89a"), Err(FileError::Foreign(_))));
    for at in (12..bytes.len()).step_by(997) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(matches!(Predictor::from_bytes(&damaged), Err(FileError::Damaged)));
        assert!(Predictor::from_bytes(&bytes[..at]).is_err());
    }
    // Side, games and features come first: a scale of which every score would be no number.
    for scale in [0.0f32, -1.0, 1e-30] {
        let damaged = [&bytes[..16], &scale.to_le_bytes(), &bytes[20..]].concat();
        let found = Predictor::from_bytes(&sealed(&damaged));
        assert!(matches!(found, Err(FileError::Damaged)), "{scale}");
    }
    let same = [&bytes[..16], &f32::to_le_bytes(row_scale(&bytes)), &bytes[20..]].concat();
    assert_eq!(sealed(&same), bytes);
}

/// A position reached by random legal moves, played as they stand and after `way`.
fn twins(
    seed: u64,
    moves: u32,
    way: fn(Point) -> Point,
    swap: bool,
) -> [(Board9, Color, [Site; 2]); 2] {
    let mut rng = Rng::new(seed);
    let board = Board9::new(9, 9).unwrap();
    let mut twins = [
        (board.clone(), Color::Black, [Site::PASS; 2]),
        (board, if swap { Color::White } else { Color::Black }, [Site::PASS; 2]),
    ];
    for _ in 0..moves {
        let (board, color, _) = &twins[0];
        let legal: Vec<_> = board.sites().filter(|&s| board.is_legal(s, *color)).collect();
        if legal.is_empty() {
            break;
        }
        let point = board.point(legal[rng.below(legal.len() as u32) as usize]);
        for (index, (board, color, last)) in twins.iter_mut().enumerate() {
            let site = board.site(if index == 0 { point } else { way(point) }).unwrap();
            board.play(site, *color);
            *last = [site, last[0]];
            *color = color.other();
        }
    }
    twins
}

#[test]
fn features_are_equal_however_the_board_lies() {
    let ways: [fn(Point) -> Point; 3] = [
        |p| Point::new(8 - p.row(), p.col()),
        |p| Point::new(8 - p.col(), p.row()),
        |p| Point::new(p.row(), p.col()),
    ];
    struct Everything;
    impl go_patterns::predict::features::Dictionary for Everything {
        fn find(&self, name: u64) -> Option<u32> {
            Some((name >> 32) as u32)
        }
    }
    for seed in 0..60 {
        let way = ways[seed as usize % 3];
        let twins = twins(seed, 5 + seed as u32, way, seed % 2 == 0);
        let mut seen = Vec::new();
        for (board, mover, last) in &twins {
            let mut features = Features::default();
            let position = Position { board, mover: *mover, last: *last };
            Extractor::default().extract(position, &Everything, &mut features);
            let by_point: HashMap<Point, (Vec<u16>, Vec<u32>)> = (0..features.candidates.len())
                .map(|i| {
                    let (tactical, shapes) = features.of(i);
                    // The order in which a chain's neighbours come depends on how it lies.
                    let mut tactical = tactical.to_vec();
                    tactical.sort_unstable();
                    (board.point(features.candidates[i]), (tactical, shapes.to_vec()))
                })
                .collect();
            seen.push((features.context.clone(), by_point));
        }
        assert_eq!(seen[0].0, seen[1].0);
        assert_eq!(seen[0].1.len(), seen[1].1.len());
        for (point, features) in &seen[0].1 {
            assert_eq!(Some(features), seen[1].1.get(&way(*point)), "{point} of game {seed}");
        }
    }
}

/// Stones as text, row 9 first: `X` Black, `O` White.
fn board_of(rows: [&str; 9]) -> Board9 {
    let mut board = Board9::new(9, 9).unwrap();
    for (row, text) in rows.iter().enumerate() {
        for (col, sign) in text.chars().enumerate() {
            let color = match sign {
                'X' => Color::Black,
                'O' => Color::White,
                _ => continue,
            };
            let site = board.site(Point::new(col as u8, 8 - row as u8)).unwrap();
            board.play(site, color);
        }
    }
    board
}

#[test]
fn ladders_are_read_to_the_edge_and_to_a_breaker() {
    let board = board_of([
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        "..XO.....",
        "...XX....",
        ".........",
        ".........",
    ]);
    let at = |board: &Board9, text: &str| board.site(text.parse().unwrap()).unwrap();
    // The white stone on D4 runs to the upper right from D5, and into the open from E4.
    let prey = at(&board, "D4");
    assert_eq!(board.liberties(prey), 2);
    assert!(ladder_catches(&board, prey, at(&board, "D5")));
    assert!(!ladder_catches(&board, prey, at(&board, "E4")));
    let mut broken = board.clone();
    broken.play(at(&board, "G7"), Color::White);
    assert!(!ladder_catches(&broken, prey, at(&board, "D5")));
    // In atari with a way out to three liberties.
    let mut atari = board_of([
        ".........",
        ".........",
        ".........",
        "...X.....",
        "..XOX....",
        ".........",
        ".........",
        ".........",
        ".........",
    ]);
    let prey = at(&atari, "D5");
    assert_eq!(atari.liberties(prey), 1);
    assert!(!atari_is_deadly(&atari, prey));
    for stone in ["C3", "D2", "E3", "C4"] {
        let site = at(&atari, stone);
        atari.play(site, Color::Black);
    }
    assert!(atari_is_deadly(&atari, prey));
}

#[test]
fn what_ships_reads_and_predicts_on_every_board() {
    let table = learned::frequencies().unwrap();
    assert!(table.len() > 1_000 && table.responses.len() > 100);
    for side in [5, 9, 13, 19, 25] {
        let predictor = learned::predictor(side).unwrap();
        let mut scratch = Scratch::default();
        let board = go_engine::board::Board25::new(side, side).unwrap();
        let position = Position { board: &board, mover: Color::Black, last: [Site::PASS; 2] };
        let found = predictor.predict(position, &mut scratch);
        assert_eq!(found.moves().len(), usize::from(side) * usize::from(side));
        let sum: f32 = found.probabilities().iter().sum();
        assert!((sum - 1.0).abs() < 1e-3);
    }
}
