//! The game in progress: the board as the server has it, the clocks, and what goes into the record.

use std::time::{Duration, Instant};

use game_core::time::{TimeControl, TimeLeft};
use go_engine::rules::Rules;
use go_engine::{Color, Game, Move};

use super::engine::NewGame;
use super::message::{Setup, winner};
use crate::arena::arbiter::{GameResult, RuleSet, Step, Vertex};
use crate::arena::fault::{Fault, FaultKind};
use crate::arena::game::{EndReason, PlayedGame, Termination};
use crate::arena::results::now;
use crate::arena::settings::{Player, Settings};
use crate::arena::sgf;
use crate::arena::turn::Turn;

/// A game on the server.
pub struct ServerGame {
    /// As the server began it, without moves.
    setup: Setup,
    /// This engine's colour.
    pub color: Color,
    board: Game,
    turns: Vec<Turn>,
    /// When it began here.
    started: String,
    began: Instant,
    /// How often the line broke.
    pub breaks: u32,
    /// What else is worth a line in the record.
    pub remarks: Vec<String>,
}

impl ServerGame {
    /// A game in which `name` takes part.
    ///
    /// # Errors
    /// When it does not, or the moves cannot have been played.
    pub fn new(setup: &Setup, name: &str) -> Result<ServerGame, String> {
        let mine = |color: &Color| setup.players[color.index()].name == name;
        let color = Color::BOTH.into_iter().find(mine);
        let color = color.ok_or_else(|| format!("{name} is not one of the two players"))?;
        let mut board = Game::new(setup.size, setup.size).ok_or("no such board")?;
        // Superko and suicide as servers have them; every stone on the board counts.
        board.set_rules(Rules { friendly_pass_ok: false, ..Rules::CHINESE });
        board.set_komi(setup.komi);
        let mut game = ServerGame {
            setup: Setup { moves: Vec::new(), ..setup.clone() },
            color,
            board,
            turns: Vec::new(),
            started: now(),
            began: Instant::now(),
            breaks: 0,
            remarks: Vec::new(),
        };
        let mut color = Color::Black;
        for &(mv, left) in &setup.moves {
            game.played(color, mv, Some(left), None, String::new())?;
            color = color.other();
        }
        Ok(game)
    }

    /// Whether `later`, which a setup has begun after a broken line, is this same game.
    pub fn goes_on_as(&self, later: &ServerGame) -> bool {
        let names = |game: &ServerGame| game.setup.players.each_ref().map(|p| p.name.clone());
        let (known, later_moves) = (self.board.moves(), later.board.moves());
        // A move that was on its way when the line broke may be lost.
        let lost = || known.split_last().is_some_and(|(_, known)| later_moves == known);
        (self.setup.id == later.setup.id && self.setup.size == later.setup.size)
            && names(self) == names(later)
            && (later_moves.starts_with(known) || lost())
    }

    /// Takes over what `earlier` knows of this same game.
    pub fn inherit(&mut self, mut earlier: ServerGame) {
        let known = earlier.turns.len().min(self.turns.len());
        self.turns.splice(..known, earlier.turns.drain(..known));
        self.started = earlier.started;
        self.began = earlier.began;
        self.remarks = earlier.remarks;
        self.breaks = earlier.breaks + 1;
    }

    /// The game as its engine is told of it.
    pub fn for_engine(&self) -> NewGame {
        let opponent = self.opponent();
        NewGame {
            size: self.setup.size,
            komi: self.setup.komi,
            main: Duration::from_millis(self.setup.main.max(0) as u64),
            opponent: (opponent.name.clone(), opponent.rating.trim_end_matches('?').to_owned()),
            moves: self.board.moves().iter().map(|played| (played.color, played.mv)).collect(),
        }
    }

    /// The other player.
    pub fn opponent(&self) -> &super::message::Rated {
        &self.setup.players[self.color.other().index()]
    }

