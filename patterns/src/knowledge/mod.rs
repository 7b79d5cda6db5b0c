//! What was learned, as the search uses it: priors of new nodes and shapes for playouts.

mod joseki;
mod shapes;

use crate::file::FileError;
use crate::joseki::Machine;
use crate::learned;
use crate::mle::{Codes, Katz, Table, Template};
use crate::params::Params;
use crate::predict::features::Position;
use crate::predict::predictor::{Predictor, Scratch};
use go_engine::params::Params as SearchParams;
use go_engine::playout::heavy::Heavy;
use go_engine::search::{Knowledge, Plain, Prior};
use go_engine::{Board, Color, Site, rng::Rng};
use go_influence::{Stones, Tuned};
use shapes::LearnedShapes;
use std::cell::RefCell;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

/// Which patterns a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patterns {
    /// None at all: tactics only.
    None,
    /// The hand-made 3x3 shapes of MoGo; nothing learned.
    Hand,
    /// The 3x3 template's frequencies.
    Square3,
    /// The 5x5 template's frequencies.
    Square5,
    /// Frequencies with Katz's back-off: the whole chain for priors, up to the 5x5 in playouts.
    Katz,
    /// The competition model for priors, frequencies of answers in playouts.
    Full,
}

impl Patterns {
    /// All choices with the names they have on the command line.
    pub const NAMES: [(&'static str, Patterns); 6] = [
        ("none", Patterns::None),
        ("hand", Patterns::Hand),
        ("1x1", Patterns::Square3),
        ("2x2", Patterns::Square5),
        ("katz", Patterns::Katz),
        ("full", Patterns::Full),
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|&&(_, kind)| kind == self).map_or("", |&(name, _)| name)
    }
}

impl FromStr for Patterns {
    type Err = String;

    fn from_str(text: &str) -> Result<Patterns, String> {
        let found = Self::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|&(_, patterns)| patterns).ok_or_else(|| {
            let names: Vec<&str> = Self::NAMES.iter().map(|(name, _)| *name).collect();
            format!("'{text}' is none of {}", names.join(", "))
        })
    }
}

/// Everything that was learned, read once; parts are read when they are first needed.
pub struct Library {
    table: Table,
    predictors: [OnceLock<Predictor>; 2],
}

impl Library {
    /// Reads what ships inside the program.
    ///
    /// # Errors
    /// Never with an undamaged program.
    pub fn built_in() -> Result<Library, FileError> {
        Ok(Library {
            table: learned::frequencies()?,
            predictors: [OnceLock::new(), OnceLock::new()],
        })
    }

    /// The frequencies.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What is played in corners.
    pub fn joseki(&self) -> Option<&'static Machine> {
        learned::joseki().ok()
    }

    /// The predictor for boards of this side.
    pub fn predictor(&self, side: u8) -> Option<&Predictor> {
        let slot = &self.predictors[usize::from(side > 9)];
        if let Some(predictor) = slot.get() {
            return Some(predictor);
        }
        let predictor = learned::predictor(side).ok()?;
        Some(slot.get_or_init(|| predictor))
    }
}

/// The search's knowledge with learned patterns.
pub struct Learned {
    patterns: Patterns,
    library: Arc<Library>,
    heavy: Heavy<LearnedShapes>,
    plain: Plain,
    params: Params,
    /// What judges positions, if a tunable asks for it.
    judge: Option<Tuned>,
}

thread_local! {
    static SCRATCH: RefCell<(Scratch, Vec<f32>)> = RefCell::default();
}

impl Learned {
    /// Knowledge of these patterns with these tunables.
    pub fn new(
        patterns: Patterns,
        library: Arc<Library>,
        search: &SearchParams,
        params: &Params,
    ) -> Learned {
        let mut without = search.clone();
        if patterns != Patterns::Hand {
            // The hand-made shapes make way for the learned ones, or for none.
            without.prior_pattern = 0.0;
        }
        let mut playout = search.clone();
        if patterns == Patterns::None {
            playout.playout_pattern = 0;
        }
        let good = match patterns {
            Patterns::Full => params.playout_good_answer,
            _ => params.playout_good,
        };
        let shapes = LearnedShapes::new(patterns, Arc::clone(&library), good);
        let asks = params.influence_prior > 0.0
            || params.influence_prior_sure > 0.0
            || search.influence_value_weight > 0.0;
        Learned {
            patterns,
            library,
            heavy: Heavy::with_shapes(&playout, shapes),
            plain: Plain::new(&without),
            params: params.clone(),
            judge: asks.then(learned::influence).and_then(Result::ok),
        }
    }

