//! When the thinking about one move ends: fixed once, when it is asked for, whatever is done before and beside the search.

use std::time::Instant;

use super::Budget;

/// The ends of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// When the move was asked for.
    pub began: Instant,
    /// A search that sees no reason to go on ends here.
    pub soft: Instant,
    /// Everything ends here.
    pub hard: Instant,
}

impl Deadlines {
    /// A budget as it is spent from now on, or whenever the move was asked for.
    pub fn new(began: Instant, budget: Budget) -> Deadlines {
        Deadlines { began, soft: began + budget.soft, hard: began + budget.hard }
    }

    /// Those of a part of the time, 0 to 1.
    pub fn part(self, share: f64) -> Deadlines {
        let end = |end: Instant| self.began + end.duration_since(self.began).mul_f64(share);
        Deadlines { soft: end(self.soft), hard: end(self.hard), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_part_begins_when_the_whole_does() {
        let (began, second) = (Instant::now(), Duration::from_secs(1));
        let all = Deadlines::new(began, Budget { soft: second, hard: 3 * second });
        assert_eq!((all.soft, all.hard), (began + second, began + 3 * second));
        let half = all.part(0.5);
        assert_eq!((half.began, half.soft), (began, began + second / 2));
        assert_eq!(half.hard, began + 3 * second / 2);
    }
}