    /// The game's number on the server.
    pub fn id(&self) -> &str {
        &self.setup.id
    }

    /// The board's side.
    pub fn size(&self) -> u8 {
        self.setup.size
    }

    /// White's compensation.
    pub fn komi(&self) -> f64 {
        self.setup.komi
    }

    /// How many moves have been played.
    pub fn moves(&self) -> usize {
        self.turns.len()
    }

    /// Thinking time of this engine.
    pub fn thinking(&self) -> Duration {
        let own = self.turns.iter().filter(|turn| turn.color == self.color);
        own.filter_map(|turn| turn.time).sum()
    }

    /// Why the server will not take this move, if it will not.
    ///
    /// # Errors
    /// The reason.
    pub fn check(&self, color: Color, mv: Move) -> Result<(), String> {
        self.board.check(color, mv).map_err(|why| why.to_string())
    }

    /// A move was played, and what is known of it: the milliseconds left, the time taken, what the engine says.
    ///
    /// # Errors
    /// When it cannot have been: there is a stone, or it is off the board.
    pub fn played(
        &mut self,
        color: Color,
        mv: Move,
        left: Option<i64>,
        time: Option<Duration>,
        comment: String,
    ) -> Result<(), String> {
        self.board.replay(color, mv).map_err(|why| why.to_string())?;
        let step = match mv {
            Move::Pass => Step::Pass,
            Move::Play(at) => Step::At(Vertex { column: at.col(), row: at.row() }),
        };
        let left = left.map(|left| TimeLeft::Main(Duration::from_millis(left.max(0) as u64)));
        self.turns.push(Turn { color, steps: vec![step], time, clock: left, comment });
        Ok(())
    }

    /// The record, with the result as the server writes it; none while the game goes on, or where nobody told of its end.
    pub fn record(&self, programs: &str, command: &str, result: Option<&str>) -> String {
        let [black, white] = &self.setup.players;
        let player = |color: Color| Player {
            name: self.setup.players[color.index()].name.clone(),
            command: if color == self.color { command.to_owned() } else { String::new() },
            ..Player::default()
        };
        let settings = Settings {
            size: self.setup.size,
            komi: self.setup.komi,
            rules: RuleSet(*self.board.rules()),
            time: Some(TimeControl::Absolute {
                main: Duration::from_millis(self.setup.main.max(0) as u64),
            }),
            players: Color::BOTH.map(player).to_vec(),
            ..Settings::default()
        };
        let mut names = [String::new(), String::new()];
        for color in Color::BOTH {
            let rated = &self.setup.players[color.index()];
            let program = if color == self.color { programs } else { "" };
            names[color.index()] = match rated.rating.is_empty() {
                true => program.to_owned(),
                false => format!("{program} ({})", rated.rating).trim().to_owned(),
            };
        }
        let mut remarks = self.remarks.clone();
        if self.breaks > 0 {
            remarks.push(format!("The line broke {} times", self.breaks));
        }
        let heading = sgf::Heading {
            settings: &settings,
            names: [&black.name, &white.name],
            programs: names,
            result: &result.map_or("?".to_owned(), in_sgf),
            started: &self.started,
            title: format!("CGOS game {}", self.setup.id),
            remarks,
        };
        let end = match result {
            Some(result) => Termination::Result(
                GameResult { winner: winner(result), margin: None },
                EndReason::Score,
            ),
            None => Termination::Fault(None, Fault::new(FaultKind::Stopped, "")),
        };
        let played = PlayedGame {
            handicap: Vec::new(),
            turns: self.turns.clone(),
            end,
            claims: Default::default(),
            thinking: [Duration::ZERO; 2],
            elapsed: self.began.elapsed(),
        };
        sgf::write(&heading, &played.handicap, &played.turns)
    }

    /// The name of the record's file, without its ending: date, number and names, so that no two games have the same one.
    pub fn file_stem(&self) -> String {
        let [black, white] = &self.setup.players;
        let stamp: String = self.started.chars().filter(char::is_ascii_alphanumeric).collect();
        format!("{stamp}-{}-{}-{}", safe(&self.setup.id), safe(&white.name), safe(&black.name))
    }

