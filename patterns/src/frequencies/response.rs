//! Responses in contact: 3x3 patterns about a point beside the last move, with that move marked, and
//! how often experts play them where they can be played. Small enough for a playout.

use crate::file::{FileError, Reader, Writer};
use go_engine::board::Pattern3x3;
use go_engine::{Board, Color, Site};
use std::sync::atomic::{AtomicU32, Ordering};

/// One for each 3x3 code seen from the mover and each of the eight places of the last move.
const CODES: usize = 1 << 19;

/// The code of a point, seen by the mover as Black, with the place (0 to 7) of the last move.
#[inline(always)]
fn index(pattern: Pattern3x3, mover: Color, place: usize) -> usize {
    usize::from(pattern.seen_by(mover).0) << 3 | place
}

/// Where each place goes when the board is turned by a quarter, and when it is mirrored.
const TURN: [usize; 8] = [1, 2, 3, 0, 5, 6, 7, 4];
const MIRROR: [usize; 8] = [0, 3, 2, 1, 7, 6, 5, 4];

fn moved(index: usize, to: &[usize; 8]) -> usize {
    let (code, place) = (index >> 3, index & 7);
    let code = (0..8).fold(0, |moved, from| moved | (code >> (2 * from) & 3) << (2 * to[from]));
    code << 3 | to[place]
}

/// The eight ways that a marked code can lie.
fn images(index: usize) -> [usize; 8] {
    let mut all = [index; 8];
    for i in 1..8 {
        all[i] = if i == 4 { moved(index, &MIRROR) } else { moved(all[i - 1], &TURN) };
    }
    all
}

/// Counts of responses while they are learned, from many threads at once.
#[derive(Debug)]
pub(super) struct ResponseCounts {
    played: Vec<AtomicU32>,
    chances: Vec<AtomicU32>,
}

impl ResponseCounts {
    pub(super) fn new() -> ResponseCounts {
        let zeros = || (0..CODES).map(|_| AtomicU32::new(0)).collect();
        ResponseCounts { played: zeros(), chances: zeros() }
    }

