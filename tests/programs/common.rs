//! What the whole-program tests share: a program over real pipes, and the shared data.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// No answer in these tests takes longer, also on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Options under which the program answers quickly and the same every time.
pub const QUICK: [&str; 8] = ["--playouts", "50", "--threads", "1", "--seed", "1", "--book", "off"];

/// The program, running.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    /// Starts `tesuji` with these arguments.
    pub fn start(args: &[&str]) -> Program {
        Program::start_in(Path::new("."), args)
    }

    /// Starts `tesuji` in a folder.
    pub fn start_in(folder: &Path, args: &[&str]) -> Program {
        Program::spawn(env!("CARGO_BIN_EXE_tesuji"), folder, args)
    }

    /// Starts another program.
    pub fn start_other(program: &str, args: &[&str]) -> Program {
        Program::spawn(program, Path::new("."), args)
    }

    /// Starts another program in a folder.
    pub fn start_other_in(program: &str, folder: &Path, args: &[&str]) -> Program {
        Program::spawn(program, folder, args)
    }

    fn spawn(program: &str, folder: &Path, args: &[&str]) -> Program {
        let mut child = Command::new(program)
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Program { child, input, lines }
    }

    /// Starts `tesuji` for quick answers.
    pub fn quick() -> Program {
        Program::start(&QUICK)
    }

    /// Writes text as it is. A program that has ended is no reason to fail here.
    pub fn write(&mut self, text: impl AsRef<[u8]>) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(text.as_ref()).and_then(|()| input.flush());
        }
    }

    /// The next line, if one comes in time.
    pub fn line_within(&mut self, patience: Duration) -> Option<String> {
        self.lines.recv_timeout(patience).ok()
    }

    /// The next line, which has to come.
    pub fn line(&mut self) -> String {
        self.line_within(PATIENCE).expect("a line in time")
    }

    /// The next answer without its empty line.
    pub fn answer(&mut self) -> String {
        let mut rows = Vec::new();
        loop {
            match self.line() {
                row if row.is_empty() => return rows.join("\n"),
                row => rows.push(row),
            }
        }
    }

    /// The answer to a command.
    pub fn ask(&mut self, command: &str) -> String {
        self.write(format!("{command}\n"));
        self.answer()
    }

    /// The text of a successful answer.
    pub fn ok(&mut self, command: &str) -> String {
        let answer = self.ask(command);
        match answer.strip_prefix("= ") {
            Some(text) => text.to_owned(),
            None => panic!("{command}: {answer}"),
        }
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the program's end and gives its exit code, none if it was killed by a signal.
    pub fn wait(&mut self) -> Option<i32> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < end, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs `tesuji` over one whole input, and gives its output and exit code.
pub fn run(args: &[&str], input: &[u8]) -> (String, Option<i32>) {
    run_program(env!("CARGO_BIN_EXE_tesuji"), args, input)
}

/// Runs a program over one whole input, and gives its output and exit code.
pub fn run_program(program: &str, args: &[&str], input: &[u8]) -> (String, Option<i32>) {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || {
        let _ = pipe.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// Starts `tesuji` with its output where the test wants it.
pub fn spawn_with_output(args: &[&str], output: Stdio) -> (Child, ChildStdin, Option<ChildStdout>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take());
    (child, input, output)
}

/// Files of a folder of this checkout with an ending, sorted.
pub fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no .{ending} in {}", folder.display());
    files
}
