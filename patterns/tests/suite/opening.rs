//! The opening book: symmetry, the file, the order of expansion, and what moves are worth.

use go_engine::{Game, Move, Point, Rules};
use go_patterns::file::{FileError, sealed};
use go_patterns::opening::{
    BookPosition, Canonical, Conditions, Evaluation, Expansion, MoveEvaluation, OpeningBook, Round,
};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use std::collections::HashSet;

fn conditions() -> Conditions {
    Conditions {
        size: 7,
        rules: Rules::CHINESE,
        komi: 9.0,
        visits: 100,
        batch: 8,
        seed: 1,
        network: "none".to_owned(),
    }
}

/// What a search might find, given by nothing but the position: the same for all its images.
fn evaluation(game: &Game) -> Evaluation {
    let canonical = Canonical::of(game);
    let mut rng = SplitMix64::seed_from_u64(canonical.key());
    let mut chance = || (rng.next_u64() >> 40) as f32 / (1u64 << 24) as f32;
    let mut places: Vec<Point> =
        game.legal_points(game.to_play()).map(|point| canonical.place(point)).collect();
    places.sort();
    places.dedup();
    let mut visits = 64;
    let moves: Vec<MoveEvaluation> = (0..5)
        .filter(|_| !places.is_empty())
        .map(|_| {
            let place = places[(chance() * (places.len() - 1) as f32) as usize];
            visits /= 2;
            MoveEvaluation { place, visits, winrate: 0.3 + 0.4 * chance(), lead: 9.0 * chance() }
        })
        .collect();
    Evaluation::new(0.3 + 0.4 * chance(), 3.0 - 6.0 * chance(), 100, moves)
}

/// Makes a book in rounds of so many positions, until it has so many.
fn make(batch: usize, entries: usize) -> Expansion {
    let mut book = Expansion::begin(conditions());
    grow(&mut book, batch, entries);
    book
}

fn grow(book: &mut Expansion, batch: usize, entries: usize) {
    while book.book().len() < entries {
        let leaves = book.next(batch);
        assert!(!leaves.is_empty() && leaves.len() <= batch);
        let found = leaves.iter().map(|&leaf| (leaf, evaluation(&book.game(leaf).unwrap())));
        let found: Vec<_> = found.collect();
        book.add(found);
    }
}

fn game(moves: &[Point]) -> Game {
    let mut game = Game::new(7, 7).unwrap();
    game.set_rules(Rules::CHINESE);
    game.set_komi(9.0);
    for &point in moves {
        let player = game.to_play();
        game.play(player, Move::Play(point)).unwrap();
    }
    game
}

/// Every position of a book, by the moves that its own moves lead along.
fn walk(book: &OpeningBook, mut visit: impl FnMut(&[Point], &BookPosition)) -> usize {
    let mut met = HashSet::new();
    let mut open = vec![Vec::new()];
    while let Some(moves) = open.pop() {
        let game = game(&moves);
        if !met.insert(Canonical::of(&game).key()) {
            continue;
        }
        let position = book.position(&game).expect("a position of the book");
        visit(&moves, &position);
        for mv in position.moves.iter().filter(|mv| mv.goes_on) {
            open.push([&moves[..], &mv.points[..1]].concat());
        }
    }
    met.len()
}

#[test]
fn images_of_a_position_have_the_images_of_its_moves() {
    let book = make(8, 300);
    let size = (7, 7);
    let mut moved = 0;
    let all = walk(book.book(), |moves, position| {
        for way in game_core::Symmetry::all() {
            let turned = |&point: &Point| {
                let (col, row) = way.of((point.col(), point.row()), size);
                Point::new(col, row)
            };
            let image: Vec<Point> = moves.iter().map(turned).collect();
            let there = book.book().position(&game(&image)).expect("an image of it");
            assert_eq!(there.value, position.value);
            assert_eq!(there.moves.len(), position.moves.len());
            for (one, other) in position.moves.iter().zip(&there.moves) {
                let points: HashSet<Point> = one.points.iter().map(turned).collect();
                assert_eq!(points, other.points.iter().copied().collect());
                assert_eq!((one.value, one.visits), (other.value, other.visits));
                moved += 1;
            }
        }
    });
    assert!(all >= 300 && moved > 4000, "{all}, {moved}");
}

