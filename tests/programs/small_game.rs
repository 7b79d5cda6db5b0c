//! A game added to the program by nothing but its rules, its words and what searches it: Hex on 5x5 has a clock,
//! analysis, undo and records like the games that ship.

use std::time::Instant;

use game_core::{Color, Control, MoveReport, Outcome, Proven, Report, lower_bound, mix64};
use tesuji::gtp::params::{Param, Params};
use tesuji::gtp::{self, Failure, Step, Vertex};
use tesuji::session::{self, Engine, OneStep, Query, Session, SessionConfig, Watch};

/// Black joins the lower and the upper edge, White the left and the right one.
#[derive(Clone)]
struct Hex {
    side: u8,
    stones: Vec<(Color, Vertex)>,
    to_move: Color,
}

impl Hex {
    fn new(side: u8) -> Hex {
        Hex { side, stones: Vec::new(), to_move: Color::Black }
    }

    fn empties(&self) -> Vec<Vertex> {
        let all =
            (0..self.side).flat_map(|row| (0..self.side).map(move |column| Vertex { column, row }));
        all.filter(|&at| session::Game::stone(self, at).is_none()).collect()
    }

    /// Whether a colour's stones join its edges: a flood from the first one.
    fn has_won(&self, color: Color) -> bool {
        let along = |at: Vertex| if color == Color::Black { at.row } else { at.column };
        let mut open: Vec<Vertex> =
            self.stones.iter().filter(|s| s.0 == color).map(|s| s.1).collect();
        let (mut reached, rest): (Vec<_>, Vec<_>) = open.drain(..).partition(|&at| along(at) == 0);
        let mut rest = rest;
        while let Some(at) = reached.pop() {
            if along(at) + 1 == self.side {
                return true;
            }
            let touches = |other: &Vertex| {
                let (x, y) = (
                    i16::from(other.column) - i16::from(at.column),
                    i16::from(other.row) - i16::from(at.row),
                );
                matches!((x, y), (0, 1 | -1) | (1 | -1, 0) | (1, -1) | (-1, 1))
            };
            let (next, left) = rest.into_iter().partition(touches);
            reached.extend::<Vec<_>>(next);
            rest = left;
        }
        false
    }
}

impl session::Game for Hex {
    type Move = Vertex;
    type Mark = usize;
    type Form = OneStep;
    type Engine = Bandit;

    const NAME: &'static str = "Small";
    const TITLE: &'static str = "Hex";
    const METHOD: &'static str = "random games";
    const HELP: &'static str = "play b C3, genmove w";
    const ANALYZE_COMMANDS: &'static [&'static str] = &["gfx/Best Moves/tesuji-best_moves"];

    fn size(&self) -> (u8, u8) {
        (self.side, self.side)
    }
    fn resized(&self, columns: u8, rows: u8) -> Option<Hex> {
        (columns == rows && (2..=11).contains(&columns)).then(|| Hex::new(columns))
    }
    fn stone(&self, at: Vertex) -> Option<Color> {
        self.stones.iter().find(|stone| stone.1 == at).map(|stone| stone.0)
    }
    fn to_move(&self) -> Color {
        self.to_move
    }
    fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }
    fn outcome(&self) -> Outcome {
        let winner = Color::BOTH.into_iter().find(|&color| self.has_won(color));
        winner.map_or(Outcome::Open, Outcome::Win)
    }
    fn legal(&self) -> Vec<Step> {
        self.empties().into_iter().map(Step::At).collect()
    }
    fn play(&mut self, color: Color, steps: &[Step]) -> Result<(), Failure> {
        match *steps {
            [Step::At(at)] if self.stone(at).is_none() && !self.outcome().is_over() => {
                self.stones.push((color, at));
                self.to_move = !color;
                Ok(())
            }
            _ => Err(Failure::illegal_move()),
        }
    }
    fn set_up(&self, stones: &[(Option<Color>, Vertex)]) -> Result<Hex, Failure> {
        let mut game = Hex::new(self.side);
        for &(color, at) in stones {
            let color = color.ok_or_else(Failure::bad_coordinate)?;
            game.play(color, &[Step::At(at)])?;
        }
        Ok(game)
    }
    fn mark(&self) -> usize {
        self.stones.len()
    }
    fn rewind(&mut self, mark: usize) {
        while self.stones.len() > mark
            && let Some((color, _)) = self.stones.pop()
        {
            self.to_move = color;
        }
    }
    fn marks(&self) -> Vec<usize> {
        (0..self.stones.len()).collect()
    }
    fn steps(mv: &Vertex) -> Vec<Step> {
        vec![Step::At(*mv)]
    }
    fn own_turns_left(&self) -> u32 {
        (self.empties().len() / 2) as u32
    }
    fn turns(&self) -> Vec<(Color, String)> {
        self.stones.iter().map(|(color, at)| (*color, at.to_string())).collect()
    }
}

/// Random games after each move in turn; the move that won most.
#[derive(Default)]
struct Bandit {
    state: u64,
}

impl Engine<Hex> for Bandit {
    const DEFAULT_VISITS: u64 = 300;

