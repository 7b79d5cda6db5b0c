//! Joseki: one state for all forms and orders of play, learning that repeats, files, ladders, and
//! what the built-in book foresees.

use game_record::{Games, Record};
use go_engine::board::Board19;
use go_engine::rng::Rng;
use go_engine::{Color, Move, Point, Site, with_board};
use go_patterns::file::FileError;
use go_patterns::game::Game;
use go_patterns::joseki::{
    Code, Corner, CornerPosition, Corners, Cut, Evaluation, Forms, JosekiBook, Key, Ladder, Place,
    Query, Sequences, Settings, Stones, Tally, encode, learn,
};
use go_patterns::learned;
use go_patterns::progress::Silent;
use std::path::PathBuf;

/// Professional games, some hundred; `None`, with a word, where the collection is not at hand.
fn professional_games(files: usize) -> Option<Vec<Game>> {
    let folder = test_support::shared("data/go19/pro")?;
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut games = Vec::new();
    for path in paths.iter().step_by(paths.len().div_ceil(files)) {
        let bytes = std::fs::read(path).unwrap();
        let records = Games::new(&bytes).map(|text| Record::read(&text.unwrap()).unwrap());
        games.extend(records.filter_map(|record| Game::from_record(&record, 19).ok()));
    }
    Some(games)
}

/// Games of random moves, near the corners for the most part, with captures.
fn random_games(games: u64, moves: usize) -> Vec<Game> {
    (0..games)
        .map(|seed| {
            let mut rng = Rng::new(seed);
            let mut game = Game { side: 19, year: Some(2000 + seed as u16), ..Game::default() };
            let mut board = Board19::new(19, 19).unwrap();
            let mut color = Color::Black;
            while game.moves.len() < moves {
                let mut line = || {
                    let near = if rng.below(8) == 0 { 19 } else { 5 };
                    let line = rng.below(near) as u8;
                    if rng.below(2) == 0 { line } else { 18 - line }
                };
                let point = Point::new(line(), line());
                let site = board.site(point).unwrap();
                if board.is_legal(site, color) {
                    board.play(site, color);
                    game.moves.push((color, Some(point)));
                    color = color.other();
                }
            }
            game
        })
        .collect()
}

fn all_games() -> Vec<Game> {
    let mut games = random_games(60, 150);
    if let Some(more) = professional_games(4) {
        games.extend(more.into_iter().step_by(20));
    }
    games
}

/// One of the 16 forms of a point and a colour: four corners, the diagonal, the two colours.
fn transformed(form: u32, point: Point, color: Color) -> (Point, Color) {
    let (mut col, mut row) = (point.col(), point.row());
    if form & 1 != 0 {
        col = 18 - col;
    }
    if form & 2 != 0 {
        row = 18 - row;
    }
    if form & 4 != 0 {
        (col, row) = (row, col);
    }
    (Point::new(col, row), if form & 8 != 0 { color.other() } else { color })
}

fn transformed_game(form: u32, game: &Game) -> Game {
    let moves = game.moves.iter().map(|&(color, point)| match point {
        None => (transformed(form, Point::new(0, 0), color).1, None),
        Some(point) => {
            let (point, color) = transformed(form, point, color);
            (color, Some(point))
        }
    });
    Game { moves: moves.collect(), ..game.clone() }
}

/// The turns of a game's corners with what names them, sorted by turn; of twins the lesser move.
fn turns(game: &Game) -> Vec<Vec<(Key, Option<Place>)>> {
    let mut turns: Vec<Vec<(Key, Option<Place>)>> = Vec::new();
    let mut last = None;
    Sequences::walk::<512, 6>(Cut::default(), game, |event, _, board, site| {
        let now = (board.key(), site, event.mover);
        if last != Some(now) {
            turns.push(Vec::new());
            last = Some(now);
        }
        let place = event.place.map(|place| event.view.move_name(place));
        turns.last_mut().unwrap().push((event.view.key, place));
    });
    turns.iter_mut().for_each(|corners| corners.sort());
    turns
}

#[test]
fn all_sixteen_forms_are_one_state() {
    for game in all_games() {
        let expected = turns(&game);
        assert!(!expected.is_empty());
        for form in 1..16 {
            assert_eq!(turns(&transformed_game(form, &game)), expected, "form {form}");
        }
    }
}

