//! Predicting moves by strengths: the generalised Bradley-Terry model, learned by minorisation-maximisation
//! (Coulom 2007, "Computing Elo ratings of move patterns in the game of Go").
//!
//! Every move of a game is a competition that the move played has won against the others. A candidate is a team of
//! features; its strength is the product of theirs, and its chance of winning its share of all strengths. It is the
//! predictor without hidden units, learned another way, and plays from the same file.
//!
//! * [`learn`]: the strengths from games.
//! * `competitions`: the positions that are learned from, in memory.
//! * `slots`: which features are adjusted together; `strengths`: one step of the adjustment.

mod competitions;
mod learner;
mod slots;
mod strengths;

pub use learner::{Report, Settings, ShapeLevels, learn};
