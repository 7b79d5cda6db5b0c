//! What a session asks of a game: the rules, moves as words, and what the game is called. A game that implements
//! [`Game`], and [`Engine`] for what plays it, has everything else that a session can do.

pub mod board;
pub mod engine;
mod filter;
pub mod sgf;

use crate::session::clock::Outlook;
use clap::ValueEnum;
use game_core::Outcome;
use tunables::Choice;

pub use engine::Engine;
pub use filter::{Filter, LeftOut, Restriction};

use crate::gtp::{Color, Failure, Step, Vertex, join, read_vertices};

/// A game with its history, played over GTP.
///
/// A turn is made of steps, each a point of the board: one in Go, one or two in Connect6, three in Amazons. Controllers
/// name them one by one or whole; the search chooses whole turns.
pub trait Game: Clone + 'static {
    /// A turn as the search chooses it.
    type Move: Clone + 'static;
    /// Where a game stood: what undoing goes back to.
    type Mark: Copy;
    /// The forms in which genmove can answer.
    type Form: Form;
    /// What plays it.
    type Engine: Engine<Self>;

    /// The program's name over GTP.
    const NAME: &'static str;
    /// What the game is called, also by GoGui.
    const TITLE: &'static str;
    /// How the program plays, in a few words.
    const METHOD: &'static str;
    /// What a person at a terminal needs first: the answer to `help`.
    const HELP: &'static str;
    /// What GoGui offers in its menu, in the form `type/label/command` (GoGui's documentation, chapter "Analyze
    /// Commands").
    const ANALYZE_COMMANDS: &'static [&'static str];
    /// What a search is counted in, and the parameter that limits it.
    const VISITS: &'static str = "visits";
    /// What that parameter does.
    const VISITS_HELP: &'static str = "Visits for a turn; 0 lets time decide.";
    /// What genmove chooses.
    const TURN: &'static str = "turn";
    /// What the forms of answers are, for the parameter `genmove_form`.
    const FORMS_HELP: &'static str = "";
    /// The side of the usual board.
    const SIDE: u8 = 19;
    /// That of a smaller one, to name as an example.
    const OTHER_SIDE: u8 = 9;
    /// Who moves first.
    const FIRST: Color = Color::Black;
    /// The most steps that a turn has.
    const MAX_STEPS: usize = 1;
    /// The game's number in records (SGF `FF[4]`, property `GM`), if it has one.
    const SGF_NUMBER: Option<u32> = None;
    /// Whether the steps of a turn may be made in any order.
    const ANY_ORDER: bool = false;
    /// Whether a pass is a move; else it is taken only when the game is over, since controllers pass then.
    const HAS_PASS: bool = false;

    /// Columns and rows.
    fn size(&self) -> (u8, u8);
    /// A new game on a board of this size; none when it is not played there.
    fn start_on(columns: u8, rows: u8) -> Option<Self>;
    /// A new game on a board of this size, with everything else as it is here; none when it is not played there.
    fn resized(&self, columns: u8, rows: u8) -> Option<Self> {
        Self::start_on(columns, rows)
    }
    /// A new game like this one.
    fn restarted(&self) -> Self {
        let (columns, rows) = self.size();
        self.resized(columns, rows).unwrap_or_else(|| self.clone())
    }
    /// The same game played again from its start, which mends a board that was left half changed.
    fn replayed(&self) -> Self {
        self.clone()
    }
    /// Points that White gets, in games that know such.
    ///
    /// # Errors
    /// When so many are no komi.
    fn set_komi(&mut self, _: f64) -> Result<(), Failure> {
        Ok(())
    }
    /// Puts so many handicap stones on the empty board, and tells where, in games that know such.
    ///
    /// # Errors
    /// Where there is no place for them.
    fn place_handicap(&mut self, _: usize) -> Result<Vec<Vertex>, Failure> {
        Err(Failure::new(format!("{} has no handicap", Self::TITLE)))
    }

    /// Whose stone stands there.
    fn stone(&self, at: Vertex) -> Option<Color>;
    /// Whose turn it is.
    fn to_move(&self) -> Color;
    /// Makes it a side's turn, unless a turn has been begun that is to be finished first.
    fn set_to_move(&mut self, color: Color);
    /// Whether some steps of a turn are made, and others not yet.
    fn is_mid_turn(&self) -> bool {
        false
    }
    /// How many steps the turn in progress still needs; at least 1.
    fn steps_due(&self) -> usize {
        1
    }
    /// The steps that the turn in progress has begun with.
    fn turn_so_far(&self) -> Vec<Step> {
        Vec::new()
    }
    /// How the game stands; always open where players agree on its end.
    fn outcome(&self) -> Outcome;
    /// Whether the players have agreed on its end, and the board has to be counted.
    fn is_to_be_counted(&self) -> bool {
        false
    }
    /// Black's points less White's when the board is counted as it stands, in games that have points.
    fn count(&self) -> Option<f64> {
        None
    }
    /// The steps that can be made next.
    fn legal(&self) -> Vec<Step>;
    /// Makes one or more steps of a colour's turn. Afterwards the game is of no use if that failed.
    ///
    /// # Errors
    /// What the controller is told.
    fn play(&mut self, color: Color, steps: &[Step]) -> Result<(), Failure>;
    /// The game after steps of one colour. Where there is nothing to pass, a pass is taken when the game is over, since
    /// controllers pass then.
    ///
    /// # Errors
    /// When the rules forbid it.
    fn after(&self, color: Color, steps: &[Step]) -> Result<Self, Failure> {
        let mut game = self.clone();
        if steps == [Step::Pass] && !Self::HAS_PASS {
            return if game.outcome().is_over() { Ok(game) } else { Err(Failure::illegal_move()) };
        }
        game.play(color, steps)?;
        Ok(game)
    }
    /// The position with these stones (none takes one off), put there by nobody.
    ///
    /// # Errors
    /// What the controller is told.
    fn set_up(&self, stones: &[(Option<Color>, Vertex)]) -> Result<Self, Failure>;
    /// Says who begins after a setup.
    fn set_first_player(&mut self, color: Color) {
        self.set_to_move(color);
    }

    /// Where the game stands.
    fn mark(&self) -> Self::Mark;
    /// Takes the game back to where it stood.
    fn rewind(&mut self, mark: Self::Mark);
    /// Where it stood before each of its turns.
    fn marks(&self) -> Vec<Self::Mark>;

    /// All steps of a turn.
    fn steps(mv: &Self::Move) -> Vec<Step>;
    /// The steps of a turn that are still to be made.
    fn steps_left(&self, mv: &Self::Move) -> Vec<Step> {
        Self::steps(mv)
    }
    /// The points that show a turn on a board.
    fn shown(mv: &Self::Move) -> Vec<Step> {
        Self::steps(mv)
    }
    /// A turn as one word.
    fn word(mv: &Self::Move) -> String {
        Self::steps(mv).iter().map(Step::to_string).collect::<Vec<_>>().join("-")
    }
    /// A turn that is told whole.
    fn spell(steps: &[Step], _: Self::Form) -> String {
        join(steps)
    }
    /// Reads what `play` is given, and its form.
    ///
    /// # Errors
    /// What is no point, or one off the board.
    fn read(&self, text: &str) -> Result<(Vec<Step>, Self::Form), Failure> {
        let steps = read_steps(self, text)?;
        let form = Self::Form::heard(steps.len());
        Ok((steps, form))
    }
    /// How many turns the side to move will still have to make, for sharing out its time; in how many answers is not the
    /// game's business.
    fn outlook(&self) -> Outlook;
    /// Rules and the like that a description of the engine names.
    fn conditions(&self) -> String {
        String::new()
    }

    /// The first row of the board as text.
    fn headline(&self) -> String {
        let to_move = self.to_move().title();
        match self.outcome() {
            Outcome::Open => format!("{to_move} to play"),
            Outcome::Win(color) => format!("{} has won", color.title()),
            Outcome::Draw => "a draw".to_owned(),
        }
    }
    /// The points of the last turn, or of one that is being made.
    fn last_turn(&self) -> Vec<Vertex> {
        Vec::new()
    }
    /// What stands on a point: `X` Black, `O` White.
    fn sign(&self, at: Vertex) -> char {
        match self.stone(at) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        }
    }
    /// What stands beside a row of the board, counted from the top.
    fn beside(&self, _row: u8) -> String {
        String::new()
    }
    /// The board as text.
    fn show(&self) -> String {
        board::show(self)
    }

    /// What GoGui calls the game under the rules in force.
    fn id(&self) -> String {
        Self::TITLE.to_owned()
    }
    /// What a record begins with.
    fn sgf_head(&self) -> String {
        let number = Self::SGF_NUMBER.map(|number| format!("GM[{number}]"));
        number.unwrap_or_default() + "FF[4]"
    }
    /// What was set up before the first turn.
    fn sgf_setup(&self) -> String {
        String::new()
    }
    /// The turns so far, for records: a colour, and the turn in the words of its records.
    fn turns(&self) -> Vec<(Color, String)>;
    /// The turns so far as steps, whose each.
    fn history(&self) -> Vec<(Color, Vec<Step>)> {
        let turns = self.turns().into_iter();
        turns.filter_map(|(color, word)| Some((color, self.read(&word).ok()?.0))).collect()
    }
    /// The steps of a turn in the word that records have for it; none when it is no such word.
    fn record_steps(&self, word: &str) -> Option<Vec<Step>> {
        self.read(word).ok().map(|(steps, _)| steps)
    }
    /// The word that records have for a turn.
    fn record_word(&self, steps: &[Step]) -> String {
        steps.iter().map(Step::to_string).collect()
    }
    /// What is told of a position beside what all games have, under names of its own: rules, points, prisoners.
    fn details(&self) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }
    /// What tells this position from all others: the moves that led to it, whose turn it is, and the rules.
    fn fingerprint(&self) -> String {
        let begun = join(self.last_turn());
        format!("{} {} {begun} {}", self.sgf("", ""), self.to_move(), self.steps_due())
    }
    /// The game as SGF.
    fn sgf(&self, black: &str, white: &str) -> String {
        sgf::sgf(self, black, white)
    }
    /// The first game in the bytes of a file, up to so many moves. What the record does not say is as it is here.
    ///
    /// # Errors
    /// What is wrong with the file or one of its moves.
    fn load(&self, bytes: &[u8], moves: Option<usize>) -> anyhow::Result<Self> {
        sgf::load(self, bytes, moves)
    }
}