#[test]
fn the_order_of_play_does_not_matter() {
    let mut rng = Rng::new(5);
    let mut permuted = 0;
    for game in all_games() {
        // The moves of the upper right corner in the opening, in any order that is legal.
        let inside = |point: &Point| Corner::UpperRight.place(*point, 19, 19).is_some();
        let moves: Vec<(Color, Point)> = game
            .moves
            .iter()
            .take(60)
            .filter_map(|&(color, point)| Some((color, point?)))
            .filter(|(_, point)| inside(point))
            .collect();
        let mut reached: Option<(Stones, [Key; 3], u64)> = None;
        for _ in 0..6 {
            let mut order = moves.clone();
            for i in (1..order.len()).rev() {
                order.swap(i, rng.below(i as u32 + 1) as usize);
            }
            let mut board = Board19::new(19, 19).unwrap();
            let mut corners = Corners::of_board(&board).unwrap();
            let mut captured = 0;
            for &(color, point) in &order {
                let site = board.site(point).unwrap();
                if !board.is_legal(site, color) {
                    captured = 1;
                    break;
                }
                captured += board.play(site, color);
                corners.follow(&board, site, color, 0);
            }
            // Orders in which something is taken lead elsewhere.
            if captured > 0 {
                continue;
            }
            let forms = corners.forms(Corner::UpperRight);
            let view = |color| forms.view(color, None).key;
            let keys = [view(Color::Black), view(Color::White), forms.position_key()];
            let stones = corners.stones(Corner::UpperRight);
            let now = (stones, keys, Code::of(stones).s());
            assert_eq!(*reached.get_or_insert(now), now);
            permuted += 1;
        }
    }
    assert!(permuted > 60, "{permuted}");
}

#[test]
fn what_is_kept_move_by_move_is_what_is_on_the_board() {
    for game in all_games() {
        Sequences::walk::<512, 6>(Cut::default(), &game, |event, corners, board, _| {
            let stones = Stones::of_board(board, event.corner);
            assert_eq!(corners.stones(event.corner), stones);
            assert_eq!(*corners.forms(event.corner), Forms::of(stones));
            let seen = corners.seen(board, event.corner, event.mover);
            assert_eq!(seen.view(), event.view);
            assert_eq!(seen.flipped().view().key, event.view.key);
            assert_eq!(seen.canonical(), seen.flipped().canonical());
        });
    }
}

#[test]
fn tenuki_and_the_ends_of_sequences() {
    let moves = ["Q16", "D4", "R14", "K10", "O17", "C17", "O16"];
    let colors = Color::BOTH.into_iter().cycle();
    let moves = colors.zip(moves.map(|point| Some(point.parse().unwrap()))).collect();
    let game = Game { side: 19, moves, ..Game::default() };
    let mut upper_right = Vec::new();
    Sequences::walk::<512, 6>(Cut::default(), &game, |event, _, _, _| {
        if event.corner == Corner::UpperRight {
            upper_right.push((event.place.is_some(), event.answering, event.moves));
        }
    });
    let expected = [
        (true, false, 0),
        (false, true, 1),
        // Black comes back, then White goes to the middle, which all corners share.
        (true, false, 1),
        (true, true, 2),
        (true, true, 3),
        (false, true, 4),
        (true, false, 4),
    ];
    assert_eq!(upper_right, expected);
    // Limits: moves of a corner, of the game, and patience.
    let count = |cut: Cut| {
        let mut count = 0;
        Sequences::walk::<512, 6>(cut, &game, |event, _, _, _| {
            count += usize::from(event.corner == Corner::UpperRight);
        });
        count
    };
    assert_eq!(count(Cut { moves: 2, ..Cut::default() }), 3);
    assert_eq!(count(Cut { opening: 4, ..Cut::default() }), 4);
    assert_eq!(count(Cut { patience: 1, ..Cut::default() }), 2);
    assert_eq!(count(Cut { patience: 2, ..Cut::default() }), 7);
}