#[test]
fn it_reads_back_as_written_and_goes_on_the_same() {
    let mut whole = make(8, 200);
    let bytes = whole.book().to_bytes();
    let read = OpeningBook::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.conditions(), &conditions());
    walk(&read, |moves, position| {
        assert_eq!(whole.book().position(&game(moves)).as_ref(), Some(position));
    });
    // As after an interruption, many times.
    let mut resumed = Expansion::of(read);
    for entries in [201, 230, 300, 400] {
        grow(&mut resumed, 8, entries);
        resumed = Expansion::of(OpeningBook::from_bytes(&resumed.book().to_bytes()).unwrap());
    }
    grow(&mut whole, 8, 400);
    assert_eq!(resumed.book().to_bytes(), whole.book().to_bytes());
    // A larger book begins as a smaller one.
    assert!(whole.book().len() >= 400 && bytes.len() < whole.book().to_bytes().len());
}

#[test]
fn files_that_are_cut_damaged_or_foreign_are_refused() {
    let bytes = make(8, 16).book().to_bytes();
    for end in 0..bytes.len() {
        assert!(OpeningBook::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
        // With a checksum that fits what is left of it.
        let _ = OpeningBook::from_bytes(&sealed(&bytes[..end]));
    }
    let mut refused = 0;
    for at in 12..bytes.len() - 8 {
        for bit in [1, 16, 128] {
            let mut wrong = bytes.clone();
            wrong[at] ^= bit;
            assert_eq!(OpeningBook::from_bytes(&wrong).unwrap_err(), FileError::Damaged, "{at}");
            // What fits its checksum is a book, or refused: it never leads where the rules forbid.
            match OpeningBook::from_bytes(&sealed(&wrong)) {
                Err(_) => refused += 1,
                Ok(book) => drop(Expansion::of(book).next(8)),
            }
        }
    }
    assert!(refused > 50, "{refused}");
    let mut newer = bytes.clone();
    newer[8] = 9;
    let why = OpeningBook::from_bytes(&newer).unwrap_err();
    assert_eq!(why, FileError::Version { found: 9, expected: 1 });
    let why = OpeningBook::from_bytes(b"(;GM[1]SZ[9];B[ee])").unwrap_err();
    assert!(matches!(why, FileError::Foreign(_)), "{why}");
}

#[test]
fn a_round_s_parts_are_those_of_the_whole() {
    let mut whole = make(6, 50);
    let mut in_parts = make(6, 50);
    for parts in [1, 2, 5] {
        let leaves = in_parts.next(20);
        let files = (0..parts).map(|part| {
            let mut round = Round::of(in_parts.book());
            for &leaf in leaves.iter().skip(part).step_by(parts) {
                round.note(leaf, evaluation(&in_parts.game(leaf).unwrap()));
            }
            round.to_bytes()
        });
        let files: Vec<Vec<u8>> = files.collect();
        let mut round = Round::of(in_parts.book());
        for bytes in files.iter().rev() {
            assert!(Round::from_bytes(&bytes[..bytes.len() - 1]).is_err());
            let part = Round::from_bytes(bytes).unwrap();
            assert!(part.is_of_same_book(&round));
            round.take(part);
        }
        in_parts.add(leaves.iter().map(|&leaf| (leaf, round.get(leaf).unwrap().clone())));
        assert!(!Round::of(in_parts.book()).is_of_same_book(&round), "the book has grown");
        let entries = in_parts.book().len();
        grow(&mut whole, 20, entries);
        assert_eq!(in_parts.book().to_bytes(), whole.book().to_bytes());
    }
}

#[test]
fn it_speaks_of_games_of_its_kind_only() {
    let book = make(8, 20);
    let book = book.book();
    let known = |change: fn(&mut Game)| {
        let mut game = game(&[]);
        change(&mut game);
        book.position(&game).is_some()
    };
    assert!(known(|_| {}));
    assert!(known(|game| game.set_rules(Rules::TROMP_TAYLOR)), "the same way of scoring");
    assert!(!known(|game| game.set_rules(Rules::JAPANESE)));
    assert!(!known(|game| game.set_komi(7.5)));
    assert!(!known(|game| game.set_to_play(go_engine::Color::White)));
    assert!(!known(|game| *game = Game::new(9, 9).unwrap()));
    // A position that no book move leads to.
    let mut far = game(&[]);
    for player in [go_engine::Color::Black, go_engine::Color::White] {
        far.play(player, Move::Pass).unwrap();
    }
    assert!(book.position(&far).is_some(), "passes lead back to where it knows its way");
}

/// One position after another, with moves of our choice: places and chances.
fn chain(steps: &[&[(Point, u32, f32)]]) -> Expansion {
    let mut book = Expansion::begin(conditions());
    for (number, moves) in steps.iter().enumerate() {
        let leaves = book.next(1);
        let own = moves.first().map_or(0.5, |mv| mv.2);
        let moves = moves.iter().map(|&(place, visits, winrate)| MoveEvaluation {
            place,
            visits,
            winrate,
            lead: 0.0,
        });
        let own = if number == 0 { 0.9 } else { own };
        book.add([(leaves[0], Evaluation::new(own, 0.0, 100, moves))]);
    }
    book
}

#[test]
fn what_follows_a_move_says_more_than_the_search_of_it() {
    let place = |col, row| Point::new(col, row);
    // The search likes the first move, and after it the opponent turns out to win nine of ten.
    let first: &[(Point, u32, f32)] = &[(place(3, 3), 60, 0.8), (place(2, 2), 40, 0.5)];
    let answer: &[(Point, u32, f32)] = &[(place(2, 3), 90, 0.9)];
    let position = |book: &Expansion| book.book().position(&game(&[])).unwrap();
    let before = position(&chain(&[first]));
    assert_eq!(before.moves[0].points, [place(3, 3)]);
    assert!((before.value.winrate - 0.9).abs() < 1e-6, "its own search's");
    let after = position(&chain(&[first, answer]));
    assert!(after.moves[0].points.contains(&place(4, 4)), "{after:?}");
    assert!(!after.moves[0].goes_on && after.moves[1].goes_on);
    assert!((after.moves[1].value.winrate - 0.1).abs() < 1e-6);
    // Between its own 0.9 and what its best move surely wins, 0.5 less a standard error, as 100 visits each say.
    let sure = 0.5 - (0.25f64 / 40.0).sqrt();
    assert!((after.value.winrate - (0.9 + sure) / 2.0).abs() < 1e-3, "{after:?}");
    assert_eq!(after.value.visits, 200.0);
}

#[test]
fn good_moves_are_followed_far_and_poor_ones_a_little() {
    let book = make(1, 400);
    // By how much the moves on the way to a position were worse than the best ones, and its depth.
    let mut rows: Vec<(usize, f64)> = Vec::new();
    walk(book.book(), |moves, _| {
        let mut lost = 0.0;
        for number in 0..moves.len() {
            let before = book.book().position(&game(&moves[..number])).unwrap();
            let best = before.moves[0].value.winrate;
            let made = before.moves.iter().find(|mv| mv.points.contains(&moves[number])).unwrap();
            lost += best - made.value.winrate;
        }
        rows.push((moves.len(), lost));
    });
    let mean = |deep: bool| {
        let depth = book.book().depth() / 2;
        let losses = rows
            .iter()
            .filter(|row| (row.0 > depth) == deep)
            .map(|row| row.1 / row.0.max(1) as f64);
        let losses: Vec<f64> = losses.collect();
        losses.iter().sum::<f64>() / losses.len() as f64
    };
    assert!(mean(true) < mean(false), "{} {}", mean(true), mean(false));
}
