//! The tunables of how moves are chosen with what the search found.

tunables::table! {
    /// The values of all tunables.
    pub struct Params {
        resign_needs_influence: bool = true, "Whether the engine resigns only where the estimate without search says too that it is behind", was "judged_resign";
        resign_handicap: f32 = 13.0, in 0.0..=100.0, "Points for each stone of a handicap by which White may be behind and not resign";
        easy_win_time: f32 = 0.3, in 0.02..=1.0, "Share of a move's time that is thought when the game is won already, by the last search and by the estimate without search", was "settled_time";
        easy_win_winrate: f32 = 0.95, in 0.5..=1.0, "Chance of winning, in the last search, from which a game may count as won", was "settled_winrate";
        easy_win_sure: f32 = 0.7, in 0.0..=1.0, "Expectation from which the estimate counts a point as somebody's then; all other points are given to the opponent", was "settled_sure";
        book_margin: f32 = 0.03, in 0.0..=0.5, "Chance of winning by which a move may be worse than the best one of the opening book and still be drawn";
        book_visits: f32 = 1.0, in 0.0..=1000.0, "The opening book is played from where as many visits stand behind its move as a search would make, times this";
        influence_visits: u64 = 100, in 0..=1_000_000, "Playouts that the estimate without search counts for in the leads and ownership that kata-analyze tells; 0 leaves it out", was "judged_playouts";
    }
}