#[test]
fn learning_repeats_byte_for_byte_and_files_are_checked() {
    let games = random_games(40, 80);
    let settings = Settings { min_count: 1, min_state: 1, ..Settings::default() };
    let bytes_with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&games, &settings, &Silent)).unwrap().book.to_bytes()
    };
    let bytes = bytes_with(1);
    assert_eq!(bytes, bytes_with(3));
    let mut backwards = games.clone();
    backwards.reverse();
    let other = learn(&backwards, &settings, &Silent).unwrap();
    assert_eq!(other.book.to_bytes(), bytes, "the order of the games says nothing");
    assert_eq!(other.shared_keys, 0);

    let book = JosekiBook::from_bytes(&bytes).unwrap();
    assert_eq!(book, other.book);
    for (state, id) in book.states().iter().zip(0..) {
        assert_eq!(book.find(state.key).map(|id| id.0), Some(id));
    }
    assert_eq!(book.find(Key(1)), None);

    assert!(matches!(JosekiBook::from_bytes(b"SGF"), Err(FileError::Foreign(_))));
    assert_eq!(JosekiBook::from_bytes(&bytes[..10]), Err(FileError::Truncated));
    for at in (12..bytes.len()).step_by(bytes.len() / 50) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert_eq!(JosekiBook::from_bytes(&damaged), Err(FileError::Damaged), "byte {at}");
        assert!(JosekiBook::from_bytes(&bytes[..at]).is_err());
    }
}

#[test]
fn rare_moves_are_dropped_at_the_end() {
    let common = random_games(1, 40).remove(0);
    let mut games = vec![common; 10];
    games.extend(random_games(12, 40).split_off(2));
    let learned = learn(&games, &Settings::default(), &Silent).unwrap();
    assert!(learned.states > learned.book.states().len() as u64);
    for state in learned.book.states() {
        assert!(state.turns.played() >= Settings::default().min_state);
        for transition in learned.book.moves(state) {
            assert!(transition.count >= Settings::default().min_count);
            assert!(transition.recent <= transition.count);
        }
    }
}

#[test]
fn codes_are_compared_with_positions() {
    let games = random_games(10, 60);
    let encoding = encode(&games, Cut::default(), &Silent).unwrap();
    let own = encoding.figures(|stones| Forms::of(stones).position_key());
    assert_eq!((own.shared, own.split), (0, 0));
    assert_eq!(own.codes, own.positions);
    assert_eq!(own.encodings, encoding.positions.len());
    // The paper's code never splits a position; a code that says nothing shares everything.
    assert_eq!(encoding.figures(|stones| Code::of(stones).s()).split, 0);
    let nothing = encoding.figures(|_| 0);
    assert_eq!((nothing.codes, nothing.shared, nothing.confused), (1, 1, own.positions));
    // A code that sees how the corner lies splits positions.
    assert!(encoding.figures(|stones| stones).split > 0);
}

#[test]
fn the_built_in_machine_knows_first_moves() {
    let book = learned::joseki().unwrap();
    let board = Board19::new(19, 19).unwrap();
    let corners = Corners::of_board(&board).unwrap();
    for corner in Corner::ALL {
        let query = Query::of(book, &corners, &board, corner, Color::Black, Site::PASS).unwrap();
        let first: Vec<_> = query.suggestions(&corners, &board, Color::Black).take(3).collect();
        let lines = |site: Site| {
            let place = corners.place(corner, board.point(site)).unwrap();
            (place.x().min(place.y()), place.x().max(place.y()))
        };
        assert_eq!(lines(first[0].site), (4, 4), "the star point");
        assert_eq!([lines(first[1].site), lines(first[2].site)], [(3, 4), (3, 4)], "and its twin");
        assert_ne!(first[1].site, first[2].site);
        let all: f32 = query.continuations(&corners, &board).map(|found| found.share).sum();
        assert!((0.9..1.001).contains(&all), "{all}");
    }
}

#[test]
fn transitions_lead_where_playing_them_leads() {
    let book = learned::joseki().unwrap();
    // From the empty corner along everything that is known.
    let mut open = vec![CornerPosition::default()];
    let mut visited = std::collections::HashSet::new();
    let mut captures = 0;
    while let Some(seen) = open.pop() {
        let id = book.find(seen.view().key);
        let Some(id) = id.filter(|&id| visited.insert(id)) else { continue };
        let state = book.state(id);
        assert_eq!(book.find(seen.passed().view().key), state.passed);
        for transition in book.moves(state) {
            let place = seen.view().turn(transition.place);
            assert!(!seen.own.has(place) && !seen.other.has(place) && seen.ko != Some(place));
            let after = seen.played(place);
            captures += usize::from(after.own.len() < seen.other.len());
            assert_eq!(book.find(after.view().key), transition.next);
            open.push(after);
        }
        open.push(seen.passed());
    }
    assert!(visited.len() * 10 > book.states().len() * 9, "{} reached", visited.len());
    assert!(captures > 10);
}

