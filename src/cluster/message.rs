//! What ranks tell each other, in bytes: a mark, the version, the kind, the search that it is about, then what it says, and a
//! checksum. Whatever does not read as that is an error.

use thiserror::Error;
use tree_search::upper::{Expansion, MAX_UPPER_DEPTH, Sums, UPPER_SUMS, UpperNode, UpperPath};

/// Begins every message.
const MARK: [u8; 4] = *b"TSJ\x02";
/// No message is longer.
pub const MAX_BYTES: usize = 16 << 20;
/// No message tells of more nodes, and no node has more moves.
const MAX_NODES: u64 = 50_000;
const MAX_MOVES: u64 = 1 << 16;
/// Visits and sums of no search are larger.
const MAX_VISITS: u64 = 1 << 31;
const MAX_SUM: f32 = 1e15;

/// Which search a message is about: its number, and what its position and settings are told by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchId {
    /// Counted by rank 0.
    pub number: u64,
    /// A hash of what is searched.
    pub key: u64,
}

/// What is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Rank 0 begins a search: in how many rounds, when ranks wait for each other, and of what.
    Begin {
        /// The search.
        search: SearchId,
        /// How many times ranks wait for each other; 0 is never.
        rounds: u32,
        /// What is searched, and how.
        job: Vec<u8>,
    },
    /// To rank 0: what a rank has found. From rank 0: what all others have.
    Found {
        /// The search.
        search: SearchId,
        /// The last round that was ended.
        round: u32,
        /// The upper tree, in the order of paths.
        nodes: Vec<UpperNode>,
        /// What nodes of it were expanded with, in the same order: of which nothing was told yet.
        expansions: Vec<Expansion>,
    },
    /// Rank 0 has ended the search.
    End {
        /// The search.
        search: SearchId,
    },
    /// To rank 0: why a rank cannot take part.
    Trouble {
        /// The search.
        search: SearchId,
        /// Why, in words.
        why: String,
    },
    /// The game is over, ranks may end.
    Quit,
}

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MessageError {
    /// They begin otherwise.
    #[error("no message of this program's version")]
    Mark,
    /// They are too long.
    #[error("a message of {0} bytes")]
    TooLong(usize),
    /// The checksum is another.
    #[error("a damaged message")]
    Checksum,
    /// They end too early or too late, or a number in them cannot be.
    #[error("a message that says nothing sensible")]
    Content,
}

const BEGIN: u8 = 0;
const FOUND: u8 = 1;
const END: u8 = 2;
const TROUBLE: u8 = 3;
const QUIT: u8 = 4;

/// A hash of bytes (FNV-1a).
pub fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

impl Message {
    /// The message in bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        let begin = |out: &mut Vec<u8>, kind: u8, search: &SearchId| {
            out.push(kind);
            out.extend(search.number.to_le_bytes());
            out.extend(search.key.to_le_bytes());
        };
        match self {
            Message::Begin { search, rounds, job } => {
                begin(&mut out, BEGIN, search);
                number(&mut out, u64::from(*rounds));
                out.extend(job);
            }
            Message::Found { search, round, nodes, expansions } => {
                begin(&mut out, FOUND, search);
                number(&mut out, u64::from(*round));
                write_nodes(&mut out, nodes);
                write_expansions(&mut out, expansions);
            }
            Message::End { search } => begin(&mut out, END, search),
            Message::Trouble { search, why } => {
                begin(&mut out, TROUBLE, search);
                out.extend(why.as_bytes());
            }
            Message::Quit => begin(&mut out, QUIT, &SearchId::default()),
        }
        let sum = hash(&out) as u32;
        out.extend(sum.to_le_bytes());
        out
    }

    /// The message that these bytes are.
    ///
    /// # Errors
    /// Why they are none.
    pub fn decode(bytes: &[u8]) -> Result<Message, MessageError> {
        if bytes.len() > MAX_BYTES {
            return Err(MessageError::TooLong(bytes.len()));
        }
        let content = bytes.strip_prefix(&MARK).ok_or(MessageError::Mark)?;
        let (content, sum) = content.split_last_chunk::<4>().ok_or(MessageError::Content)?;
        if u32::from_le_bytes(*sum) != hash(&bytes[..bytes.len() - 4]) as u32 {
            return Err(MessageError::Checksum);
        }
        Reader(content).message().ok_or(MessageError::Content)
    }
}

