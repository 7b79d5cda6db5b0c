//! Every kind of bad engine ends as the settings say, and the run goes on.

use std::time::{Duration, Instant};

use tesuji::arena::fault::{FaultKind, FaultPolicy};
use tesuji::arena::game::EndReason;

use super::support::{Finished, Match};

pub const TESTS: &[(&str, fn())] = &[
    ("faults::a_good_game_has_no_faults", a_good_game_has_no_faults),
    ("faults::a_crash_forfeits_the_game_and_the_engine_is_restarted", crash),
    ("faults::an_answer_cut_short_is_a_crash", half_answer),
    ("faults::a_hang_forfeits_the_game", hang),
    ("faults::an_illegal_move_forfeits_the_game", illegal),
    ("faults::an_answer_that_is_no_move_forfeits_the_game", garbage),
    ("faults::a_fault_can_be_replayed", replayed),
    ("faults::replays_come_to_an_end", replays_end),
    ("faults::a_game_can_be_void", void),
    ("faults::stray_output_is_noted_or_forfeits", stray),
    ("faults::endless_output_does_not_stop_the_run", endless),
    ("faults::an_engine_that_never_starts_is_given_up", never_starts),
    ("faults::a_start_that_fails_once_is_tried_again", starts_second_time),
    ("faults::a_missing_program_is_named", missing_program),
    ("faults::a_slow_quit_is_cut_short", slow_quit),
    ("faults::a_wrong_score_is_recorded", wrong_score),
    ("faults::players_that_disagree_leave_no_result", disagreement),
    ("faults::a_legal_move_refused_is_the_refusers_fault", refused),
    ("faults::time_is_kept_by_the_runner", time),
    ("faults::ids_can_be_left_out", no_ids),
    ("faults::resignation_and_agreement_end_a_game", resignation),
];

/// Two games between a good engine and one with a fault, as each colour.
fn against(fault: &str, settings: &str) -> Finished {
    Match::new(&format!("games = 2\n{settings}")).player("good", "good").player("bad", fault).run()
}

/// Checks that the bad engine lost every game by this kind of fault.
fn forfeits(finished: &Finished, kind: FaultKind) {
    for game in finished.games() {
        assert_eq!(
            (game.winner.as_deref(), game.reason),
            (Some("good"), EndReason::Forfeit),
            "{game:?}"
        );
        let fault = game.faults.last().expect("a fault");
        assert_eq!((fault.kind, fault.policy), (kind, FaultPolicy::Forfeit), "{fault:?}");
        assert_eq!(fault.player.as_deref(), Some("bad"));
        assert!(game.result.ends_with("+F"), "{}", game.result);
    }
}

fn a_good_game_has_no_faults() {
    let finished = against("good seed=2", "").succeeded(2);
    for game in finished.games() {
        assert_eq!(game.reason, EndReason::Score);
        assert!(game.faults.is_empty() && game.black_says == game.result, "{game:?}");
    }
    let colors: Vec<_> = finished.games().iter().map(|game| game.black.as_str()).collect();
    assert_eq!(colors, ["good", "bad"]);
}

fn crash() {
    let finished = against("crash", "").succeeded(2);
    forfeits(&finished, FaultKind::Crash);
    let detail = &finished.games()[0].faults[0].detail;
    assert!(detail.contains("genmove") && detail.contains("exit status: 7"), "{detail}");
    assert!(finished.games()[0].turns >= 4, "what was played is kept");
}

fn half_answer() {
    forfeits(&against("half-answer", "").succeeded(2), FaultKind::Crash);
}

fn hang() {
    let begin = Instant::now();
    forfeits(&against("hang", "move-timeout = 0.4").succeeded(2), FaultKind::Hang);
    assert!(begin.elapsed() < Duration::from_secs(5));
}

fn illegal() {
    let finished = against("illegal", "").succeeded(2);
    forfeits(&finished, FaultKind::Illegal);
    assert!(
        finished.games()[0].faults[0].detail.contains("there is a stone on"),
        "{:?}",
        finished.games()[0].faults
    );
}

fn garbage() {
    for fault in ["garbage", "off-board", "wrong-id"] {
        forfeits(&against(fault, "").succeeded(2), FaultKind::Garbage);
    }
    forfeits(&against("error", "").succeeded(2), FaultKind::Refused);
}

fn replayed() {
    let finished = against("crash file=FILE", "[faults]\ncrash = \"replay\"").succeeded(2);
    assert_eq!(finished.results.faults.len(), 1);
    let broken_off = &finished.results.faults[0];
    assert_eq!(
        (broken_off.fault.kind, broken_off.fault.policy),
        (FaultKind::Crash, FaultPolicy::Replay)
    );
    assert!(broken_off.sgf.contains("broken-off-1"), "{}", broken_off.sgf);
    assert!(finished.games().iter().all(|game| game.reason == EndReason::Score));
}

fn replays_end() {
    let finished = against(
        "crash",
        "[faults]
crash = \"replay\"
max-replays = 3",
    )
    .succeeded(2);
    assert_eq!(finished.results.faults.len(), 6);
    forfeits(&finished, FaultKind::Crash);
}

