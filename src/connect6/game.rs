//! Connect6 as a session plays it: boards, moves as words, and what the program says of itself.

use std::collections::BTreeMap;

use clap::ValueEnum;
use connect6_engine::{Game, Outcome, PlayError, Point, Rules, Turn, weights};

use super::engine::Connect6Engine;
use super::notation::{point, read_record_points, record_turn, vertex};
use super::record;
use super::simple_turn::simple_turn;
use crate::gtp::{Color, Failure, Step, Vertex};
use crate::session;
use crate::session::clock::Outlook;

tunables::choice! {
    /// How genmove answers.
    #[derive(ValueEnum, Default)]
    pub enum Form {
        /// As the last move came: one stone until a whole turn was played
        #[default]
        Auto = "auto",
        /// One stone
        Stone = "stone",
        /// The whole turn
        Turn = "turn",
    }
}

impl session::Form for Form {
    fn is_whole(self) -> bool {
        self == Form::Turn
    }

    fn heard(steps: usize) -> Form {
        if steps > 1 { Form::Turn } else { Form::Stone }
    }
}

impl session::Game for Game {
    type Move = Turn;
    type Mark = usize;
    type Form = Form;
    type Engine = Connect6Engine;

    const NAME: &'static str = "Tesuji Connect6";
    const TITLE: &'static str = "Connect6";
    const METHOD: &'static str = "tree search with threat-space search";
    const FORMS_HELP: &'static str =
        "Answer genmove with one stone, with the whole turn, or as the last move came.";
    const ANY_ORDER: bool = true;
    const MAX_STEPS: usize = 2;
    const ANALYZE_COMMANDS: &'static [&'static str] = &[
        "gfx/Best Moves/tesuji-best_moves",
        "gfx/Principal Variation/tesuji-principal_variation",
        "gfx/Threats/connect6-threats",
        "gfx/Winning Line/connect6-winning_line",
        "gfx/Shapes/connect6-shapes",
        "hstring/Solve/connect6-solve",
        "hstring/Explain Last Move/gomill-explain_last_move",
        "string/Final Score/final_score",
        "param/Settings/tesuji-param",
        "param/Internals/tesuji-internals",
        "none/Live Graphics On/tesuji-param live_gfx 1",
        "none/Live Graphics Off/tesuji-param live_gfx 0",
    ];
    const HELP: &'static str = "A game against the program, typed by hand:
play b K10           a black stone on K10; a whole turn: play w K11 L12
genmove w            lets the program move for White
                     (one stone, or a whole turn if the last move was one)
showboard            the board as it stands
undo                 takes back what the last play or genmove played
final_score          who has won
boardsize 15         a new board: 1 to 19
connect6-rules 15 15 5 1 1   another game of the family: width, height, how many
                     in a row, stones a turn, stones of the first turn
