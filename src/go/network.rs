//! `tesuji network`: what is in a network's file, how fast it is here, and what it says of a position.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use cpu_time::{ProcessTime, ThreadTime};
use game_core::SearchLimits;
use go_engine::search::{Limits, Report};
use go_engine::{Color, Game, Move, Rules};
use go_network::{
    Agreement, GameEvaluation, Kernels, Network, NetworkFile, NetworkOptions, NetworkParams,
    NetworkSearch, Numbers, Outputs, Symmetry, evaluate_game, probe,
};
use go_patterns::knowledge::Library;

use super::network_file::AnyNetworkFile;
use crate::go::recorded::{self, PlaceArgs};
use crate::options::seconds;
use crate::output::print;

/// Boards whose speed is told.
const SIDES: [u8; 3] = [9, 13, 19];
/// How many positions at once.
const BATCHES: [usize; 2] = [1, 4];
/// Moves of a position that are shown.
const SHOWN: usize = 10;

/// Moves that are played before searches are measured, moves in which they are, and visits of one of them.
const OPENING: usize = 12;
const MIDDLE: usize = 8;
const SEARCH_VISITS: u64 = 100;
/// Bytes for its tree.
const SEARCH_MEMORY: usize = 64 << 20;

/// Options of `tesuji network`.
#[derive(Args, Debug)]
pub struct NetworkArgs {
    /// The network: a file of KataGo's (.bin.gz, .txt.gz or .bin), one that `tesuji train network` made, or built-in for the one
    /// inside
    #[arg(value_name = "NETWORK")]
    file: PathBuf,

    /// Tells instead what the network says of a position of this record
    #[arg(long, value_name = "FILE.sgf")]
    sgf: Option<PathBuf>,

    /// The position after so many moves [default: the last]
    #[arg(short, long, value_name = "N", requires = "sgf")]
    r#move: Option<usize>,

    /// How much the optimistic policy counts, where the network has one, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "sgf", value_parser = share)]
    optimism: f32,

    /// How long each speed is measured, in seconds of processor time
    #[arg(long, value_name = "N", default_value_t = 0.4, conflicts_with = "sgf", value_parser = seconds)]
    seconds: f64,

    /// Compares whole numbers with floats on so many positions of each board
    #[arg(long, value_name = "N", default_value_t = 12, conflicts_with = "sgf", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    compared: u32,

    /// Computes in these numbers, not in those that are best here
    #[arg(long, value_enum, value_name = "KIND")]
    numbers: Option<NumbersArg>,
}

/// What a network is computed in.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum NumbersArg {
    /// 32-bit floats
    Float,
    /// Whole numbers of 16 bits
    Int16,
}

