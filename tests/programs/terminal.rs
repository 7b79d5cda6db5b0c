//! The programs on a terminal of their own.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::common::PATIENCE;

/// A program behind a terminal.
struct Terminal {
    child: Child,
    keys: File,
    output: Receiver<Vec<u8>>,
    /// All that has been written since the last wait.
    text: String,
}

impl Terminal {
    fn start(program: &str, args: &[&str], term: &str) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let side = || File::options().read(true).write(true).open(&name).unwrap();
        let child = Command::new(program)
            .args(args)
            .env("TERM", term)
            .env("NO_COLOR", "1")
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        let master = File::from(master);
        let mut reader = master.try_clone().unwrap();
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { child, keys: master, output, text: String::new() }
    }

    fn press(&mut self, keys: &str) {
        self.text.clear();
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until this has been written.
    fn until(&mut self, wanted: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.text.contains(wanted) {
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.text += &String::from_utf8_lossy(&bytes),
                Err(_) => panic!("{wanted:?} has not come:\n{}", self.text),
            }
        }
    }

    fn ends(&mut self) -> Option<i32> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < end, "the program does not end");
            // A terminal that nobody reads holds up whoever writes to it.
            while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(10)) {
                self.text += &String::from_utf8_lossy(&bytes);
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_game_of_go_is_played_on_a_terminal() {
    let args = ["--playouts", "30", "--threads", "1", "--boardsize", "9"];
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_tesuji"), &args, "xterm");
    terminal.until("plays Go with you");
    // A wrong word gets the nearest right one.
    terminal.press("unod\r");
    terminal.until("is `undo` meant?");
    // By coordinates, and the program answers.
    terminal.press("e5\r");
    terminal.until("White plays ");
    terminal.until("Move 2, black to play");
    terminal.press("undo\r");
    terminal.until("Move 0, black to play");
    // By the arrow keys: from the middle to the right.
    terminal.press("\x1b[C");
    terminal.until(">+");
    terminal.press("\x1b[C");
    terminal.press("\r");
    terminal.until("Move 2, black to play");
    terminal.press("last_move\r");
    terminal.until("white ");
    terminal.press("e5\r");
    terminal.until("Move 4, black to play");
    terminal.press("hint\r");
    terminal.until("wins ");
    terminal.press("score\r");
    terminal.until("if it ended as it stands");
    terminal.press("size 7\r");
    terminal.until("A new game");
    terminal.press("white\r");
    terminal.until("Move 1, white to play");
    terminal.press("z99\r");
    terminal.until("z99");
    terminal.press("load no-such-file.sgf\r");
    terminal.until("No such file");
    terminal.press("save one#two.sgf\r");
    terminal.until("cannot have a #");
    // The sides are as they were.
    terminal.press("c3\r");
    terminal.until("Move 3, white to play");
    terminal.press("help\r");
    terminal.until("takes back your move");
    // An analysis lasts until it is ended by a key.
    terminal.press("lz-analyze 10\r");
    terminal.until("(Esc: enough)");
    terminal.press("\x1b");
    terminal.until("info move ");
    terminal.press("quit\r");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn a_game_that_is_over_stays_so_whatever_is_asked() {
    let args = ["--playouts", "30", "--threads", "1", "--boardsize", "5"];
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_tesuji"), &args, "xterm");
    terminal.until("plays Go with you");
    for word in ["both", "pass", "white", "pass"] {
        terminal.press(&format!("{word}\r"));
        terminal.until("> ");
    }
    terminal.until("Both have passed");
    // Black would be the program's.
    terminal.press("get_komi\r");
    terminal.until("get_komi, 0 s");
    // What is typed ahead is not lost.
    terminal.press("a1\r");
    terminal.until("the game is over");
    terminal.press("gg-undo 1\r");
    terminal.until("Move 1, white to play");
    // The pass before one that was taken back counts.
    terminal.press("both\r");
    terminal.until("both sides");
    terminal.press("pass\r");
    terminal.until("Both have passed");
    terminal.press("undo\r");
    terminal.until("Move 1, white to play");
    terminal.press("pass\r");
    terminal.until("Both have passed");
    terminal.press("quit\r");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn the_other_games_are_played_in_the_same_way() {
    let (connect6, amazons) =
        (env!("CARGO_BIN_EXE_tesuji-connect6"), env!("CARGO_BIN_EXE_tesuji-amazons"));
    let mut terminal = Terminal::start(connect6, &["--visits", "20", "--threads", "1"], "xterm");
    terminal.until("plays Connect6 with you; you are black");
    terminal.press("k10\r");
    terminal.until("3 stones, Black to play");
    terminal.press("pass\r");
    terminal.until("nobody passes");
    terminal.press("\x03");
    assert_eq!(terminal.ends(), Some(0));
    let args = ["--visits", "20", "--threads", "1", "--boardsize", "5"];
    let mut terminal = Terminal::start(amazons, &args, "xterm");
    terminal.until("you are white");
    terminal.press("hint\r");
    terminal.until("wins ");
    terminal.press("quit\r");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn a_program_behind_a_terminal_hears_the_protocol() {
    for (term, args) in [("dumb", &[][..]), ("xterm", &["--gtp"])] {
        let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_tesuji"), args, term);
        terminal.press("7 name\n");
        terminal.until("=7 Tesuji");
        terminal.press("quit\n");
        assert_eq!(terminal.ends(), Some(0));
    }
}
