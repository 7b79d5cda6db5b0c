//! The course of a game: the person's words, and the program's answers.

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use super::Traits;
use super::board::Board;
use super::controller::{Controller, Progress};
use super::screen::{Key, Screen};
use super::told::{in_full, in_words, newest, passes};
use super::words::{HELP, Side, Word};
use crate::gtp::{Color, Vertex};

/// Keys are looked for this often while the program thinks.
const GLANCE: Duration = Duration::from_millis(80);
/// Rows of an answer that are shown.
const MAX_ROWS: usize = 18;

/// The person at the terminal.
pub struct Player {
    session: Option<Controller>,
    screen: Screen,
    traits: Traits,
    commands: Vec<String>,
    side: Side,
    board: Option<Board>,
    cursor: Option<Vertex>,
    /// What is being typed.
    line: String,
    /// Keys that came while an answer was waited for.
    ahead: VecDeque<Key>,
    /// What was said last.
    said: Vec<String>,
    /// Somebody has resigned.
    resigned: bool,
    /// Passes in a row.
    passes: u32,
}

impl Player {
    /// A player of the first colour.
    pub fn new(session: Controller, screen: Screen, traits: Traits) -> Player {
        let side = if traits.first == Color::Black { Side::Black } else { Side::White };
        Player {
            session: Some(session),
            screen,
            traits,
            commands: Vec::new(),
            side,
            board: None,
            cursor: None,
            line: String::new(),
            ahead: VecDeque::new(),
            said: Vec::new(),
            resigned: false,
            passes: 0,
        }
    }

    /// Plays until the person leaves.
    ///
    /// # Errors
    /// When the terminal or the session is gone.
    pub fn play(mut self) -> io::Result<()> {
        let commands = self.ask("list_commands")?.unwrap_or_default();
        self.commands = commands.lines().map(str::to_owned).collect();
        self.refresh()?;
        let (name, title) = (self.traits.name, self.traits.title);
        self.say(&format!(
            "{name} plays {title} with you; you are {}. Type a point, or walk with the arrow keys and press Enter.",
            self.traits.first
        ));
        let side = self.traits.other_side;
        self.say(&format!(
            "`size {side}`, `white`, `hint`, `undo`, `score`, `help` and `quit` are words to know."
        ));
        loop {
            if self.is_programs_turn() {
                self.answer()?;
                continue;
            }
            let key = match self.ahead.pop_front() {
                Some(key) => key,
                None => {
                    self.draw("")?;
                    let Some(key) = self.screen.key(Duration::from_secs(60))? else { continue };
                    key
                }
            };
            match key {
                Key::Leave => break,
                Key::Char(letter) => self.line.push(letter),
                Key::Backspace => drop(self.line.pop()),
                Key::Escape => {
                    self.line.clear();
                    self.cursor = None;
                }
                Key::Arrow(right, up) => self.walk(right, up),
                Key::Resized => {}
                Key::Enter => {
                    let line = std::mem::take(&mut self.line);
                    let line = match (line.trim().is_empty(), self.cursor) {
                        (true, Some(at)) => at.to_string(),
                        _ => line,
                    };
                    if !self.obey(&line)? {
                        break;
                    }
                }
            }
        }
        let board =
            self.board.as_ref().map(|board| board.draw(self.white(), None, self.screen.colours));
        drop(self.screen);
        // What was played stays to be seen.
        for line in board.into_iter().flatten() {
            writeln!(io::stdout(), "{line}")?;
        }
        // The session ends with its input.
        drop(self.session);
        Ok(())
    }

    fn ask(&mut self, command: &str) -> io::Result<Result<String, String>> {
        match &mut self.session {
            Some(session) => session.ask(command),
            None => Err(io::Error::other("no session")),
        }
    }

    /// The sign of White's pieces.
    fn white(&self) -> char {
        // The headline of Amazons says `X White`: there White begins.
        if self.traits.first == Color::White { 'X' } else { 'O' }
    }

    fn say(&mut self, text: &str) {
        self.said.extend(text.lines().take(MAX_ROWS).map(str::to_owned));
        let many = self.said.len().saturating_sub(MAX_ROWS);
        self.said.drain(..many);
    }