fn void() {
    let finished = against("illegal", "[faults]\nillegal = \"void\"").succeeded(2);
    assert!(finished.games().iter().all(|game| game.reason == EndReason::Void
        && game.winner.is_none()
        && game.result == "Void"));
    assert!(finished.stdout.contains("0 won, 0 lost, 0 drawn of 0"), "{}", finished.stdout);
    assert!(finished.stdout.contains("2 games without a result"), "{}", finished.stdout);
}

fn stray() {
    for fault in ["stray", "banner"] {
        let finished = against(fault, "").succeeded(2);
        assert!(finished.games().iter().all(|game| game.reason == EndReason::Score));
        let note = &finished.games()[0].faults[0];
        assert_eq!(
            (note.kind, note.policy, note.player.as_deref()),
            (FaultKind::UnexpectedOutput, FaultPolicy::Ignore, Some("bad"))
        );
    }
    forfeits(
        &against("stray", "[faults]\nstray = \"forfeit\"").succeeded(2),
        FaultKind::UnexpectedOutput,
    );
}

fn endless() {
    forfeits(&against("flood", "").succeeded(2), FaultKind::Garbage);
    forfeits(&against("endless-line", "").succeeded(2), FaultKind::Garbage);
}

fn never_starts() {
    let finished = against("crash-at-start", "");
    assert_eq!(finished.output.status.code(), Some(1), "{}", finished.stderr);
    assert!(finished.games().is_empty());
    assert!(finished.stderr.contains("bad could not be started"), "{}", finished.stderr);
    // Where it is asked for, the games are forfeited instead.
    forfeits(
        &against("crash-at-start", "[faults]\nstart = \"forfeit\"").succeeded(2),
        FaultKind::Start,
    );
}

fn starts_second_time() {
    let finished = against("crash-at-start file=FILE", "").succeeded(2);
    assert_eq!(finished.results.faults.len(), 1);
    assert_eq!(finished.results.faults[0].fault.kind, FaultKind::Start);
}

fn missing_program() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["match", "check", "-s", "5", "-e", "no-such-program --x", "-n", "ghost", "-e"])
        .arg(super::support::scripted("good"))
        .output()
        .expect("the binary runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout.contains("ghost: not ready: start: cannot start no-such-program"), "{stdout}");
    assert!(stdout.contains(": ready: Scripted good 1.0"), "{stdout}");
}

fn slow_quit() {
    let begin = Instant::now();
    let finished = against("slow-quit", "quit-timeout = 0.3").succeeded(2);
    assert!(finished.games().iter().all(|game| game.reason == EndReason::Score));
    assert!(finished.stderr.contains("bad had not ended 0.3s after quit"), "{}", finished.stderr);
    assert!(begin.elapsed() < Duration::from_secs(5));
}

fn wrong_score() {
    // Komi enough for White to win whatever happens.
    let finished = against("liar", "komi = 100.5").succeeded(2);
    for game in finished.games() {
        assert_eq!(
            (game.reason, game.winner.as_deref()),
            (EndReason::Score, Some(game.white.as_str()))
        );
        let note = &game.faults[0];
        assert_eq!((note.kind, note.player.as_deref()), (FaultKind::Disagreement, Some("bad")));
        assert!(note.detail.contains("B+1000"), "{}", note.detail);
    }
}

fn disagreement() {
    let finished =
        Match::new("games = 2\nkomi = 100.5").player("good", "good").player("bad", "liar");
    let output =
        finished.command().args(["--scoring", "players"]).output().expect("the binary runs");
    let finished = Finished::new(output, &finished.folder()).succeeded(2);
    for game in finished.games() {
        assert_eq!((game.reason, game.faults[0].kind), (EndReason::Void, FaultKind::Disagreement));
        assert_eq!(game.faults[0].player, None);
    }
}

fn refused() {
    forfeits(&against("refuse", "").succeeded(2), FaultKind::Refused);
}

fn time() {
    let finished = against("late", "lag = 0.05\n[time]\nmain = 1").succeeded(2);
    for game in finished.games() {
        assert_eq!(
            (game.winner.as_deref(), game.reason),
            (Some("good"), EndReason::Time),
            "{game:?}"
        );
        assert!(game.result.ends_with("+T"), "{}", game.result);
        // The move that came too late is in the record.
        assert_eq!(game.turns % 2 == 1, game.result.starts_with("W+"), "{game:?}");
    }
    // Half a second more is no loss.
    let finished = against("late", "[time]\nmain = 0.1\nperiod = 2\nstones = 1").succeeded(2);
    assert!(finished.games().iter().all(|game| game.reason == EndReason::Score));
}

fn no_ids() {
    let finished = against("no-ids", "").succeeded(2);
    assert!(
        finished
            .games()
            .iter()
            .all(|game| game.reason == EndReason::Score && game.faults.is_empty())
    );
}

fn resignation() {
    let finished = against("resign", "").succeeded(2);
    assert!(
        finished
            .games()
            .iter()
            .all(|game| game.reason == EndReason::Resign && game.winner.as_deref() == Some("good"))
    );
    let agreed = "[adjudication]\ncommand = \"estimate\"\nmargin = 20\ntimes = 2\nfrom-move = 4";
    let finished = against("good seed=3", agreed).succeeded(2);
    assert!(finished.games().iter().all(|game| game.reason == EndReason::Agreed
        && game.winner.as_deref() == Some(game.black.as_str())));
    assert!(
        finished.games().iter().all(|game| (6..=8).contains(&game.turns)),
        "{:?}",
        finished.games()
    );
}
