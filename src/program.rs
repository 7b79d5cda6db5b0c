//! What a program is from its command line on: one of its commands, or a session over GTP.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::logging;
use crate::options::given_processors;

/// Something that the command line asks for.
pub trait Run {
    /// Does it.
    ///
    /// # Errors
    /// Whatever goes wrong with it.
    fn run(&self) -> Result<ExitCode>;
}

/// A command, or without one the options of a session.
#[derive(Parser, Debug)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli<C: Subcommand, P: Args> {
    #[command(subcommand)]
    command: Option<C>,
    #[command(flatten)]
    play: P,
}

/// The whole of a program of this name, which plays this game and has these commands.
pub fn main<C: Subcommand + Run, P: Args + Run>(name: &'static str, game: &str) -> ExitCode {
    main_from::<C, P>(name, game, std::env::args_os())
}

/// The same with another command line than it was started with.
pub fn main_from<C: Subcommand + Run, P: Args + Run>(
    name: &'static str,
    game: &str,
    args: impl IntoIterator<Item = OsString>,
) -> ExitCode {
    let about =
        format!("Plays {game} over the Go Text Protocol (GTP) on standard input and output");
    let long_about = format!(
        "{about}.\n\nPoint GoGui, Sabaki or another controller at this program; or type commands on a terminal, where \
         `help` says more."
    );
    let command = Cli::<C, P>::command().name(name).about(about).long_about(long_about);
    let cli = Cli::<C, P>::from_arg_matches(&command.get_matches_from(args))
        .unwrap_or_else(|error| error.exit());
    if let Some(processors) = given_processors() {
        // Fails only when there are threads already, and then it is as it was.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(processors).build_global();
    }
    let done = match &cli.command {
        Some(command) => {
            logging::start(tracing::Level::WARN);
            command.run()
        }
        None => cli.play.run(),
    };
    done.unwrap_or_else(|error| {
        eprintln!("{name}: {error:#}");
        ExitCode::FAILURE
    })
}
