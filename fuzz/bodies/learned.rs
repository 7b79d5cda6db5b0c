//! Files of what was learned. Their checksums are set right first, or hardly an input would get past them.

use amazons_engine::eval::Weights;
use amazons_engine::net::file::{Net, checksum, network as read_network};
use amazons_engine::net::resnet::ResNet;
use connect6_engine::book::Book;
use connect6_engine::search::Knowledge;
use go_engine::game::AnyBoard;
use go_engine::{Board, Color, Game, Move, Point, Site};
use go_influence::Stones;
use go_network::{Network, NetworkFile};
use go_patterns::frequencies::parts::{Chances, Played};
use go_patterns::frequencies::{Codes, Estimator, Table};
use go_patterns::joseki::{Corner, Corners, CountedOtherwise, Counts, JosekiBook, Query, Settings};
use go_patterns::opening::{Expansion, OpeningBook};
use go_patterns::predict::features::Position;
use go_patterns::predict::predictor::{Predictor, Scratch};
use go_patterns::progress::Silent;
use go_patterns::{file, influence};
use std::sync::{Arc, OnceLock};
use tesuji::amazons::engine::AmazonsEngine;

/// A table for Go of any kind, as it is and with its checksum set right: it is refused, or can be used and is written
/// as a file that can be read.
pub fn tables(data: &[u8]) {
    for bytes in [data.to_vec(), file::sealed(data)] {
        if let Ok(table) = Table::from_bytes(&bytes) {
            let again = table.to_bytes();
            assert_eq!(Table::from_bytes(&again).expect("our own table").to_bytes(), again);
            assert!(Table::responses_from_bytes(&again).is_ok());
            on_boards(&mut Frequencies(&table));
        }
        if let Ok(predictor) = Predictor::from_bytes(&bytes) {
            let again = predictor.to_bytes();
            assert_eq!(Predictor::from_bytes(&again).expect("our own predictor").to_bytes(), again);
            on_boards(&mut Predicted(&predictor, Scratch::default()));
        }
        if let Ok(book) = JosekiBook::from_bytes(&bytes) {
            assert_eq!(JosekiBook::from_bytes(&book.to_bytes()).expect("our own book"), book);
            on_boards(&mut Joseki(&book));
        }
        counts(&bytes);
        if let Ok(book) = OpeningBook::from_bytes(&bytes) {
            let again = book.to_bytes();
            assert_eq!(OpeningBook::from_bytes(&again).expect("our own book").to_bytes(), again);
            let size = book.conditions().size;
            let game = Game::new(size, size).expect("a board");
            book.position(&game);
            let book = Expansion::of(book);
            assert!(book.next(3).iter().all(|&leaf| book.game(leaf).is_some()));
        }
        if let Ok(model) = influence::from_bytes(&bytes) {
            on_boards(&mut Influence(&model));
        }
    }
}

/// What was counted in a part of the games: it is refused, or is written as a file that can be read and learned from.
fn counts(bytes: &[u8]) {
    if let Ok(played) = Played::from_bytes(bytes) {
        assert_eq!(Played::from_bytes(&played.to_bytes()).expect("our own counts"), played);
    }
    if let Ok(chances) = Chances::from_bytes(bytes) {
        let again = chances.to_bytes();
        assert_eq!(Chances::from_bytes(&again).expect("our own counts").to_bytes(), again);
    }
    if let Ok(counts) = Counts::from_bytes(bytes) {
        let parts = [Ok::<_, CountedOtherwise>(counts)];
        let counts = Counts::merged(parts).expect("one part").expect("what was counted");
        assert!(Counts::from_bytes(&counts.to_bytes()).is_ok());
        let settings = Settings { min_count: 1, min_state: 1, ..Settings::default() };
        let book = counts.learn(&settings, &Silent).expect("a book").book;
        assert_eq!(JosekiBook::from_bytes(&book.to_bytes()).expect("our own book"), book);
    }
}

/// What is done with a board of either layout.
trait Look {
    fn at<const N: usize, const W: usize>(&mut self, board: &Board<N, W>, last: Site);
}

/// Looks at small positions, of a small board and of one that has joseki.
fn on_boards(look: &mut impl Look) {
    static GAMES: OnceLock<[Game; 2]> = OnceLock::new();
    let game = |side: u8| {
        let mut game = Game::new(side, side).expect("a board");
        for (number, (col, row)) in [(3, 3), (3, 5), (5, 2), (2, 4), (6, 6)].into_iter().enumerate()
        {
            let color = Color::BOTH[number % 2];
            game.play(color, Move::Play(Point::new(col, row))).expect("a move");
        }
        game
    };
    for game in GAMES.get_or_init(|| [game(9), game(19)]) {
        match game.board() {
            AnyBoard::Up9(board) => look.at(board, board.site(Point::new(6, 6)).expect("a site")),
            AnyBoard::Up19(board) => look.at(board, board.site(Point::new(6, 6)).expect("a site")),
            AnyBoard::Up13(_) | AnyBoard::Up25(_) => {}
        }
    }
}

