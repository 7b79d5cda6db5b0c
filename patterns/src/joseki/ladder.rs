//! Ladders behind a joseki move: how they turn out on a real board, and whether that depends on
//! what lies outside the corner.

use super::corner::{Corner, Place, SIDE};
use super::stones::CornerPosition;
use go_engine::board::Board19;
use go_engine::playout::ladder::{atari_is_deadly, ladder_catches};
use go_engine::playout::liberties::liberties_after;
use go_engine::{Board, Color, Point, Site};

/// How the ladders about a move turn out once it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ladder {
    /// One of the mover's chains at the move is caught.
    pub caught: bool,
    /// A chain that the move puts into atari runs out.
    pub escapes: bool,
}

impl Ladder {
    /// Reads the ladders after `mover` plays on the legal site `site`.
    pub fn after<const N: usize, const W: usize>(
        board: &Board<N, W>,
        site: Site,
        mover: Color,
    ) -> Ladder {
        let around = || {
            let steps = Board::<N, W>::ORTHO.into_iter().chain(Board::<N, W>::DIAGONAL);
            steps.map(move |step| site.offset(step))
        };
        // Without a chain short of liberties there is nothing to read, and no board to copy.
        let short = |s: Site| board.color(s).is_some() && board.liberties(s) <= 2;
        if !around().any(short) && liberties_after(board, site, mover).len() > 2 {
            return Ladder::default();
        }
        let mut after = board.clone();
        after.play(site, mover);
        let caught = around().chain([site]).any(|s| {
            after.color(s) == Some(mover)
                && match after.liberties(s) {
                    1 => true,
                    2 => after.liberty_sites(s).any(|start| ladder_catches(&after, s, start)),
                    _ => false,
                }
        });
        let escapes = Board::<N, W>::neighbours(site)
            .into_iter()
            .any(|s| after.is_in_atari(s, mover.other()) && !atari_is_deadly(&after, s));
        Ladder { caught, escapes }
    }

    /// Whether the ladders about a move depend on stones outside the corner: read with nothing
    /// there, and with a wall of either colour across every way out.
    pub fn depends_on_outside(seen: CornerPosition, place: Place) -> bool {
        let alone = Ladder::with_wall(seen, place, None);
        Color::BOTH.into_iter().any(|color| Ladder::with_wall(seen, place, Some(color)) != alone)
    }

    /// The ladders on a board with this corner and a wall on the line two beyond it; the mover is
    /// Black.
    fn with_wall(seen: CornerPosition, place: Place, wall: Option<Color>) -> Option<Ladder> {
        let mut board = Board19::new(19, 19)?;
        let corner = Corner::LowerLeft;
        let stones = [(seen.own, Color::Black), (seen.other, Color::White)];
        for (color, place) in
            stones.into_iter().flat_map(|(set, color)| set.iter().map(move |p| (color, p)))
        {
            let site = board.site(corner.point(place, 19, 19))?;
            if !board.is_legal(site, color) {
                return None;
            }
            board.play(site, color);
        }
        if let Some(color) = wall {
            let line = SIDE + 1;
            let along = (0..=line).flat_map(|i| [Point::new(line, i), Point::new(i, line)]);
            for point in along {
                let site = board.site(point)?;
                if board.is_empty(site) {
                    board.play(site, color);
                }
            }
        }
        board.lift_ko();
        let site = board.site(corner.point(place, 19, 19))?;
        board.is_legal(site, Color::Black).then(|| Ladder::after(&board, site, Color::Black))
    }
}
