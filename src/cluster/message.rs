//! What ranks tell each other, in bytes: a mark, the version, the kind, the search that it is about, then what it says, and a
//! checksum. Whatever does not read as that is an error.

use thiserror::Error;
use tree_search::upper::{
    Expansion, Reader, UpperNode, write_expansions, write_nodes, write_number,
};

/// Begins every message.
const MARK: [u8; 4] = *b"TSJ\x02";
/// No message is longer.
pub const MAX_BYTES: usize = 16 << 20;

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

/// A hash of bytes: as FNV-1a, but eight at a time.
pub fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|&word| u64::from_le_bytes(word));
    let rest = rest.iter().map(|&byte| u64::from(byte));
    let step = |hash: u64, part: u64| {
        let product = (hash ^ part).wrapping_mul(0x0100_0000_01b3);
        product ^ product >> 32
    };
    words.chain(rest).fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, step)
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
                write_number(&mut out, u64::from(*rounds));
                out.extend(job);
            }
            Message::Found { search, round, nodes, expansions } => {
                begin(&mut out, FOUND, search);
                write_number(&mut out, u64::from(*round));
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
        read(Reader(content)).ok_or(MessageError::Content)
    }
}

/// The message of what follows the mark, if it is one.
fn read(mut content: Reader<'_>) -> Option<Message> {
    let [kind] = content.take()?;
    let number = u64::from_le_bytes(content.take()?);
    let search = SearchId { number, key: u64::from_le_bytes(content.take()?) };
    let message = match kind {
        BEGIN => {
            let rounds = content.number(u64::from(u32::MAX))? as u32;
            Message::Begin { search, rounds, job: content.rest() }
        }
        FOUND => {
            let round = content.number(u64::from(u32::MAX))? as u32;
            let (nodes, expansions) = (content.nodes()?, content.expansions()?);
            Message::Found { search, round, nodes, expansions }
        }
        END => Message::End { search },
        TROUBLE => Message::Trouble { search, why: String::from_utf8(content.rest()).ok()? },
        QUIT => Message::Quit,
        _ => return None,
    };
    content.0.is_empty().then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tree_search::upper::{MAX_UPPER_DEPTH, Sums, UPPER_SUMS, UpperPath};

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
            Expansion { path: node.path, value, moves: moves.into() }
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
