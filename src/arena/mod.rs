//! Matches and tournaments between GTP programs.
//!
//! The parts, from the wire upwards:
//!
//! - [`link`] is an engine and its pipes: [`process`] one of the operating system, [`engine_thread`] the own one in this
//!   process; [`connection`] speaks GTP over it with deadlines.
//! - [`engine`] is a player: a connection with its set-up commands, its way of spelling moves and what it can do.
//! - [`arbiter`] holds the rules of each game as the runner applies them; [`clock`] is the runner's own clock.
//! - [`game`] plays one game and says how it ended; [`referee`] has another program count it.
//! - [`live_record`] lets a game be watched while it is played.
//! - [`settings`] is what the user asked for, [`schedule`] the games that follow from it, [`openings`] what they start from.
//! - [`results`] is the file of games played, from which everything else can be made again.
//! - [`runner`] plays the schedule and goes on where a run was stopped; each [`worker`] plays one game at a time, and
//!   [`conclusion`] says what follows from it.
//! - [`stats`] turns results into intervals, ratings and decisions; [`report`] prints them.
//! - [`cli`] is the command line, `tesuji match`.

pub mod arbiter;
pub mod check;
pub mod cli;
pub mod clock;
pub mod conclusion;
pub mod connection;
pub mod engine;
pub mod engine_thread;
pub mod fault;
pub mod game;
pub mod link;
pub mod live_record;
pub mod openings;
pub mod process;
pub mod referee;
pub mod report;
pub mod results;
pub mod runner;
pub mod schedule;
pub mod settings;
pub mod sgf;
pub mod stats;
pub mod transcript;
pub mod turn;
pub mod worker;
