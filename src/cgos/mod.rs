//! `tesuji cgos`: plays any GTP engine on a computer Go server (CGOS, engine protocol `e1`).
//!
//! - [`message`] is what the server says, as types; [`mod@line`] is the connection that its lines come over.
//! - [`engine`] runs the engine in a thread of its own and restarts it where it fails; [`analysis`] turns what engines say of
//!   a position into the line that the server's viewers show.
//! - [`game`] is the game in progress: board, clocks, record; [`journal`] keeps records, the table of games and the log.
//! - [`account`] is one engine with its name on the server, and the settings of a run; [`cli`] reads them.
//! - [`client`] is the conversation itself: logs in, plays, comes back after a broken line, leaves when it is told to.

pub mod account;
pub mod analysis;
pub mod cli;
pub mod client;
pub mod engine;
pub mod game;
pub mod journal;
pub mod line;
pub mod message;
