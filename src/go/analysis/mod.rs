//! `tesuji analysis`: KataGo's protocol for programs that want positions analysed, a JSON object a line
//! (KataGo's `docs/Analysis_Engine.md`).
//!
//! * [`cli`]: the command line, KataGo's too; `settings`, `config`: what can be set, and from where.
//! * `query`: what is asked; `restrictions`: of which moves; `fields`, `vertex`: how that is read; `action`: what is asked beside positions.
//! * [`server`]: queries in, results out, several positions at a time; `output`: lines on their way to the client.
//! * `result`: what a search found, as an object; `hash`: names of positions.

mod action;
pub mod cli;
mod config;
mod fields;
mod hash;
mod output;
mod query;
mod restrictions;
mod result;
pub mod server;
mod settings;
mod vertex;

pub use cli::AnalysisArgs;
