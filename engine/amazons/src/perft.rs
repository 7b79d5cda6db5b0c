//! Counting the leaves of the game tree, the usual test of a move generator.

use crate::position::Position;

/// How many sequences of `depth` turns there are from a position. The last turn is counted in bulk.
///
/// ```
/// use amazons_engine::{Position, perft::perft};
/// assert_eq!(perft(&mut Position::start(), 1), 2176);
/// ```
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let mut count = 0;
            let before = *position;
            before.for_each_move(|mv| {
                position.make(mv);
                count += perft(position, depth - 1);
                *position = before;
            });
            count
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published counts: the positions that the counts are of, and the leaves by depth.
    const COUNTS: [(&str, &[u64]); 3] = [
        (
            "...O..O...|..........|..........|O........O|..........|..........|X........X|..........|..........|...X..X...",
            &[1, 2176, 4_307_152],
        ),
        (".O.O.|O...O|.....|X...X|.X.X.", &[1, 260, 50_422]),
        (".OO.|O..O|X..X|.XX.", &[1, 88, 4_336, 139_500]),
    ];

    #[test]
    fn counts_are_the_published_ones() {
        for (diagram, counts) in COUNTS {
            let mut position: Position = diagram.parse().expect("a diagram");
            for (depth, &count) in counts.iter().enumerate() {
                assert_eq!(perft(&mut position, depth as u32), count, "{diagram} at depth {depth}");
            }
        }
    }
}