/// Runs `tesuji network`.
///
/// # Errors
/// What is wrong with a file, in words.
pub fn run(args: &NetworkArgs) -> Result<ExitCode> {
    let file = AnyNetworkFile::open(&args.file)
        .with_context(|| format!("cannot use {}", args.file.display()))?;
    let library = Arc::new(Library::built_in().context("cannot read what was learned")?);
    let pack = |kernels: Option<Kernels>| file.network(kernels, &library);
    let network = pack(args.numbers.map(kernels));
    let text = match &args.sgf {
        Some(sgf) => {
            let recorded::Position { game, moves } = PlaceArgs::of_first(args.r#move).read(sgf)?;
            let board = game.board();
            let (width, height) = (board.width(), board.height());
            ensure!(
                network.knows(&game),
                "the network {} does not know boards of {width}x{height}",
                args.file.display()
            );
            let said = evaluate_game(&network, &game, args.optimism, Symmetry::NONE)
                .context("the network has no answer for this position")?;
            position(&game, moves, &said)
        }
        None => summary(file.file(), (&network, &pack), args),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A share from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share from 0 to 1 is expected".to_owned())
}

fn kernels(numbers: NumbersArg) -> Kernels {
    let numbers = match numbers {
        NumbersArg::Float => Numbers::Float,
        NumbersArg::Int16 => Numbers::Int16,
    };
    Kernels { level: simd::level(), numbers }
}

/// What is in a file, and how fast it is here.
fn summary(
    file: &NetworkFile,
    (network, pack): (&Network, &dyn Fn(Option<Kernels>) -> Network),
    args: &NetworkArgs,
) -> String {
    let [ordinary, pooling, nested] = file.blocks();
    let blocks = file.trunk.blocks.len();
    let mut text = String::new();
    let mut line = |name: &str, what: &str| {
        let _ = writeln!(text, "{name:<12}{what}");
    };
    line("name", &file.name);
    line("version", &file.version.to_string());
    let plural = if blocks == 1 { "" } else { "s" };
    line("blocks", &format!("{blocks} block{plural} of {} channels", file.channels()));
    let kinds = [(ordinary, "ordinary"), (pooling, "with global pooling"), (nested, "nested")];
    let kinds = kinds.iter().filter(|(count, _)| *count > 0);
    let kinds: Vec<String> = kinds.map(|(count, kind)| format!("{count} {kind}")).collect();
    let inner = if nested > 0 { " (with the blocks in others)" } else { "" };
    line("of these", &(kinds.join(", ") + inner));
    line("parameters", &thousands(file.parameters()));
    line("computed in", &network.kernels().to_string());
    let both = [NumbersArg::Float, NumbersArg::Int16];
    let measured: Vec<NumbersArg> =
        both.into_iter().filter(|&kind| args.numbers.is_none_or(|only| only == kind)).collect();
    let networks: Vec<Arc<Network>> =
        measured.iter().map(|&numbers| pack(Some(kernels(numbers))).into()).collect();
    if let [float, int16] = networks.as_slice() {
        let mut agreement = Agreement::default();
        for side in SIDES {
            let positions = probe::positions(side, args.compared as usize, file.strict_pass_alive);
            agreement.add(float, int16, &positions);
        }
        line(
            "whole/float",
            &format!(
                "the same best move in {} of {} positions; chances of moves differ by up to {:.4}",
                agreement.same_best, agreement.positions, agreement.policy
            ),
        );
    }
    text += "\nEvaluations a second on one core (billions of multiply-adds a second, counted directly)\n";
    let _ = write!(text, "{:<8}{:>7}", "board", "batch");
    for network in &networks {
        let _ = write!(text, "{:>34}", network.kernels().to_string());
    }
    text.push('\n');
    for side in SIDES {
        for batch in BATCHES {
            let _ = write!(text, "{:<8}{batch:>7}", format!("{side}x{side}"));
            for network in &networks {
                let rate = speed(network, (side, batch), args.seconds);
                let area = usize::from(side) * usize::from(side);
                let products = rate * file.multiply_adds(area) as f64 / 1e9;
                let _ = write!(text, "{:>34}", format!("{rate:.0} ({products:.0})"));
            }
            text.push('\n');
        }
    }
    text += "\nVisits a second in new searches of middle games, one thread\n";
    for side in SIDES {
        let _ = write!(text, "{:<15}", format!("{side}x{side}"));
        for network in &networks {
            let rate = search_speed(network, side, args.seconds);
            let _ = write!(text, "{:>34}", format!("{rate:.0}"));
        }
        text.push('\n');
    }
    text
}

/// Visits a second of processor time in searches that begin with nothing known, of middle games.
fn search_speed(network: &Arc<Network>, side: u8, seconds: f64) -> f64 {
    let options = NetworkOptions {
        threads: 1,
        max_memory: SEARCH_MEMORY,
        seed: 1,
        params: NetworkParams::default(),
    };
    let mut search = NetworkSearch::new(network.clone(), options);
    let mut of = |game: &Game, visits| {
        let limits = SearchLimits { visits: Some(visits), ..SearchLimits::default() };
        let limits = Limits { search: limits, fresh: true, ..Limits::default() };
        search.search(game, game.to_play(), &limits, None)
    };
    let games = middle_games(side, |game| of(game, 1));
    // The best time for a visit of each of these searches, which are made in turn.
    let mut best = vec![f64::INFINITY; games.len()];
    let mut measured = 0.0;
    for at in (0..games.len()).cycle() {
        let begun = ProcessTime::now();
        let found = of(&games[at], SEARCH_VISITS);
        let took = begun.elapsed().as_secs_f64().max(1e-9);
        best[at] = best[at].min(took / found.playouts.max(1) as f64);
        measured += took;
        if measured >= seconds {
            break;
        }
    }
    let known: Vec<f64> = best.into_iter().filter(|time| time.is_finite()).collect();
    known.len() as f64 / known.iter().sum::<f64>().max(1e-9)
}

/// Positions of a game of the moves that a search thinks best, after the opening.
fn middle_games(side: u8, mut search: impl FnMut(&Game) -> Report) -> Vec<Game> {
    let Some(mut game) = Game::new(side, side) else { return Vec::new() };
    game.set_rules(Rules::CHINESE);
    game.set_komi(7.0);
    let mut games = Vec::new();
    for turn in 0..=OPENING + MIDDLE {
        if turn >= OPENING && turn.is_multiple_of(2) {
            games.push(game.clone());
        }
        // A network that knows nothing would pass and end the game.
        let found = search(&game);
        let stone = found.moves.iter().map(|found| found.mv).find(|mv| *mv != Move::Pass);
        let Some(stone) = stone else { break };
        if game.play(game.to_play(), stone).is_err() {
            break;
        }
    }
    games
}

/// Evaluations a second of processor time, without what is written into the network: the best of many rounds.
fn speed(network: &Network, (side, batch): (u8, usize), seconds: f64) -> f64 {
    let positions = probe::positions(side, batch.max(2), network.strict_pass_alive());
    let positions = &positions[positions.len() - batch..];
    let mut worker = network.worker(positions[0].size, batch);
    let mut outputs = vec![Outputs::default(); batch];
    let start = ThreadTime::now();
    let mut best = f64::INFINITY;
    let mut rounds = 0;
    while rounds < 3 || start.elapsed().as_secs_f64() < seconds {
        let round = ThreadTime::now();
        network.evaluate(&mut worker, positions, &mut outputs);
        best = best.min(round.elapsed().as_secs_f64() / batch as f64);
        rounds += 1;
    }
    1.0 / best.max(1e-9)
}

/// What a network says of a position after so many moves.
fn position(game: &Game, moves: usize, said: &GameEvaluation) -> String {
    let e = &said.evaluation;
    let mut text = String::new();
    let who = if said.to_play == Color::Black { "Black" } else { "White" };
    let _ = writeln!(
        text,
        "{who} to play after move {moves}, {} rules, komi {}\n",
        game.rules(),
        game.komi()
    );
    let _ = writeln!(text, "{who} wins     {:6.2}%", 100.0 * e.win);
    let _ = writeln!(text, "{who} loses    {:6.2}%", 100.0 * e.loss);
    if e.no_result > 0.0 {
        let _ = writeln!(text, "no result     {:6.2}%", 100.0 * e.no_result);
    }
    let _ = writeln!(text, "lead          {:+6.2} points", e.lead);
    let _ = writeln!(
        text,
        "score         {:+6.2} points, give or take {:.1}",
        e.score_mean,
        e.score_spread()
    );
    if let (Some(value), Some(score)) = (e.value_error, e.score_error) {
        let _ = writeln!(text, "may err by    {:6.2}% and {score:.1} points", 50.0 * value);
    }
    text += "\nMoves\n";
    for (mv, chance) in said.policy.iter().take(SHOWN) {
        let _ = writeln!(text, "{:<5}{:6.2}%", mv.to_string(), 100.0 * chance);
    }
    text += "\nOwners, in percent: Black's above 0, White's below\n";
    let (width, height) = (usize::from(game.board().width()), usize::from(game.board().height()));
    for row in (0..height).rev() {
        let _ = write!(text, "{:>2}", row + 1);
        for (_, owner) in &said.owners[row * width..(row + 1) * width] {
            let _ = write!(text, "{:>5.0}", 100.0 * owner);
        }
        text.push('\n');
    }
    text
}

fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
