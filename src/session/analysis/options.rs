//! What an analysis was asked for.

use std::time::Duration;

use crate::gtp::{Args, Color, Failure, read_color};
use crate::session::game::{Filter, Restriction};
use crate::session::game::{Game, read_steps};

/// What an analysis was asked for.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::session) struct Options {
    /// For whom.
    pub color: Color,
    /// How often lines come.
    pub interval: Duration,
    /// What is left out.
    pub filter: Filter,
    /// Moves to tell at least, also such as were not searched.
    pub(super) min_moves: usize,
    /// Moves to tell at most.
    pub(super) max_moves: usize,
    /// What is told beside the moves.
    pub(super) extras: Extras,
}

/// What an analysis tells beside the moves, each when it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Extras {
    /// Of the position as a whole.
    pub root: bool,
    /// Whose the points are.
    pub ownership: bool,
    /// How far that differs between playouts.
    pub ownership_stdev: bool,
    /// Whose the points are after each move.
    pub moves_ownership: bool,
    /// How far playouts differ about those.
    pub moves_ownership_stdev: bool,
    /// Visits of the positions of a variation.
    pub pv_visits: bool,
    /// Visits of the moves of a variation; in a tree the same.
    pub pv_edge_visits: bool,
    /// How likely the game ends without a result.
    pub no_result: bool,
}

/// How often lines come when no interval is given.
const DEFAULT_INTERVAL: Duration = Duration::from_millis(500);

impl Options {
    /// Reads colour, interval and options: colour and interval in any order, either may be absent. Options that are
    /// not known are skipped with their values.
    ///
    /// # Errors
    /// A word that is none of this, an option without a value or with a wrong one, or a point that is not on the board.
    pub fn parse<G: Game>(args: &mut Args<'_>, game: &G) -> Result<Options, Failure> {
        let mut options = Options {
            color: game.to_move(),
            interval: DEFAULT_INTERVAL,
            filter: Filter::default(),
            min_moves: 0,
            max_moves: usize::MAX,
            extras: Extras::default(),
        };
        while let Some(word) = args.next() {
            if let Ok(color) = read_color(word) {
                options.color = color;
                continue;
            }
            if let Some(read) = interval(word) {
                options.interval = read;
                continue;
            }
            let extras = &mut options.extras;
            match word.to_ascii_lowercase().as_str() {
                "interval" => {
                    options.interval = interval(args.word()?).ok_or_else(Failure::syntax)?;
                }
                "minmoves" => options.min_moves = args.parse()?,
                "maxmoves" => options.max_moves = args.parse()?,
                "avoid" => options.restrict(args, game, true)?,
                "allow" => options.restrict(args, game, false)?,
                "rootinfo" => extras.root = args.boolean()?,
                "ownership" => extras.ownership = args.boolean()?,
                "ownershipstdev" => extras.ownership_stdev = args.boolean()?,
                "movesownership" => extras.moves_ownership = args.boolean()?,
                "pvvisits" => extras.pv_visits = args.boolean()?,
                "pvedgevisits" => extras.pv_edge_visits = args.boolean()?,
                "noresultvalue" => extras.no_result = args.boolean()?,
                "movesownershipstdev" => extras.moves_ownership_stdev = args.boolean()?,
                // Clients ask KataGo for more than there is here (`wideRootNoise 0.1`), and live without it.
                other if other.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                    let value = args.word()?;
                    tracing::debug!("the analysis does not know {other} {value}");
                }
                _ => return Err(Failure::syntax()),
            }
        }
        Ok(options)
    }

    /// `avoid COLOUR VERTICES DEPTH`, where vertices have commas between them.
    fn restrict<G: Game>(
        &mut self,
        args: &mut Args<'_>,
        game: &G,
        avoid: bool,
    ) -> Result<(), Failure> {
        let color = args.color().map_err(|_| Failure::syntax())?;
        let mut steps = Vec::new();
        for word in args.word()?.split(',') {
            steps.extend(read_steps(game, word)?);
        }
        let depth: u32 = args.parse()?;
        let list = if avoid { &mut self.filter.avoid } else { &mut self.filter.allow };
        if depth > 0 {
            list.push(Restriction { color, steps, depth });
        }
        Ok(())
    }
}

