//! Features of what a candidate does to the chains about it.

use super::super::groups::Group;
use super::distance_features::{bucket, size_of};
use super::{Extractor, Position, Region};
use go_engine::playout::ladder::{atari_is_deadly, ladder_catches};
use go_engine::playout::liberties::liberties_after_captures;
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
                    let mut liberties = board.liberty_sites(head);
                    let mut catches =
                        || liberties.next().is_some_and(|start| ladder_catches(board, head, start));
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
        let Position { board, mover, .. } = position;
        self.surroundings(board, mover, site, out);
        let pattern = board.pattern3x3(site);
        if pattern.stones(Color::Black) + pattern.stones(Color::White) == 0 {
            if !board.ko().is_pass() {
                add(out, Group::Ko.row(1));
            }
            add(out, Group::Liberties.row(pattern.empties() as usize * 16));
            return;
        }

        let friends = board.chains_beside(site, mover);
        let enemies = board.chains_beside(site, mover.other());
        let after = liberties_after_captures(board, site, mover).len() as usize;
        let joined = friends.len().min(3);
        let faced = enemies.len().min(3);
        add(out, Group::Liberties.row((after.min(5) * 4 + joined) * 4 + faced));

        let mut effect = Effect { after, own_stones: 1, ..Effect::default() };
        self.enemies(position, site, &enemies, &mut effect, out);
        self.friends(position, &friends, &mut effect, out);
        if effect.captured > 0 && !effect.saves {
            effect.saves = enemies.iter().any(|&enemy| {
                board.liberties(enemy) == 1 && touches_friend_in_atari(board, enemy, mover)
            });
        }
        effect.features(!board.ko().is_pass(), out);
    }

    /// Whose region the point lies in, and whether it is an eye.
    #[inline]
    fn surroundings<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        mover: Color,
        site: Site,
        out: &mut Vec<u16>,
    ) {
        let pattern = board.pattern3x3(site);
        let Region { size, owner } = self.regions[usize::from(site.0)];
        if let Some(owner) = owner {
            let whose = usize::from(owner != mover);
            let degree = pattern.empties() as usize;
            add(out, Group::Region.row((usize::from(size) * 3 + whose) * 5 + degree));
        }
        if pattern.is_eye(mover) {
            add(out, Group::Eye.row(1));
        } else if pattern.is_eye(mover.other()) {
            add(out, Group::Eye.row(2));
        } else if pattern.is_surrounded(mover) {
            add(out, Group::Eye.row(3));
        }
    }

    /// What a move does to the opponent's chains beside it.
    #[inline]
    fn enemies<const N: usize, const W: usize>(
        &mut self,
        Position { board, last, .. }: Position<'_, N, W>,
        site: Site,
        enemies: &[Site],
        effect: &mut Effect,
        out: &mut Vec<u16>,
    ) {
        let last_chain = if last[0].is_pass() || board.is_empty(last[0]) {
            Site::PASS
        } else {
            board.chain(last[0])
        };
        for &enemy in enemies {
            let stones = board.chain_len(enemy);
            let is_last = usize::from(enemy == last_chain);
            if enemy == last_chain {
                let liberties = board.liberties(enemy).min(4) as usize - 1;
                add(out, Group::Contact.row(liberties * 3 + bucket(stones as usize, &[1, 4])));
            }
            match board.liberties(enemy) {
                1 => {
                    effect.captured += stones;
                    effect.takes_last |= enemy == last_chain;
                    effect.would_escape |= !self.fact(board, enemy).caught;
                }
                2 => {
                    effect.gives_atari = true;
                    let fact = self.fact(board, enemy);
                    let first = board.liberty_set(enemy).first() == Some(Board::<N, W>::bit(site));
                    let works = if first { fact.caught } else { fact.caught_second };
                    let own = bucket(effect.after, &[1, 2]);
                    let value =
                        ((size_of(stones) * 2 + usize::from(works)) * 2 + is_last) * 3 + own;
                    add(out, Group::Atari.row(value));
                }
                3 => {
                    let own = bucket(effect.after, &[2, 3]);
                    add(out, Group::ThirdLiberty.row((size_of(stones) * 2 + is_last) * 3 + own));
                }
                4 => add(out, Group::FourthLiberty.row(size_of(stones) * 2 + is_last)),
                _ => {}
            }
        }
    }

    /// What a move does to the mover's own chains that it joins.
    #[inline]
    fn friends<const N: usize, const W: usize>(
        &mut self,
        Position { board, last, .. }: Position<'_, N, W>,
        friends: &[Site],
        effect: &mut Effect,
        out: &mut Vec<u16>,
    ) {
        let touched = |chain: Site| {
            Board::<N, W>::neighbours(last[0]).into_iter().any(|next| {
                !last[0].is_pass() && board.color(next).is_some() && board.chain(next) == chain
            })
        };
        let after = effect.after;
        for &friend in friends {
            let stones = board.chain_len(friend);
            effect.own_stones += stones;
            let was_touched = touched(friend);
            let liberties = board.liberties(friend);
            if was_touched {
                let left = liberties.min(4) as usize - 1;
                add(out, Group::Answer.row(left * 3 + bucket(stones as usize, &[1, 4])));
            }
            match liberties {
                1 => {
                    effect.saves = true;
                    let fails = usize::from(self.fact(board, friend).caught);
                    let left = after.clamp(1, 4) - 1;
                    add(out, Group::Save.row((size_of(stones) * 4 + left) * 2 + fails));
                }
                2 => {
                    let fact = self.fact(board, friend);
                    let danger = usize::from(fact.caught || fact.caught_second);
                    let left = after.clamp(1, 5) - 1;
                    let value = (size_of(stones) * 5 + left) * 2 + danger;
                    add(out, Group::OwnTwo.row(value * 2 + usize::from(was_touched)));
                }
                3 => {
                    let left = after.clamp(3, 6) - 3;
                    let value = (size_of(stones) * 4 + left) * 2 + usize::from(was_touched);
                    add(out, Group::OwnThree.row(value));
                }
                _ => {}
            }
        }
    }
}