struct Frequencies<'t>(&'t Table);

impl Look for Frequencies<'_> {
    fn at<const N: usize, const W: usize>(&mut self, board: &Board<N, W>, _: Site) {
        let (codes, katz) = (Codes::of_board(board), Estimator::of(self.0));
        for site in board.sites().filter(|&site| board.is_legal(site, Color::White)).take(9) {
            let names = codes.names_of_move(board, site, Color::White, self.0.timing);
            let estimate = katz.estimate(names);
            assert!(estimate >= 0.0, "{estimate}");
        }
    }
}

struct Predicted<'p>(&'p Predictor, Scratch);

impl Look for Predicted<'_> {
    fn at<const N: usize, const W: usize>(&mut self, board: &Board<N, W>, last: Site) {
        let position = Position { board, mover: Color::White, last: [last, Site::PASS] };
        let found = self.0.predict(position, &mut self.1);
        assert_eq!(found.moves().len(), found.probabilities().len());
        assert!(found.probabilities().iter().all(|chance| (0.0..=1.001).contains(chance)));
    }
}

struct Joseki<'b>(&'b JosekiBook);

impl Look for Joseki<'_> {
    fn at<const N: usize, const W: usize>(&mut self, board: &Board<N, W>, last: Site) {
        let Some(corners) = Corners::of_board(board) else { return };
        for corner in Corner::ALL {
            let query = Query::of(self.0, &corners, board, corner, Color::White, last);
            let Some(query) = query else { continue };
            assert!((0.0..=1.001).contains(&query.here()), "{}", query.here());
            for found in query.suggestions(&corners, board, Color::White) {
                assert!((0.0..=1.001).contains(&found.share), "{}", found.share);
            }
        }
    }
}

struct Influence<'m>(&'m go_influence::Tuned);

impl Look for Influence<'_> {
    fn at<const N: usize, const W: usize>(&mut self, board: &Board<N, W>, _: Site) {
        let lead = self.0.spread(&Stones::of(board), Color::White).area_lead();
        assert!(lead.abs() <= 400.0, "{lead}");
    }
}

/// Weights or a network of Amazons, or the book that ends Connect6's weights: they are refused, or play.
pub fn weights(data: &[u8]) {
    if let Ok(weights) = Weights::from_text(&String::from_utf8_lossy(data)) {
        assert!(Weights::from_text(&weights.to_text()).is_ok());
        amazons_move(Arc::new(weights), None);
    }
    for bytes in [data.to_vec(), sealed_network(data)] {
        if let Ok(Net::ResNet(network)) = read_network(&bytes) {
            amazons_move(Weights::shipped(), Some(Arc::new(*network)));
        }
    }
    drop(connect6_engine::weights::decode(data));
    connect6_move(data);
}

/// A network's file with the checksum of its bytes.
fn sealed_network(data: &[u8]) -> Vec<u8> {
    let body = &data[..data.len().saturating_sub(8)];
    let sum = checksum(body);
    [body, &sum.to_le_bytes()[..]].concat()
}

fn amazons_move(weights: Arc<Weights>, network: Option<Arc<ResNet>>) {
    let mut engine = AmazonsEngine::new(weights, 1, 16);
    if let Some(network) = network {
        engine.set_network(network);
    }
    super::sessions::amazons_genmove(engine);
}

/// Connect6's weights are numbers of which all are good; what can be wrong is the book after them.
fn connect6_move(data: &[u8]) {
    let book = Book::decode(data);
    let again = Book::decode(&book.encode());
    assert_eq!(again, book);
    if !book.is_empty() {
        let net = connect6_engine::weights::shipped().net.clone();
        super::sessions::connect6_genmove(Arc::new(Knowledge { net, book }));
    }
}

/// A network file of KataGo: it is refused, or can be asked and is written as a file that can be read.
pub fn network(data: &[u8]) {
    let Ok(file) = NetworkFile::read(data) else { return };
    assert_eq!(NetworkFile::read(&file.write()[..]).expect("our own file"), file);
    // No fuzzer shall ask for work without end.
    if file.multiply_adds(25) < 10_000_000 {
        let game = Game::new(5, 5).expect("a board");
        let network = Network::with_best_kernels(&file);
        let said = go_network::evaluate_game(&network, &game, 0.5, go_network::Symmetry::NONE)
            .expect("an answer");
        assert_eq!(said.owners.len(), 25);
    }
}
