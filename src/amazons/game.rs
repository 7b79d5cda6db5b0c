//! Amazons as a session plays it: boards, moves as words, and what the program says of itself.

use amazons_engine::game::Stage;
use amazons_engine::notation::GameMove;
use amazons_engine::region::regions;
use amazons_engine::{Game, Move, Position};
use clap::ValueEnum;
use game_core::Outcome;

use super::engine::AmazonsEngine;
use super::notation::{move_of, square, vertex};
use super::record;
use crate::gtp::{Color, Failure, Step, Vertex, join};
use crate::session::clock::Outlook;
use crate::session::{self, VERSION};

tunables::choice! {
    /// How genmove answers.
    #[derive(ValueEnum, Default)]
    pub enum Form {
        /// As the last move came: one point until a whole turn was played
        #[default]
        Auto = "auto",
        /// One point: from, to, arrow
        Points = "points",
        /// Three points, D1 D7 G7
        Turns = "turns",
        /// The game's own notation, d1-d7/g7
        Algebraic = "algebraic",
    }
}

impl session::Form for Form {
    fn is_whole(self) -> bool {
        matches!(self, Form::Turns | Form::Algebraic)
    }

    fn heard(steps: usize) -> Form {
        if steps > 1 { Form::Turns } else { Form::Points }
    }
}

impl session::Game for Game {
    type Move = Move;
    /// Turns made, how far the turn in progress was, and whose it was.
    type Mark = (usize, Stage, Color);
    type Form = Form;
    type Engine = AmazonsEngine;

    const NAME: &'static str = "Tesuji Amazons";
    const TITLE: &'static str = "Amazons";
    const METHOD: &'static str = "tree search over queen moves and arrows";
    const FORMS_HELP: &'static str = "Answer genmove with one point, with three, in the game's notation, or as the last \
                                      move came.";
    const SIDE: u8 = 10;
    const OTHER_SIDE: u8 = 5;
    const FIRST: Color = Color::White;
    const MAX_STEPS: usize = 3;
    const SGF_NUMBER: Option<u32> = Some(18);
    const ANALYZE_COMMANDS: &'static [&'static str] = &[
        "gfx/Best Moves/tesuji-best_moves",
        "gfx/Principal Variation/tesuji-principal_variation",
        "gfx/Territory/amazons-territory",
        "gfx/Regions/amazons-regions",
        "hstring/Evaluation/amazons-evaluate",
        "hstring/Solve/amazons-solve",
        "hstring/Explain Last Move/gomill-explain_last_move",
        "string/Final Score/final_score",
        "param/Settings/tesuji-param",
        "param/Internals/tesuji-internals",
        "none/Live Graphics On/tesuji-param live_gfx 1",
        "none/Live Graphics Off/tesuji-param live_gfx 0",
    ];
    const HELP: &'static str = "A game against the program, typed by hand; White moves first:
play w D1 D7 G7      the queen on D1 goes to D7 and shoots to G7; in the game's own
                     notation: play w d1-d7/g7 (GTP leaves out the column I, it does not)
