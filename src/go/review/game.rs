//! A game that is reviewed: its record, and every position of its main line.

use std::borrow::Cow;

use anyhow::{Result, bail, ensure};
use game_core::Fnv1a;
use game_record::{GameText, Header, Record, Tree};
use go_engine::game::Played;
use go_engine::{Game, Rules};

use super::loss::{self, MoveReview};
use super::position_analysis::PositionAnalysis;
use crate::go::record;

/// What is taken for granted where a record does not say it, and what is said instead of it.
#[derive(Clone, Debug, Default)]
pub struct Assumed {
    /// Rules in place of the record's.
    pub rules: Option<Rules>,
    /// Komi in place of the record's.
    pub komi: Option<f64>,
}

/// A komi beyond this is no number of points.
const MAX_KOMI: f64 = 150.0;

/// More moves than any game has: every position is kept with the moves before it.
const MAX_MOVES: usize = 5_000;

/// A game and its positions.
pub struct ReviewGame {
    /// The record as it is, for writing it again.
    pub text: GameText<'static>,
    /// What the record tells about the game.
    pub header: Header,
    /// The moves of the main line.
    pub moves: Vec<Played>,
    /// The positions before each move and after the last; whoever moved next is to move.
    pub positions: Vec<Game>,
    /// What was assumed, in words.
    pub notes: Vec<String>,
}

/// What tells a game from others, without its positions.
pub struct Outline {
    /// What the record tells about the game.
    pub header: Header,
    /// The moves of the main line.
    pub moves: Vec<Played>,
    /// Columns and rows of the board.
    pub size: [u8; 2],
}

impl ReviewGame {
    /// Reads a game.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(text: &GameText<'_>, assumed: &Assumed) -> Result<ReviewGame> {
        let mut positions = Vec::new();
        let mut moves = Vec::new();
        let (record, last, notes) = walk(text, assumed, &mut |game, played| {
            let mut game = game.clone();
            game.set_to_play(played.color);
            positions.push(game);
            moves.push(played);
        })?;
        positions.push(last);
        let GameText { text: ref words, number, offset, line } = *text;
        let text = GameText { text: Cow::Owned(words.to_string()), number, offset, line };
        Ok(ReviewGame { text, header: record.header, moves, positions, notes })
    }

    /// Whether a game can be reviewed, and what tells it from others.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn check(text: &GameText<'_>, assumed: &Assumed) -> Result<Outline> {
        let mut moves = Vec::new();
        let (record, last, _) = walk(text, assumed, &mut |_, played| moves.push(played))?;
        let size = [last.board().width(), last.board().height()];
        Ok(Outline { header: record.header, moves, size })
    }

    /// The position before the first move, by which rules and komi are told.
    pub fn first(&self) -> &Game {
        &self.positions[0]
    }

    /// The longer side of the board.
    pub fn side(&self) -> u8 {
        self.first().board().width().max(self.first().board().height())
    }

    /// Points of the board.
    pub fn area(&self) -> usize {
        self.first().board().area()
    }

    /// What a review says about the moves, of whose positions so much was found. Of a move behind which stones are set up, or
    /// the same player moves again, it says nothing: what is found after it comes from that too.
    pub fn reviewed(&self, found: &[Option<PositionAnalysis>]) -> Vec<MoveReview> {
        let mut reviewed = loss::review(&self.moves, found, self.area(), self.side());
        for (at, one) in reviewed.iter_mut().enumerate() {
            // A setup is a new beginning.
            let is_before_setup = self.positions[at + 1].moves().is_empty();
            if is_before_setup || is_before_second(&self.moves, at) {
                one.assessment = None;
            }
        }
        reviewed
    }

    /// Stands for everything that a review rests on.
    pub fn key(&self) -> u64 {
        let mut key = Fnv1a::new();
        key.bytes(self.text.text.as_bytes());
        key.number(self.first().komi().to_bits());
        key.bytes(format!("{:?}", self.first().rules()).as_bytes());
        key.get()
    }
}

/// Whether the same player moves again after this move.
fn is_before_second(moves: &[Played], at: usize) -> bool {
    moves.get(at + 1).is_some_and(|next| next.color == moves[at].color)
}

/// Plays a record through under the rules and the komi that it is reviewed with.
fn walk(
    text: &GameText<'_>,
    assumed: &Assumed,
    before: &mut dyn FnMut(&Game, Played),
) -> Result<(Record, Game, Vec<String>)> {
    let mut record = Record::from_tree(&Tree::parse(text)?)?;
    let moves = record.moves().count();
    ensure!(
        moves <= MAX_MOVES,
        "game {}, line {}: more than {MAX_MOVES} moves",
        text.number,
        text.line
    );
    let mut notes = complete(&mut record.header, assumed);
    if record.has_late_setup() {
        notes.push(
            "stones are set up during the game: the moves just before are not judged".to_owned(),
        );
    }
    let Some(mut like) = Game::new(19, 19) else { bail!("no such board") };
    // An override holds whatever the record says, a default where it says nothing.
    like.set_rules(assumed.rules.unwrap_or(Rules::CHINESE));
    if let Some(rules) = assumed.rules {
        record.header.rules = Some(rules.to_string());
    }
    let mut moves = Vec::new();
    let last = record::walk(&record, None, &like, &mut |game, played| {
        moves.push(played);
        before(game, played);
    })?;
    if (0..moves.len()).any(|at| is_before_second(&moves, at)) {
        notes
            .push("a player moves twice in a row: the first of the moves is not judged".to_owned());
    }
    if record.moves().next().is_none() {
        bail!("game {}, line {}: no moves", text.number, text.line);
    }
    Ok((record, last, notes))
}