/// An interval told in hundredths of a second, which KataGo's clients may give as a fraction; none is shorter than
/// one hundredth.
fn interval(word: &str) -> Option<Duration> {
    let hundredths: f64 = word.parse().ok()?;
    let seconds =
        (0.0..=f64::from(u32::MAX)).contains(&hundredths).then_some(hundredths / 100.0)?;
    Some(Duration::from_secs_f64(seconds.max(0.01)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::Step;
    use connect6_engine::{Game, Rules};

    fn options(text: &str) -> Result<Options, Failure> {
        Options::parse(&mut Args::new(text), &Game::new(Rules::CONNECT6))
    }

    #[test]
    fn colour_and_interval_come_in_any_order() {
        for text in ["w 20", "20 w", "W interval 20", "interval 20 white", "20 interval 20 w"] {
            let options = options(text).unwrap();
            assert_eq!(options.color, Color::White, "{text}");
            assert_eq!(options.interval, Duration::from_millis(200), "{text}");
        }
        let bare = options("").unwrap();
        assert_eq!((bare.color, bare.interval), (Color::Black, DEFAULT_INTERVAL));
        assert_eq!(options("100000").unwrap().interval, Duration::from_secs(1000));
        assert_eq!(options("0").unwrap().interval, Duration::from_millis(10));
        assert_eq!(options("b 12.5").unwrap().interval, Duration::from_millis(125));
        assert_eq!(options("interval 0.5 w").unwrap().interval, Duration::from_millis(10));
    }

    #[test]
    fn options_are_read_and_bad_ones_refused() {
        let text = "b ownership true ownershipStdev true movesOwnership true movesOwnershipStdev true \
                    pvVisits true pvEdgeVisits true noResultValue true rootInfo true minmoves 3 maxmoves 5";
        let all = options(text).unwrap();
        let everything = Extras {
            root: true,
            ownership: true,
            ownership_stdev: true,
            moves_ownership: true,
            moves_ownership_stdev: true,
            pv_visits: true,
            pv_edge_visits: true,
            no_result: true,
        };
        assert_eq!(all.extras, everything);
        assert_eq!((all.min_moves, all.max_moves), (3, 5));
        let filter = options("b avoid b D4,pass 10 allow w C3 10").unwrap().filter;
        let part =
            |color, steps: &[Step], depth| Restriction { color, steps: steps.to_vec(), depth };
        let [d4, c3] = ["D4", "C3"].map(|name| Step::At(name.parse().unwrap()));
        assert_eq!(filter.avoid, [part(Color::Black, &[d4, Step::Pass], 10)]);
        assert_eq!(filter.allow, [part(Color::White, &[c3], 10)]);
        let depths = |color| [d4, c3, Step::Pass].map(|step| filter.depth(color, &[step]));
        assert_eq!(depths(Color::Black), [10, 0, 10]);
        assert_eq!(depths(Color::White), [10, 0, 10]);
        assert_eq!(options("b avoid b D4 0").unwrap().filter, Filter::NONE);
        let more = options("humanPrior true b wideRootNoise 0.1 20 rootInfo true").unwrap();
        assert!(more.extras.root && more.interval == Duration::from_millis(200));
        let bad = [
            "x",
            "interval",
            "interval x",
            "interval nan",
            "interval 1e99",
            "ownership",
            "ownership 3",
            "movesOwnership",
            "movesOwnershipStdev",
            "pvEdgeVisits maybe",
        ];
        for bad in bad.into_iter().chain(["avoid b", "avoid b Z99 1", "-5", "somethingElse"]) {
            assert!(options(bad).is_err(), "{bad}");
        }
    }
}
