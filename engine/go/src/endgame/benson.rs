//! Unconditional life (Benson 1976, "Life in the game of Go"): chains that cannot be captured even
//! if their owner always passes, and the territory that they enclose. Where stones may be put into suicide, what stands
//! inside an eye can be taken off again, so that what was under it counts as well.

use crate::Color;
use crate::board::{Board, Site, SiteSet};

/// What one colour holds unconditionally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SafeArea<const W: usize> {
    /// Stones that cannot be captured.
    pub stones: SiteSet<W>,
    /// Points, empty or with the opponent's stones, in which the opponent can never live.
    pub territory: SiteSet<W>,
}

/// A region that a colour's chains enclose: no stone of that colour in it.
struct Region<const W: usize> {
    points: SiteSet<W>,
    /// The points that the opponent might leave empty: those that are, and all where suicide is allowed.
    open: SiteSet<W>,
    /// Sites that name the chains about it.
    chains: Vec<Site>,
    healthy: bool,
}

/// What `color` holds unconditionally on this board, under rules that allow the suicide of several stones or do not.
///
/// ```
/// use go_engine::{board::Board9, endgame::safe_area, Color, Rules};
/// let board = Board9::new(9, 9).unwrap();
/// assert!(safe_area(&board, Color::Black, Rules::CHINESE.suicide).stones.is_empty());
/// ```
pub fn safe_area<const N: usize, const W: usize>(
    board: &Board<N, W>,
    color: Color,
    suicide: bool,
) -> SafeArea<W> {
    let mut regions = regions(board, color, suicide);
    // With the open points that each touches.
    let mut chains: Vec<(Site, SiteSet<W>)> = board
        .sites()
        .filter(|&s| board.color(s) == Some(color) && board.chain(s) == s)
        .map(|chain| (chain, touched(board, chain, suicide)))
        .collect();
    loop {
        let before = chains.len();
        chains.retain(|(chain, touched)| {
            let vital = regions.iter().filter(|region| {
                region.healthy
                    && region.chains.contains(chain)
                    && region.open.difference(touched).is_empty()
            });
            vital.count() >= 2
        });
        if chains.len() == before {
            break;
        }
        for region in &mut regions {
            region.healthy &= region.chains.iter().all(|&chain| is_alive(&chains, chain));
        }
    }
    let mut area = SafeArea { stones: SiteSet::EMPTY, territory: SiteSet::EMPTY };
    let mut breaths = SiteSet::EMPTY;
    for (chain, touched) in &chains {
        breaths.union_with(touched);
        for stone in board.chain_stones(*chain) {
            area.stones.insert(Board::<N, W>::bit(stone));
        }
    }
    for region in regions {
        // An eye of the opponent's would be an open point that touches none of these chains.
        let alive = !region.chains.is_empty()
            && region.chains.iter().all(|&chain| is_alive(&chains, chain));
        if alive && region.open.difference(&breaths).is_empty() {
            area.territory.union_with(&region.points);
        }
    }
    area
}

/// Whether the winner of an end by two passes has won whatever the players say of the dead: with what cannot be captured
/// alone. `komi` is all that White gets.
pub fn is_won_for_sure<const N: usize, const W: usize>(
    board: &Board<N, W>,
    komi: f64,
    suicide: bool,
) -> bool {
    let score = |margin: i32| f64::from(margin) - komi;
    let stands = score(board.area_score());
    let winner = if stands > 0.0 { Color::Black } else { Color::White };
    stands * score(safe_margin(board, winner, suicide)) > 0.0
}

/// Black's points less White's when `color` gets no more than what it holds unconditionally, and the opponent all else.
fn safe_margin<const N: usize, const W: usize>(
    board: &Board<N, W>,
    color: Color,
    suicide: bool,
) -> i32 {
    let SafeArea { stones, territory } = safe_area(board, color, suicide);
    let margin = 2 * (stones.len() + territory.len()) as i32 - board.area() as i32;
    match color {
        Color::Black => margin,
        Color::White => -margin,
    }
}

fn is_alive<const W: usize>(chains: &[(Site, SiteSet<W>)], chain: Site) -> bool {
    chains.iter().any(|&(alive, _)| alive == chain)
}

/// The open points that touch a chain: its liberties, and where suicide is allowed the opponent's stones beside it.
fn touched<const N: usize, const W: usize>(
    board: &Board<N, W>,
    chain: Site,
    suicide: bool,
) -> SiteSet<W> {
    let mut touched = *board.liberty_set(chain);
    let opponent = board.color(chain).map(Color::other).filter(|_| suicide);
    for stone in opponent.into_iter().flat_map(|_| board.chain_stones(chain)) {
        let beside = Board::<N, W>::neighbours(stone).into_iter();
        for site in beside.filter(|&s| board.is_on_board(s) && board.color(s) == opponent) {
            touched.insert(Board::<N, W>::bit(site));
        }
    }
    touched
}

