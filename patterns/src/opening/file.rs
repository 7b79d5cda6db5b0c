//! A book's file: its conditions, then each position with its moves, in the order in which they were found.
//!
//! No position is written: it follows from the first move that leads to it. So what is read is a book of positions that
//! the rules allow, or an error.

use std::collections::HashMap;

use go_engine::{Game, MAX_SIDE, Point, Rules};

use super::book::{Conditions, Node, OpeningBook, after};
use super::canonical::Canonical;
use super::evaluation::{Evaluation, LEAD_STEPS, MAX_LEAD, MoveEvaluation, WINRATE_STEPS};
use crate::file::{FileError, Reader, Writer};

const KIND: &[u8; 8] = b"TESUBOOK";
const VERSION: u32 = 1;
/// Longer names are no names.
const MAX_NAME: usize = 200;

impl OpeningBook {
    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        let Conditions { size, rules, komi, visits, batch, seed, network } = &self.conditions;
        out.byte(*size);
        write_name(&mut out, &rules.in_records());
        out.float(*komi);
        out.number(u64::from(*visits));
        out.number(u64::from(*batch));
        out.number(*seed);
        write_name(&mut out, network);
        out.number(self.nodes.len() as u64);
        for node in &self.nodes {
            write_evaluation(&mut out, *size, &node.found);
            for child in &node.children {
                out.number(child.map_or(0, |child| u64::from(child) + 1));
            }
        }
        out.finish()
    }

    /// A book from its file.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<OpeningBook, FileError> {
        let mut file = Reader::open(bytes, KIND, VERSION)?;
        let size = file.byte()?;
        let rules: Rules = read_name(&mut file)?.parse().map_err(|_| FileError::Damaged)?;
        let conditions = Conditions {
            size,
            rules,
            komi: file.float()?,
            visits: small(&mut file)?,
            batch: small(&mut file)?,
            seed: file.number()?,
            network: read_name(&mut file)?,
        };
        let count = small(&mut file)?;
        let mut book = OpeningBook::new(conditions);
        let start = book.start().filter(|_| size >= 2).ok_or(FileError::Damaged)?;
        // The game and the depth of each position that some move before it leads to.
        let mut reached: HashMap<u32, (Game, u16)> = HashMap::from([(0, (start, 0))]);
        for number in 0..count {
            let found = read_evaluation(&mut file, size)?;
            let children: Vec<Option<u32>> = found
                .moves
                .iter()
                .map(|_| Ok(small(&mut file)?.checked_sub(1)))
                .collect::<Result<_, FileError>>()?;
            let (game, ply) = reached.remove(&number).ok_or(FileError::Damaged)?;
            let key = Canonical::of(&game).key();
            for (mv, &child) in found.moves.iter().zip(&children) {
                let Some(child) = child else { continue };
                let next = after(&game, mv.place).ok_or(FileError::Damaged)?;
                let next_key = Canonical::of(&next).key();
                // A position that is met by several ways must be the same one, and farther on.
                let known = match (book.nodes.get(child as usize), reached.get(&child)) {
                    (Some(node), _) => Some((node.key, node.ply)),
                    (None, Some((game, ply))) => Some((Canonical::of(game).key(), *ply)),
                    (None, None) => None,
                };
                match known {
                    Some((key, depth)) if key != next_key || depth <= ply => {
                        return Err(FileError::Damaged);
                    }
                    Some(_) => {}
                    None if child <= number || child >= count => return Err(FileError::Damaged),
                    None => drop(reached.insert(child, (next, ply.saturating_add(1)))),
                }
            }
            if book.index.insert(key, number).is_some() {
                return Err(FileError::Damaged);
            }
            book.nodes.push(Node { key, ply, found, children });
        }
        file.end()?;
        book.backup();
        Ok(book)
    }
}

fn write_name(out: &mut Writer, name: &str) {
    let mut end = name.len().min(MAX_NAME);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    out.number(end as u64);
    out.bytes(&name.as_bytes()[..end]);
}

fn read_name(file: &mut Reader) -> Result<String, FileError> {
    let length = file.number()?;
    if length > MAX_NAME as u64 {
        return Err(FileError::Damaged);
    }
    let bytes = (0..length).map(|_| file.byte()).collect::<Result<Vec<u8>, _>>()?;
    String::from_utf8(bytes).map_err(|_| FileError::Damaged)
}

fn small(file: &mut Reader) -> Result<u32, FileError> {
    u32::try_from(file.number()?).map_err(|_| FileError::Damaged)
}

/// Writes what a search found of a position of a board of this side.
pub(super) fn write_evaluation(out: &mut Writer, size: u8, found: &Evaluation) {
    let score = |out: &mut Writer, winrate: f32, lead: f32| {
        out.number((winrate * WINRATE_STEPS).round() as u64);
        out.number(((lead + MAX_LEAD) * LEAD_STEPS).round() as u64);
    };
    score(out, found.winrate, found.lead);
    out.number(u64::from(found.visits));
    out.byte(found.moves.len() as u8);
    for mv in &found.moves {
        out.number(u64::from(mv.place.row()) * u64::from(size) + u64::from(mv.place.col()));
        out.number(u64::from(mv.visits));
        score(out, mv.winrate, mv.lead);
    }
}

pub(super) fn read_evaluation(file: &mut Reader, size: u8) -> Result<Evaluation, FileError> {
    let score = |file: &mut Reader| {
        let (winrate, lead) = (file.number()?, file.number()?);
        if winrate > WINRATE_STEPS as u64 || lead > (2.0 * MAX_LEAD * LEAD_STEPS) as u64 {
            return Err(FileError::Damaged);
        }
        let lead = lead as i64 - (MAX_LEAD * LEAD_STEPS) as i64;
        Ok((winrate as f32 / WINRATE_STEPS, lead as f32 / LEAD_STEPS))
    };
    let (winrate, lead) = score(file)?;
    let visits = small(file)?;
    let count = usize::from(file.byte()?);
    if count > Evaluation::MAX_MOVES {
        return Err(FileError::Damaged);
    }
    let mut moves: Vec<MoveEvaluation> = Vec::with_capacity(count);
    for _ in 0..count {
        let place = file.number()?;
        if size > MAX_SIDE || place >= u64::from(size) * u64::from(size) {
            return Err(FileError::Damaged);
        }
        let place = Point::new((place % u64::from(size)) as u8, (place / u64::from(size)) as u8);
        let visits = small(file)?;
        let (winrate, lead) = score(file)?;
        if moves.iter().any(|mv| mv.place == place) {
            return Err(FileError::Damaged);
        }
        moves.push(MoveEvaluation { place, visits, winrate, lead });
    }
    Ok(Evaluation { winrate, lead, visits, moves })
}
