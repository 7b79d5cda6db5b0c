//! Features of what a candidate does to the chains about it.

use super::super::groups::Group;
use super::super::tactics::{Neighbours, liberties_after};
use super::distance_features::{bucket, size_of};
use super::{Extractor, Position};
use go_engine::playout::ladder::{atari_is_deadly, ladder_catches};
use go_engine::{Board, Color, Site};

/// What is read out once for each chain with one or two liberties.
#[derive(Clone, Copy, Default)]
pub(super) struct ChainFact {
    /// Read already in this position.
    known: bool,
    /// In atari: extending fails. With two liberties: the opponent's atari on the first catches it.
    caught: bool,
    /// With two liberties: the opponent's atari on the second catches it.
    caught_second: bool,
}

impl Extractor {
    /// Reads the chain named `head` out, once a position.
    fn fact<const N: usize, const W: usize>(
        &mut self,
        board: &Board<N, W>,
        head: Site,
    ) -> ChainFact {
        let at = usize::from(head.0);
        if !self.facts[at].known {
            let mut fact = ChainFact { known: true, ..ChainFact::default() };
            match board.liberties(head) {
                1 => fact.caught = atari_is_deadly(board, head),
                2 => {
                    let mut liberties = board.liberty_set(head).iter();
                    let mut catches = || {
                        liberties.next().is_some_and(|bit| {
                            ladder_catches(board, head, Board::<N, W>::site_of_bit(bit))
                        })
                    };
                    (fact.caught, fact.caught_second) = (catches(), catches());
                }
                _ => {}
            }
            self.facts[at] = fact;
        }
        self.facts[at]
    }

