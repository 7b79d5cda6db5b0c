//! What was learned, as the search uses it: priors of new nodes and shapes for playouts.

mod joseki;
mod mixture;
mod shapes;

use crate::file::FileError;
use crate::frequencies::{Codes, Estimator, ResponsePatterns, Table, Template};
use crate::joseki::JosekiBook;
use crate::learned;
use crate::params::Params;
use crate::predict::features::Position;
use crate::predict::predictor::{Predictor, Scratch};
use go_engine::board::Pattern3x3;
use go_engine::params::Params as SearchParams;
use go_engine::playout::Playout;
use go_engine::playout::heavy::Heavy;
use go_engine::playout::sampling::ShapeRates;
use go_engine::search::{HandcraftedPolicy, Options, Prior, Priors, RolloutEvaluator, Search};
use go_engine::{Board, Color, Site};
use go_influence::{Stones, Tuned};
use mixture::InfluenceMixture;
use shapes::LearnedShapes;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use tunables::BoardSize;

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
        ("3x3", Patterns::Square3),
        ("5x5", Patterns::Square5),
        ("katz", Patterns::Katz),
        ("full", Patterns::Full),
    ];

    /// The size of the boards whose defaults play best with these patterns where the board's longer side has so many
    /// points. With the hand-made shapes alone those of 13x13 play better on 19x19 than its own (docs/experiments/tune.md,
    /// *19x19*).
    pub fn size_of_defaults(self, side: u8) -> BoardSize {
        match BoardSize::of_side(side) {
            BoardSize::Large if self == Patterns::Hand => BoardSize::Medium,
            size => size,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|&&(_, kind)| kind == self).map_or("", |&(name, _)| name)
    }
}

impl FromStr for Patterns {
    type Err = String;

    fn from_str(text: &str) -> Result<Patterns, String> {
        // What the squares were called after the paper, by how far they reach.
        let text = match text {
            "1x1" => "3x3",
            "2x2" => "5x5",
            _ => text,
        };
        let found = Self::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|&(_, patterns)| patterns).ok_or_else(|| {
            let names: Vec<&str> = Self::NAMES.iter().map(|(name, _)| *name).collect();
            format!("'{text}' is none of {}", names.join(", "))
        })
    }
}

/// Everything that was learned, read once; parts are read when they are first needed.
pub struct Library {
    responses: ResponsePatterns,
    table: OnceLock<Table>,
    shape_rates: OnceLock<Arc<ShapeRates>>,
    predictors: [OnceLock<Predictor>; 2],
}

impl Library {
    /// Reads what ships inside the program.
    ///
    /// # Errors
    /// Never with an undamaged program.
    pub fn built_in() -> Result<Library, FileError> {
        Ok(Library {
            responses: learned::responses()?,
            table: OnceLock::new(),
            shape_rates: OnceLock::new(),
            predictors: [OnceLock::new(), OnceLock::new()],
        })
    }

    /// The frequencies.
    pub fn table(&self) -> Option<&Table> {
        if let Some(table) = self.table.get() {
            return Some(table);
        }
        let table = learned::frequencies().ok()?;
        Some(self.table.get_or_init(|| table))
    }

    /// How often experts play in each 3x3 shape. All that are played in a quarter of the cases or more are alike, so that
    /// the steps of a rate tell apart the many that are played less often.
    pub fn shape_rates(&self) -> Option<Arc<ShapeRates>> {
        if self.shape_rates.get().is_none() {
            // The table is large, and those who ask for this need no more of it.
            let rates = match self.table.get() {
                Some(table) => shape_rates(table),
                None => shape_rates(&learned::frequencies().ok()?),
            };
            self.shape_rates.get_or_init(|| rates);
        }
        self.shape_rates.get().cloned()
    }

    /// How often experts answer in contact.
    pub fn responses(&self) -> &ResponsePatterns {
        &self.responses
    }

