//! Go as a session plays it: boards, moves as words, and what the program says of itself.

use game_core::Outcome;
use go_engine::game::MAX_KOMI;
use go_engine::score::Statuses;
use go_engine::{Color, Game, Move, Point};

use super::engine::GoEngine;
use super::record;
use crate::gtp::{Failure, Step, Vertex};
use crate::session::clock::Outlook;
use crate::session::{self, OneStep};

/// The sides of boards that are played on.
const SIDES: std::ops::RangeInclusive<u8> = 2..=25;

/// Games end when about seven tenths of the board have been played on, and some go on well beyond that. Of those in the
/// collections that the patterns are learned from one in a thousand lasts longer than 104 to 159 moves on 9x9 and 357 to
/// 372 on 19x19; the longest have 185 and 411. Nobody has to be afraid of 800.
pub(crate) fn outlook(area: usize, moves: usize) -> Outlook {
    let own = |moves_in_all: usize| (moves_in_all.saturating_sub(moves) / 2) as u32;
    let expected = own(area * 7 / 10).max((area / 12) as u32);
    Outlook {
        made: (moves / 2) as u32,
        expected,
        long: own(area * 6 / 5 + 64).max(expected),
        longest: own((area * 20 / 9).max(800)).max(expected),
        answers: 1,
    }
}

fn vertex(point: Point) -> Vertex {
    Vertex { column: point.col(), row: point.row() }
}

fn point(at: Vertex) -> Point {
    Point::new(at.column, at.row)
}

/// Where a game stood: how many moves it had, and whose turn it was, which a move out of turn does not tell.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    moves: usize,
    to_play: Color,
}

impl session::Game for Game {
    type Move = Move;
    type Mark = Mark;
    type Form = OneStep;
    type Engine = GoEngine;

    const NAME: &'static str = "Tesuji";
    const TITLE: &'static str = "Go";
    const METHOD: &'static str = "a Monte-Carlo tree search";
    const VISITS: &'static str = "playouts";
    const VISITS_HELP: &'static str = "Playouts for a move; 0 lets time decide.";
    const TURN: &'static str = "move";
    const HAS_PASS: bool = true;
    const SGF_NUMBER: Option<u32> = Some(1);
    const ANALYZE_COMMANDS: &'static [&'static str] = &[
        "gfx/Best Moves/tesuji-best_moves",
        "gfx/Principal Variation/tesuji-principal_variation",
        "dboard/Ownership/tesuji-ownership",
        "gfx/Likely Moves/tesuji-likely_moves",
        "gfx/Opening Book/tesuji-book",
        "gfx/Joseki/tesuji-joseki",
        "gfx/Joseki Results/tesuji-joseki_results",
        "hstring/Explain Last Move/gomill-explain_last_move",
        "hstring/Search Tree/tesuji-search_tree",
        "none/Save Search Tree/tesuji-save_search_tree %w",
        "plist/Dead Stones/final_status_list dead",
        "plist/Stones in Seki/final_status_list seki",
        "string/Final Score/final_score",
        "string/Rules/kata-get-rules",
        "none/Set Rules/kata-set-rules %s",
        "param/Settings/tesuji-param",
        "param/Internals/tesuji-internals",
        "none/Live Graphics On/tesuji-param live_gfx 1",
        "none/Live Graphics Off/tesuji-param live_gfx 0",
        "hstring/Estimate/tesuji-estimate",
        "string/Estimate Score/estimate_score",
        "gfx/Groups/tesuji-groups",
        "plist/Territory of Black/tesuji-territory black",
        "plist/Territory of White/tesuji-territory white",
        "dboard/Influence (network)/tesuji-influence network",
        "dboard/Influence (tuned)/tesuji-influence tuned",
        "dboard/Influence (Zobrist)/tesuji-influence zobrist",
        "dboard/Influence (Ryder)/tesuji-influence ryder",
        "dboard/Influence (Chen)/tesuji-influence chen",
        "dboard/Influence (thesis)/tesuji-influence thesis",
        "dboard/Influence (Bouzy)/tesuji-influence bouzy",
    ];
    const HELP: &'static str = "A game against the program, typed by hand:
