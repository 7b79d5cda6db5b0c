//! Zobrist's model (1969): stones spread one unit a round over whatever has a sign.

use super::constants::constants;
use super::stones::{SIZE, Stones};
use super::{Influence, Scale};

constants! {
    /// Zobrist's model, "A model of visual organization for the game of Go", AFIPS Spring Joint
    /// Computer Conference 1969.
    ///
    /// ```
    /// use go_engine::{Color, Game, Move};
/// use go_influence::{Stones, Zobrist};
    /// let mut game = Game::new(19, 19).unwrap();
    /// game.play(Color::Black, Move::Play("K10".parse()?))?;
    /// let influence = Zobrist::default().spread(&Stones::of_game(game.board()));
    /// assert_eq!(influence.at("K10".parse()?), 62);
    /// assert_eq!(influence.at("L10".parse()?), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Zobrist {
        stone = 50, 1, 200, "What a stone is worth at first; Black's positive, White's negative";
        rounds = 4, 0, 20, "Rounds in which every point gives to its neighbours";
        given = 1, 1, 20, "What a point gives to each neighbour in a round, with its own sign";
        territory = 1, 1, 200, "From this value on a point counts as territory (the source gives no number)";
    }
}

impl Zobrist {
    /// What every point comes to.
    pub fn spread(&self, stones: &Stones) -> Influence {
        let mut values = [0i16; SIZE];
        for (value, &stone) in values.iter_mut().zip(&stones.cells) {
            *value = stone * self.stone as i16;
        }
        let (stride, n) = (stones.stride(), stones.span().len());
        let given = self.given as i16;
        let mut signs = [0i16; SIZE];
        for _ in 0..self.rounds {
            for (sign, &value) in signs.iter_mut().zip(&values) {
                *sign = value.signum();
            }
            // Slices of one length, so that the loop has no bounds to check.
            let here = &mut values[stride..][..n];
            let (above, below) = (&signs[2 * stride..][..n], &signs[..n]);
            let (left, right) = (&signs[stride - 1..][..n], &signs[stride + 1..][..n]);
            let inside = &stones.inside[stride..][..n];
            for i in 0..n {
                here[i] += given * inside[i] * (above[i] + below[i] + left[i] + right[i]);
            }
        }
        Influence::new(stones, values, Scale::step(self.territory))
    }
}
