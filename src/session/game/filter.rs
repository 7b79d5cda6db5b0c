//! Moves that a search is told to leave out, or to keep to.

use std::marker::PhantomData;

use super::Game;
use crate::gtp::{Color, Step};

/// Moves that an analysis is told to leave out, or to keep to, in its first turns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Turns with one of these steps are not considered.
    pub avoid: Vec<Restriction>,
    /// Of a player who has such, only turns with one of these steps are considered.
    pub allow: Vec<Restriction>,
}

/// A part of a [`Filter`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restriction {
    /// Whose turns.
    pub color: Color,
    /// The steps that it names.
    pub steps: Vec<Step>,
    /// In how many turns from the position on, both players' counted, it is in force: 1 is the next one alone.
    pub depth: u32,
}

impl Filter {
    /// The one that leaves nothing out.
    pub const NONE: Filter = Filter { avoid: Vec::new(), allow: Vec::new() };

    /// Whether a turn of these steps may be considered as the next one.
    pub fn accepts(&self, color: Color, steps: &[Step]) -> bool {
        self.depth(color, steps) == 0
    }

    /// In how many turns from the position on one of these steps is left out; 0 where it is not. A step that a player is
    /// allowed is left out nowhere for being absent from another of the player's lists.
    pub fn depth(&self, color: Color, steps: &[Step]) -> u32 {
        self.depth_after(color, &[], steps)
    }

    /// Whether what is left of the turn in progress may be considered.
    pub fn accepts_rest<G: Game>(&self, game: &G, color: Color, steps: &[Step]) -> bool {
        self.depth_after(color, &game.turn_so_far(), steps) == 0
    }

    /// In how many turns anything is left out.
    pub fn max_depth(&self) -> u32 {
        self.avoid.iter().chain(&self.allow).map(|part| part.depth).max().unwrap_or(0)
    }

    /// The same where the turn has begun with other steps: nobody is to avoid them any more, and they may be the ones that
    /// are allowed.
    fn depth_after(&self, color: Color, made: &[Step], steps: &[Step]) -> u32 {
        let names = |part: &&Restriction| steps.iter().any(|step| part.steps.contains(step));
        let has =
            |part: &Restriction| steps.iter().chain(made).any(|step| part.steps.contains(step));
        let of_color = |part: &&Restriction| part.color == color && part.depth > 0;
        let depth = |part: &Restriction| part.depth;
        let avoided = self.avoid.iter().filter(of_color).filter(names).map(depth).max();
        let allowed = || self.allow.iter().filter(of_color);
        let beside = match allowed().any(has) {
            true => None,
            false => allowed().map(depth).max(),
        };
        avoided.max(beside).unwrap_or(0)
    }
}

/// A [`Filter`] as a search asks it, which knows turns and not steps.
pub struct LeftOut<'a, G> {
    filter: &'a Filter,
    so_far: Vec<Step>,
    game: PhantomData<fn() -> G>,
}

impl<'a, G: Game> LeftOut<'a, G> {
    /// What this leaves out of the turns from a position on.
    pub fn new(game: &G, filter: &'a Filter) -> LeftOut<'a, G> {
        LeftOut { filter, so_far: game.turn_so_far(), game: PhantomData }
    }

    /// Whether a turn may be considered so many turns below the position. Of the turn in progress only what is left of it
    /// can still be avoided.
    pub fn accepts(&self, color: Color, mv: &G::Move, depth: usize) -> bool {
        let mut steps = G::steps(mv);
        let mut so_far: &[Step] = &[];
        if depth == 0 {
            so_far = &self.so_far;
            if steps.starts_with(so_far) {
                steps.drain(..so_far.len());
            }
        }
        self.filter.depth_after(color, so_far, &steps) as usize <= depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect6_engine::{Game, Point, Rules, Turn};

    fn steps(names: &[&str]) -> Vec<Step> {
        names.iter().map(|name| Step::At(name.parse().expect("a vertex"))).collect()
    }

    #[test]
    fn of_a_turn_in_progress_only_the_rest_is_avoided_and_all_may_be_allowed() {
        let mut game = Game::new(Rules::CONNECT6);
        for (x, y) in [(9, 9), (2, 2)] {
            game.play(game.to_move().color, Point::new(x, y).expect("a point")).expect("legal");
        }
        let part =
            |names: &[&str]| Restriction { color: Color::White, steps: steps(names), depth: 1 };
        let avoid = Filter { avoid: vec![part(&["C3", "D4"])], ..Filter::NONE };
        let allow = Filter { allow: vec![part(&["C3"])], ..Filter::NONE };
        let elsewhere = Filter { allow: vec![part(&["D4"])], ..Filter::NONE };
        let [d4, e5] =
            [(3, 3), (4, 4)].map(|(x, y)| Turn::single(Point::new(x, y).expect("a point")));
        let accepts = |filter: &Filter, turn, depth| {
            LeftOut::new(&game, filter).accepts(Color::White, &turn, depth)
        };
        assert!(!accepts(&avoid, d4, 0) && accepts(&avoid, d4, 1) && accepts(&avoid, e5, 0));
        assert!(accepts(&allow, e5, 0), "C3 is played already");
        assert!(!accepts(&elsewhere, e5, 0) && accepts(&elsewhere, d4, 0));
        assert!(avoid.accepts_rest(&game, Color::White, &steps(&["E5"])));
        assert!(!avoid.accepts_rest(&game, Color::White, &steps(&["D4"])));
        assert_eq!((avoid.max_depth(), Filter::NONE.max_depth()), (1, 0));
    }
}