time_settings M B S  M seconds, then B for every S moves
loadsgf FILE         goes on with a recorded game; savesgf FILE records this one
lz-analyze b 50      shows what it thinks every half second, until the next line
connect6-solve       whether the side to move wins by threats
tesuji-param         what can be set; tesuji-param help explains it
list_commands        everything else
quit                 leaves";

    fn size(&self) -> (u8, u8) {
        (self.rules().width() as u8, self.rules().height() as u8)
    }

    fn start_on(columns: u8, rows: u8) -> Option<Game> {
        Rules::new(columns.into(), rows.into(), 6, 2, 1).ok().map(Game::new)
    }

    fn resized(&self, columns: u8, rows: u8) -> Option<Game> {
        let old = self.rules();
        let (m, n) = (usize::from(columns), usize::from(rows));
        Rules::new(m, n, old.k(), old.p(), old.q()).ok().map(Game::new)
    }

    fn replayed(&self) -> Game {
        let new = Game::with_setup(self.rules(), self.setup().iter().copied(), self.first_player());
        let mut game = new.unwrap_or_else(|_| Game::new(self.rules()));
        for (color, point) in self.stones() {
            if game.play(color, point).is_err() {
                break;
            }
        }
        game
    }

    fn stone(&self, at: Vertex) -> Option<Color> {
        self.board().get(point(at)?)
    }

    fn to_move(&self) -> Color {
        self.to_move().color
    }

    fn set_to_move(&mut self, color: Color) {
        self.set_to_move(color);
    }

    /// The last free point of the board ends the turn, too.
    fn steps_due(&self) -> usize {
        let rules = self.rules();
        let free = rules.width() * rules.height() - self.board().count();
        usize::from(self.to_move().stones).min(free.max(1))
    }

    fn turn_so_far(&self) -> Vec<Step> {
        self.turn_so_far().map(|point| vertex(point).into()).collect()
    }

    fn outcome(&self) -> Outcome {
        self.outcome()
    }

    fn legal(&self) -> Vec<Step> {
        self.board().empties().map(|point| vertex(point).into()).collect()
    }

    fn play(&mut self, color: Color, steps: &[Step]) -> Result<(), Failure> {
        if steps.len() > self.rules().p().max(self.rules().q()) {
            return Err(Failure::bad_coordinate());
        }
        for (number, step) in steps.iter().enumerate() {
            let Step::At(at) = *step else { return Err(Failure::illegal_move()) };
            let point = point(at).ok_or_else(Failure::illegal_move)?;
            // A turn is told whole though its first stones win; the others then stand for nothing.
            let is_surplus = number > 0 && self.outcome().is_over();
            let is_free = |at| self.rules().contains(at) && self.board().get(at).is_none();
            if !(is_surplus && is_free(point)) {
                self.play(color, point).map_err(forbidden)?;
            }
        }
        Ok(())
    }

    /// These beside the stones that stand there. What follows is a whole turn of whom the number of stones speaks for.
    fn set_up(&self, stones: &[(Option<Color>, Vertex)]) -> Result<Game, Failure> {
        let rules = self.rules();
        let standing = rules.points().filter_map(|at| Some((at, self.board().get(at)?)));
        let mut all: BTreeMap<Point, Color> = standing.collect();
        for &(color, at) in stones {
            let at =
                point(at).filter(|&at| rules.contains(at)).ok_or_else(Failure::illegal_move)?;
            match color {
                Some(color) => all.insert(at, color),
                None => all.remove(&at),
            };
        }
        let all: Vec<_> = all.into_iter().map(|(at, color)| (color, at)).collect();
        let first = record::side_due(&all);
        Game::with_setup(rules, all, first).map_err(Failure::forbidden)
    }

    fn set_first_player(&mut self, color: Color) {
        self.set_first_player(color);
    }

    fn sgf_head(&self) -> String {
        format!("FF[4]CA[UTF-8]{}", record::rules(self.rules()))
    }

    fn sgf_setup(&self) -> String {
        record::setup(self)
    }

    fn mark(&self) -> usize {
        self.stones().len()
    }

    fn rewind(&mut self, mark: usize) {
        while self.stones().len() > mark {
            self.undo();
        }
    }

    fn marks(&self) -> Vec<usize> {
        let ends = record::parts(self).into_iter().scan(0, |end, (_, stones)| {
            *end += stones.len();
            Some(*end - stones.len())
        });
        ends.collect()
    }

    fn steps(turn: &Turn) -> Vec<Step> {
        turn.stones().map(|point| vertex(point).into()).collect()
    }

    fn steps_left(&self, turn: &Turn) -> Vec<Step> {
        completed(self, *turn).into_iter().map(|point| vertex(point).into()).collect()
    }

    /// Games last some twenty to forty turns of both, one in a hundred more than 68; when the board is full they are over.
    fn outlook(&self) -> Outlook {
        let (rules, stones) = (self.rules(), self.board().count());
        let turns = stones / rules.p().max(1);
        let free = (rules.width() * rules.height()).saturating_sub(stones);
        let longest = free.div_ceil(2 * rules.p().max(1)) as u32;
        let own = |turns_in_all: usize| (turns_in_all.saturating_sub(turns) / 2) as u32;
        let expected = own(40).max(10);
        let long = own(70).max(expected).min(longest);
        Outlook { made: (turns / 2) as u32, expected, long, longest, answers: 1 }
    }

    fn headline(&self) -> String {
        let to_move = self.to_move();
        let state = match self.outcome() {
            Outcome::Open => {
                let s = if to_move.stones == 1 { "" } else { "s" };
                format!("{} to play, {} stone{s}", to_move.color.title(), to_move.stones)
            }
            Outcome::Win(color) => format!("{} has won", color.title()),
            Outcome::Draw => "a draw".to_owned(),
        };
        format!("{} stones, {state}", self.board().count())
    }

    fn last_turn(&self) -> Vec<Vertex> {
        let stones: Vec<_> = self.stones().collect();
        let Some(&(color, _)) = stones.last() else { return Vec::new() };
        let last = stones.iter().rev().take_while(|stone| stone.0 == color);
        last.take(self.rules().p()).map(|stone| vertex(stone.1)).collect()
    }

    fn id(&self) -> String {
        let r = self.rules();
        match (r.k(), r.p(), r.q()) {
            (6, 2, 1) => "Connect6".to_owned(),
            (5, 1, 1) => "Gomoku".to_owned(),
            (k, p, q) => format!("Connect({},{},{k},{p},{q})", r.width(), r.height()),
        }
    }

    fn turns(&self) -> Vec<(Color, String)> {
        record::parts(self).iter().map(|(color, turn)| (*color, record_turn(turn))).collect()
    }

    fn history(&self) -> Vec<(Color, Vec<Step>)> {
        let steps = |points: Vec<Point>| points.into_iter().map(|p| vertex(p).into()).collect();
        record::parts(self).into_iter().map(|(color, points)| (color, steps(points))).collect()
    }

    fn record_steps(&self, word: &str) -> Option<Vec<Step>> {
        let points = read_record_points(word.trim())?;
        Some(points.into_iter().map(|point| vertex(point).into()).collect())
    }

    fn record_word(&self, steps: &[Step]) -> String {
        let points = steps.iter().filter_map(|step| match step {
            Step::At(at) => point(*at),
            Step::Pass => None,
        });
        record_turn(&points.collect::<Vec<_>>())
    }

    fn details(&self) -> serde_json::Map<String, serde_json::Value> {
        let row = match self.outcome() {
            Outcome::Win(color) => self.board().winning_row(color),
            Outcome::Open | Outcome::Draw => None,
        };
        let row = row.into_iter().flatten().map(|point| vertex(point).to_string());
        [("row".to_owned(), row.collect())].into_iter().collect()
    }

    fn load(&self, bytes: &[u8], stones: Option<usize>) -> anyhow::Result<Game> {
        record::load(bytes, self.rules(), stones)
    }
}

