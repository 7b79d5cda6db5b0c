//! The main loop: requests in, answers out, whatever happens in between.

use std::cell::Cell;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::answer::{Answer, Failure, Reply};
use super::commands::{Call, Commands};
use super::inbox::{Inbox, Signal};
use super::line::Request;
use super::parse::Args;

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The command `quit` was answered.
    Quit,
    /// The input came to its end.
    EndOfInput,
    /// Nobody reads the answers any more.
    OutputClosed,
}

/// What a game does when no command wants it.
pub trait Idle {
    /// Called whenever no request waits. May work (ponder, say) until the signal rises, and must
    /// return soon after.
    fn idle(&mut self, new_input: &Signal);

    /// Called after a handler panicked, to bring the game back into a state that can be used.
    fn recover(&mut self);
}

/// Wraps a game that does nothing between commands.
struct Still<'g, G>(&'g mut G);

impl<G> Idle for Still<'_, G> {
    fn idle(&mut self, _: &Signal) {}
    fn recover(&mut self) {}
}

/// Answer requests until the input ends, `quit` comes, or the output is closed.
///
/// The input is read in a thread of its own, which outlives this call if it is still blocked on
/// the input.
///
/// # Errors
/// If the reader thread cannot be started. A closed output is no error but an [`End`].
pub fn run<G: 'static>(
    commands: &Commands<G>,
    game: &mut G,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<End> {
    serve(commands, &mut Still(game), |still| still.0, input, output)
}

/// Like [`run`], for a game that has something to do between commands.
pub fn run_with_idle<G: Idle + 'static>(
    commands: &Commands<G>,
    game: &mut G,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<End> {
    serve(commands, game, |game| game, input, output)
}

fn serve<G: 'static, I: Idle>(
    commands: &Commands<G>,
    idler: &mut I,
    game: impl Fn(&mut I) -> &mut G,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<End> {
    let inbox = Inbox::read(input)?;
    let (names, aliases) = (commands.names(), commands.aliases());
    // Since when nothing was being answered.
    let mut free_since = Instant::now();
    loop {
        while let Some(new_input) = inbox.idle() {
            if catch_unwind(AssertUnwindSafe(|| idler.idle(&new_input))).is_err() {
                tracing::error!("a panic between two commands was caught");
                idler.recover();
            }
            // A blank line or a comment has ended it, which is no request: it goes on.
            if !new_input.is_raised() {
                break;
            }
        }
        let Some((number, arrived, request)) = inbox.take() else {
            return Ok(End::EndOfInput);
        };
        let mut call = Call {
            args: Args::new(&request.arguments),
            number,
            asked: arrived.max(free_since),
            ends_by_input: Cell::new(false),
            names: &names,
            aliases: &aliases,
            inbox: &inbox,
            answer: Answer::new(&mut *output, request.id),
            quit: false,
        };
        let answered = catch_unwind(AssertUnwindSafe(|| {
            carry_out(commands, game(idler), &request, &mut call)
        }));
        let reply = answered.unwrap_or_else(|_| {
            tracing::error!("a panic in the command {:?} was caught", request.command);
            idler.recover();
            Err(Failure::new("internal error"))
        });
        if let Err(error) = call.answer.finish(&reply) {
            tracing::debug!("cannot write: {error}");
            return Ok(End::OutputClosed);
        }
        if call.quit {
            return Ok(End::Quit);
        }
        // What ended the command waited for it, and its sender knows no better than that it was asked for then.
        if !call.ends_by_input.get() {
            free_since = Instant::now();
        }
    }
}