/// A board with the corner in the lower left, the player to move Black.
fn board_of(seen: CornerPosition, wall: Option<Color>) -> Option<Board19> {
    let mut board = Board19::new(19, 19)?;
    let site = |board: &Board19, place| board.site(Corner::LowerLeft.point(place, 19, 19)).unwrap();
    for (set, color) in [(seen.own, Color::Black), (seen.other, Color::White)] {
        for place in set.iter() {
            let at = site(&board, place);
            if !board.is_legal(at, color) {
                return None;
            }
            board.play(at, color);
        }
    }
    for i in 0..=12 {
        for point in [Point::new(12, i), Point::new(i, 12)] {
            let at = board.site(point)?;
            if let Some(color) = wall.filter(|_| board.is_empty(at)) {
                board.play(at, color);
            }
        }
    }
    board.lift_ko();
    Some(board)
}

#[test]
fn a_joseki_whose_ladder_fails_is_not_recommended() {
    let book = learned::joseki().unwrap();
    let mut open = vec![CornerPosition::default()];
    let mut visited = std::collections::HashSet::new();
    let (mut kept, mut withdrawn) = (0, 0);
    while let Some(seen) = open.pop() {
        let id = book.find(seen.view().key);
        let Some(id) = id.filter(|&id| visited.insert(id)) else { continue };
        for transition in book.moves(book.state(id)) {
            open.push(seen.played(seen.view().turn(transition.place)));
            if !transition.need.now() || seen.ko.is_some() {
                continue;
            }
            for wall in [None, Some(Color::Black), Some(Color::White)] {
                let Some(board) = board_of(seen, wall) else { continue };
                let corners = Corners::of_board(&board).unwrap();
                let corner = Corner::LowerLeft;
                let Some(query) =
                    Query::of(book, &corners, &board, corner, Color::Black, Site::PASS)
                else {
                    continue;
                };
                let place = seen.view().turn(transition.place);
                let site = board.site(corner.point(place, 19, 19)).unwrap();
                let ladder = Ladder::after(&board, site, Color::Black);
                let fails = transition.need.safe && ladder.caught
                    || transition.need.deadly && ladder.escapes;
                let mut all = query.suggestions(&corners, &board, Color::Black);
                let is_recommended = all.any(|found| found.site == site);
                assert!(!(fails && is_recommended), "{seen:?} {place}");
                withdrawn += usize::from(fails);
                kept += usize::from(is_recommended);
            }
        }
        open.push(seen.passed());
    }
    assert!(kept > 20 && withdrawn > 20, "{kept} kept, {withdrawn} withdrawn");
}

#[test]
fn nothing_illegal_is_ever_suggested() {
    let book = learned::joseki().unwrap();
    let mut suggested = 0;
    let mut rng = Rng::new(11);
    for recorded in all_games() {
        // The game as its rules see it, which keeps its own history and ko.
        let mut game = go_engine::Game::new(19, 19).unwrap();
        game.set_rules(go_engine::Rules::JAPANESE);
        for &(color, point) in recorded.moves.iter().take(120) {
            let mv = point.map_or(Move::Pass, Move::Play);
            with_board!(game.board(), board => {
                let corners = Corners::of_board(board).unwrap();
                // The other player's moves too: after a ko only one of them is barred.
                let mover = if rng.below(3) == 0 { color.other() } else { color };
                for corner in Corner::ALL {
                    let query = Query::of(book, &corners, board, corner, mover, Site::PASS);
                    for found in query.iter().flat_map(|a| a.suggestions(&corners, board, mover)) {
                        let point = board.point(found.site);
                        assert_eq!(game.check(mover, Move::Play(point)), Ok(()), "{mover} {point}");
                        suggested += 1;
                    }
                }
            });
            game.replay(color, mv).unwrap();
        }
    }
    assert!(suggested > 10_000, "{suggested}");
}

#[test]
fn the_built_in_machine_foresees_professional_moves() {
    let Some(games) = professional_games(6) else { return };
    let evaluation = Evaluation { book: learned::joseki().unwrap(), opening: 60, color: None };
    let mut tallies = [Tally::default(); 1];
    for game in games.iter().filter(|game| game.is_validation()) {
        evaluation.eval(game, &mut tallies);
    }
    let [tally] = tallies;
    assert!(tally.known * 100 > tally.moves * 40, "{tally:?}");
    assert!(tally.within[1] * 100 > tally.known * 75, "{tally:?}");
}