    /// Counts the points about the last move at which the mover may play, and the one played.
    pub(super) fn add<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        mover: Color,
        last: Site,
        played: Site,
    ) {
        if last.is_pass() {
            return;
        }
        for (place, step) in Board::<N, W>::NEIGHBOURS.into_iter().enumerate() {
            let site = last.offset(step);
            if board.is_empty(site) && board.is_legal(site, mover) {
                // From there the last move lies on the opposite side.
                let at = index(board.pattern3x3(site), mover, place ^ 2);
                self.chances[at].fetch_add(1, Ordering::Relaxed);
                if site == played {
                    self.played[at].fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    /// Adds what was counted in another part of the games.
    pub(super) fn merge(&self, other: &ResponseCounts) {
        let both = [(&self.played, &other.played), (&self.chances, &other.chances)];
        for (sum, more) in both.into_iter().flat_map(|(sums, more)| sums.iter().zip(more)) {
            sum.fetch_add(more.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    pub(super) fn write(&self, out: &mut Writer) {
        let chances = self.chances.iter().map(|count| count.load(Ordering::Relaxed));
        let known: Vec<(usize, u32)> =
            chances.enumerate().filter(|&(_, chances)| chances > 0).collect();
        out.number(known.len() as u64);
        for (code, chances) in known {
            out.number(code as u64);
            out.number(u64::from(self.played[code].load(Ordering::Relaxed)));
            out.number(u64::from(chances));
        }
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<ResponseCounts, FileError> {
        let counts = ResponseCounts::new();
        let narrow = |value: u64| u32::try_from(value).map_err(|_| FileError::Damaged);
        for _ in 0..from.number()? {
            let code = usize::try_from(from.number()?).map_err(|_| FileError::Damaged)?;
            let (played, chances) = (narrow(from.number()?)?, narrow(from.number()?)?);
            counts.played.get(code).ok_or(FileError::Damaged)?.store(played, Ordering::Relaxed);
            counts.chances[code].store(chances, Ordering::Relaxed);
        }
        Ok(counts)
    }

    /// The counts of all ways that a pattern can lie together, at the minimum of its codes.
    pub(super) fn finish(self) -> ResponsePatterns {
        let mut list = Vec::new();
        for at in 0..CODES {
            let ways = images(at);
            if ways.iter().any(|&way| way < at) {
                continue;
            }
            let mut distinct = ways.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            let sum = |counts: &[AtomicU32]| -> u32 {
                distinct.iter().map(|&way| counts[way].load(Ordering::Relaxed)).sum()
            };
            let (played, chances) = (sum(&self.played), sum(&self.chances));
            if played > 0 {
                list.push(Response { code: at as u32, played, chances });
            }
        }
        ResponsePatterns::new(list)
    }
}

/// A pattern of a response and its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Response {
    code: u32,
    played: u32,
    chances: u32,
}

/// How often experts answer a neighbouring stone with each 3x3 pattern where they can.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponsePatterns {
    list: Vec<Response>,
    /// C_A / C_N in 65,536ths, by code, in all ways that it can lie.
    rates: Vec<u16>,
}

impl ResponsePatterns {
    fn new(list: Vec<Response>) -> ResponsePatterns {
        let mut rates = vec![0; CODES];
        for response in &list {
            let rate = f64::from(response.played) / f64::from(response.chances.max(1));
            for way in images(response.code as usize) {
                rates[way] = (rate * 65536.0).round().clamp(0.0, 65535.0) as u16;
            }
        }
        ResponsePatterns { list, rates }
    }

    /// How many patterns are known.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The rate, in 65,536ths, at which experts answer the stone on the place `last` about `site`, 0 to
    /// 7 as in [`Pattern3x3`].
    #[inline(always)]
    pub fn rate<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        site: Site,
        last: usize,
        mover: Color,
    ) -> u16 {
        self.rates[index(board.pattern3x3(site), mover, last & 7) & (CODES - 1)]
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.number(self.list.len() as u64);
        let mut before = 0;
        for response in &self.list {
            out.number(u64::from(response.code - before));
            before = response.code;
            out.number(u64::from(response.played));
            out.number(u64::from(response.chances));
        }
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<ResponsePatterns, FileError> {
        let len = from.number()?;
        let mut list = Vec::new();
        let mut code = 0u32;
        let narrow = |value: u64| u32::try_from(value).map_err(|_| FileError::Damaged);
        for _ in 0..len {
            code = code.checked_add(narrow(from.number()?)?).ok_or(FileError::Damaged)?;
            if code as usize >= CODES {
                return Err(FileError::Damaged);
            }
            let (played, chances) = (narrow(from.number()?)?, narrow(from.number()?)?);
            list.push(Response { code, played, chances });
        }
        Ok(ResponsePatterns::new(list))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::board::Board9;
    use go_engine::{Point, rng::Rng};

    #[test]
    fn turned_and_mirrored_boards_have_the_same_pattern() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let mut boards = [Board9::new(9, 9).unwrap(), Board9::new(9, 9).unwrap()];
            let turn: fn(Point) -> Point = |p| Point::new(8 - p.row(), p.col());
            let mirror: fn(Point) -> Point = |p| Point::new(8 - p.col(), p.row());
            let way = if rng.below(2) == 0 { turn } else { mirror };
            for _ in 0..30 {
                let p = Point::new(rng.below(9) as u8, rng.below(9) as u8);
                let color = Color::BOTH[rng.below(2) as usize];
                let site = boards[0].site(p).unwrap();
                if boards[0].is_legal(site, color) && !boards[0].is_suicide(site, color) {
                    boards[0].play(site, color);
                    let site = boards[1].site(way(p)).unwrap();
                    boards[1].play(site, color);
                }
            }
            for col in 1..8 {
                let (p, last) = (Point::new(col, 4), Point::new(col + 1, 5));
                let code = |board: &Board9, p: Point, last: Point, color| {
                    let (site, last) = (board.site(p).unwrap(), board.site(last).unwrap());
                    let sees = |&step: &isize| site.offset(step) == last;
                    let place = Board9::NEIGHBOURS.iter().position(sees).unwrap();
                    index(board.pattern3x3(site), color, place)
                };
                let a = code(&boards[0], p, last, Color::Black);
                let b = code(&boards[1], way(p), way(last), Color::Black);
                assert!(images(a).contains(&b), "{a} {b}");
            }
        }
    }
}
