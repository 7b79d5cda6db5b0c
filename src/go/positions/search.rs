//! One position searched, and told as it is shown.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use game_core::Report;
use go_engine::{Game, Move};
use go_network::NetworkParams;

use crate::go::engine::GoEngine;
use crate::session::clock::Deadlines;
use crate::session::{Engine as _, Filter, Pace, Purpose, Query, Watch};

/// A position to be searched for whoever is to move, and how long. Without a limit it is searched until it is told to end.
#[derive(Clone, Copy)]
pub struct PositionQuery<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// Visits of this search, those of a kept tree not counted.
    pub visits: Option<u64>,
    /// How long at most.
    pub time: Option<Duration>,
    /// Moves left out of consideration.
    pub filter: &'a Filter,
    /// When it is told what was found so far.
    pub pace: Option<Pace>,
    /// Tunables of the search with a network from this search on; none leaves them as they are.
    pub network: Option<&'a NetworkParams>,
    /// What was found of a position is used for those that come after it in the same game, when they are searched next and
    /// without a filter; and for itself.
    pub keeps_tree: bool,
}

impl<'a> PositionQuery<'a> {
    /// A position with neither a limit nor a filter, nothing told on the way and nothing kept.
    pub fn new(game: &'a Game) -> PositionQuery<'a> {
        const ALL: &Filter = &Filter::NONE;
        PositionQuery {
            game,
            visits: None,
            time: None,
            filter: ALL,
            pace: None,
            network: None,
            keeps_tree: false,
        }
    }
}

/// An engine that is asked about one position after another, for reports only. It lives as long as its worker, and takes the
/// memory of one search.
pub struct PositionSearcher {
    engine: GoEngine,
    cleared: u64,
    max_visits: Option<u64>,
}

impl PositionSearcher {
    /// One with this engine.
    pub fn new(engine: GoEngine) -> PositionSearcher {
        PositionSearcher { engine, cleared: 0, max_visits: None }
    }

    /// The same that makes at most so many visits, whatever is asked.
    pub fn at_most(self, visits: u64) -> PositionSearcher {
        PositionSearcher { max_visits: Some(visits), ..self }
    }

    /// The engine, for what it says without a search.
    pub fn engine(&self) -> &GoEngine {
        &self.engine
    }

    /// Forgets everything that was found, a network's evaluations too.
    pub fn clear(&mut self) {
        self.engine.forget();
    }

    /// The same if it was not yet done so many times, for who cannot reach every worker at once.
    pub fn clear_once(&mut self, times: u64) {
        if self.cleared != times {
            self.cleared = times;
            self.clear();
        }
    }

    /// Searches a position until a limit, or until the flag is raised; `watch` is told what was found so far.
    pub fn search(
        &mut self,
        query: &PositionQuery<'_>,
        stop: &AtomicBool,
        watch: Watch<'_, Move>,
    ) -> Report<Move> {
        let PositionQuery { game, visits, filter, pace, .. } = *query;
        if !query.keeps_tree {
            self.engine.forget_tree();
        }
        if let Some(params) = query.network {
            self.engine.set_network_params(params);
        }
        let began = Instant::now();
        // A time that the clock does not know is as good as none.
        let end = query.time.and_then(|time| began.checked_add(time));
        let color = game.to_play();
        let query = Query {
            game,
            color,
            purpose: Purpose::Analysis,
            visits: visits.into_iter().chain(self.max_visits).min(),
            deadlines: end.map(|end| Deadlines { began, soft: end, hard: end }),
            filter,
            stop: &|| stop.load(Ordering::Relaxed),
            resign_below: 0.0,
            pace,
        };
        let showing = self.engine.showing(game, color);
        let found = self.engine.search(&query, &mut |found| {
            // Before the first visit there is nothing to tell.
            if found.visits > 0 {
                watch(&showing(found));
            }
        });
        showing(&found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::positions::PositionsArgs;
    use crate::gtp::Step;
    use crate::session::Restriction;
    use clap::Parser as _;
    use go_engine::{Color, Point};
    use std::sync::mpsc::channel;

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        positions: PositionsArgs,
    }

    fn args(text: &str) -> PositionsArgs {
        Cli::try_parse_from(text.split(' ')).unwrap().positions
    }

    fn game(moves: usize) -> Game {
        let mut game = Game::new(9, 9).unwrap();
        for (at, color) in (0..moves).zip([Color::Black, Color::White].into_iter().cycle()) {
            game.play(color, Move::Play(Point::new(2 + at as u8, 2))).unwrap();
        }
        game
    }

    #[test]
    fn a_position_s_report_is_the_same_on_every_worker_whatever_came_before() {
        let pool = args("test --positions 2 --max-memory 32").pool().unwrap();
        let (sender, receiver) = channel();
        for moves in [3, 0, 1, 2, 3, 3] {
            let sender = sender.clone();
            pool.submit(0, move |searcher: &mut PositionSearcher, stop| {
                let game = game(moves);
                let query = PositionQuery { visits: Some(60), ..PositionQuery::new(&game) };
                sender.send((moves, searcher.search(&query, stop, &mut |_| {}))).unwrap();
            })
            .unwrap();
        }
        drop(sender);
        let all: Vec<_> = receiver.iter().collect();
        let third: Vec<_> = all.iter().filter(|(moves, _)| *moves == 3).collect();
        assert_eq!((all.len(), third.len()), (6, 3));
        assert!(third.iter().all(|(_, found)| *found == third[0].1));
        assert_eq!(third[0].1.visits, 60);
    }

    #[test]
    fn a_tree_is_handed_on_where_that_is_wanted() {
        let engine = args("test --positions 1 --max-memory 16").engine().unwrap();
        let mut searcher = PositionSearcher::new(engine);
        let stop = AtomicBool::new(false);
        let (before, mut after) = (game(0), game(0));
        let query = PositionQuery { visits: Some(400), ..PositionQuery::new(&before) };
        let best = searcher.search(&query, &stop, &mut |_| {}).moves[0].clone();
        after.play(Color::Black, best.mv).unwrap();
        let query =
            PositionQuery { visits: Some(10), keeps_tree: true, ..PositionQuery::new(&after) };
        let kept = searcher.search(&query, &stop, &mut |_| {});
        assert!(kept.visits > 10, "{}", kept.visits);
        let fresh = PositionQuery { keeps_tree: false, ..query };
        assert_eq!(searcher.search(&fresh, &stop, &mut |_| {}).visits, 10);
    }

    #[test]
    fn it_ends_when_told_and_tells_on_the_way() {
        let mut searcher = PositionSearcher::new(args("test --max-memory 16").engine().unwrap());
        let (stop, game) = (AtomicBool::new(false), game(0));
        let pass = Restriction { color: Color::Black, steps: vec![Step::Pass], depth: 1 };
        let filter = Filter { avoid: vec![pass], ..Filter::NONE };
        let pace = Some(Duration::from_millis(1).into());
        let query = PositionQuery { pace, filter: &filter, ..PositionQuery::new(&game) };
        let mut told = 0;
        let found = searcher.search(&query, &stop, &mut |found| {
            told += 1;
            assert!(found.visits > 0);
            stop.store(told == 3, Ordering::Relaxed);
        });
        assert!(told >= 3 && found.moves.iter().all(|found| found.mv != Move::Pass));
    }
}
