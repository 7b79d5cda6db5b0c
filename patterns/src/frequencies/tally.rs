//! The second pass of counting over one game: the chances of every known pattern.

use super::codes::Codes;
use super::counts::{CountTable, Distinct, NOWHERE, Part, SPLIT};
use super::incremental_codes::IncrementalCodes;
use super::response::ResponseCounts;
use super::template::{Name, TEMPLATES};
use super::timing::Timing;
use go_engine::Color;

/// What is counted: the known patterns of a round, looked at before or after the move.
#[derive(Clone, Copy)]
pub(super) struct Counting<'a> {
    /// When a pattern is looked at.
    pub timing: Timing,
    /// The round.
    pub part: Part,
    /// The patterns that were played.
    pub table: &'a CountTable,
}

/// Counts chances through a game without looking at every point at every move: a pattern is looked
/// up when it comes to be, and counted, for as many turns as it stood and could be played, when it
/// goes.
pub(super) struct Tally<'a, 'g, const N: usize, const W: usize> {
    tracker: IncrementalCodes<'g, N, W>,
    counting: Counting<'a>,
    distinct: &'a mut [Distinct],
    /// By point and mover: the slots of the patterns about it, [`NOWHERE`] from the first unknown on.
    slots: Vec<[[u32; TEMPLATES]; 2]>,
    /// The turn at which each pattern came to be.
    since: Vec<[[u16; TEMPLATES]; 2]>,
    /// Turns of each mover so far.
    turns: [u16; 2],
    /// Turns of each mover at which a point was not to be played, or not as it lies on the board.
    barred: Vec<[u16; 2]>,
    /// Whether a point was empty when it was last looked at.
    open: Vec<bool>,
    /// Points to look up again, by the smallest template that changed; larger than any for none.
    stale: Vec<u8>,
    queue: Vec<usize>,
}

const FRESH: u8 = TEMPLATES as u8;

impl<'a, 'g, const N: usize, const W: usize> Tally<'a, 'g, N, W> {
    /// A game from its start.
    pub fn new(
        tracker: IncrementalCodes<'g, N, W>,
        counting: Counting<'a>,
        distinct: &'a mut [Distinct],
    ) -> Self {
        let points = tracker.replay.board.area();
        Tally {
            tracker,
            counting,
            distinct,
            slots: vec![[[NOWHERE; TEMPLATES]; 2]; points],
            since: vec![[[0; TEMPLATES]; 2]; points],
            turns: [0; 2],
            barred: vec![[0; 2]; points],
            open: vec![false; points],
            stale: vec![FRESH; points],
            queue: Vec::new(),
        }
    }

    /// Goes through the game, and counts into the table and, where asked for, the responses.
    pub fn run(mut self, responses: Option<&ResponseCounts>) {
        for site in self.tracker.replay.board.sites() {
            if self.tracker.replay.board.is_empty(site) {
                let cell = self.tracker.codes.cell(&self.tracker.replay.board, site);
                self.open[cell] = true;
                self.look_up(cell, 0);
            }
        }
        while let Some((mover, site)) = self.tracker.replay.upcoming() {
            if !site.is_pass() {
                self.turns[mover.index()] += 1;
                self.bar(mover);
                if let Some(responses) = responses {
                    let replay = &self.tracker.replay;
                    responses.add(&replay.board, mover, replay.last[0], site);
                }
            }
            self.follow();
        }
        for site in self.tracker.replay.board.sites() {
            if self.tracker.replay.board.is_empty(site) {
                let cell = self.tracker.codes.cell(&self.tracker.replay.board, site);
                self.flush(&self.tracker.codes.clone_point(cell), cell, 0);
            }
        }
    }

    /// Notes the empty points where the mover may not play, and those where he would take stones off that are
    /// part of the pattern as it lies on the board: these moves' patterns are counted here.
    fn bar(&mut self, mover: Color) {
        let Tally { tracker, counting, barred, distinct, .. } = self;
        let (board, codes) = (&tracker.replay.board, &tracker.codes);
        for site in board.empties() {
            let may_be_illegal = !board.pattern3x3(site).touches_empty() || site == board.ko();
            let is_legal = !may_be_illegal || board.is_legal(site, mover);
            let alters = is_legal && counting.timing.alters(board, site, mover);
            if is_legal && !alters {
                continue;
            }
            barred[codes.cell(board, site)][mover.index()] += 1;
            if alters {
                let names = codes.names_of_move(board, site, mover, counting.timing);
                counting.add(&names);
                for (distinct, name) in distinct.iter_mut().zip(names) {
                    distinct.add(name);
                }
            }
        }
    }