    fn draw(&self, progress: &str) -> io::Result<()> {
        let mut lines = Vec::new();
        if let Some(board) = &self.board {
            lines.push(board.headline.clone());
            lines.extend(board.draw(self.white(), self.cursor, self.screen.colours));
        }
        lines.extend(self.said.iter().cloned());
        if progress.is_empty() {
            lines.push(format!("> {}", self.line));
        } else {
            lines.push(progress.to_owned());
        }
        self.screen.show(&lines)
    }

    fn refresh(&mut self) -> io::Result<()> {
        let shown = self.ask("showboard")?.unwrap_or_default();
        self.board = Board::read(&shown);
        let size = self.board.as_ref().map_or((0, 0), Board::size);
        self.cursor = self.cursor.filter(|at| at.column < size.0 && at.row < size.1);
        Ok(())
    }

    fn to_move(&self) -> Option<Color> {
        self.board.as_ref()?.to_move().filter(|_| !self.resigned && self.passes < 2)
    }

    fn is_programs_turn(&self) -> bool {
        match (self.to_move(), self.side) {
            (None, _) | (_, Side::Both) => false,
            (Some(_), Side::Nobody) => true,
            (Some(color), Side::Black) => color == Color::White,
            (Some(color), Side::White) => color == Color::Black,
        }
    }

    fn walk(&mut self, right: i8, up: i8) {
        let Some(board) = &self.board else { return };
        let (columns, rows) = board.size();
        let moved = |at: u8, by: i8, side: u8| (at as i8 + by).clamp(0, side as i8 - 1) as u8;
        let here = self.cursor.unwrap_or(Vertex { column: columns / 2, row: rows / 2 });
        self.cursor = Some(match self.cursor {
            None => here,
            Some(at) => {
                Vertex { column: moved(at.column, right, columns), row: moved(at.row, up, rows) }
            }
        });
    }

    /// Asks what may take long, and shows meanwhile what `told` makes of the seconds and of what is thought. Escape ends it, and
    /// Ctrl-C, which is told.
    fn ask_patiently(
        &mut self,
        command: &str,
        told: impl Fn(f64, &str) -> String,
    ) -> io::Result<(Result<String, String>, bool)> {
        let began = Instant::now();
        let (mut is_stopped, mut leaves) = (false, false);
        let mut view = String::new();
        // The closure draws, and so must not hold the session too.
        let mut session = self.session.take().ok_or_else(|| io::Error::other("no session"))?;
        let asked = session.ask_with(command, GLANCE, |session, progress| {
            if let Progress::Row(row) = &progress
                && let Some(words) = in_words(row)
            {
                view = words;
            }
            self.draw(&told(began.elapsed().as_secs_f64(), &view))?;
            while let Some(key) = self.screen.key(Duration::ZERO)? {
                match key {
                    Key::Escape | Key::Leave => {
                        leaves |= key == Key::Leave;
                        if !is_stopped {
                            is_stopped = true;
                            // An analysis ends with any line, a search with this one.
                            session.write("# interrupt")?;
                        }
                    }
                    // What is typed ahead is not lost.
                    key => self.ahead.push_back(key),
                }
            }
            Ok(())
        });
        self.session = Some(session);
        Ok((asked?, leaves))
    }

    /// Lets the program make a move, telling what it thinks meanwhile. Escape ends its thinking; Ctrl-C leaves it to the person.
    fn answer(&mut self) -> io::Result<()> {
        let Some(color) = self.to_move() else { return Ok(()) };
        let command = match self.commands.iter().any(|word| word == "lz-genmove_analyze") {
            true => format!("lz-genmove_analyze {} 20", color.letter()),
            false => format!("genmove {}", color.letter()),
        };
        let (answer, take_over) = self.ask_patiently(&command, |seconds, view| {
            let view = if view.is_empty() { String::new() } else { format!(": {view}") };
            format!("{} thinks, {seconds:.0} s{view}   (Esc: move now)", color.title())
        })?;
        // Who is impatient does not mean the point that the cursor is on.
        self.ahead.retain(|key| matches!(key, Key::Char(_) | Key::Backspace));
        if take_over {
            self.side = Side::Both;
            self.say("You play both sides now; `black` or `white` gives one back. Ctrl-C leaves.");
        }
        match answer {
            Ok(text) => {
                let word = text.lines().rev().find_map(|row| row.strip_prefix("play "));
                let word = word.unwrap_or(text.trim()).trim().to_owned();
                self.note_move(color, &word);
            }
            Err(why) => {
                self.say(&format!("the program cannot move: {why}"));
                self.side = Side::Both;
            }
        }
        self.refresh()?;
        self.note_end()
    }