fn carry_out<G: 'static>(
    commands: &Commands<G>,
    game: &mut G,
    request: &Request,
    call: &mut Call<'_>,
) -> Reply {
    if request.command.is_empty() {
        return Err(Failure::syntax());
    }
    let handler = commands.get(&request.command).ok_or_else(|| Failure::new("unknown command"))?;
    if request.overlong {
        return Err(Failure::syntax());
    }
    handler(game, call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    fn commands() -> Commands<u32> {
        let mut commands = Commands::new("Test", "0.1");
        commands.add("panic", |_, _| panic!("as asked"));
        commands.add("half", |_, call| {
            call.stream("info half")?;
            panic!("in the middle")
        });
        commands.add("rest", |_, call| Ok(call.args.rest().to_owned()));
        commands.add("wait", |_, call| {
            let end = call.new_input();
            while !end.wait(Duration::from_millis(1)) {
                call.stream("info")?;
            }
            Ok(String::new())
        });
        commands.add("think", |_, call| {
            let stopped = call.interrupt().wait(Duration::from_secs(20));
            Ok(stopped.to_string())
        });
        commands
    }

    fn session(input: &'static [u8]) -> (End, String) {
        let mut output = Vec::new();
        let end = run(&commands(), &mut 0, input, &mut output).unwrap();
        (end, String::from_utf8(output).unwrap())
    }

    #[test]
    fn every_request_has_one_answer() {
        let (end, text) = session(b"1 name\n\n2 foo\n# c\n99999999999 name\n5\nprotocol_version");
        assert_eq!(end, End::EndOfInput);
        let expected =
            "=1 Test\n\n?2 unknown command\n\n? syntax error\n\n?5 syntax error\n\n= 2\n\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_command_is_asked_for_when_it_comes_or_when_the_one_before_is_answered() {
        let asked = |slow: &'static str| {
            let mut commands = commands();
            let began = Instant::now();
            commands.add("rest", |_, _| {
                std::thread::sleep(Duration::from_millis(30));
                Ok(String::new())
            });
            commands.add("linger", |_, call| {
                call.new_input().wait(Duration::from_secs(20));
                std::thread::sleep(Duration::from_millis(30));
                Ok(String::new())
            });
            commands.add("asked", move |_, call| {
                Ok(call.asked().duration_since(began).as_millis().to_string())
            });
            let mut output = Vec::new();
            let input = format!("{slow}\nasked\n").into_bytes();
            run(&commands, &mut 0, std::io::Cursor::new(input), &mut output).unwrap();
            let text = String::from_utf8(output).unwrap();
            let millis = text.split("= ").last().and_then(|text| text.trim().parse::<u64>().ok());
            millis.unwrap_or_else(|| panic!("{text:?}"))
        };
        assert!(asked("rest") >= 30, "it is not the clock's who waits for another answer");
        // A busy machine may be slow once.
        assert!((0..5).any(|_| asked("linger") < 30), "but it is while an analysis ends");
    }

    #[test]
    fn a_line_that_asks_for_nothing_does_not_end_idle_work_for_good() {
        struct Lines(Receiver<&'static str>);
        impl Read for Lines {
            fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
                let line = self.0.recv().unwrap_or_default();
                bytes[..line.len()].copy_from_slice(line.as_bytes());
                Ok(line.len())
            }
        }
        struct Pondering(Sender<()>);
        impl Idle for Pondering {
            fn idle(&mut self, new_input: &Signal) {
                let _ = self.0.send(());
                assert!(new_input.wait(Duration::from_secs(20)));
            }
            fn recover(&mut self) {}
        }
        let (sender, lines) = channel();
        let (begun, begins) = channel();
        let writer = std::thread::spawn(move || {
            let begun = |line| {
                let begun = begins.recv_timeout(Duration::from_secs(5)).is_ok();
                sender.send(line).unwrap();
                begun
            };
            ["\n", "# a comment\n", "name\n", "quit\n"].map(begun)
        });
        let (commands, mut output) = (Commands::new("Test", "0.1"), Vec::new());
        let end = run_with_idle(&commands, &mut Pondering(begun), Lines(lines), &mut output);
        assert_eq!(end.unwrap(), End::Quit);
        assert_eq!(writer.join().unwrap(), [true; 4]);
    }

    #[test]
    fn quit_ends_the_session() {
        assert_eq!(session(b"7 quit\nname\n"), (End::Quit, "=7 \n\n".to_owned()));
    }

    #[test]
    fn a_panic_is_an_answer() {
        let (_, text) = session(b"1 panic\n2 half\n3 name\n");
        assert_eq!(text, "?1 internal error\n\n=2 \ninfo half\n\n=3 Test\n\n");
    }

    #[test]
    fn known_and_listed_commands_agree() {
        let (_, listed) = session(b"list_commands\n");
        let names: Vec<&str> = listed[2..].trim_end().split('\n').collect();
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted, names);
        for name in ["quit", "wait", "cputime"] {
            assert!(names.contains(&name));
        }
        let (_, known) = session(b"known_command wait\nknown_command\nknown_command x y\n");
        assert_eq!(known, "= true\n\n= false\n\n= false\n\n");
    }

    #[test]
    fn analysis_ends_with_any_line_and_thinking_with_an_interrupt() {
        let (_, text) = session(b"1 wait\n2 name\n");
        assert!(text.starts_with("=1") && text.ends_with("\n\n=2 Test\n\n"), "{text}");
        let (_, text) = session(b"1 think\n# interrupt\n2 name\n");
        assert_eq!(text, "=1 true\n\n=2 Test\n\n");
    }

    #[test]
    fn long_lines_are_refused() {
        let mut line = b"4 rest ".to_vec();
        line.resize(1 << 20, b'x');
        line.extend_from_slice(b"\n5 name\n");
        let (_, text) = session(line.leak());
        assert_eq!(text, "?4 syntax error\n\n=5 Test\n\n");
    }

    #[test]
    fn a_closed_output_ends_the_session() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let end = run(&commands(), &mut 0, &b"name\nname\n"[..], &mut Closed).unwrap();
        assert_eq!(end, End::OutputClosed);
    }
}
