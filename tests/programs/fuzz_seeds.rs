//! The seeds of the fuzz targets go through them.

use crate::bodies;

fn each_seed(target: &str, run: fn(&[u8])) {
    for file in crate::common::files(&format!("fuzz/seeds/{target}"), "seed") {
        eprintln!("{}", file.display());
        run(&std::fs::read(file).unwrap());
    }
}

#[test]
fn gtp_lines() {
    each_seed("gtp_line", bodies::gtp_line);
}

#[test]
fn lines_of_analysis() {
    each_seed("analysis", bodies::analysis);
}

#[test]
fn records() {
    each_seed("sgf", bodies::sgf);
}

#[test]
fn sequences_of_moves() {
    each_seed("moves", bodies::moves);
}

#[test]
fn amazons() {
    each_seed("amazons", bodies::amazons);
}

#[test]
fn connect6() {
    each_seed("connect6", bodies::connect6);
}

#[test]
fn parameters() {
    each_seed("params", bodies::params);
}

#[test]
fn positions_to_solve() {
    each_seed("solve", bodies::solve);
}

#[test]
fn match_files() {
    each_seed("settings", bodies::settings);
}

#[test]
fn learned_tables() {
    each_seed("tables", bodies::tables);
}

#[test]
fn weights() {
    each_seed("weights", bodies::weights);
}

#[test]
fn networks() {
    each_seed("network", bodies::network);
}
