//! A position with what is to be learned of it, and files of them.
//!
//! A file is a head of 32 bytes and one record of the same length after another, so that the training program maps it into
//! memory. Numbers are little-endian; points are counted row by row from the top, and a pass comes after them.
//!
//! | bytes of the head | what |
//! | --- | --- |
//! | 8 | `TSJ-GOSM` |
//! | 4 each | version, side of the board, bytes of a record, records |
//! | 4 each | games that its positions are of, hash of the options it was made with; zeros where that was not written yet |
//!
//! | bytes of a record, for a board of `a` points | what |
//! | --- | --- |
//! | 22 (a + 7) / 8 | the planes, a bit for each point, lowest first |
//! | 76 | the 19 numbers told of the whole board, floats |
//! | 48, 48 | the likeliest 24 moves, and their chances in 65,535ths; zeros where no teacher was asked |
//! | 2 | the move played, 65,535 for none |
//! | 20 | win, loss, mean score, its spread, lead, floats, for the player to move |
//! | 1 | who won the game in the end, for the player to move: 1, -1, 0, or 2 where it is not known |
//! | 1 | where the position comes from: 0 a record, 1 a game of the teacher's, 2 such a position after a stray move, 3 one that a search was asked about |
//! | 2 | number of the turn |
//! | a | owners in 127ths, 127 for the player to move |
//! | a | the predictor's chances: -10 ln p, 255 for what is not expected at all |

use go_network::Features;

/// Likeliest moves that are kept.
pub const MOVES: usize = 24;
/// Stands for no move.
const NO_MOVE: u16 = u16::MAX;
const MAGIC: &[u8; 8] = b"TSJ-GOSM";
const VERSION: u32 = 1;

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A record.
    Record,
    /// A game drawn from the teacher's policy.
    SelfPlay,
    /// Either, after a move that nobody would expect.
    Stray,
    /// A game drawn from the teacher's policy, of which a search said what is to be learned.
    Searched,
}

/// A position with what is to be learned of it; the player to move is meant everywhere, and points are counted row by row
/// from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What the network is told.
    pub features: Features,
    /// The chance of each point, and of a pass.
    pub policy: Vec<f32>,
    /// The move that was played.
    pub played: Option<usize>,
    /// The chances to win and to lose.
    pub outcome: [f32; 2],
    /// Mean score, its spread, and the lead, in points.
    pub score: [f32; 3],
    /// Who won in the end: 1, -1, or 0; unknown in many games.
    pub result: Option<i8>,
    /// Where it comes from.
    pub origin: Origin,
    /// Number of the turn.
    pub turn: u16,
    /// Whose each point will be, -1 to 1.
    pub owners: Vec<f32>,
    /// The predictor's chance of each point.
    pub expected: Vec<f32>,
}

/// Bytes of a record for a board of so many points.
fn record_len(area: usize) -> usize {
    22 * area.div_ceil(8) + 76 + 4 * MOVES + 2 + 20 + 4 + 2 * area
}

/// What a file was made of; all 0 in files of a time when it was not written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Games that its positions are of.
    pub games: u32,
    /// A hash of what gives the positions beside the games.
    pub options: u32,
}

/// Bytes of the head.
pub const HEAD: usize = 32;

impl Made {
    /// What the head of a file of so many bytes says; nothing where it is no whole file of positions of this board.
    pub fn read(head: &[u8; HEAD], side: u8, bytes: u64) -> Option<Made> {
        let number =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let len = record_len(usize::from(side).pow(2));
        let is_ours = head.starts_with(MAGIC)
            && [number(8), number(12), number(16)] == [VERSION, u32::from(side), len as u32]
            && bytes == HEAD as u64 + u64::from(number(20)) * len as u64;
        is_ours.then(|| Made { games: number(24), options: number(28) })
    }
}