/// Why a stone cannot be put there, in GTP's words: records name points otherwise.
fn forbidden(why: PlayError) -> Failure {
    Failure::forbidden(match why {
        PlayError::OffBoard(at) => format!("{} is not on the board", vertex(at)),
        PlayError::Occupied(at) => format!("{} is occupied", vertex(at)),
        PlayError::Over => why.to_string(),
    })
}

/// A turn with the stones that it still needs: where the search saw no need for a second, any empty point will do; what is
/// missing of longer turns is chosen as the first stones were.
pub fn completed(game: &Game, turn: Turn) -> Vec<Point> {
    let mut points: Vec<Point> = turn.stones().collect();
    let wanted = usize::from(game.to_move().stones);
    if wanted > 2 {
        let rest = simple_turn(game, &weights::shipped().net, wanted, &points, |_, _| true);
        points.extend(rest);
        return points;
    }
    let centre = (game.rules().width() as i32 / 2, game.rules().height() as i32 / 2);
    let mut empties: Vec<Point> = game.board().empties().filter(|p| !points.contains(p)).collect();
    empties
        .sort_by_key(|p| (p.col() as i32 - centre.0).abs().max((p.row() as i32 - centre.1).abs()));
    points.extend(empties.into_iter().take(wanted.saturating_sub(points.len())));
    points
}