    /// When it began, in UTC.
    pub fn started(&self) -> &str {
        &self.started
    }
}

/// Names come over the line: nothing of them may lead out of the folder.
fn safe(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' };
    name.chars().take(40).map(safe).collect()
}

/// A server's result in SGF's words.
fn in_sgf(result: &str) -> String {
    let (winner, how) = result.split_once('+').unwrap_or((result, ""));
    match (winner, how) {
        ("Draw" | "0", "") => "0".to_owned(),
        ("B" | "W", "Resign") => format!("{winner}+R"),
        ("B" | "W", "Time") => format!("{winner}+T"),
        ("B" | "W", "Illegal") => format!("{winner}+F"),
        ("B" | "W", points) if points.parse() == Ok(0.0) => "0".to_owned(),
        ("B" | "W", points) if points.parse::<f64>().is_ok_and(f64::is_finite) => {
            format!("{winner}+{points}")
        }
        _ => "Void".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::Message;
    use super::*;

    fn setup(line: &str) -> Setup {
        match Message::read(line) {
            Ok(Message::Setup(setup)) => setup,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_game_goes_on_with_what_was_known_of_it() {
        let first = setup("setup 7 9 7.5 60000 white(1500) me(1600?)");
        let mut game = ServerGame::new(&first, "me").unwrap();
        assert_eq!((game.color, game.opponent().name.as_str()), (Color::Black, "white"));
        let d4 = Move::Play("D4".parse().unwrap());
        game.played(Color::Black, d4, Some(59_000), Some(Duration::from_secs(1)), "good".into())
            .unwrap();
        assert!(game.check(Color::White, d4).is_err());
        let goes_on = |game: ServerGame, line| {
            let mut later = ServerGame::new(&setup(line), "me").unwrap();
            let same = game.goes_on_as(&later);
            if same {
                later.inherit(game);
            }
            (same, later)
        };
        // The move has arrived, and the answer to it.
        let (same, game) =
            goes_on(game, "setup 7 9 7.5 60000 white(1500) me(1601?) D4 59000 E5 58000");
        assert_eq!((same, game.moves(), game.breaks), (true, 2, 1));
        assert!(game.record("P", "p", Some("B+3.0")).contains("good"));
        // The last move was lost on the way.
        let (same, game) = goes_on(game, "setup 7 9 7.5 60000 white(1500) me(1600?) D4 59000");
        assert_eq!((same, game.moves(), game.breaks), (true, 1, 2));
        // Another game.
        let (same, game) = goes_on(game, "setup 8 9 7.5 60000 me(1500) other(1600?)");
        assert_eq!((same, game.moves(), game.color), (false, 0, Color::White));
        assert!(ServerGame::new(&first, "somebody").is_err());
        assert!(ServerGame::new(&setup("setup 7 9 7.5 1 w b D4 1 D4 1"), "w").is_err());
    }

    #[test]
    fn results_are_written_as_sgf_has_them() {
        for (server, sgf) in [
            ("B+3.5", "B+3.5"),
            ("W+74.0", "W+74.0"),
            ("B+Resign", "B+R"),
            ("W+Time", "W+T"),
            ("B+Illegal", "B+F"),
            ("Draw", "0"),
            ("B+0.0", "0"),
            ("0", "0"),
            ("Abort", "Void"),
            ("B+]evil", "Void"),
        ] {
            assert_eq!(in_sgf(server), sgf, "{server}");
        }
    }

    #[test]
    fn a_files_name_holds_nothing_that_leads_elsewhere() {
        let game = ServerGame::new(&setup("setup ../x 9 7.5 1 a/b(1) c"), "c").unwrap();
        assert!(game.file_stem().ends_with("-___x-a_b-c"), "{}", game.file_stem());
    }
}