    /// Features of what a candidate does to the chains about it.
    pub(super) fn tactics<const N: usize, const W: usize>(
        &mut self,
        position: Position<'_, N, W>,
        site: Site,
        out: &mut Vec<u16>,
    ) {
        let Position { board, mover, last } = position;
        let mut add = |row: u32| out.push(row as u16);
        let pattern = board.pattern3x3(site);
        let touches_stones = pattern.stones(Color::Black) + pattern.stones(Color::White) > 0;
        let ko_open = !board.ko().is_pass();

        let (size, owner) = self.regions[usize::from(site.0)];
        if owner != 0 && owner != 3 {
            let whose = usize::from(owner != mover as u8);
            let degree = pattern.empties() as usize;
            add(Group::Region.row((usize::from(size) * 3 + whose) * 5 + degree));
        }
        if pattern.is_eye(mover) {
            add(Group::Eye.row(1));
        } else if pattern.is_eye(mover.other()) {
            add(Group::Eye.row(2));
        } else if pattern.is_surrounded(mover) {
            add(Group::Eye.row(3));
        }
        if !touches_stones {
            if ko_open {
                add(Group::Ko.row(1));
            }
            add(Group::Liberties.row(pattern.empties() as usize * 16));
            return;
        }

        let friends = Neighbours::of(board, site, mover);
        let enemies = Neighbours::of(board, site, mover.other());
        let after = liberties_after(board, site, mover).len() as usize;
        let last_chain = if last[0].is_pass() || board.is_empty(last[0]) {
            Site::PASS
        } else {
            board.chain(last[0])
        };
        let touched = |chain: Site| {
            Board::<N, W>::ORTHO.iter().any(|&step| {
                let next = last[0].offset(step);
                !last[0].is_pass() && board.color(next).is_some() && board.chain(next) == chain
            })
        };

        let joined = friends.as_slice().len().min(3);
        let faced = enemies.as_slice().len().min(3);
        add(Group::Liberties.row((after.min(5) * 4 + joined) * 4 + faced));

        let (mut captured, mut takes_last, mut would_escape, mut gives_atari) =
            (0, false, false, false);
        for &enemy in enemies.as_slice() {
            let stones = board.chain_len(enemy);
            let is_last = usize::from(enemy == last_chain);
            if enemy == last_chain {
                let liberties = board.liberties(enemy).min(4) as usize - 1;
                add(Group::Contact.row(liberties * 3 + bucket(stones as usize, &[1, 4])));
            }
            match board.liberties(enemy) {
                1 => {
                    captured += stones;
                    takes_last |= enemy == last_chain;
                    would_escape |= !self.fact(board, enemy).caught;
                }
                2 => {
                    gives_atari = true;
                    let fact = self.fact(board, enemy);
                    let first = board.liberty_set(enemy).first() == Some(Board::<N, W>::bit(site));
                    let works = if first { fact.caught } else { fact.caught_second };
                    let own = bucket(after, &[1, 2]);
                    let value =
                        ((size_of(stones) * 2 + usize::from(works)) * 2 + is_last) * 3 + own;
                    add(Group::Atari.row(value));
                }
                3 => {
                    let own = bucket(after, &[2, 3]);
                    add(Group::ThirdLiberty.row((size_of(stones) * 2 + is_last) * 3 + own));
                }
                4 => add(Group::FourthLiberty.row(size_of(stones) * 2 + is_last)),
                _ => {}
            }
        }

        let mut saves = false;
        let mut own_stones = 1;
        for &friend in friends.as_slice() {
            let stones = board.chain_len(friend);
            own_stones += stones;
            let was_touched = touched(friend);
            let liberties = board.liberties(friend);
            if was_touched {
                let left = liberties.min(4) as usize - 1;
                add(Group::Answer.row(left * 3 + bucket(stones as usize, &[1, 4])));
            }
            match liberties {
                1 => {
                    saves = true;
                    let fails = usize::from(self.fact(board, friend).caught);
                    let left = after.clamp(1, 4) - 1;
                    add(Group::Save.row((size_of(stones) * 4 + left) * 2 + fails));
                }
                2 => {
                    let fact = self.fact(board, friend);
                    let danger = usize::from(fact.caught || fact.caught_second);
                    let left = after.clamp(1, 5) - 1;
                    let value = (size_of(stones) * 5 + left) * 2 + danger;
                    add(Group::OwnTwo.row(value * 2 + usize::from(was_touched)));
                }
                3 => {
                    let left = after.clamp(3, 6) - 3;
                    let value = (size_of(stones) * 4 + left) * 2 + usize::from(was_touched);
                    add(Group::OwnThree.row(value));
                }
                _ => {}
            }
        }
        if captured > 0 {
            let saves_neighbour = saves
                || enemies.as_slice().iter().any(|&enemy| {
                    board.liberties(enemy) == 1 && touches_friend_in_atari(board, enemy, mover)
                });
            let size = bucket(captured as usize, &[1, 2, 4, 9]);
            let value = (size * 2 + usize::from(saves_neighbour)) * 2 + usize::from(takes_last);
            add(Group::Capture.row(value * 2 + usize::from(would_escape)));
        }
        if after == 1 {
            let size = bucket(own_stones as usize, &[1, 2, 3, 4]);
            let value = (size * 2 + usize::from(captured > 0)) * 2 + usize::from(gives_atari);
            add(Group::SelfAtari.row(value));
        }
        if ko_open {
            add(Group::Ko.row(if gives_atari || captured > 0 { 2 } else { 1 }));
        } else if captured == 1 && own_stones == 1 && after == 1 {
            add(Group::Ko.row(3));
        }
    }
}

/// Whether a chain touches a chain of `color` in atari.
fn touches_friend_in_atari<const N: usize, const W: usize>(
    board: &Board<N, W>,
    chain: Site,
    color: Color,
) -> bool {
    board.chain_stones(chain).any(|stone| {
        Board::<N, W>::ORTHO.iter().any(|&step| {
            let next = stone.offset(step);
            board.cell(next) == color as u8 && board.liberties(next) == 1
        })
    })
}