    /// What is played in corners.
    pub fn joseki(&self) -> Option<&'static JosekiBook> {
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

/// The rates of all 3x3 shapes by a table of frequencies.
fn shape_rates(table: &Table) -> Arc<ShapeRates> {
    let mut rates = [1; 1 << 16];
    for (code, rate) in (0..=u16::MAX).zip(&mut rates) {
        *rate = (255.0 * (4.0 * table.rate3x3(Pattern3x3(code))).min(1.0)).max(1.0) as u8;
    }
    Arc::new(rates)
}

/// A search with learned patterns: their priors, playouts with their shapes, and a share of influence in
/// the leaves' values where the tunables say so.
pub fn search(
    patterns: Patterns,
    library: &Arc<Library>,
    options: Options,
    params: &Params,
) -> Search {
    let mut playout = options.params.clone();
    if patterns == Patterns::None {
        playout.playout_pattern = 0;
    }
    let good = match patterns {
        Patterns::Full => params.playout_good_answer,
        _ => params.playout_good,
    };
    let shapes = LearnedShapes::new(patterns, Arc::clone(library), good);
    let rollout = Playout::new(&playout, Heavy::with_shapes(&playout, shapes));
    let asked =
        [params.influence_prior, params.influence_prior_sure, params.influence_value_weight];
    let influence = asked.iter().any(|&weight| weight > 0.0).then(learned::influence);
    let influence = influence.and_then(Result::ok).map(Arc::new);
    let evaluator = InfluenceMixture::new(RolloutEvaluator(rollout), influence.clone(), params);
    let priors =
        PatternPolicy::new(patterns, Arc::clone(library), &options.params, params, influence);
    Search::new(priors, evaluator, options)
}

/// Priors from learned patterns.
pub struct PatternPolicy {
    patterns: Patterns,
    library: Arc<Library>,
    handcrafted: HandcraftedPolicy,
    params: Params,
    /// What estimates whose points are, if a tunable asks for it.
    influence: Option<Arc<Tuned>>,
}

impl PatternPolicy {
    /// Priors of these patterns with these tunables.
    fn new(
        patterns: Patterns,
        library: Arc<Library>,
        search: &SearchParams,
        params: &Params,
        influence: Option<Arc<Tuned>>,
    ) -> PatternPolicy {
        let mut without = search.clone();
        if patterns != Patterns::Hand {
            // The hand-made shapes make way for the learned ones, or for none.
            without.prior_pattern = 0.0;
        }
        let handcrafted = HandcraftedPolicy::new(&without);
        PatternPolicy { patterns, library, handcrafted, params: params.clone(), influence }
    }

    /// Adds to the priors of quiet moves by how open it is whose their points become. A move is quiet when no chain
    /// beside it is short of liberties.
    fn quiet_priors<const N: usize, const W: usize>(
        &self,
        model: &Tuned,
        board: &Board<N, W>,
        color: Color,
        moves: &mut [Prior],
    ) {
        let Params { influence_prior, influence_prior_sure, .. } = self.params;
        if influence_prior == 0.0 && influence_prior_sure == 0.0 {
            return;
        }
        let influence = model.spread(&Stones::of(board), color);
        for prior in moves {
            let beside = Board::<N, W>::neighbours(prior.site);
            if beside.iter().any(|&s| board.color(s).is_some() && board.liberties(s) <= 2) {
                continue;
            }
            let sure = influence.ownership(board.point(prior.site)).abs();
            prior.add_wins(influence_prior * (1.0 - sure));
            prior.add_losses(influence_prior_sure * sure * sure);
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
                let Some(table) = self.library.table() else { return false };
                let codes = Codes::of_board(board);
                out.extend(moves.iter().map(|prior| {
                    let names = codes.names_of_move(board, prior.site, mover, table.timing);
                    table.get(names[template.index()]).map_or(0.0, |entry| entry.rate() as f32)
                }));
            }
            Patterns::Katz if board.width() == board.height() => {
                let Some(table) = self.library.table() else { return false };
                let (codes, katz) = (Codes::of_board(board), Estimator::of(table));
                out.extend(moves.iter().map(|prior| {
                    let names = codes.names_of_move(board, prior.site, mover, table.timing);
                    katz.estimate(names) as f32
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

/// Working space of a thread.
#[derive(Default)]
pub struct PriorScratch {
    predictor: Scratch,
    likelihoods: Vec<f32>,
}

impl Priors for PatternPolicy {
    type Scratch = PriorScratch;

    fn priors<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        color: Color,
        last: [Site; 2],
        scratch: &mut PriorScratch,
        moves: &mut [Prior],
    ) {
        if self.patterns != Patterns::Full {
            self.handcrafted.priors(board, color, last, &mut (), moves);
        }
        let PriorScratch { predictor, likelihoods } = scratch;
        let position = Position { board, mover: color, last };
        if self.likelihoods(position, moves, predictor, likelihoods) {
            for (prior, likelihood) in moves.iter_mut().zip(likelihoods) {
                prior.add_wins(likelihood.sqrt() * self.params.prior_learned);
                prior.pruned = *likelihood < self.params.prior_cut;
            }
        }
        if let Some(model) = &self.influence {
            self.quiet_priors(model, board, color, moves);
        }
        if let Some(book) = self.library.joseki().filter(|_| self.params.joseki) {
            joseki::add_priors(book, board, color, last[0], self.params.prior_joseki, moves);
        }
    }

    fn policy<const N: usize, const W: usize>(
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
