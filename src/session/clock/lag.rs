//! What a move loses between the controller's clock and ours, as it was stated and as it is seen.

use std::time::Duration;

/// The lag that is allowed for unless another is set.
pub const DEFAULT_LAG: Duration = Duration::from_millis(100);

/// A loss beyond this is no lag: somebody set the clock.
pub(super) const MAX_LOSS: Duration = Duration::from_secs(5);
/// How much of what was seen is left after each answer that shows no more of it: a busy moment passes, a slow line stays.
const OVERRUN_FADES: f64 = 0.9;
const LOSS_FADES: f64 = 0.98;

/// The lag to reckon with: what is stated, or more where more was seen.
#[derive(Debug, Clone)]
pub(super) struct Lag {
    stated: Duration,
    /// What answers took longer than they were to.
    overrun: Duration,
    /// What the controller's clock lost with each answer.
    loss: Duration,
}

impl Default for Lag {
    fn default() -> Lag {
        Lag { stated: DEFAULT_LAG, overrun: Duration::ZERO, loss: Duration::ZERO }
    }
}

impl Lag {
    pub fn get(&self) -> Duration {
        self.stated.max(self.overrun).max(self.loss)
    }

    /// Sets it, and forgets what was seen.
    pub fn state(&mut self, lag: Duration) {
        *self = Lag { stated: lag, ..Lag::default() };
    }

    /// An answer took so much longer than it was to.
    pub fn see_answer(&mut self, overrun: Duration) {
        self.overrun = self.overrun.mul_f64(OVERRUN_FADES).max(overrun.min(MAX_LOSS));
        self.loss = self.loss.mul_f64(LOSS_FADES);
    }

    /// The controller's clock lost so much with each answer.
    pub fn see_loss(&mut self, loss: Duration) {
        if loss <= MAX_LOSS {
            self.loss = self.loss.max(loss);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_was_stated_is_believed_and_fades() {
        let millis = Duration::from_millis;
        let mut lag = Lag::default();
        lag.see_loss(millis(20));
        assert_eq!(lag.get(), DEFAULT_LAG);
        lag.see_loss(millis(700));
        assert_eq!(lag.get(), millis(700));
        (0..10).for_each(|_| lag.see_answer(millis(20)));
        assert!((500..700).contains(&lag.get().as_millis()), "{lag:?}");
        (0..200).for_each(|_| lag.see_answer(millis(20)));
        assert_eq!(lag.get(), DEFAULT_LAG);
        lag.see_answer(millis(900));
        (0..10).for_each(|_| lag.see_answer(Duration::ZERO));
        assert!((300..400).contains(&lag.get().as_millis()), "{lag:?}");
        lag.see_loss(Duration::from_secs(60));
        assert!(lag.get() < millis(400), "that was no lag");
        lag.state(millis(10));
        assert_eq!(lag.get(), millis(10));
    }
}
