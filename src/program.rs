//! What a program is from its command line on: one of its commands, or a session over GTP.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write as _};
use std::iter;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

use crate::examples::with_examples;
use crate::interrupt::{self, Interrupted};
use crate::options::given_processors;
use crate::output::{note, print};
use crate::{advice, logging};

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
    command: Option<AnyCommand<C>>,
    #[command(flatten)]
    play: P,
}

/// The program's own commands, and those that all programs have.
#[derive(Subcommand, Debug)]
enum AnyCommand<C: Subcommand> {
    #[command(flatten)]
    Own(C),
    /// Print the completions of this program's options for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write the pages of all commands
    Man {
        /// A folder for one page for each command
        #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
        dir: Option<PathBuf>,
    },
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
    let command = command::<C, P>(name, game);
    let matches = command.clone().try_get_matches_from(args);
    let read = matches.and_then(|matches| {
        Ok((Cli::<C, P>::from_arg_matches(&matches)?, with_commands(name, &matches)))
    });
    let (cli, asked) = match read {
        Ok(read) => read,
        Err(error) => return refuse(&error),
    };
    if let Some(processors) = given_processors() {
        // Fails only when there are threads already, and then it is as it was.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(processors).build_global();
    }
    let done = match &cli.command {
        Some(command_asked) => {
            logging::start(tracing::Level::WARN);
            match command_asked {
                AnyCommand::Own(own) => own.run(),
                AnyCommand::Completions { shell } => {
                    completions(&command, *shell).map(|()| ExitCode::SUCCESS)
                }
                AnyCommand::Man { dir } => {
                    manual(command, dir.as_deref()).map(|()| ExitCode::SUCCESS)
                }
            }
        }
        None => cli.play.run(),
    };
    done.unwrap_or_else(|error| {
        if error.is::<Interrupted>() {
            note(format_args!("{name}: {error}"));
            return ExitCode::from(interrupt::EXIT_CODE);
        }
        note(format_args!("{name}: {error:#}\n\n{}", advice::for_error(&error, &asked)));
        ExitCode::FAILURE
    })
}

/// The program with the commands that were asked for, such as `tesuji match report`.
fn with_commands(program: &str, matches: &ArgMatches) -> String {
    let commands = iter::successors(matches.subcommand(), |(_, inner)| inner.subcommand());
    commands.fold(program.to_owned(), |path, (command, _)| path + " " + command)
}

/// The options of a session alone.
#[derive(Parser, Debug)]
struct Options<P: Args> {
    #[command(flatten)]
    play: P,
}

/// The options that these words give a session of a program, whose name is the first of them.
///
/// # Errors
/// Says in a line what is wrong with them.
pub fn options_of<P: Args>(name: &'static str, words: &[String]) -> Result<P> {
    let command = Options::<P>::command().name(name).disable_help_flag(true);
    let read = command.try_get_matches_from(words);
    let options = read.and_then(|matches| Options::<P>::from_arg_matches(&matches));
    options.map(|options| options.play).map_err(|error| {
        let text = error.render().to_string();
        let first = text.lines().next().unwrap_or_default();
        anyhow!(advice::plain(first.trim_start_matches("error: ")))
    })
}

/// Says what is wrong with the command line, in plain words; or what was asked for: help, or the version.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    let text = error.render();
    let text = if io::stderr().is_terminal() { text.ansi().to_string() } else { text.to_string() };
    // A closed standard error is told by nothing but the exit code.
    let _ = write!(io::stderr(), "{}", advice::plain(&text));
    ExitCode::from(error.exit_code() as u8)
}

/// The program's command line.
pub fn command<C: Subcommand, P: Args>(name: &'static str, game: &str) -> clap::Command {
    let about =
        format!("Plays {game} over the Go Text Protocol (GTP) on standard input and output");
    let long_about = format!(
        "{about}.\n\nPoint GoGui, Sabaki or another controller at this program; or start it on a terminal and play there, where \
         `help` says more."
    );
    let command = Cli::<C, P>::command().name(name).bin_name(name).about(about);
    with_examples(command.long_about(long_about), name)
}

/// A command with the commands below it that are shown to users: what writes completions would name all.
fn without_hidden(command: &clap::Command) -> clap::Command {
    // Names are static, and the program ends when its completions are written.
    let name: &'static str = command.get_name().to_owned().leak();
    let shown = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    let mut without = clap::Command::new(name)
        .args(command.get_arguments().cloned())
        .groups(command.get_groups().cloned())
        .subcommands(shown.map(without_hidden));
    if let Some(about) = command.get_about() {
        without = without.about(about.clone());
    }
    if command.get_version().is_some() {
        without = without.version(crate::session::VERSION);
    }
    without
}

/// Prints what a shell needs to complete the program's options.
fn completions(command: &clap::Command, shell: Shell) -> Result<()> {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    let mut command = without_hidden(command);
    clap_complete::generate(shell, &mut command, name, &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page, or writes one for each command into a folder.
fn manual(command: clap::Command, dir: Option<&std::path::Path>) -> Result<()> {
    match dir {
        Some(dir) => {
            std::fs::create_dir_all(dir)
                .with_context(|| format!("cannot make the folder {}", dir.display()))?;
            // Pages of `help match` and the like say nothing that those of `match` do not.
            clap_mangen::generate_to(command.disable_help_subcommand(true), dir)
                .with_context(|| format!("cannot write into {}", dir.display()))
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            print(&String::from_utf8_lossy(&page))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_that_of_the_command() {
        let report = clap::Command::new("report").arg(clap::Arg::new("file"));
        let command = clap::Command::new("tesuji")
            .subcommand(clap::Command::new("match").subcommand(report).arg(clap::Arg::new("file")));
        for (line, asked) in [
            ("tesuji match report nosuch", "tesuji match report"),
            ("tesuji match nosuch", "tesuji match"),
            ("tesuji", "tesuji"),
        ] {
            let matches = command.clone().get_matches_from(line.split(' '));
            assert_eq!(with_commands("tesuji", &matches), asked, "{line}");
        }
    }
}
