//! Every tunable of the Go engine in one table: name, default, range and what it does.

tunables::table! {
    /// The values of all tunables.
    ///
    /// ```
    /// use go_engine::params::Params;
    /// let mut params = Params::default();
    /// params.set("rave_equivalence", 2000.0).unwrap();
    /// assert_eq!(params.get("rave_equivalence"), Some(2000.0));
    /// assert!(params.set("rave_equivalence", -1.0).is_err());
    /// ```
    pub struct Params {
        // Selection.
        rave_equivalence: f32 = 3000.0, 0.0, 1e6, "Visits at which a move's own value and its all-moves-as-first value weigh alike (Silver's k); 0 turns RAVE off";
        exploration: f32 = 0.0, 0.0, 10.0, "Factor of the upper-confidence term; 0 leaves exploration to RAVE and the priors";
        expand_visits: f32 = 4.0, 1.0, 1000.0, "Visits at which a node's children are made";
        virtual_loss: f32 = 1.0, 0.0, 20.0, "Losses counted for a move while a thread is below it";
        score_weight: f32 = 0.04, 0.0, 0.5, "Share of a playout's value that tells the margin, the rest who won";
        // Priors, in virtual visits.
        prior_even: f32 = 20.0, 0.0, 1000.0, "Virtual visits at an even value for every move";
        prior_capture: f32 = 30.0, 0.0, 1000.0, "Virtual wins for a capture";
        prior_rescue: f32 = 30.0, 0.0, 1000.0, "Virtual wins for saving a chain in atari";
        prior_atari: f32 = 10.0, 0.0, 1000.0, "Virtual wins for a sound atari";
        prior_pattern: f32 = 20.0, 0.0, 1000.0, "Virtual wins for one of the 3x3 shapes";
        prior_self_atari: f32 = 40.0, 0.0, 1000.0, "Virtual losses for a bad self-atari";
        prior_edge: f32 = 15.0, 0.0, 1000.0, "Virtual losses on the first line with nothing near, half of it on the second";
        prior_third_line: f32 = 8.0, 0.0, 1000.0, "Virtual wins on the third line with nothing near";
        prior_near: f32 = 24.0, 0.0, 1000.0, "Virtual wins next to the last move, falling with distance";
        prior_learned: f32 = 210.0, 0.0, 2000.0, "Virtual wins times the square root of a move's learned probability, on boards up to 13x13";
        prior_learned_large: f32 = 300.0, 0.0, 2000.0, "The same on larger boards";
        joseki: f32 = 1.0, 0.0, 1.0, "Whether joseki learned from records give priors in the corners of large boards (1) or not (0)";
        prior_joseki: f32 = 150.0, 0.0, 2000.0, "Virtual wins times the square root of how likely a joseki's next move is made";
        prior_cut: f32 = 0.0, 0.0, 0.25, "Moves that are learned to be less likely than this are not tried below the root";
        prior_pass: f32 = 10.0, 0.0, 1000.0, "Virtual losses for a pass";
        // The judgement without search (influence).
        prior_judged: f32 = 0.0, 0.0, 1000.0, "Virtual wins for a quiet move where the judgement without search leaves the owner open, fewer the surer the owner";
        prior_settled: f32 = 0.0, 0.0, 1000.0, "Virtual losses for a quiet move on a point whose owner is judged, more the surer";
        judged_value: f32 = 0.0, 0.0, 1.0, "Share of a playout's value that the judgement of where it began tells, on an empty board; it falls with the empty points";
        judged_scale: f32 = 12.0, 1.0, 200.0, "Points of judged lead that make a win 2.7 times as likely as a loss";
        judged_resign: f32 = 1.0, 0.0, 1.0, "Whether the engine resigns only where the judgement without search says too that it is behind (1)";
        settled_time: f32 = 0.3, 0.02, 1.0, "Share of a move's time that is thought when the game is won already, by the last search and by the judgement without search";
        settled_winrate: f32 = 0.95, 0.5, 1.0, "Chance of winning, in the last search, from which a game may count as won";
        settled_sure: f32 = 0.7, 0.0, 1.0, "Expectation from which the judgement counts a point as somebody's then; all other points are given to the opponent";
        // Playouts: chances out of 256.
        playout_light: f32 = 0.0, 0.0, 1.0, "Whether playouts move uniformly at random, filling no eye (1), or by the rules below (0)";
        playout_atari: f32 = 230.0, 0.0, 256.0, "Chance of answering an atari near the last move";
        playout_two_liberties: f32 = 150.0, 0.0, 256.0, "Chance of fighting for chains with two liberties near the last move";
        playout_nakade: f32 = 205.0, 0.0, 256.0, "Chance of taking the vital point of a small eye space beside the last move";
        playout_pattern: f32 = 230.0, 0.0, 256.0, "Chance of answering with a 3x3 shape beside the last move";
        playout_pattern_second: f32 = 80.0, 0.0, 256.0, "Chance of a 3x3 shape beside the move before the last, when there is none beside the last";
        playout_ladders: f32 = 0.0, 0.0, 1.0, "Whether chains in atari that a ladder catches are left alone (1) or run out with all the same (0)";
        playout_good: f32 = 0.02, 0.0, 1.0, "Learned shapes of any kind that experts play at least so often where they can are answers in playouts";
        playout_good_answer: f32 = 0.05, 0.0, 1.0, "The same for shapes beside the last move, learned with that move marked";
        playout_self_atari: f32 = 243.0, 0.0, 256.0, "Chance of refusing a bad self-atari when moving at random";
    }
}

#[cfg(test)]
mod tests {
    use super::Params;
    use tunables::Error;

    #[test]
    fn every_default_lies_in_its_range_and_can_be_set() {
        let mut params = Params::default();
        for info in Params::TABLE {
            assert!((info.least..=info.greatest).contains(&info.default), "{}", info.name);
            params.set(info.name, info.greatest).unwrap();
            assert_eq!(params.get(info.name), Some(info.greatest), "{}", info.name);
            assert!(params.set(info.name, info.greatest + 1.0).is_err());
            assert!(params.set(info.name, f64::NAN).is_err());
        }
        assert_eq!(params.set("nosuch", 1.0), Err(Error::Unknown("nosuch".into())));
    }
}