    /// Weighs quiet moves by how open it is whose their points become. A move is quiet when no chain
    /// beside it is short of liberties.
    fn weigh_quiet<const N: usize, const W: usize>(
        &self,
        judge: &Tuned,
        board: &Board<N, W>,
        color: Color,
        moves: &mut [Prior],
    ) {
        let Params { influence_prior, influence_prior_sure, .. } = self.params;
        if influence_prior == 0.0 && influence_prior_sure == 0.0 {
            return;
        }
        let influence = judge.spread(&Stones::of(board), color);
        for prior in moves {
            let beside = Board::<N, W>::ORTHO.map(|step| prior.site.offset(step));
            if beside.iter().any(|&s| board.color(s).is_some() && board.liberties(s) <= 2) {
                continue;
            }
            let sure = influence.ownership(board.point(prior.site)).abs();
            prior.favour(influence_prior * (1.0 - sure));
            prior.disfavour(influence_prior_sure * sure * sure);
        }
    }

    /// How likely each of these moves is said to be, the legal ones of a position summing to about
    /// one; false when nothing is known.
    fn likelihoods<const N: usize, const W: usize>(
        &self,
        position: Position<'_, N, W>,
        moves: &[Prior],
        scratch: &mut Scratch,
        out: &mut Vec<f32>,
    ) -> bool {
        out.clear();
        let Position { board, mover, .. } = position;
        let table = self.library.table();
        match self.patterns {
            Patterns::None | Patterns::Hand => return false,
            Patterns::Full => {
                let Some(predictor) = self.library.predictor(board.width().max(board.height()))
                else {
                    return false;
                };
                let found = predictor.predict(position, scratch);
                // Both lists go up by site: the moves are a part of the legal ones.
                let mut next = found.moves().iter().zip(found.probabilities());
                for prior in moves {
                    let likelihood = next.by_ref().find(|&(&site, _)| site == prior.site);
                    out.push(likelihood.map_or(0.0, |(_, &likelihood)| likelihood));
                }
                return true;
            }
            Patterns::Square3 | Patterns::Square5 if board.width() == board.height() => {
                let template = match self.patterns {
                    Patterns::Square3 => Template::SQUARE_3,
                    _ => Template::SQUARE_5,
                };
                let codes = Codes::of_board(board);
                out.extend(moves.iter().map(|prior| {
                    let name =
                        codes.names(codes.spot(board, prior.site), mover).nth(template.index());
                    name.and_then(|name| table.get(name)).map_or(0.0, |entry| entry.rate() as f32)
                }));
            }
            Patterns::Katz if board.width() == board.height() => {
                let codes = Codes::of_board(board);
                out.extend(moves.iter().map(|prior| {
                    let names = codes.names(codes.spot(board, prior.site), mover);
                    Katz::FULL.estimate(table, names) as f32
                }));
            }
            _ => return false,
        }
        let mut sum: f32 = out.iter().sum();
        if self.patterns == Patterns::Square5 {
            // Most 5x5 were never seen: what their moves are worth is what the known ones leave, not
            // theirs.
            sum = sum.max(1.0);
        }
        if sum > 0.0 {
            out.iter_mut().for_each(|estimate| *estimate /= sum);
        }
        true
    }
}

impl Knowledge for Learned {
    #[inline]
    fn play_out<const N: usize, const W: usize>(
        &self,
        board: &mut Board<N, W>,
        to_move: Color,
        last: [Site; 2],
        rng: &mut Rng,
        moves: &mut Vec<Site>,
    ) -> i32 {
        self.heavy.play_out(board, to_move, last, rng, moves)
    }

    fn weigh<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        color: Color,
        last: [Site; 2],
        moves: &mut [Prior],
    ) {
        if self.patterns != Patterns::Full {
            self.plain.weigh(board, color, last, moves);
        }
        let large = board.width().max(board.height()) > 13;
        let scale = if large { self.params.prior_learned_large } else { self.params.prior_learned };
        SCRATCH.with_borrow_mut(|(scratch, likelihoods)| {
            let position = Position { board, mover: color, last };
            if self.likelihoods(position, moves, scratch, likelihoods) {
                for (prior, likelihood) in moves.iter_mut().zip(likelihoods) {
                    prior.favour(likelihood.sqrt() * scale);
                    prior.is_cut = *likelihood < self.params.prior_cut;
                }
            }
        });
        if let Some(judge) = &self.judge {
            self.weigh_quiet(judge, board, color, moves);
        }
        if let Some(machine) = self.library.joseki().filter(|_| self.params.joseki) {
            joseki::favour(machine, board, color, last[0], self.params.prior_joseki, moves);
        }
    }

    fn judge<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        to_move: Color,
    ) -> Option<f32> {
        let judge = self.judge.as_ref()?;
        Some(judge.spread(&Stones::of(board), to_move).area_lead())
    }

    fn expect<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        color: Color,
        last: [Site; 2],
    ) -> Vec<(Site, f32)> {
        let legal = board.sites().filter(|&site| board.is_legal(site, color));
        let moves: Vec<Prior> = legal.map(|site| Prior::even(site, 0.0)).collect();
        let position = Position { board, mover: color, last };
        let (mut scratch, mut likelihoods) = (Scratch::default(), Vec::new());
        if !self.likelihoods(position, &moves, &mut scratch, &mut likelihoods) {
            return Vec::new();
        }
        moves.iter().map(|prior| prior.site).zip(likelihoods).collect()
    }
}