    /// Plays the next move and brings the patterns that it changes up to date.
    fn follow(&mut self) {
        // Taken out so that the closure may use the rest.
        let mut stale = std::mem::take(&mut self.stale);
        let mut queue = std::mem::take(&mut self.queue);
        let mut dropped: Vec<(usize, u8, PointCodes)> = Vec::new();
        let keep_codes = !self.distinct.is_empty();
        self.tracker.advance_with(|codes, changes| {
            for &(cell, _) in changes {
                for (seer, template) in codes.seers(cell) {
                    if stale[seer] == FRESH {
                        queue.push(seer);
                    }
                    stale[seer] = stale[seer].min(template.index() as u8);
                }
                if stale[cell] == FRESH {
                    queue.push(cell);
                }
                stale[cell] = 0;
            }
            if keep_codes {
                let old = |&cell: &usize| (cell, stale[cell], codes.clone_point(cell));
                dropped.extend(queue.iter().map(old));
            }
        });
        if keep_codes {
            for (cell, from, codes) in &dropped {
                self.flush(codes, *cell, usize::from(*from));
            }
        } else {
            for &cell in &queue {
                self.flush(&PointCodes::default(), cell, usize::from(stale[cell]));
            }
        }
        let board = &self.tracker.replay.board;
        let side = usize::from(board.width());
        for &cell in &queue {
            let from = std::mem::replace(&mut stale[cell], FRESH);
            let point = go_engine::Point::new((cell % side) as u8, (cell / side) as u8);
            let board = &self.tracker.replay.board;
            self.open[cell] = board.site(point).is_some_and(|site| board.is_empty(site));
            if self.open[cell] {
                self.look_up(cell, usize::from(from));
            }
        }
        queue.clear();
        (self.stale, self.queue) = (stale, queue);
    }

    /// Turns of a mover at which a point was to be played.
    fn clock(&self, cell: usize, mover: Color) -> u16 {
        self.turns[mover.index()] - self.barred[cell][mover.index()]
    }

    /// Counts the patterns about a point that come to their end, from a template on.
    fn flush(&mut self, codes: &PointCodes, cell: usize, from: usize) {
        if !self.open[cell] {
            return;
        }
        for mover in Color::BOTH {
            let m = mover.index();
            let clock = self.clock(cell, mover);
            for template in from..TEMPLATES {
                let slot = self.slots[cell][m][template];
                let turns = clock - self.since[cell][m][template];
                if self.distinct.is_empty() && slot == NOWHERE && template >= SPLIT.index() {
                    break;
                }
                if slot != NOWHERE && turns > 0 {
                    self.counting.table.add_chances(slot, u32::from(turns));
                }
                self.slots[cell][m][template] = NOWHERE;
                self.since[cell][m][template] = clock;
                if let Some(distinct) = self.distinct.get_mut(template)
                    && turns > 0
                    && let Some(name) = codes.0[m].get(template)
                {
                    distinct.add(*name);
                }
            }
        }
    }

    /// Looks up the patterns about an empty point, from a template on.
    fn look_up(&mut self, cell: usize, from: usize) {
        for mover in Color::BOTH {
            let m = mover.index();
            let clock = self.clock(cell, mover);
            self.since[cell][m][from..].fill(clock);
            let mut inside = self.counting.part.has_small();
            let mut parent = None;
            for (template, name) in self.tracker.codes.names(cell, mover).enumerate() {
                if template == SPLIT.index() {
                    inside = self.counting.part.has(name);
                }
                if !inside {
                    parent = Some(name);
                    continue;
                }
                let slot = if template < from {
                    self.slots[cell][m][template]
                } else {
                    self.counting.table.find(name)
                };
                if slot == NOWHERE {
                    break;
                }
                if template >= from {
                    self.slots[cell][m][template] = slot;
                    if let Some(parent) = parent {
                        self.counting.table.set_parent(slot, parent);
                    }
                }
                parent = Some(name);
            }
        }
    }
}

impl Counting<'_> {
    /// Counts one chance of each of these patterns about a point, the smallest first.
    fn add(&self, names: &[Name; TEMPLATES]) {
        let mut inside = self.part.has_small();
        let mut parent = None;
        for &name in names {
            if name.template() == SPLIT {
                inside = self.part.has(name);
            }
            if inside {
                let slot = self.table.find(name);
                if slot == NOWHERE {
                    return;
                }
                self.table.add_chances(slot, 1);
                if let Some(parent) = parent {
                    self.table.set_parent(slot, parent);
                }
            }
            parent = Some(name);
        }
    }
}

/// The names about one point, for both movers.
#[derive(Default)]
struct PointCodes([Vec<Name>; 2]);

impl Codes {
    fn clone_point(&self, cell: usize) -> PointCodes {
        PointCodes(Color::BOTH.map(|mover| self.names(cell, mover).collect()))
    }
}
