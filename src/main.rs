//! `tesuji`: Go over GTP, and the tools around the engines.

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use tesuji::arena::cli::MatchArgs;
use tesuji::cgos::cli::CgosArgs;
use tesuji::go::analysis::AnalysisArgs;
use tesuji::go::analysis::cli::with_long_dashes;
use tesuji::go::bench::BenchArgs;
use tesuji::go::book::Book;
use tesuji::go::cli::PlayArgs;
use tesuji::go::joseki::Joseki;
use tesuji::go::network::NetworkArgs;
use tesuji::go::selfplay::SelfPlayArgs;
use tesuji::go::train::{Report, Train};
use tesuji::go::{joseki, train};
use tesuji::program::{self, Run};
use tesuji::web::WebArgs;
use tesuji::{arena, cgos, go, tune};

#[derive(Subcommand, Debug)]
enum Command {
    /// Play matches and tournaments between GTP programs
    Match(Box<MatchArgs>),
    /// Tune numeric parameters of any GTP engine by play
    Tune(tune::cli::TuneArgs),
    /// Play on a computer Go server (CGOS) with any GTP engine
    Cgos(Box<CgosArgs>),
    /// Tell what this machine gives, how fast Go is here, and what to paste into Sabaki, GoGui, Lizzie and KaTrain
    Doctor(go::doctor::DoctorArgs),
    /// Tell how fast the Go engine is here, and the signature of what it does
    Bench(BenchArgs),
    /// Analyse positions for other programs, which speak KataGo's JSON protocol: KaTrain and many more
    Analysis(Box<AnalysisArgs>),
    /// Review whole games: what each move lost, what would have been better, as pages, SGF and tables
    Review(Box<go::review::ReviewArgs>),
    /// Measure how well reviews find mistakes that were planted in games
    #[command(subcommand, hide = true)]
    Planted(go::review::planted::Planted),
    /// Estimate the score of a position of a game record without search
    #[command(alias = "judge")]
    Estimate(go::estimate::EstimateArgs),
    /// Tell what is in a network's file, how fast it is here, and what it says of a position
    Network(NetworkArgs),
    /// Show a board in the browser: play, analyse, review, watch
    Web(Box<WebArgs<PlayArgs>>),
    /// Measure how well a network predicts moves and results of records
    Eval(go::eval::EvalArgs),
    /// Make positions with a teacher's evaluation, for training a network
    Selfplay(SelfPlayArgs),
    /// Learn from folders of game records
    #[command(subcommand, alias = "learn")]
    Train(Train),
    /// Report on patterns: counts, how well moves are predicted, single patterns
    #[command(subcommand)]
    Patterns(Report),
    /// Show what is played in corners, and report on it
    #[command(subcommand)]
    Joseki(Joseki),
    /// Make an opening book by search, or show what one says
    #[command(subcommand)]
    Book(Book),
}

impl Run for Command {
    fn run(&self) -> Result<ExitCode> {
        match self {
            Command::Match(args) => arena::cli::run(args),
            Command::Tune(args) => tune::cli::run(args),
            Command::Cgos(args) => cgos::cli::run(args),
            Command::Doctor(args) => go::doctor::run(args),
            Command::Bench(args) => go::bench::run(args),
            Command::Analysis(args) => args.run(),
            Command::Review(args) => go::review::run(args),
            Command::Planted(what) => go::review::planted::run(what),
            Command::Estimate(args) => go::estimate::run(args),
            Command::Network(args) => go::network::run(args),
            Command::Web(args) => args.run(),
            Command::Eval(args) => go::eval::run(args),
            Command::Selfplay(args) => go::selfplay::run(args),
            Command::Train(what) => train::train(what),
            Command::Patterns(what) => train::report(what),
            Command::Joseki(what) => joseki::run(what),
            Command::Book(what) => go::book::run(what),
        }
    }
}

fn main() -> ExitCode {
    let args = with_long_dashes(std::env::args_os());
    program::main_from::<Command, PlayArgs>("tesuji", "Go", args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_an_example_and_fits_on_a_screen() {
        let command = program::command::<Command, PlayArgs>("tesuji", "Go");
        assert_eq!(tesuji::examples::faults(&command), Vec::<String>::new());
    }
}
