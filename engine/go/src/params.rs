//! The tunables of Go's search and playouts in one table; those of learned patterns stand with them.

tunables::choice! {
    /// How playouts move.
    pub enum PlayoutPolicy {
        /// By the rules of [`playout::heavy`](crate::playout::heavy).
        Heavy = "heavy",
        /// Uniformly at random, filling no eye.
        Light = "light",
    }
}

tunables::table! {
    /// The values of all tunables.
    ///
    /// ```
    /// use go_engine::params::{Params, PlayoutPolicy};
    /// use tunables::Table;
    /// let mut params = Params::default();
    /// params.set("rave_equivalence", "2000").unwrap();
    /// assert_eq!(params.get("rave_equivalence").as_deref(), Some("2000"));
    /// params.set("playout_policy", "light").unwrap();
    /// assert_eq!(params.playout_policy, PlayoutPolicy::Light);
    /// assert!(params.set("rave_equivalence", "-1").is_err());
    /// ```
    pub struct Params {
        // Selection.
        rave_equivalence: f32 = 600.0, on Medium = 1750.0, on Large = 4200.0, in 0.0..=1e6, "Visits at which a move's own value and its all-moves-as-first value weigh alike (Silver's k); 0 turns RAVE off";
        exploration: f32 = 0.0, in 0.0..=10.0, "Factor of the upper-confidence term; 0 leaves exploration to RAVE and the priors";
        expand_visits: u32 = 4, in 1..=1000, "Visits at which a node's children are made";
        virtual_loss: u32 = 1, in 0..=20, "Losses counted for a move while a thread is below it";
        score_weight: f32 = 0.035, on Medium = 0.005, on Large = 0.03, in 0.0..=0.5, "Share of a playout's value that tells the margin, the rest who won";
        // Handicap games: a komi in values alone, so that who is far ahead or behind still tells good moves from bad ones.
        handicap_komi_white: f32 = 7.0, in 0.0..=20.0, "Points for each handicap stone that White counts for itself at the start of a handicap game when it chooses a move; 0 for none";
        handicap_komi_black: f32 = 4.0, in 0.0..=20.0, "Points for each handicap stone that Black counts for White then";
        handicap_komi_moves: f32 = 0.5, in 0.0..=2.0, "Moves, as a share of the board's points, over which they fade to nothing";
        // The choice of a move at the end of a search.
        choice_error: f32 = 1.0, in 0.0..=10.0, "Standard errors that a move's chance of winning is lessened by when the best is made after few playouts; 0 makes the move that was tried most";
        choice_playouts: u32 = 800, in 0..=1_000_000_000, "Playouts of a position from which the move that was tried most is made, whatever its chance";
        choice_min_visits: f32 = 0.1, in 0.0..=1.0, "Share of the visits of the most tried move that a better one needs to be made";
        // Priors, in virtual visits.
        prior_even: f32 = 26.0, on Medium = 24.0, on Large = 25.0, in 0.0..=1000.0, "Virtual visits at an even value for every move";
        prior_capture: f32 = 30.0, in 0.0..=1000.0, "Virtual wins for a capture";
        prior_rescue: f32 = 30.0, in 0.0..=1000.0, "Virtual wins for saving a chain in atari";
        prior_atari: f32 = 10.0, in 0.0..=1000.0, "Virtual wins for a sound atari";
        prior_pattern: f32 = 20.0, in 0.0..=1000.0, "Virtual wins for one of the 3x3 shapes";
        prior_self_atari: f32 = 40.0, in 0.0..=1000.0, "Virtual losses for a bad self-atari";
        prior_edge: f32 = 15.0, in 0.0..=1000.0, "Virtual losses on the first line with nothing near, half of it on the second";
        prior_third_line: f32 = 8.0, in 0.0..=1000.0, "Virtual wins on the third line with nothing near";
        prior_near: f32 = 13.0, on Medium = 33.0, on Large = 48.0, in 0.0..=1000.0, "Virtual wins next to the last move, falling with distance";
        prior_pass: f32 = 10.0, in 0.0..=1000.0, "Virtual losses for a pass";
        // Playouts: chances out of 256.
        playout_policy: PlayoutPolicy = PlayoutPolicy::Heavy, "Whether playouts move by the rules below, or uniformly at random, filling no eye", was "playout_light";
        playout_atari: u32 = 252, on Large = 250, in 0..=256, "Chance of answering an atari near the last move";
        playout_two_liberties: u32 = 180, on Medium = 138, on Large = 112, in 0..=256, "Chance of fighting for chains with two liberties near the last move";
        playout_nakade: u32 = 240, on Medium = 250, on Large = 205, in 0..=256, "Chance of taking the vital point of a small eye space beside the last move";
        playout_pattern: u32 = 212, on Medium = 248, on Large = 255, in 0..=256, "Chance of answering with a 3x3 shape beside the last move";
        playout_pattern_second: u32 = 90, on Medium = 80, on Large = 112, in 0..=256, "Chance of a 3x3 shape beside the move before the last, when there is none beside the last";
        playout_ladders: bool = false, "Whether chains in atari that a ladder catches are left alone, or run out with all the same";
        playout_samples: u32 = 4, in 1..=64, "Points drawn for a random move, one of which is made by how often experts play in its 3x3 shape; 1 draws evenly, as do patterns that do not know";
        playout_self_atari: u32 = 206, on Medium = 220, on Large = 235, in 0..=256, "Chance of refusing a bad self-atari when moving at random";
    }
}