play w D1            one step at a time: from, to, arrow
genmove b            lets the program move for Black, in the form of the last move
showboard            the board as it stands
undo                 takes the last move back
final_score          who has won
boardsize 5          another board: 10, 5 or 4
amazons-position     the position as a diagram; with a diagram sets it up
time_settings M B S  M seconds, then B for every S moves
loadsgf FILE         goes on with a recorded game; savesgf FILE records this one
lz-analyze b 50      shows what it thinks every half second, until the next line
amazons-solve        whether the side to move wins, where that can be told
tesuji-param         what can be set; tesuji-param help explains it
list_commands        everything else
quit                 leaves";

    fn size(&self) -> (u8, u8) {
        let size = self.position().size();
        (size.columns(), size.rows())
    }

    /// Boards whose start is known: 10x10, 5x5 and 4x4.
    fn start_on(columns: u8, rows: u8) -> Option<Game> {
        Position::start_on(columns).filter(|_| columns == rows).map(Game::new)
    }

    /// A board of another size is emptied of arrows only by setting it up anew.
    fn restarted(&self) -> Game {
        let (columns, rows) = session::Game::size(self);
        Self::start_on(columns, rows).unwrap_or_else(|| Game::new(*self.start()))
    }

    fn replayed(&self) -> Game {
        let mut game = Game::new(*self.start());
        for &mv in self.moves() {
            if game.play(mv).is_err() {
                break;
            }
        }
        game
    }

    fn stone(&self, at: Vertex) -> Option<Color> {
        self.position().queen_at(square(at)?)
    }

    fn to_move(&self) -> Color {
        self.position().to_move()
    }

    fn set_to_move(&mut self, color: Color) {
        if !self.is_mid_turn() && self.position().to_move() != color {
            self.set_to_move(color);
        }
    }

    fn is_mid_turn(&self) -> bool {
        self.stage() != Stage::From
    }

    fn steps_due(&self) -> usize {
        match self.stage() {
            Stage::From => 3,
            Stage::To(_) => 2,
            Stage::Arrow(..) => 1,
        }
    }

    fn turn_so_far(&self) -> Vec<Step> {
        match self.stage() {
            Stage::From => Vec::new(),
            Stage::To(from) => vec![vertex(from).into()],
            Stage::Arrow(from, to) => vec![vertex(from).into(), vertex(to).into()],
        }
    }

    fn outcome(&self) -> Outcome {
        self.winner().map_or(Outcome::Open, Outcome::Win)
    }

    fn legal(&self) -> Vec<Step> {
        Game::steps(self).into_iter().map(|square| vertex(square).into()).collect()
    }

    /// A turn in progress is gone on with whatever colour is named, since some programs name the colours in turn, point
    /// by point; a new turn is that of the colour named.
    fn play(&mut self, color: Color, steps: &[Step]) -> Result<(), Failure> {
        session::Game::set_to_move(self, color);
        let done = match *steps {
            [Step::At(at)] => self.step(square(at).ok_or_else(Failure::illegal_move)?),
            [_, _, _] => self.play(move_of(steps).ok_or_else(Failure::illegal_move)?),
            _ => return Err(Failure::bad_coordinate()),
        };
        done.map_err(Failure::forbidden)
    }

    /// The queens of a position, on a board without arrows. Where squares are only to be emptied all else stays.
    fn set_up(&self, queens: &[(Option<Color>, Vertex)]) -> Result<Game, Failure> {
        let mut position = match queens.iter().all(|(color, _)| color.is_none()) {
            true => *self.position(),
            false => Position::empty(self.position().size()),
        };
        position.set_to_move(self.position().to_move());
        let on_board = |square| position.size().contains(square);
        let squares: Option<Vec<_>> =
            queens.iter().map(|(_, at)| square(*at).filter(|&at| on_board(at))).collect();
        let squares = squares.ok_or_else(Failure::illegal_move)?;
        for (&(color, _), square) in queens.iter().zip(squares) {
            match color {
                None => position.clear(square),
                Some(color) if !position.put_queen(color, square) => {
                    return Err(Failure::illegal_move());
                }
                Some(_) => {}
            }
        }
        Ok(Game::new(position))
    }

    fn set_first_player(&mut self, color: Color) {
        if !self.is_mid_turn() {
            self.set_first_player(color);
        }
    }

    fn mark(&self) -> Self::Mark {
        (self.moves().len(), self.stage(), self.position().to_move())
    }

    fn rewind(&mut self, (moves, stage, to_move): Self::Mark) {
        while (self.moves().len(), self.stage()) != (moves, stage) && self.undo_step() {}
        session::Game::set_to_move(self, to_move);
    }

    fn marks(&self) -> Vec<Self::Mark> {
        let side = |number| self.before(number).map_or(Color::White, Position::to_move);
        (0..self.moves().len()).map(|number| (number, Stage::From, side(number))).collect()
    }

    fn steps(mv: &Move) -> Vec<Step> {
        [mv.from, mv.to, mv.arrow].map(|square| vertex(square).into()).to_vec()
    }

    fn steps_left(&self, mv: &Move) -> Vec<Step> {
        <Game as session::Game>::steps(mv).split_off(Self::MAX_STEPS - self.steps_due())
    }

    /// The square to which the queen goes.
    fn shown(mv: &Move) -> Vec<Step> {
        vec![vertex(mv.to).into()]
    }

    fn word(mv: &Move) -> String {
        GameMove(*mv).to_string()
    }

    fn spell(steps: &[Step], form: Form) -> String {
        match move_of(steps) {
            Some(mv) if form == Form::Algebraic => GameMove(mv).to_string(),
            _ => join(steps),
        }
    }

    /// With a hyphen it is the game's own notation, else GTP's vertices.
    fn read(&self, text: &str) -> Result<(Vec<Step>, Form), Failure> {
        if text.contains('-') {
            let GameMove(mv) = text.parse().map_err(|_| Failure::bad_coordinate())?;
            return Ok((<Game as session::Game>::steps(&mv), Form::Algebraic));
        }
        let steps = session::game::read_steps(self, text)?;
        let form = session::Form::heard(steps.len());
        Ok((steps, form))
    }

    /// What has to be thought about is about a third of the squares that are fought for. What follows is counted, and takes
    /// no more than an answer does; but it has to be played, until nobody can move.
    fn outlook(&self) -> Outlook {
        let contested = regions(self.position()).filter(|region| region.owner().is_none());
        let contested = contested.map(|region| region.free.len()).sum::<u32>();
        // Every turn takes a square.
        let all = self.position().free().len().div_ceil(2);
        let made = self.moves().len() as u32 / 2;
        Outlook { made, expected: (contested / 3).max(4), long: all, longest: all, answers: 1 }
    }

    fn headline(&self) -> String {
        let side = self.position().to_move().title();
        let state = match (self.winner(), self.stage()) {
            (Some(color), _) => format!("{} has won", color.title()),
            (None, Stage::From) => format!("{side} to play"),
            (None, Stage::To(from)) => format!("{side} to move the queen on {}", vertex(from)),
            (None, Stage::Arrow(from, to)) => {
                format!("{side} to shoot from {} ({} is free)", vertex(to), vertex(from))
            }
        };
        format!("Turn {}, {state}; X White, O Black, # an arrow", self.moves().len() + 1)
    }

    fn last_turn(&self) -> Vec<Vertex> {
        match (self.stage(), self.moves().last()) {
            (Stage::To(from), _) => vec![vertex(from)],
            (Stage::Arrow(from, to), _) => vec![vertex(from), vertex(to)],
            (Stage::From, Some(mv)) => vec![vertex(mv.to), vertex(mv.arrow)],
            (Stage::From, None) => Vec::new(),
        }
    }

    /// As in the game's diagrams: `X` White, `O` Black, `#` an arrow.
    fn sign(&self, at: Vertex) -> char {
        match self.stone(at) {
            Some(Color::White) => 'X',
            Some(Color::Black) => 'O',
            None if square(at).is_some_and(|s| self.position().arrows_shot().contains(s)) => '#',
            None => '.',
        }
    }

    fn sgf_head(&self) -> String {
        format!("GM[18]FF[4]CA[UTF-8]AP[Tesuji:{VERSION}]")
    }

    fn sgf_setup(&self) -> String {
        record::setup(self)
    }

    fn turns(&self) -> Vec<(Color, String)> {
        let side = |number| self.before(number).map_or(Color::White, Position::to_move);
        let turns = self.moves().iter().enumerate();
        turns.map(|(number, &mv)| (side(number), GameMove(mv).to_string())).collect()
    }

    fn record_word(&self, steps: &[Step]) -> String {
        Self::spell(steps, Form::Algebraic)
    }

    fn load(&self, bytes: &[u8], turns: Option<usize>) -> anyhow::Result<Game> {
        record::load(bytes, turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::Game as _;

    fn read(text: &str) -> Result<(Vec<Step>, Form), Failure> {
        Game::new(Position::start()).read(text)
    }

    #[test]
    fn turns_come_in_many_forms() {
        let GameMove(mv) = "d1-d7/g7".parse().unwrap();
        let steps = <Game as session::Game>::steps(&mv);
        for text in ["D1 D7 G7", "d1,d7,g7", "D1D7G7", "d1 D7 g7"] {
            assert_eq!(read(text), Ok((steps.clone(), Form::Turns)), "{text}");
        }
        for text in ["d1-d7/g7", "D1-D7/G7", "d1-d7(g7)"] {
            assert_eq!(read(text), Ok((steps.clone(), Form::Algebraic)), "{text}");
        }
        assert_eq!(read("d1"), Ok((steps[..1].to_vec(), Form::Points)));
        for bad in ["", "d1-d7", "I5", "D1-D7 G7", "d1-k7/a1", "é1"] {
            assert_eq!(read(bad), Err(Failure::bad_coordinate()), "{bad}");
        }
        assert_eq!(read("L4"), Err(Failure::illegal_move()));
        for bad in ["D1 D7", "D1 D7 G7 G8"] {
            let mut game = Game::new(Position::start());
            let (steps, _) = read(bad).unwrap();
            let played = session::Game::play(&mut game, Color::White, &steps);
            assert_eq!(played, Err(Failure::bad_coordinate()), "{bad}");
        }
    }

    #[test]
    fn the_last_column_has_two_names() {
        let GameMove(mv) = "j4-i4/j4".parse().unwrap();
        let steps = <Game as session::Game>::steps(&mv);
        assert_eq!(Game::spell(&steps, Form::Turns), "K4 J4 K4");
        assert_eq!(Game::spell(&steps, Form::Algebraic), "j4-i4/j4");
    }
}
