//! The Go Text Protocol, version 2, knowing no game.
//!
//! A game is a value of any type and a table of [`Commands`] over it. The front reads lines in a
//! thread of its own, takes them apart, calls the handler that is registered under the command's
//! name and writes its answer; framing, ids, flushing and survival are settled here for every
//! game. The commands that need no game are there from the start: `name`, `version`,
//! `protocol_version`, `quit`, `list_commands`, `known_command`, `gogui-interrupt`, `cputime` and
//! `gomill-cpu_time`.
//!
//! A handler takes the game and the [`Call`], and returns the text of the answer or a [`Failure`]:
//!
//! ```
//! use tesuji::gtp::{self, Call, Commands, Reply};
//!
//! struct Counter(i64);
//!
//! fn add(counter: &mut Counter, call: &mut Call) -> Reply {
//!     counter.0 += call.args.integer(0..=100)?; // else the answer is `? syntax error`
//!     Ok(counter.0.to_string())
//! }
//!
//! let mut commands = Commands::new("Counter", "1.0");
//! commands.add("add", add);
//!
//! let mut output = Vec::new();
//! let input: &[u8] = b"1 add 5\n2 add x\nadd 2";
//! gtp::run(&commands, &mut Counter(0), input, &mut output)?;
//! assert_eq!(String::from_utf8(output)?, "=1 5\n\n?2 syntax error\n\n= 7\n\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Long commands
//!
//! A command that thinks asks [`Call::interrupt`] whether `# interrupt` has come in behind it, and
//! then answers with what it has. An analysis writes its lines with [`Call::stream`] until
//! [`Call::new_input`] rises: with any new command, an empty line, or the end of the input. Both
//! give a [`Signal`], which any thread may ask.
//!
//! ```
//! # use std::time::Duration;
//! # use tesuji::gtp::{self, Call, Commands, Reply};
//! fn analyze(_: &mut (), call: &mut Call) -> Reply {
//!     let end = call.new_input();
//!     loop {
//!         call.stream("info move D4 visits 1")?;
//!         if end.wait(Duration::from_millis(100)) {
//!             return Ok(String::new());
//!         }
//!     }
//! }
//! # let mut commands = Commands::new("Example", "1.0");
//! # commands.add("analyze", analyze);
//! # let mut output = Vec::new();
//! # gtp::run(&commands, &mut (), &b"analyze\n"[..], &mut output)?;
//! # assert_eq!(output, b"= \ninfo move D4 visits 1\n\n");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A game that thinks while it waits, or that must mend itself after a handler panicked, implements
//! [`Idle`] and is run by [`run_with_idle`].

mod answer;
mod commands;
mod inbox;
mod line;
pub mod params;
mod parse;
mod session;

pub use answer::{Failure, Reply};
pub use commands::{Call, Commands};
pub use game_core::Color;
pub use inbox::{Inbox, Rises, Signal};
pub use line::{LINE_LIMIT, Line, LineCleaner, Request};
pub use parse::{Args, MAX_SIZE, Step, Vertex, join, read_color, read_vertices};
pub use session::{End, Idle, run, run_with_idle};
