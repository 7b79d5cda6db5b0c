//! Games drawn from the policy of a network, or from what a search by playouts visits: positions of many kinds, each with what
//! is said of it.

use super::deeper::Deeper;
use super::sample::{Origin, Sample};
use super::teacher::Teacher;
use super::{chance, draw_komi, draw_rules, one_of};
use go_engine::board::{Board, Site};
use go_engine::{Color, Move, Rules};
use go_network::{NetworkRules, Position, Symmetry};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// How games are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfPlay {
    /// Share of the positions that are kept; all are asked about.
    pub kept: f64,
    /// Visits of a search at the positions that are kept; with none the network alone is asked. Without a network all are
    /// searched, since nothing else says what to play.
    pub visits: u64,
    /// Share of the moves that are drawn from all legal ones alike.
    pub stray: f64,
    /// The power that chances are raised to after the opening: above 1 the likely moves are played more often.
    pub sharpness: f32,
}

impl Default for SelfPlay {
    fn default() -> SelfPlay {
        SelfPlay { kept: 0.5, visits: 0, stray: 0.04, sharpness: 1.4 }
    }
}

/// A game is decided when somebody's chances are below this so many times in a row.
const HOPELESS: f32 = 0.01;
const DECIDED_AFTER: u32 = 5;
/// Share of the games that are played out all the same.
const PLAYED_OUT: f64 = 0.2;

impl SelfPlay {
    /// Draws the game of a seed on a board of this side, and gives what is kept of it.
    ///
    /// # Panics
    /// When the layout has no board of this side.
    pub fn play<const N: usize, const W: usize>(
        &self,
        teacher: &mut Teacher<'_, N, W>,
        side: u8,
        seed: u64,
    ) -> Vec<Sample> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (rules, komi) = (draw_rules(&mut random), draw_komi(&mut random));
        let mut position = start::<N, W>(side, rules, komi);
        let (network, library) = (teacher.network(), teacher.library());
        let mut deeper =
            (self.visits > 0).then(|| Deeper::new(network, library, side, (self.visits, seed)));
        if let Some(deeper) = &mut deeper {
            deeper.set_up(rules, komi);
        }
        let area = position.board().area();
        let opening = (area as f64 * 0.12 * chance(&mut random)) as u16;
        let is_played_out = chance(&mut random) < PLAYED_OUT;
        let mut samples = Vec::new();
        let (mut passes, mut hopeless, mut is_stray) = (0, 0, false);
        for turn in 0..2 * area as u16 {
            let symmetry = Symmetry::new(random.next_u64());
            let mut said = teacher.ask(&position, symmetry);
            said.turn = turn;
            let is_kept = chance(&mut random) < self.kept;
            if let Some(deeper) = deeper.as_mut().filter(|_| is_kept || network.is_none()) {
                let board = position.board();
                let index = |mv| match mv {
                    Move::Play(point) => teacher.index(board.site(point).unwrap_or(Site::PASS)),
                    Move::Pass => teacher.index(Site::PASS),
                };
                deeper.look(&mut said, board, index);
            }
            let power = if turn < opening { 1.0 } else { self.sharpness };
            let index = draw(&said.policy, power, &mut random);
            let weak = said.outcome[0].min(said.outcome[1]);
            if is_stray && said.origin != Origin::Searched {
                said.origin = Origin::Stray;
            }
            is_stray = chance(&mut random) < self.stray;
            let site = if is_stray {
                any_move(&position, &mut random)
            } else {
                said.played = Some(index);
                teacher.site(index)
            };
            if is_kept {
                samples.push(said);
            }
            let color = position.to_play();
            if let Some(deeper) = &mut deeper {
                let mv = if site.is_pass() {
                    Move::Pass
                } else {
                    Move::Play(position.board().point(site))
                };
                deeper.play(color, mv);
            }
            position.play(color, site);
            passes = if site.is_pass() { passes + 1 } else { 0 };
            hopeless = if weak < HOPELESS { hopeless + 1 } else { 0 };
            if passes == 2 || hopeless == DECIDED_AFTER && !is_played_out {
                break;
            }
        }
        samples
    }
}

/// An empty board.
pub(super) fn start<const N: usize, const W: usize>(
    side: u8,
    rules: Rules,
    komi: f64,
) -> Position<N, W> {
    let board = Board::<N, W>::new(side, side).expect("a board of this layout");
    Position::new(board, Color::Black, NetworkRules::from(rules), komi, [0; 2])
}

/// Draws an index by chances raised to a power.
fn draw(chances: &[f32], power: f32, random: &mut Xoshiro256PlusPlus) -> usize {
    let weights: Vec<f32> = chances.iter().map(|chance| chance.powf(power)).collect();
    let mut at = (chance(random) as f32) * weights.iter().sum::<f32>();
    for (index, weight) in weights.iter().enumerate() {
        at -= weight;
        if at < 0.0 && *weight > 0.0 {
            return index;
        }
    }
    chances.len() - 1
}

/// One of the legal moves that do not fill a point all around which one's own stones are.
pub(super) fn any_move<const N: usize, const W: usize>(
    position: &Position<N, W>,
    random: &mut Xoshiro256PlusPlus,
) -> Site {
    let board = position.board();
    let mine = Some(position.to_play());
    let fills = |site: Site| {
        Board::<N, W>::neighbours(site)
            .into_iter()
            .all(|beside| !board.is_on_board(beside) || board.color(beside) == mine)
    };
    let moves: Vec<Site> =
        board.empties().filter(|&site| position.is_legal(site) && !fills(site)).collect();
    moves.get(one_of(moves.len(), random)).copied().unwrap_or(Site::PASS)
}