    fn note_move(&mut self, color: Color, word: &str) {
        self.said.clear();
        let passes = word.eq_ignore_ascii_case("pass");
        self.passes = if passes { self.passes + 1 } else { 0 };
        if word.eq_ignore_ascii_case("resign") {
            self.resigned = true;
            let other = color.other().title();
            self.say(&format!("{} resigns: {other} has won. `new` begins again.", color.title()));
        } else {
            let verb = if passes { "passes" } else { "plays" };
            let what = if passes { String::new() } else { format!(" {word}") };
            self.say(&format!("{} {verb}{what}", color.title()));
        }
    }

    /// Says how a game ended that is over.
    fn note_end(&mut self) -> io::Result<()> {
        if self.resigned || self.to_move().is_some() {
            return Ok(());
        }
        if self.passes >= 2 {
            match self.ask("final_score")? {
                Ok(score) => {
                    self.say(&format!(
                        "Both have passed: {}. `new` begins again.",
                        in_full(&score)
                    ));
                }
                Err(why) => self.say(&format!("Both have passed; {why}")),
            }
        } else {
            self.say("The game is over. `new` begins again.");
        }
        Ok(())
    }

    /// Does what a line says. False when the person leaves.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        let commands = &self.commands;
        let word = Word::read(line, |word| commands.iter().any(|known| known == word));
        match word {
            Word::Empty => {}
            Word::Quit => return Ok(false),
            Word::Help => {
                self.said.clear();
                self.say(HELP);
            }
            Word::Unknown(what, nearest) => {
                let nearest = nearest.map(|word| format!("; is `{word}` meant?"));
                self.said.clear();
                self.say(&format!(
                    "{what}{}",
                    nearest.unwrap_or("; `help` lists the words".into())
                ));
            }
            Word::Play(points) => self.make(&points)?,
            Word::Pass if !self.traits.has_pass => {
                self.said.clear();
                self.say(&format!("nobody passes in {}", self.traits.title));
            }
            Word::Pass => self.make("pass")?,
            Word::Undo => self.undo()?,
            Word::Hint => self.hint()?,
            Word::Score => self.score()?,
            Word::Resign => {
                if let Some(color) = self.to_move() {
                    self.note_move(color, "resign");
                }
            }
            Word::New => self.begin(None)?,
            Word::Size(size) => self.begin(Some(&size))?,
            Word::Side(side) => {
                self.side = side;
                self.said.clear();
                let who = match side {
                    Side::Black => "You are Black.",
                    Side::White => "You are White.",
                    Side::Both => "You play both sides.",
                    Side::Nobody => "The program plays itself; Ctrl-C gives you both sides.",
                };
                self.say(who);
            }
            Word::Go => self.answer()?,
            Word::Save(file) => {
                self.tell(&format!("savesgf {file}"), &format!("The game is in {file}."))?;
            }
            Word::Load(file) => {
                let done = format!("The game goes on from {file}; you play both sides.");
                if self.tell(&format!("loadsgf {file}"), &done)? {
                    (self.side, self.passes, self.resigned) = (Side::Both, 0, false);
                    self.refresh()?;
                }
            }
            Word::Command(line) => {
                let before = self.ask("tesuji-position")?;
                let (answer, _) = self.ask_patiently(&line, |seconds, _| {
                    format!("{line}, {seconds:.0} s   (Esc: enough)")
                })?;
                self.said.clear();
                match &answer {
                    Ok(text) => self.say(newest(text)),
                    Err(why) => self.say(&format!("? {why}")),
                }
                // A game that is over stays so whatever is asked about it.
                let after = self.ask("tesuji-position")?;
                if after != before {
                    (self.passes, self.resigned) = (passes(&after.unwrap_or_default()), false);
                }
                self.refresh()?;
            }
        }
        Ok(true)
    }

    /// Sends a command with a file's name, and says `done` when it is; whether it was.
    fn tell(&mut self, command: &str, done: &str) -> io::Result<bool> {
        // The protocol would take the rest for a comment, and the file for another one.
        let answer = match command.contains('#') {
            true => Err("a file's name cannot have a # here".to_owned()),
            false => self.ask(command)?,
        };
        self.said.clear();
        self.say(answer.as_ref().map_or_else(String::as_str, |_| done));
        Ok(answer.is_ok())
    }

    /// Makes a move of whoever's turn it is.
    fn make(&mut self, points: &str) -> io::Result<()> {
        let Some(color) = self.to_move() else {
            self.said.clear();
            self.say("the game is over; `new` begins another, `undo` goes back");
            return Ok(());
        };
        match self.ask(&format!("play {} {points}", color.letter()))? {
            Ok(_) => self.note_move(color, points),
            Err(why) => {
                self.said.clear();
                self.say(&format!("{points}: {why}"));
            }
        }
        self.refresh()?;
        self.note_end()
    }

    /// Takes moves back until it is the person's turn again.
    fn undo(&mut self) -> io::Result<()> {
        self.said.clear();
        (self.passes, self.resigned) = (0, false);
        let mut taken = 0;
        loop {
            match self.ask("undo")? {
                Ok(_) => taken += 1,
                Err(why) if taken == 0 => {
                    self.say(&format!("{why}: there is nothing to take back"));
                    break;
                }
                Err(_) => break,
            }
            self.refresh()?;
            if !self.is_programs_turn() {
                break;
            }
        }
        // A pass may be the last move again.
        self.passes = passes(&self.ask("tesuji-position")?.unwrap_or_default());
        if self.is_programs_turn() {
            // The game's first move is the program's: it would make it again at once.
            self.side = Side::Both;
            self.say("You play both sides now; `black` or `white` gives one back.");
        }
        self.refresh()
    }

    fn hint(&mut self) -> io::Result<()> {
        self.said.clear();
        let Some(color) = self.to_move() else {
            self.say("the game is over");
            return Ok(());
        };
        let command = format!("kata-search {}", color.letter());
        let (found, _) = self.ask_patiently(&command, |seconds, _| {
            format!("looking for a good move, {seconds:.0} s   (Esc: enough)")
        })?;
        match found {
            Ok(word) => {
                let best = self.ask("tesuji-best_moves")?.unwrap_or_default();
                let told =
                    best.lines().find_map(|row| row.strip_prefix("TEXT ")).unwrap_or_default();
                self.say(&format!("{word}   ({told})"));
            }
            Err(why) => self.say(&why),
        }
        Ok(())
    }

    fn score(&mut self) -> io::Result<()> {
        self.said.clear();
        self.draw("counting ...")?;
        if self.traits.has_pass {
            match self.ask("final_score")? {
                Ok(score) => {
                    let end = if self.passes >= 2 { "" } else { ", if it ended as it stands" };
                    self.say(&format!("{}{end}", in_full(&score)));
                }
                Err(why) => self.say(&why),
            }
        }
        let best = self.ask("tesuji-best_moves")?.unwrap_or_default();
        if let Some(told) = best.lines().find_map(|row| row.strip_prefix("TEXT ")) {
            self.say(told);
        }
        Ok(())
    }

    /// A new game, of another size if one is given.
    fn begin(&mut self, size: Option<&str>) -> io::Result<()> {
        self.said.clear();
        if let Some(size) = size
            && let Err(why) = self.ask(&format!("boardsize {size}"))?
        {
            self.say(&format!("size {size}: {why}"));
            return Ok(());
        }
        let _ = self.ask("clear_board")?;
        (self.passes, self.resigned) = (0, false);
        self.say("A new game.");
        self.refresh()
    }
}