/// Writes a number, seven bits a byte, the lowest first.
fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Writes a path: how many moves it shares with the one before, how many follow, and those.
fn write_path(out: &mut Vec<u8>, path: UpperPath, last: &mut UpperPath) {
    let depth = path.depth();
    let same = (0..=depth).rev().find(|&d| path.up_to(d) == last.up_to(d)).unwrap_or(0);
    let same = same.min(last.depth());
    out.push((same << 4 | (depth - same)) as u8);
    (same..depth).filter_map(|d| path.up_to(d + 1).last()).for_each(|mv| number(out, mv.into()));
    *last = path;
}

/// Writes nodes: of each the path, visits, which sums are not 0, and those.
fn write_nodes(out: &mut Vec<u8>, nodes: &[UpperNode]) {
    number(out, nodes.len() as u64);
    let mut last = UpperPath::ROOT;
    for UpperNode { path, found } in nodes {
        write_path(out, *path, &mut last);
        number(out, u64::from(found.visits));
        let is_there = |at: &usize| found.sums[*at] as f32 != 0.0;
        let there: Vec<usize> = (0..UPPER_SUMS).filter(is_there).collect();
        out.push(there.iter().map(|at| 1 << at).sum());
        there.iter().for_each(|&at| out.extend((found.sums[at] as f32).to_le_bytes()));
    }
}

/// Writes expansions: of each the path, the value, how many moves there are, and each with its estimate.
fn write_expansions(out: &mut Vec<u8>, expansions: &[Expansion]) {
    number(out, expansions.len() as u64);
    let mut last = UpperPath::ROOT;
    for Expansion { path, value, moves } in expansions {
        write_path(out, *path, &mut last);
        out.extend(value.to_le_bytes());
        number(out, moves.len() as u64);
        for &(mv, estimate) in moves {
            number(out, mv.into());
            out.extend(estimate.to_le_bytes());
        }
    }
}

