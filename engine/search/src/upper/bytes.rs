//! Upper trees in bytes, for messages. Malformed bytes read as `None`.

use super::{Expansion, MAX_UPPER_DEPTH, Sums, UPPER_SUMS, UpperNode, UpperPath};

/// No message tells of more nodes, and no node has more moves.
const MAX_NODES: u64 = 50_000;
const MAX_MOVES: u64 = 1 << 16;
/// Visits and sums of no search are larger.
const MAX_VISITS: u64 = 1 << 31;
const MAX_SUM: f32 = 1e15;

/// Writes a number, seven bits a byte, the lowest first.
pub fn write_number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Writes a path: how many moves it shares with the one before, how many follow, and those.
fn write_path(out: &mut Vec<u8>, path: UpperPath, last: &mut UpperPath) {
    let (depth, same) = (path.depth(), path.shared(last));
    out.push((same << 4 | (depth - same)) as u8);
    path.moves().skip(same).for_each(|mv| write_number(out, mv.into()));
    *last = path;
}

/// Writes nodes: of each the path, visits, which sums are not 0, and those.
pub fn write_nodes(out: &mut Vec<u8>, nodes: &[UpperNode]) {
    write_number(out, nodes.len() as u64);
    let mut last = UpperPath::ROOT;
    for UpperNode { path, found } in nodes {
        write_path(out, *path, &mut last);
        write_number(out, u64::from(found.visits));
        let sums = found.sums.map(|sum| sum as f32);
        out.push(sums.iter().enumerate().map(|(at, &sum)| u8::from(sum != 0.0) << at).sum());
        sums.iter().filter(|&&sum| sum != 0.0).for_each(|sum| out.extend(sum.to_le_bytes()));
    }
}

/// Writes expansions: of each the path, the value, how many moves there are, and each with its estimate.
pub fn write_expansions(out: &mut Vec<u8>, expansions: &[Expansion]) {
    write_number(out, expansions.len() as u64);
    let mut last = UpperPath::ROOT;
    for Expansion { path, value, moves } in expansions {
        write_path(out, *path, &mut last);
        out.extend(value.to_le_bytes());
        write_number(out, moves.len() as u64);
        for &(mv, estimate) in moves.iter() {
            write_number(out, mv.into());
            out.extend(estimate.to_le_bytes());
        }
    }
}

/// The bytes that are left to be read. Every reader returns `None` for malformed input.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    /// So many bytes.
    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    /// A number of up to so much.
    pub fn number(&mut self, max: u64) -> Option<u64> {
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

    /// All that is left.
    pub fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0).to_vec()
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
    pub fn expansions(&mut self) -> Option<Vec<Expansion>> {
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
            expansions.push(Expansion {
                path,
                value: Some(value).filter(|v| !v.is_nan())?,
                moves: moves.into(),
            });
        }
        Some(expansions)
    }

    /// Nodes in the order of their paths, none twice.
    pub fn nodes(&mut self) -> Option<Vec<UpperNode>> {
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
