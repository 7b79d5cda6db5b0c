//! Influence: the static evaluation of a Go position, without search.
//!
//! A model gives every point a number, positive for Black, from the stones alone: [`Zobrist`],
//! [`Ryder`], [`Chen`] and [`Thesis`] are those of the literature, [`Bouzy`] is the usual
//! yardstick, and [`Tuned`] is learned from finished games. Their numbers are values with
//! the sources' defaults ([`Constants`]). [`ScoreEstimate`] makes groups, their safety, territory and
//! a score of it.
//!
//! ```
//! use go_engine::{Color, Game, Move};
//! use go_influence::{Model, Stones};
//! let mut game = Game::new(9, 9).unwrap();
//! game.play(Color::Black, Move::Play("E5".parse()?))?;
//! let stones = Stones::of_game(game.board());
//! for model in Model::all() {
//!     let influence = model.spread(&stones, Color::White);
//!     assert_eq!(influence.leaning("E5".parse()?), Some(Color::Black), "{}", model.name());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bouzy;
mod canvas;
mod chen;
pub mod constants;
mod dragons;
mod estimate;
mod links;
mod model;
mod ryder;
mod stones;
mod thesis;
pub mod tuned;
mod urgent;
mod worms;
mod zobrist;

pub use bouzy::Bouzy;
pub use chen::Chen;
pub use constants::{Constant, ConstantError, Constants};
pub use dragons::{Dragon, Dragons, SAFE};
pub use estimate::{Holdings, ScoreEstimate};
pub use links::{Bond, Link, links};
pub use model::{InfluenceModel, Model};
pub use ryder::Ryder;
pub use stones::Stones;
pub use thesis::Thesis;
pub use tuned::Tuned;
pub use urgent::{Urgent, is_in_danger, urgent};
pub use worms::{Cavity, Worm, Worms};
pub use zobrist::Zobrist;

use go_engine::game::AnyBoard;
use go_engine::{Color, Point};
use stones::SIZE;

/// A normalised influence of this much, or its negative, is certain (Chen's n).
pub const CERTAIN: i32 = 64;

/// How a model's numbers are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// From this value on a point is its owner's for certain.
    pub certain: i32,
    /// From this value on a point is controlled: it counts as territory and joins stones.
    pub control: i32,
    /// Whether a value between nothing and certain counts in proportion; otherwise controlled
    /// points count in full and others not at all.
    pub graded: bool,
}

impl Scale {
    /// The scale of expected owners, in thousandths.
    pub const CHANCE: Scale = Scale { certain: 1000, control: 500, graded: true };

    /// The scale of a model that calls a point territory from a value on and has no opinion below.
    pub const fn step(territory: i32) -> Scale {
        Scale { certain: 4 * territory, control: territory, graded: false }
    }
}

/// What a model makes of a position: a number for every point, positive for Black.
#[derive(Clone)]
pub struct Influence {
    width: u8,
    height: u8,
    stride: usize,
    values: [i16; SIZE],
    scale: Scale,
}

impl Influence {
    fn new(stones: &Stones, values: [i16; SIZE], scale: Scale) -> Influence {
        let (width, height) = (stones.width(), stones.height());
        Influence { width, height, stride: stones.stride(), values, scale }
    }

    /// That of a model which says no more than whose each point is expected to be: row by row from A1, from -1, White's,
    /// to 1, Black's. Points beyond those that are given are nobody's.
    pub fn of_owners(board: &AnyBoard, owners: &[f32]) -> Influence {
        let stride = usize::from(board.width()) + 1;
        let mut values = [0; SIZE];
        for (index, &owner) in owners.iter().take(board.area()).enumerate() {
            let (row, col) = (index / (stride - 1), index % (stride - 1));
            let share = owner.clamp(-1.0, 1.0) * Scale::CHANCE.certain as f32;
            values[(row + 1) * stride + col + 1] = share.round() as i16;
        }
        let (width, height) = (board.width(), board.height());
        Influence { width, height, stride, values, scale: Scale::CHANCE }
    }

    /// The model's own number for a point, positive for Black.
    ///
    /// # Panics
    /// When the point is not on the board.
    pub fn at(&self, point: Point) -> i32 {
        assert!(point.col() < self.width && point.row() < self.height, "{point} is not on it");
        let cell = (usize::from(point.row()) + 1) * self.stride + usize::from(point.col()) + 1;
        self.values[cell].into()
    }

    /// Columns of the board.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows of the board.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// How the numbers are to be read.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The number on Chen's scale: from -64, White's for certain, to 64, Black's.
    pub fn normalised(&self, point: Point) -> i32 {
        self.normalise(self.at(point))
    }

    fn normalise(&self, value: i32) -> i32 {
        (value * CERTAIN / self.scale.certain).clamp(-CERTAIN, CERTAIN)
    }

    /// Who controls the point; nobody where the influence is too weak to say.
    pub fn controller(&self, point: Point) -> Option<Color> {
        let value = self.at(point);
        stones::color(value).filter(|_| value.abs() >= self.scale.control)
    }

    /// Who has more influence on the point, be it ever so little.
    pub fn leaning(&self, point: Point) -> Option<Color> {
        stones::color(self.at(point))
    }

    /// Whose the point is expected to be at the end, from -1, White's, to 1, Black's.
    pub fn ownership(&self, point: Point) -> f32 {
        self.share(self.at(point))
    }

    fn share(&self, value: i32) -> f32 {
        if self.scale.graded {
            (value as f32 / self.scale.certain as f32).clamp(-1.0, 1.0)
        } else {
            f32::from(u8::from(value.abs() >= self.scale.control)) * value.signum() as f32
        }
    }

    /// All points, row by row from A1.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |row| (0..width).map(move |col| Point::new(col, row)))
    }

    /// Whose each point is expected to be, row by row from A1; see [`Influence::ownership`].
    pub fn ownerships(&self) -> Vec<f32> {
        self.points().map(|point| self.ownership(point)).collect()
    }

    /// Who has more influence on each point, row by row from A1: 1 Black, -1 White, 0 neither.
    pub fn leanings(&self) -> Vec<i8> {
        self.points().map(|point| self.at(point).signum() as i8).collect()
    }

    /// By how many points Black's area is expected to be larger than White's, without komi.
    pub fn area_lead(&self) -> f32 {
        self.points().map(|point| self.ownership(point)).sum()
    }
}
