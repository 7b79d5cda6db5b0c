//! `tesuji joseki code`: the code of Yue, Li and Qiu, in its parts.

use super::position;
use crate::go::recorded::PositionArgs;
use crate::output::print;
use anyhow::Result;
use clap::Args;
use go_engine::with_board;
use go_patterns::joseki::{Code, Corner, Forms, Stones};
use std::fmt::Write;
use std::process::ExitCode;

/// Options of `tesuji joseki code`.
#[derive(Args, Debug)]
pub struct CodeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// lower-left, lower-right, upper-right or upper-left [default: all four]
    #[arg(short, long)]
    corner: Option<Corner>,
}

/// Runs `tesuji joseki code`.
///
/// # Errors
/// When there is no such position.
pub fn run(args: &CodeArgs) -> Result<ExitCode> {
    let game = position(&args.position)?.game;
    let corners = Corner::ALL.into_iter().filter(|&c| args.corner.is_none_or(|wanted| wanted == c));
    let mut text = String::new();
    for corner in corners {
        let stones = with_board!(game.board(), board => Stones::of_board(board, corner));
        let code = Code::of(stones);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{corner}\n{:6} {:>20} {:>20} {:>4} {:>20}", "", "A", "B", "C", "K");
        for (name, set) in [("black", code.black), ("white", code.white), ("both", code.both)] {
            let _ = writeln!(
                text,
                "{name:6} {:>20} {:>20} {:>4} {:>20}",
                set.neighbours,
                set.lines,
                set.outline,
                set.k()
            );
        }
        let _ = writeln!(text, "S {}", code.s());
        let _ = writeln!(text, "canonical {:032x}\n", Forms::of(stones).position_key().0);
    }
    print(text.trim_end())?;
    print("\n")?;
    Ok(ExitCode::SUCCESS)
}