/// What a move comes to for all chains about it.
#[derive(Default)]
struct Effect {
    /// Liberties of the new chain.
    after: usize,
    /// Stones of the new chain.
    own_stones: u32,
    /// Stones that are captured.
    captured: u32,
    /// The chain of the last move is captured.
    takes_last: bool,
    /// A captured chain could have run away.
    would_escape: bool,
    /// A chain of the opponent is in atari afterwards.
    gives_atari: bool,
    /// A chain of the mover's is in atari no more.
    saves: bool,
}

impl Effect {
    /// Captures, self-atari, and ko.
    #[inline]
    fn features(&self, ko_open: bool, out: &mut Vec<u16>) {
        if self.captured > 0 {
            let size = bucket(self.captured as usize, &[1, 2, 4, 9]);
            let value = (size * 2 + usize::from(self.saves)) * 2 + usize::from(self.takes_last);
            add(out, Group::Capture.row(value * 2 + usize::from(self.would_escape)));
        }
        if self.after == 1 {
            let size = bucket(self.own_stones as usize, &[1, 2, 3, 4]);
            let value =
                (size * 2 + usize::from(self.captured > 0)) * 2 + usize::from(self.gives_atari);
            add(out, Group::SelfAtari.row(value));
        }
        if ko_open {
            add(out, Group::Ko.row(if self.gives_atari || self.captured > 0 { 2 } else { 1 }));
        } else if self.captured == 1 && self.own_stones == 1 && self.after == 1 {
            add(out, Group::Ko.row(3));
        }
    }
}

#[inline]
fn add(out: &mut Vec<u16>, row: u32) {
    out.push(row as u16);
}

/// Whether a chain touches a chain of `color` in atari.
fn touches_friend_in_atari<const N: usize, const W: usize>(
    board: &Board<N, W>,
    chain: Site,
    color: Color,
) -> bool {
    board.chain_stones(chain).any(|stone| board.touches_atari(stone, color))
}
