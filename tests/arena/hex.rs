//! Hex: a game added to the program by nothing but its rules and its words.

use std::io;

use game_core::{Color, Outcome};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji::gtp::{self, Failure, Step, Vertex};
use tesuji::session::clock::Outlook;
use tesuji::session::{self, OneStep, Session, SessionConfig};
use tree_search::puct::Choice;
use tree_search::{BestFirst, Position};

/// Black joins the lower and the upper edge, White the left and the right one.
#[derive(Clone, PartialEq)]
pub struct Hex {
    side: u8,
    stones: Vec<(Color, Vertex)>,
    to_move: Color,
}

impl Hex {
    pub fn new(side: u8) -> Hex {
        Hex { side, stones: Vec::new(), to_move: Color::Black }
    }

    fn empties(&self) -> Vec<Vertex> {
        let all =
            (0..self.side).flat_map(|row| (0..self.side).map(move |column| Vertex { column, row }));
        all.filter(|at| self.stones.iter().all(|stone| stone.1 != *at)).collect()
    }

    /// Whether a colour's stones join its edges: a flood from the first one.
    fn has_won(&self, color: Color) -> bool {
        let along = |at: Vertex| if color == Color::Black { at.row } else { at.column };
        let mut open: Vec<Vertex> =
            self.stones.iter().filter(|s| s.0 == color).map(|s| s.1).collect();
        let (mut reached, rest): (Vec<_>, Vec<_>) = open.drain(..).partition(|&at| along(at) == 0);
        let mut rest = rest;
        while let Some(at) = reached.pop() {
            if along(at) + 1 == self.side {
                return true;
            }
            let touches = |other: &Vertex| {
                let (x, y) = (
                    i16::from(other.column) - i16::from(at.column),
                    i16::from(other.row) - i16::from(at.row),
                );
                matches!((x, y), (0, 1 | -1) | (1 | -1, 0) | (1, -1) | (-1, 1))
            };
            let (next, left) = rest.into_iter().partition(touches);
            reached.extend::<Vec<_>>(next);
            rest = left;
        }
        false
    }
}

impl session::Game for Hex {
    type Move = u32;
    type Mark = usize;
    type Form = OneStep;
    type Engine = BestFirst<Hex>;

    const NAME: &'static str = "Small";
    const TITLE: &'static str = "Hex";
    const METHOD: &'static str = "a tree search with random games";
    const SIDE: u8 = 11;
    const SGF_NUMBER: Option<u32> = Some(11);
    const HELP: &'static str = "play b C3, genmove w";
    const ANALYZE_COMMANDS: &'static [&'static str] = &["gfx/Best Moves/tesuji-best_moves"];

    fn size(&self) -> (u8, u8) {
        (self.side, self.side)
    }
    fn start_on(columns: u8, rows: u8) -> Option<Hex> {
        (columns == rows && (2..=11).contains(&columns)).then(|| Hex::new(columns))
    }
    fn stone(&self, at: Vertex) -> Option<Color> {
        self.stones.iter().find(|stone| stone.1 == at).map(|stone| stone.0)
    }
    fn to_move(&self) -> Color {
        self.to_move
    }
    fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }
    fn outcome(&self) -> Outcome {
        let winner = Color::BOTH.into_iter().find(|&color| self.has_won(color));
        winner.map_or(Outcome::Open, Outcome::Win)
    }
    fn legal(&self) -> Vec<Step> {
        self.empties().into_iter().map(Step::At).collect()
    }
    fn play(&mut self, color: Color, steps: &[Step]) -> Result<(), Failure> {
        match *steps {
            [Step::At(at)] if self.stone(at).is_none() && !Position::outcome(self).is_over() => {
                self.stones.push((color, at));
                self.to_move = !color;
                Ok(())
            }
            _ => Err(Failure::illegal_move()),
        }
    }
    fn set_up(&self, stones: &[(Option<Color>, Vertex)]) -> Result<Hex, Failure> {
        let mut game = Hex::new(self.side);
        for &(color, at) in stones {
            let color = color.ok_or_else(Failure::bad_coordinate)?;
            session::Game::play(&mut game, color, &[Step::At(at)])?;
        }
        Ok(game)
    }
    fn mark(&self) -> usize {
        self.stones.len()
    }
    fn rewind(&mut self, mark: usize) {
        while self.stones.len() > mark
            && let Some((color, _)) = self.stones.pop()
        {
            self.to_move = color;
        }
    }
    fn marks(&self) -> Vec<usize> {
        (0..self.stones.len()).collect()
    }
    fn steps(mv: &u32) -> Vec<Step> {
        vec![Step::At(vertex(*mv))]
    }
    fn outlook(&self) -> Outlook {
        let (made, left) = (self.stones.len() as u32 / 2, self.empties().len() as u32 / 2);
        Outlook { made, expected: left / 2, long: left, longest: left, answers: 1 }
    }
    fn turns(&self) -> Vec<(Color, String)> {
        self.stones.iter().map(|(color, at)| (*color, at.to_string())).collect()
    }
}

/// A move is the number of a point.
fn vertex(mv: u32) -> Vertex {
    Vertex { column: (mv % 32) as u8, row: (mv / 32) as u8 }
}

impl Position for Hex {
    type Move = u32;

    fn to_move(&self) -> Color {
        self.to_move
    }
    fn outcome(&self) -> Outcome {
        session::Game::outcome(self)
    }
    fn choices(&self) -> Vec<Choice<u32>> {
        let empties = self.empties();
        let number = |at: &Vertex| u32::from(at.column) + 32 * u32::from(at.row);
        let estimate = 1.0 / empties.len() as f32;
        empties.iter().map(|at| Choice { mv: number(at), estimate }).collect()
    }
    fn play(&mut self, mv: u32) {
        self.stones.push((self.to_move, vertex(mv)));
        self.to_move = !self.to_move;
    }
    /// The board is filled at random.
    fn evaluate(&self, seed: u64) -> f32 {
        let (mut game, mut left) = (self.clone(), self.empties());
        left.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        for at in left {
            game.stones.push((game.to_move, at));
            game.to_move = !game.to_move;
        }
        f32::from(u8::from(game.has_won(self.to_move)))
    }
}

/// Answers GTP, beginning on a board of this side.
pub fn answer(side: u8, input: impl io::Read + Send + 'static, output: &mut dyn io::Write) {
    let mut commands = session::commands::<Hex>();
    session::gogui::add_rules(&mut commands);
    let mut session = Session::new(Hex::new(side), BestFirst::new(1, 16), SessionConfig::default());
    gtp::run_with_idle(&commands, &mut session, input, output).expect("input");
}