/// A file of these samples.
///
/// # Panics
/// When there is a sample of a board with another side.
pub fn file(side: u8, samples: &[Sample], made: Made) -> Vec<u8> {
    let len = record_len(usize::from(side).pow(2));
    let mut bytes = Vec::with_capacity(HEAD + len * samples.len());
    bytes.extend(MAGIC);
    let counts = [VERSION, u32::from(side), len as u32, samples.len() as u32];
    for number in counts.into_iter().chain([made.games, made.options]) {
        bytes.extend(number.to_le_bytes());
    }
    for sample in samples {
        let before = bytes.len();
        sample.append(&mut bytes);
        assert_eq!(bytes.len() - before, len, "a sample of another board");
    }
    bytes
}

impl Sample {
    fn append(&self, bytes: &mut Vec<u8>) {
        let area = self.features.size.area();
        for plane in &self.features.planes {
            let packed = plane.iter().flat_map(|word| word.to_le_bytes());
            bytes.extend(packed.take(area.div_ceil(8)));
        }
        bytes.extend(self.features.globals.iter().flat_map(|number| number.to_le_bytes()));
        let mut moves: Vec<(usize, f32)> = self.policy.iter().copied().enumerate().collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        moves.resize(MOVES, (usize::from(NO_MOVE), 0.0));
        bytes.extend(moves.iter().flat_map(|&(index, _)| (index as u16).to_le_bytes()));
        let share = |chance: f32| (chance.clamp(0.0, 1.0) * 65_535.0).round() as u16;
        bytes.extend(moves.iter().flat_map(|&(_, chance)| share(chance).to_le_bytes()));
        bytes.extend(self.played.map_or(NO_MOVE, |played| played as u16).to_le_bytes());
        for number in self.outcome.iter().chain(&self.score) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.result.unwrap_or(2).to_le_bytes());
        bytes.push(self.origin as u8);
        bytes.extend(self.turn.to_le_bytes());
        let owner = |owner: &f32| (owner.clamp(-1.0, 1.0) * 127.0).round() as i8 as u8;
        bytes.extend(self.owners.iter().map(owner));
        let code = |chance: &f32| (-10.0 * chance.ln()).round().clamp(0.0, 255.0) as u8;
        bytes.extend(self.expected.iter().map(code));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_network::BoardSize;

    #[test]
    fn a_record_has_its_parts_where_the_table_says() {
        let mut features = Features::empty(BoardSize::square(5));
        features.globals[18] = 1.5;
        let mut policy = vec![0.0; 26];
        (policy[25], policy[3]) = (0.75, 0.25);
        let sample = Sample {
            features,
            policy,
            played: Some(3),
            outcome: [0.6, 0.4],
            score: [2.0, 8.0, 1.5],
            result: Some(-1),
            origin: Origin::Stray,
            turn: 258,
            owners: vec![-1.0; 25],
            expected: (0..25).map(|index| if index == 3 { 1.0 } else { 0.0 }).collect(),
        };
        let made = Made { games: 7, options: 0x0403_0201 };
        let bytes = file(5, &[sample.clone(), sample], made);
        let len = 22 * 4 + 76 + 96 + 2 + 20 + 4 + 50;
        assert_eq!(bytes.len(), 32 + 2 * len);
        assert_eq!(bytes[..24], *b"TSJ-GOSM\x01\0\0\0\x05\0\0\0\x50\x01\0\0\x02\0\0\0");
        assert_eq!(bytes[24..32], [7, 0, 0, 0, 1, 2, 3, 4]);
        let head = bytes[..HEAD].try_into().expect("a head");
        let whole = bytes.len() as u64;
        assert_eq!(Made::read(head, 5, whole), Some(made));
        assert_eq!([Made::read(head, 6, whole), Made::read(head, 5, whole - 1)], [None; 2]);
        let record = &bytes[32..32 + len];
        assert_eq!(record[..4], [0xff, 0xff, 0xff, 0x01], "the board");
        assert_eq!(record[88 + 72..88 + 76], 1.5f32.to_le_bytes());
        assert_eq!(record[164..168], [25, 0, 3, 0], "a pass is the likeliest");
        assert_eq!(record[212..216], [0xff, 0xbf, 0, 0x40]);
        assert_eq!(record[260..262], [3, 0]);
        assert_eq!(record[282..286], [255, 2, 2, 1]);
        assert_eq!(record[286], 129, "-127");
        assert_eq!(record[311 + 3..311 + 5], [0, 255]);
    }
}