    fn search(&mut self, query: &Query<Hex>, watch: Watch<Vertex>) -> Report<Vertex> {
        let moves = query.game.empties();
        let mut tried = vec![(0u32, 0u32); moves.len()];
        let limits = query.limits();
        let mut control = query.control(|report: &Report<Vertex>| watch(report));
        for visit in 0.. {
            let looked = tried.clone();
            let stop = control(&|| report(&moves, &looked)) == Control::Stop;
            let late = limits.soft.is_some_and(|at| Instant::now() >= at);
            if moves.is_empty() || stop || late || limits.visits.is_some_and(|most| visit >= most) {
                break;
            }
            let choice = (visit % moves.len() as u64) as usize;
            let mut game = query.game.clone();
            game.stones.push((query.color, moves[choice]));
            let mut left = game.empties();
            let mut color = !query.color;
            while !left.is_empty() {
                self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let at = (mix64(self.state) % left.len() as u64) as usize;
                game.stones.push((color, left.swap_remove(at)));
                color = !color;
            }
            tried[choice].0 += 1;
            tried[choice].1 += u32::from(game.has_won(query.color));
        }
        report(&moves, &tried)
    }
    fn new_game(&mut self) {}
    fn threads(&self) -> usize {
        1
    }
}

fn report(moves: &[Vertex], tried: &[(u32, u32)]) -> Report<Vertex> {
    let found = moves.iter().zip(tried).map(|(&mv, &(visits, won))| {
        let winrate = (won as f32 + 0.5) / (visits as f32 + 1.0);
        MoveReport {
            mv,
            visits,
            winrate,
            lower_bound: lower_bound(winrate, visits, Proven::Unknown),
            prior: 1.0 / moves.len() as f32,
            proven: Proven::Unknown,
            lead: None,
            line: vec![mv],
            line_visits: Vec::new(),
        }
    });
    let mut moves: Vec<_> = found.collect();
    moves.sort_by(|a, b| b.winrate.total_cmp(&a.winrate));
    let winrate = moves.first().map_or(0.5, |best| best.winrate);
    let visits = moves.iter().map(|found| u64::from(found.visits)).sum();
    Report { moves, visits, winrate, ..Report::default() }
}

impl Params for Bandit {
    fn params(&self) -> Vec<Param> {
        Vec::new()
    }
    fn set_param(&mut self, name: &str, _: &str) -> Result<(), String> {
        Err(format!("unknown parameter {name:?}"))
    }
}

/// The answers of a session on 5x5, without their signs.
fn converse(input: String) -> Vec<String> {
    let mut commands = session::commands::<Hex>();
    session::gogui::add_rules(&mut commands);
    let mut session = Session::new(Hex::new(5), Bandit::default(), SessionConfig::default());
    let mut output = Vec::new();
    gtp::run_with_idle(&commands, &mut session, std::io::Cursor::new(input), &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.split_terminator("\n\n").map(|answer| answer.to_owned()).collect()
}

#[test]
fn a_small_game_has_a_clock_analysis_undo_and_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf").display().to_string();
    let answers = converse(format!(
        "play b C3\nplay w C3\ntime_settings 2 0 0\ngenmove w\nundo\nundo\nundo\nplay b C3\nlz-genmove_analyze w 1\n\
         gomill-explain_last_move\nsavesgf {path}\nclear_board\nloadsgf {path}\nprintsgf\ngogui-rules_side_to_move\n\
         tesuji-best_moves\ntesuji-param visits 50\ntesuji-param visits\nreg_genmove b\nkata-analyze b 1 minmoves 1\n\
         gogui-setup b A1 b A2 b A3 b A4\ngogui-rules_final_result\ngenmove b\nquit\n"
    ));
    let is = |at: usize, text: &str| assert_eq!(answers[at], text, "{at} of {answers:?}");
    is(1, "? illegal move");
    assert!(answers[3].starts_with("= ") && answers[3] != "= pass", "{answers:?}");
    for at in [4, 5] {
        is(at, "= ");
    }
    is(6, "? cannot undo");
    assert!(answers[8].starts_with("= \ninfo move ") && answers[8].contains("\nplay "));
    assert!(answers[9].starts_with("= White ") && answers[9].contains(" visits"));
    assert!(answers[13].contains("SZ[5]") && answers[13].contains(";B[C3];W["), "{answers:?}");
    is(14, "= black");
    is(15, "? no search has been made yet");
    is(17, "= 50");
    assert!(answers[19].starts_with("= \ninfo move "));
    is(21, "= The game is not over");
    assert!(answers[22].starts_with("= "));
}

#[test]
fn a_small_game_is_played_to_its_end() {
    let genmoves: String = (0..13).map(|_| "genmove b\ngenmove w\n").collect();
    let answers = converse(format!("tesuji-param visits 200\n{genmoves}final_score\nshowboard\n"));
    let score = &answers[27];
    assert!(["= B+1", "= W+1"].contains(&score.as_str()), "{answers:?}");
    assert!(answers[26] == "= pass" && answers[28].contains(" has won\n"), "{answers:?}");
}