boardsize 9          a new board: 2 to 25
komi 7               points that White gets
play b D4            a black stone on D4 (pass: play b pass)
genmove w            lets the program move for White
showboard            the board as it stands
undo                 takes the last move back
final_score          who has won, and by how much
kata-set-rules NAME  tromp-taylor, chinese, japanese, aga or new-zealand
time_settings M B S  M seconds, then B for every S moves
loadsgf FILE         goes on with a recorded game; savesgf FILE records this one
lz-analyze b 50      shows what it thinks every half second, until the next line
tesuji-param         what can be set; tesuji-param help explains it
list_commands        everything else
quit                 leaves";

    fn size(&self) -> (u8, u8) {
        (self.board().width(), self.board().height())
    }

    fn start_on(columns: u8, rows: u8) -> Option<Game> {
        let sides = SIDES.contains(&columns) && SIDES.contains(&rows);
        sides.then(|| Game::new(columns, rows)).flatten()
    }

    fn resized(&self, columns: u8, rows: u8) -> Option<Game> {
        let mut game = Self::start_on(columns, rows)?;
        game.set_rules(*self.rules());
        game.set_komi(self.komi());
        Some(game)
    }

    fn restarted(&self) -> Game {
        let mut game = self.clone();
        game.clear();
        game
    }

    fn replayed(&self) -> Game {
        let mut game = self.clone();
        game.undo_to(0);
        for played in self.moves() {
            if game.replay(played.color, played.mv).is_err() {
                break;
            }
        }
        game
    }

    fn set_komi(&mut self, komi: f64) -> Result<(), Failure> {
        if komi.abs() > MAX_KOMI {
            return Err(Failure::new("unacceptable komi"));
        }
        self.set_komi(komi);
        Ok(())
    }

    fn place_handicap(&mut self, stones: usize) -> Result<Vec<Vertex>, Failure> {
        let points = self.place_fixed_handicap(stones).map_err(Failure::forbidden)?;
        Ok(points.into_iter().map(vertex).collect())
    }

    fn stone(&self, at: Vertex) -> Option<Color> {
        self.board().stone(point(at))
    }

    fn to_move(&self) -> Color {
        self.to_play()
    }

    fn set_to_move(&mut self, color: Color) {
        self.set_to_play(color);
    }

    /// Players agree on the end.
    fn outcome(&self) -> Outcome {
        Outcome::Open
    }

    fn is_to_be_counted(&self) -> bool {
        self.passes() >= 2
    }

    /// By the rules in force, with every stone alive.
    fn count(&self) -> Option<f64> {
        Some(self.score(&Statuses::all_alive()))
    }

    fn legal(&self) -> Vec<Step> {
        self.legal_points(self.to_play()).map(|point| vertex(point).into()).collect()
    }

    fn play(&mut self, color: Color, steps: &[Step]) -> Result<(), Failure> {
        let mv = match *steps {
            [Step::Pass] => Move::Pass,
            [Step::At(at)] => Move::Play(point(at)),
            _ => return Err(Failure::bad_coordinate()),
        };
        self.play(color, mv).map_err(Failure::forbidden)
    }

    fn set_up(&self, stones: &[(Option<Color>, Vertex)]) -> Result<Game, Failure> {
        let mut game = self.clone();
        let stones = stones.iter().map(|&(color, at)| (point(at), color));
        Game::set_up(&mut game, stones).map_err(|error| Failure::new(error.to_string()))?;
        Ok(game)
    }

    fn set_first_player(&mut self, color: Color) {
        self.set_first_player(color);
    }

    fn mark(&self) -> Mark {
        Mark { moves: self.moves().len(), to_play: self.to_play() }
    }

    fn rewind(&mut self, Mark { moves, to_play }: Mark) {
        self.undo_to(moves);
        self.set_to_play(to_play);
    }

    fn marks(&self) -> Vec<Mark> {
        let after = self.moves().iter().map(|played| played.color.other());
        let turns = std::iter::once(self.start().to_play).chain(after);
        let marks = turns.zip(0..self.moves().len());
        marks.map(|(to_play, moves)| Mark { moves, to_play }).collect()
    }

    fn steps(mv: &Move) -> Vec<Step> {
        vec![match *mv {
            Move::Play(point) => vertex(point).into(),
            Move::Pass => Step::Pass,
        }]
    }

    fn outlook(&self) -> Outlook {
        outlook(self.board().area(), self.moves().len())
    }

    fn conditions(&self) -> String {
        format!(", {} rules", self.rules())
    }

    fn headline(&self) -> String {
        let (moves, rules) = (self.moves().len(), self.rules());
        format!("Move {moves}, {} to play, {rules} rules, komi {}", self.to_play(), self.komi())
    }

    fn last_turn(&self) -> Vec<Vertex> {
        match self.last().map(|played| played.mv) {
            Some(Move::Play(point)) => vec![vertex(point)],
            Some(Move::Pass) | None => Vec::new(),
        }
    }

    /// `X` Black, `O` White, `+` a star point.
    fn sign(&self, at: Vertex) -> char {
        let (width, height) = session::Game::size(self);
        let stars = || {
            go_engine::game::fixed_handicap(width, height, 9)
                .or_else(|| go_engine::game::fixed_handicap(width, height, 4))
                .unwrap_or_default()
        };
        match self.stone(at) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None if stars().contains(&point(at)) => '+',
            None => '.',
        }
    }

    fn beside(&self, row: u8) -> String {
        match row {
            0 => format!("  White has captured {}", self.captured(Color::Black)),
            1 => format!("  Black has captured {}", self.captured(Color::White)),
            _ => String::new(),
        }
    }

    fn turns(&self) -> Vec<(Color, String)> {
        self.moves().iter().map(|played| (played.color, played.mv.to_string())).collect()
    }

    /// Two letters from the upper left; a pass is empty, or `tt` where the board has no such point.
    fn record_steps(&self, word: &str) -> Option<Vec<Step>> {
        let (columns, rows) = session::Game::size(self);
        let word = word.trim();
        if word.is_empty() || (word == "tt" && columns <= 19 && rows <= 19) {
            return Some(vec![Step::Pass]);
        }
        let at = game_record::Point::from_sgf(word)?;
        let row = rows.checked_sub(at.row + 1)?;
        (at.column < columns).then(|| vec![Step::At(Vertex { column: at.column, row })])
    }

    fn record_word(&self, steps: &[Step]) -> String {
        let rows = self.board().height();
        let word = |at: &Vertex| game_record::Point::new(at.column, rows - 1 - at.row).to_sgf();
        match steps {
            [Step::At(at)] => word(at).unwrap_or_default(),
            _ => String::new(),
        }
    }

    fn details(&self) -> serde_json::Map<String, serde_json::Value> {
        let captured = Color::BOTH.map(|color| self.captured(color.other()));
        let details = serde_json::json!({
            "komi": self.komi(),
            "rules": self.rules().to_string(),
            "handicap": self.handicap(),
            "passes": self.passes(),
            "captured": captured,
        });
        match details {
            serde_json::Value::Object(details) => details,
            _ => serde_json::Map::new(),
        }
    }

    /// Rules that have no name differ too.
    fn fingerprint(&self) -> String {
        format!("{} {} {:?}", record::write(self, "", ""), self.to_play(), self.rules())
    }

    fn sgf(&self, black: &str, white: &str) -> String {
        record::write(self, black, white)
    }

    fn load(&self, bytes: &[u8], moves: Option<usize>) -> anyhow::Result<Game> {
        Ok(record::load(bytes, moves, self)?)
    }
}