/// Puts in what a record does not say, or what is said instead; in words what that was.
fn complete(header: &mut Header, assumed: &Assumed) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(rules) = assumed.rules {
        notes.push(format!("{rules} rules, as the command line says"));
    } else {
        match header.rules.as_deref().map(str::trim).filter(|rules| !rules.is_empty()) {
            None => notes.push("the record names no rules: chinese is assumed".to_owned()),
            Some(rules) => {
                if let Err(why) = rules.parse::<Rules>() {
                    notes.push(format!("{why}: chinese is assumed"));
                }
            }
        }
    }
    let usual = record::usual_komi(header);
    if let Some(komi) = assumed.komi {
        notes.push(format!("komi {komi}, as the command line says"));
        header.komi = Some(komi);
    } else {
        match header.komi {
            Some(komi) if komi.abs() <= MAX_KOMI => {}
            Some(komi) => {
                // A server writes hundredths of a stone, of which two points are one.
                let points = komi / 50.0;
                let is_plausible = points.abs() <= 15.0 && (points * 2.0).fract() == 0.0;
                let points = if is_plausible { points } else { usual };
                notes.push(format!("a komi of {komi} is taken for {points}"));
                header.komi = Some(points);
            }
            None => {
                notes.push(format!("the record names no komi: {usual} is assumed"));
                header.komi = Some(usual);
            }
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_record::Games;
    use go_engine::Color;

    fn read(sgf: &str, assumed: &Assumed) -> Result<ReviewGame> {
        ReviewGame::read(&Games::new(sgf.as_bytes()).next().unwrap()?, assumed)
    }

    #[test]
    fn what_the_record_does_not_say_is_assumed_and_said() {
        let none = Assumed::default();
        let game = read("(;SZ[9];B[aa];B[bb];W[])", &none).unwrap();
        assert_eq!((game.moves.len(), game.positions.len(), game.first().komi()), (3, 4, 7.5));
        assert_eq!(game.notes.len(), 3);
        assert_eq!(
            game.positions[1].to_play(),
            Color::Black,
            "who did move, not whose turn it was"
        );
        assert_eq!(read("(;SZ[9]HA[2]AB[aa][cc];W[bb])", &none).unwrap().first().komi(), 0.5);
        // 3.75 stones, as a server has it.
        assert_eq!(read("(;KM[375];B[aa])", &none).unwrap().first().komi(), 7.5);
        assert_eq!(read("(;KM[99999];B[aa])", &none).unwrap().first().komi(), 7.5);
        let said = Assumed { rules: Some(Rules::JAPANESE), komi: Some(3.0) };
        let game = read("(;KM[6.5]RU[AGA];B[aa])", &said).unwrap();
        assert_eq!((game.first().komi(), *game.first().rules()), (3.0, Rules::JAPANESE));
        let game = read("(;KM[6.5]RU[AGA];B[aa])", &none).unwrap();
        assert_eq!((*game.first().rules(), game.notes.len()), (Rules::AGA, 0));
    }

    /// Which moves are judged where these leads are found, and how many notes there are.
    fn judged(moves: &str, leads: [f64; 5]) -> (Vec<bool>, usize) {
        let text = format!("(;SZ[9]KM[7]RU[AGA]{moves})");
        let game = read(&text, &Assumed::default()).unwrap();
        let found = leads.map(|lead| {
            let moves = Vec::new();
            Some(PositionAnalysis { visits: 100, winrate: 0.5, lead, moves, expected: None })
        });
        let reviewed = game.reviewed(&found);
        (reviewed.iter().map(|one| one.assessment.is_some()).collect(), game.notes.len())
    }

    #[test]
    fn a_move_behind_which_stones_are_set_up_is_not_judged() {
        let moves = ";B[aa];W[bb];AB[cc][dd];B[ee];W[ff]";
        let expected = vec![true, false, true, true];
        assert_eq!(judged(moves, [0.0, 0.0, 20.0, 20.0, 20.0]), (expected, 1));
    }

    #[test]
    fn a_move_behind_which_the_same_player_moves_is_not_judged() {
        let expected = vec![false, true, true, true];
        let leads = [0.0, 20.0, 20.0, 20.0, 20.0];
        assert_eq!(judged(";B[aa];B[bb];W[cc];B[dd]", leads), (expected, 1));
    }

    #[test]
    fn what_cannot_be_played_is_told_with_its_place() {
        let why = |sgf| match read(sgf, &Assumed::default()) {
            Ok(_) => panic!("{sgf} can be played"),
            Err(error) => format!("{error:#}"),
        };
        assert!(why("(;SZ[9];B[aa];W[aa])").contains("move 2"));
        assert!(why("(;SZ[9]PB[no moves])").contains("no moves"));
        assert!(why("(;GM[3];B[aa])").contains("GM[3]"));
        assert!(why("(;SZ[40];B[aa])").contains("40"));
        let long = format!("(;SZ[9]{})", ";B[];W[]".repeat(2501));
        assert_eq!(why(&long), "game 1, line 1: more than 5000 moves");
    }

    #[test]
    fn another_komi_is_another_review() {
        let key = |sgf| read(sgf, &Assumed::default()).unwrap().key();
        assert_eq!(key("(;KM[6.5];B[aa])"), key("(;KM[6.5];B[aa])"));
        assert_ne!(key("(;KM[6.5];B[aa])"), key("(;KM[5.5];B[aa])"));
    }
}
