//! Tunes numeric parameters of any GTP engine by play: `tesuji tune`.
//!
//! - [`settings`] is what the user asked for, [`parameter`] a number that is tuned.
//! - [`spsa`] and [`clop`] are the two ways to find better values; both are a [`Method`], which knows nothing of games.
//! - [`plan`] makes games for the match runner of what a method wants to know.
//! - [`report`] tells people what came of it, [`cli`] is the command line.

pub mod cli;
pub mod clop;
pub mod linear;
pub mod parameter;
pub mod plan;
pub mod report;
pub mod settings;
pub mod spsa;

/// The score of a pair of games for its first side: from -2, both lost, to 2, both won. None where neither has a result.
pub type PairScore = Option<f64>;

/// A way to find better values. Everything in it follows from its seed, and from the scores in the order of the pairs.
///
/// Values are in the parameters' own coordinates ([`parameter::Parameter::to_value`]).
pub trait Method {
    /// What the two sides of the next pair of games are to have. Pairs are asked for in their order, from 0.
    fn propose(&mut self) -> [Vec<f64>; 2];

    /// Takes in the score of the next pair: they come in the same order, later than their values were proposed.
    fn take(&mut self, score: PairScore);

    /// The best values as far as is known.
    fn best(&self) -> Vec<f64>;
}
