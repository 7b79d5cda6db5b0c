//! Reviews of games for a page: what a game has that can be reviewed implements [`Reviews`].

use serde_json::Value;

/// Takes what a review has found so far: an object with `document`, the `share` that is done, and whether it has `ended`; or
/// an `error`.
pub type Tell = Box<dyn Fn(Value) + Send>;

/// What reviews the games of a server, one at a time each.
pub trait Reviews: Send + Sync {
    /// Whether it can at all.
    fn can_review(&self) -> bool {
        false
    }

    /// Begins the review of a game; what is found is told to its room on the way.
    ///
    /// # Errors
    /// What is wrong with the game.
    fn start(&self, game: &str, sgf: &str, playouts: Option<u64>, tell: Tell)
    -> Result<(), String>;

    /// The game with the review's comments and variations, if it was reviewed.
    fn sgf(&self, game: &str) -> Option<String>;

    /// Ends the review of a game.
    fn stop(&self, game: &str);

    /// Ends it, and forgets what it found: the game is closed.
    fn forget(&self, game: &str);

    /// Ends all.
    fn stop_all(&self);
}

/// A game that has no reviews.
pub struct NoReviews;

impl Reviews for NoReviews {
    fn start(&self, _: &str, _: &str, _: Option<u64>, _: Tell) -> Result<(), String> {
        Err("there are no reviews of this game".to_owned())
    }

    fn sgf(&self, _: &str) -> Option<String> {
        None
    }

    fn stop(&self, _: &str) {}

    fn forget(&self, _: &str) {}

    fn stop_all(&self) {}
}