/// What is left to be read; everything is none where it does not read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self, max: u64) -> Option<u64> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let [byte] = self.take()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value).filter(|&value| value <= max);
            }
        }
        None
    }

    fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0).to_vec()
    }

    fn message(mut self) -> Option<Message> {
        let [kind] = self.take()?;
        let number = u64::from_le_bytes(self.take()?);
        let search = SearchId { number, key: u64::from_le_bytes(self.take()?) };
        let message = match kind {
            BEGIN => {
                let rounds = self.number(u64::from(u32::MAX))? as u32;
                Message::Begin { search, rounds, job: self.rest() }
            }
            FOUND => {
                let round = self.number(u64::from(u32::MAX))? as u32;
                let (nodes, expansions) = (self.nodes()?, self.expansions()?);
                Message::Found { search, round, nodes, expansions }
            }
            END => Message::End { search },
            TROUBLE => Message::Trouble { search, why: String::from_utf8(self.rest()).ok()? },
            QUIT => Message::Quit,
            _ => return None,
        };
        self.0.is_empty().then_some(message)
    }

    /// A path behind that of `last`; any path where there is none yet.
    fn path(&mut self, last: Option<UpperPath>) -> Option<UpperPath> {
        let [depths] = self.take()?;
        let (same, new) = (usize::from(depths >> 4), usize::from(depths & 15));
        let before = last.unwrap_or(UpperPath::ROOT);
        if same > before.depth() || same + new > MAX_UPPER_DEPTH {
            return None;
        }
        let mut path = before.up_to(same);
        for _ in 0..new {
            path = path.then(self.number(u64::from(u32::MAX))? as u32)?;
        }
        last.is_none_or(|last| path > last).then_some(path)
    }

    /// Expansions in the order of their paths, none twice.
    fn expansions(&mut self) -> Option<Vec<Expansion>> {
        let count = self.number(MAX_NODES)?;
        let mut expansions: Vec<Expansion> = Vec::new();
        for _ in 0..count {
            let path = self.path(expansions.last().map(|last| last.path))?;
            let value = f32::from_le_bytes(self.take()?);
            let count = self.number(MAX_MOVES)?;
            let mut moves = Vec::new();
            for _ in 0..count {
                let mv = self.number(u64::from(u32::MAX))? as u32;
                moves.push((mv, u32::from_le_bytes(self.take()?)));
            }
            expansions.push(Expansion { path, value: Some(value).filter(|v| !v.is_nan())?, moves });
        }
        Some(expansions)
    }

    /// Nodes in the order of their paths, none twice.
    fn nodes(&mut self) -> Option<Vec<UpperNode>> {
        let count = self.number(MAX_NODES)?;
        let mut nodes: Vec<UpperNode> = Vec::new();
        for _ in 0..count {
            let path = self.path(nodes.last().map(|node| node.path))?;
            let mut found =
                Sums { visits: self.number(MAX_VISITS)? as u32, sums: [0.0; UPPER_SUMS] };
            let [there] = self.take()?;
            if there >> UPPER_SUMS != 0 {
                return None;
            }
            for at in (0..UPPER_SUMS).filter(|at| there >> at & 1 == 1) {
                let sum = f32::from_le_bytes(self.take()?);
                // No number is none either.
                if sum.abs() > MAX_SUM || sum.is_nan() {
                    return None;
                }
                found.sums[at] = f64::from(sum);
            }
            nodes.push(UpperNode { path, found });
        }
        Some(nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nodes(rows: &[(Vec<u32>, u32, [f32; UPPER_SUMS])]) -> Vec<UpperNode> {
        let path = |moves: &Vec<u32>| {
            moves.iter().try_fold(UpperPath::ROOT, |path, &mv| path.then(mv)).unwrap()
        };
        let node = |(moves, visits, sums): &(Vec<u32>, u32, [f32; UPPER_SUMS])| UpperNode {
            path: path(moves),
            found: Sums { visits: *visits, sums: sums.map(f64::from) },
        };
        let mut nodes: Vec<UpperNode> = rows.iter().map(node).collect();
        nodes.sort_by_key(|node| node.path);
        nodes.dedup_by_key(|node| node.path);
        nodes
    }

    /// Expansions at the paths of these nodes.
    fn expansions(nodes: &[UpperNode], moves: &[(u32, u32)]) -> Vec<Expansion> {
        let expansion = |node: &UpperNode| {
            let value = node.found.sums[0] as f32;
            Expansion { path: node.path, value, moves: moves.to_vec() }
        };
        nodes.iter().map(expansion).collect()
    }

    fn row() -> impl Strategy<Value = (Vec<u32>, u32, [f32; UPPER_SUMS])> {
        let moves = prop::collection::vec(0u32..1 << 30, 0..=MAX_UPPER_DEPTH);
        let sum = prop_oneof![Just(0.0f32), -1e6f32..1e6];
        (moves, 0u32..1 << 31, prop::array::uniform6(sum))
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            rows in prop::collection::vec(row(), 0..40),
            moves in prop::collection::vec((any::<u32>(), any::<u32>()), 0..20),
            (number, key, round) in (any::<u64>(), any::<u64>(), any::<u32>()),
            job in prop::collection::vec(any::<u8>(), 0..99),
        ) {
            let (search, nodes) = (SearchId { number, key }, nodes(&rows));
            let expansions = expansions(&nodes, &moves);
            for message in [
                Message::Found { search, round, nodes, expansions },
                Message::Begin { search, rounds: round, job },
                Message::End { search },
                Message::Trouble { search, why: format!("{rows:?}") },
                Message::Quit,
            ] {
                prop_assert_eq!(Message::decode(&message.encode()), Ok(message));
            }
        }

        #[test]
        fn whatever_comes_is_a_message_or_an_error(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            rows in prop::collection::vec(row(), 0..5),
            (at, to) in (any::<prop::sample::Index>(), any::<u8>()),
        ) {
            let search = SearchId::default();
            prop_assert!(Message::decode(&bytes).is_err());
            // The right mark and sum before and behind anything.
            let mut forged = MARK.to_vec();
            forged.extend(&bytes);
            let sum = hash(&forged) as u32;
            forged.extend(sum.to_le_bytes());
            let _ = Message::decode(&forged);
            let nodes = nodes(&rows);
            let expansions = expansions(&nodes, &[(77, 0), (3, 1)]);
            let mut found = Message::Found { search, round: 3, nodes, expansions }.encode();
            found.truncate(found.len() - 4);
            let at = at.index(found.len());
            found[at] = to;
            let sum = hash(&found) as u32;
            found.extend(sum.to_le_bytes());
            if let Ok(Message::Found { nodes, expansions, .. }) = Message::decode(&found) {
                prop_assert!(expansions.is_sorted_by(|a, b| a.path < b.path));
                prop_assert!(nodes.is_sorted_by(|a, b| a.path < b.path));
                prop_assert!(nodes.iter().all(|n| n.found.sums.iter().all(|s| s.is_finite())));
            }
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let good = Message::Quit.encode();
        let mut damaged = good.clone();
        damaged[7] ^= 1;
        assert_eq!(Message::decode(&damaged), Err(MessageError::Checksum));
        assert_eq!(Message::decode(b"GIF89a"), Err(MessageError::Mark));
        assert_eq!(Message::decode(&good[..4]), Err(MessageError::Content));
        assert!(matches!(Message::decode(&vec![0; MAX_BYTES + 1]), Err(MessageError::TooLong(_))));
    }
}