fn regions<const N: usize, const W: usize>(
    board: &Board<N, W>,
    color: Color,
    suicide: bool,
) -> Vec<Region<W>> {
    let mut seen = SiteSet::<W>::EMPTY;
    let mut regions = Vec::new();
    for start in board.sites() {
        if board.color(start) == Some(color) || !seen.insert(Board::<N, W>::bit(start)) {
            continue;
        }
        let mut region = Region {
            points: SiteSet::EMPTY,
            open: SiteSet::EMPTY,
            chains: Vec::new(),
            healthy: true,
        };
        let mut stack = vec![start];
        while let Some(s) = stack.pop() {
            region.points.insert(Board::<N, W>::bit(s));
            if suicide || board.is_empty(s) {
                region.open.insert(Board::<N, W>::bit(s));
            }
            for t in Board::<N, W>::neighbours(s) {
                if !board.is_on_board(t) {
                    continue;
                }
                if board.color(t) == Some(color) {
                    if !region.chains.contains(&board.chain(t)) {
                        region.chains.push(board.chain(t));
                    }
                } else if seen.insert(Board::<N, W>::bit(t)) {
                    stack.push(t);
                }
            }
        }
        regions.push(region);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;
    use crate::board::Board9;

    fn board(rows: &[&str]) -> Board9 {
        let mut board = Board9::new(rows[0].len() as u8, rows.len() as u8).unwrap();
        for (row, text) in rows.iter().rev().enumerate() {
            for (col, sign) in text.chars().enumerate() {
                let s = board.site(Point::new(col as u8, row as u8)).unwrap();
                match sign {
                    'X' => drop(board.play(s, Color::Black)),
                    'O' => drop(board.play(s, Color::White)),
                    _ => {}
                }
            }
        }
        board
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        let two = board(&[".X.XO....", "XXXXO....", "OOOOO....", "........."]);
        let area = safe_area(&two, Color::Black, false);
        assert_eq!((area.stones.len(), area.territory.len()), (6, 2));
        assert!(safe_area(&two, Color::White, false).stones.is_empty());
        let one = board(&[".XXXO....", "XXXXO....", "OOOOO....", "........."]);
        assert!(safe_area(&one, Color::Black, false).stones.is_empty());
    }

    #[test]
    fn eyes_shared_by_two_chains_live_together() {
        // Neither black chain has an eye of its own; the two eyes are both vital to both.
        let b = board(&[".XO......", "X.XO.....", "OXXO.....", "OOOO....."]);
        let alone = safe_area(&b, Color::Black, false);
        assert!(alone.stones.is_empty(), "the stone at the top is not tied in");
        let b = board(&[".X.XO....", "XX.XO....", "XXXXO....", "OOOOO...."]);
        assert_eq!(safe_area(&b, Color::Black, false).stones.len(), 9);
    }

    #[test]
    fn what_suicide_takes_off_is_no_wall() {
        // White fills a corner, which takes its three stones off, then the two points of it that touch Black alone.
        let b = board(&[".........", "OOOOOOOOO", "XXXXXXXXX", ".XXXXXXX.", "O.XXXXX.O"]);
        let area = safe_area(&b, Color::Black, false);
        assert_eq!((area.stones.len(), area.territory.len()), (21, 6));
        assert!(safe_area(&b, Color::Black, true).stones.is_empty());
        let b = board(&[".........", "OOOOOOOOO", "XXXXXXXXX", ".XXXXXXX.", "XXXXXXXXX"]);
        assert_eq!(safe_area(&b, Color::Black, true), safe_area(&b, Color::Black, false));
        // A prisoner that touches the wall leaves no room for an eye.
        let b = board(&[".........", "OOOOOOOOO", "XXXXXXXXX", ".XXXXXXX.", "OXXXXXXXO"]);
        let area = safe_area(&b, Color::Black, true);
        assert_eq!((area.stones.len(), area.territory.len()), (23, 4));
    }

    #[test]
    fn a_large_empty_region_is_no_territory() {
        let b = board(&[".X.X.....", "XXXX.....", ".........", "........."]);
        let area = safe_area(&b, Color::Black, false);
        assert_eq!(area.stones.len(), 6);
        assert_eq!(area.territory.len(), 2);
    }
}