/// The forms in which a turn can be told; the default is that of the last move that was played.
pub trait Form: Choice + ValueEnum + PartialEq + Default + Send + Sync + 'static {
    /// Whether a turn is told whole.
    fn is_whole(self) -> bool;
    /// The form of a move that came with so many steps.
    fn heard(steps: usize) -> Self;
}

tunables::choice! {
    /// The form of games whose turns have one step.
    #[derive(ValueEnum, Default)]
    pub enum OneStep {
        /// One point
        #[default]
        Auto = "auto",
    }
}

impl Form for OneStep {
    fn is_whole(self) -> bool {
        true
    }

    fn heard(_: usize) -> OneStep {
        OneStep::Auto
    }
}

/// The steps in a text: a pass, or vertices that stand apart, have commas between them or none.
///
/// # Errors
/// A word that is no vertex is a bad coordinate, one beyond the board an illegal move.
pub fn read_steps<G: Game>(game: &G, text: &str) -> Result<Vec<Step>, Failure> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(vec![Step::Pass]);
    }
    let vertices = read_vertices(text)?;
    let on_board = |at: &Vertex| at.column < game.size().0 && at.row < game.size().1;
    if !vertices.iter().all(on_board) {
        return Err(Failure::illegal_move());
    }
    Ok(vertices.into_iter().map(Step::At).collect())
}
