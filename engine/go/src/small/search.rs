//! Whether a side can be sure of so many points: alpha-beta with one question, deeper and deeper.
//!
//! One side is to prove that it gets them. It never goes back to a position of its own line. Where the rules forbid the
//! other side to, such a move counts for nothing; what rests on that holds on this line alone, and is not kept. Where they
//! do not forbid it, it ends the proof. What is kept holds on every line that it does not lead back to: there some stone
//! stands through all of the proof that the line's position does not have.

use super::board::{Bits, Position, Shape, point, safe_area};
use super::table::{Entry, Goal, Images, PROVEN, Table, key_of};
use crate::rules::Ko;
use crate::{Color, Game, Move, Rules};

/// How often the caller is asked whether to stop, in positions.
const STOP_EVERY: u64 = 4096;
/// No line is looked at further than this.
const MAX_DEPTH: u32 = 100;

/// The search's state.
pub(super) struct Search<'a> {
    shape: Shape,
    rules: Rules,
    /// Positions of the game, which the rules forbid to bring back: with superko a number for each.
    game: Vec<u64>,
    /// Positions of the line that is looked at.
    line: Vec<u64>,
    table: &'a mut Table,
    size: (u8, u8),
    history: [[u32; 32]; 2],
    /// The moves that decided last at each ply.
    killers: Vec<[Bits; 2]>,
    /// Whether the last proof rests on what superko forbids the opponent on this line.
    rests_on_line: bool,
    /// The stones that stand through all of the last proof: those of the side to move there, and the other side's.
    standing: (Bits, Bits),
    nodes: u64,
    /// Positions to be looked at for a question, and in all.
    max_nodes: u64,
    limit: u64,
    stop: &'a dyn Fn() -> bool,
    is_stopped: bool,
    /// Only proofs are taken from the table.
    forgets_failures: bool,
}

impl<'a> Search<'a> {
    /// For a position of a game, in which `color` is to move.
    pub(super) fn new(
        shape: Shape,
        game: &Game,
        color: Color,
        table: &'a mut Table,
        max_nodes: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Search<'a> {
        let mut search = Search {
            shape,
            rules: *game.rules(),
            game: Vec::new(),
            line: Vec::new(),
            table,
            size: (game.board().width(), game.board().height()),
            history: [[0; 32]; 2],
            killers: vec![[0; 2]; MAX_DEPTH as usize + 1],
            rests_on_line: false,
            standing: (0, 0),
            nodes: 0,
            max_nodes,
            limit: max_nodes,
            stop,
            is_stopped: false,
            forgets_failures: false,
        };
        if game.rules().ko != Ko::Simple {
            search.game = search.positions(game, color);
        }
        search
    }

    /// Forgets what was proven for other games.
    pub(super) fn forget(&mut self) {
        self.table.clear(self.limit, Images::new(self.size, &self.game));
    }

    /// Positions that were looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The positions of a game before the present one, with who was to move and with who moved although it was not their
    /// turn, as the game itself has it.
    fn positions(&self, game: &Game, color: Color) -> Vec<u64> {
        let mut replayed = game.clone();
        replayed.undo_to(0);
        let mut turn = game.start().to_play;
        let mut keys = Vec::new();
        for played in game.moves() {
            for turn in [turn, played.color] {
                keys.push(self.key(Position::of(replayed.board(), turn), turn == color));
            }
            if replayed.replay(played.color, played.mv).is_err() {
                break;
            }
            turn = played.color.other();
        }
        keys
    }

    /// What a position is compared by; whether the side to move is the one to move at the root.
    fn key(&self, position: Position, is_root_side: bool) -> u64 {
        let Position { own, other, .. } = position;
        let side = u64::from(self.rules.ko == Ko::Situational && is_root_side);
        self.stones(own, other, is_root_side) | side
    }

    /// Sets of stones in one number, those of the side that moves at the root above the others.
    fn stones(&self, own: Bits, other: Bits, is_root_side: bool) -> u64 {
        let (first, second) = if is_root_side { (own, other) } else { (other, own) };
        key_of(first, second)
    }

    /// Whether the side to move gets at least `points`, and by which move; none when there is no
    /// answer within the limits.
    ///
    /// No more than `limit` positions are looked at.
    pub(super) fn reaches(
        &mut self,
        root: Position,
        points: i32,
        limit: u64,
    ) -> Option<(bool, Move)> {
        self.max_nodes = self.nodes.saturating_add(limit).min(self.limit);
        self.is_stopped = false;
        let points = points as i8;
        let win = Goal { points, mover_proves: true, root_proves: true };
        let loss = Goal { points: 1 - points, mover_proves: false, root_proves: false };
        self.forgets_failures = false;
        let mut last_round = 0;
        for depth in (1..MAX_DEPTH).step_by(2) {
            let begun = self.nodes;
            for goal in [win, loss] {
                self.table.round = self.table.round.wrapping_add(1);
                self.line.clear();
                let found = self.prove(root, goal, depth, 0);
                if self.is_stopped {
                    return None;
                }
                if let Some(mv) = found {
                    return Some((goal.mover_proves, move_of(mv)));
                }
            }
            // Nothing is left to be seen deeper. But what failed on one line, since it led back to it, may not on another.
            self.forgets_failures |= self.nodes - begun == last_round;
            last_round = self.nodes - begun;
        }
        None
    }

    /// The move that is known to get the side to move so many points, from what was proven when the game had only `since`
    /// moves.
    pub(super) fn known_move(
        &mut self,
        (game, color, since): (&Game, Color, usize),
        root: Position,
        points: i32,
    ) -> Option<Move> {
        let goal = Goal { points: points as i8, mover_proves: true, root_proves: true };
        let entry = self.table.get(root, goal).filter(|entry| entry.depth == PROVEN)?;
        // Two for each move.
        self.line = self.positions(game, color).into_iter().skip(2 * since).collect();
        (!self.may_lead_back(entry.standing, 0)).then(|| move_of(entry.mv()))
    }

    /// The board's points.
    pub(super) fn area(&self) -> i32 {
        self.shape.area
    }

    /// The move by which a goal is proven to be reached, 0 where none is needed or a pass does; none without a proof.
    fn prove(&mut self, position: Position, goal: Goal, depth: u32, ply: usize) -> Option<Bits> {
        self.nodes += 1;
        self.rests_on_line = false;
        if self.nodes >= self.max_nodes || (self.nodes.is_multiple_of(STOP_EVERY) && (self.stop)())
        {
            self.is_stopped = true;
            return None;
        }
        let shape = self.shape;
        let Position { own, other, .. } = position;
        let points = i32::from(goal.points);
        // The one who moves can end the game by a second pass.
        self.standing = (own, other);
        if position.passed {
            let score = position.score(shape);
            if goal.mover_proves && score >= points {
                return Some(0);
            }
            if !goal.mover_proves && -score < points {
                return None;
            }
        }
        let safe = |own, other| safe_area(shape, own, other, self.rules.suicide);
        let (mine, theirs) = (safe(own, other), safe(other, own));
        let (sure, lost) = if goal.mover_proves { (mine, theirs) } else { (theirs, mine) };
        let count = |bits: Bits| bits.count_ones() as i32;
        if shape.area - 2 * count(lost) < points {
            return None;
        }
        let living = if goal.mover_proves { (own & sure, 0) } else { (0, other & sure) };
        let can_clear = self.rules.ko == Ko::Simple || !self.has_been(living, ply);
        if can_clear && 2 * count(sure) - shape.area >= points && ply > 0 {
            if self.rules.ko != Ko::Simple {
                self.standing = living;
            }
            return Some(0);
        }
        let entry = self.table.get(position, goal);
        if let Some(entry) = entry {
            if self.holds(&entry, ply) {
                self.standing = entry.standing;
                return Some(entry.mv());
            }
            let is_new = entry.round == self.table.round && !self.forgets_failures;
            if is_new && entry.depth != PROVEN && u32::from(entry.depth) >= depth {
                return None;
            }
        }
        if depth == 0 {
            return None;
        }
        let hint = entry.map_or(0, |entry| entry.mv());
        self.line.push(self.key(position, ply.is_multiple_of(2)));
        // Nobody gains by a stone where everything is settled; but what is dead has to be taken off before a pass.
        let mut settled = if mine & other == 0 { mine | theirs } else { theirs };
        if !goal.mover_proves && !can_clear {
            settled &= !sure;
        }
        let found = self.try_moves(position, goal, depth, ply, (hint, settled));
        self.line.pop();
        if self.is_stopped {
            return None;
        }
        let (proof, mv) = found;
        let depth = match proof {
            true if self.rests_on_line => 0,
            true => PROVEN,
            false => depth as u8,
        };
        self.standing = (self.standing.0 & own, self.standing.1 & other);
        self.table.keep(position, Entry::new(goal, self.table.round, depth, mv, self.standing));
        proof.then_some(mv)
    }

    /// Whether an earlier position of the game or the line has all of these stones. If none has, superko forbids the side
    /// whose they are nothing where it lives by them: each move by which it takes off what is dead adds a stone.
    fn has_been(&self, (own, other): (Bits, Bits), ply: usize) -> bool {
        let standing = self.stones(own, other, ply.is_multiple_of(2));
        standing != 0
            && self.game.iter().chain(&self.line).any(|position| position & standing == standing)
    }

    /// Whether this is proven, on this line too.
    fn holds(&self, entry: &Entry, ply: usize) -> bool {
        entry.depth == PROVEN && !self.may_lead_back(entry.standing, ply)
    }

    /// Whether a proof, through which these stones of the side to move and of the other stand, may lead back to a position
    /// of the line.
    fn may_lead_back(&self, (own, other): (Bits, Bits), ply: usize) -> bool {
        let standing = self.stones(own, other, ply.is_multiple_of(2));
        self.line.iter().any(|position| position & standing == standing)
    }

    /// Tries the moves, the likeliest first: whether the goal is proven, and the move that decided it.
    fn try_moves(
        &mut self,
        position: Position,
        goal: Goal,
        depth: u32,
        ply: usize,
        (hint, settled): (Bits, Bits),
    ) -> (bool, Bits) {
        let (moves, count) = self.ordered(position, ply, hint, settled);
        let below = goal.after_move();
        let mut nexts = [None; 32];
        let mut rests_on_line = false;
        // A proof that is known of what follows one of the moves spares all searches (enhanced transposition cut-off).
        for (next, &at) in nexts.iter_mut().zip(&moves[..count]) {
            *next = Some(match at {
                0 if position.passed => Played::Illegal,
                0 => Played::On(position.after_pass()),
                at => self.played(position, at, ply),
            });
            if goal.mover_proves
                && let Some(Played::On(after)) = *next
                && let Some(entry) = self.table.get(after, below)
                && self.holds(&entry, ply + 1)
            {
                self.standing = swapped(entry.standing);
                return (true, at);
            }
            if !goal.mover_proves && matches!(*next, Some(Played::Back)) {
                if self.rules.ko == Ko::Simple {
                    return (false, at);
                }
                rests_on_line = true;
            }
        }
        let mut all_proven = true;
        let mut standing = (Bits::MAX, Bits::MAX);
        for (next, &at) in nexts.into_iter().zip(&moves[..count]) {
            // A second pass ends the game, and was looked at; nothing is proven by a move back.
            let Some(Played::On(next)) = next else { continue };
            let proven = self.prove(next, below, depth - 1, ply + 1).is_some();
            if self.is_stopped {
                return (false, 0);
            }
            let (own, other) = swapped(self.standing);
            self.standing = (own, other);
            standing = (standing.0 & own, standing.1 & other);
            if proven == goal.mover_proves {
                if self.killers[ply][0] != at {
                    self.killers[ply] = [at, self.killers[ply][0]];
                }
                if at != 0 {
                    let worth = &mut self.history[ply % 2][at.trailing_zeros() as usize & 31];
                    *worth = (*worth + depth * depth).min(1 << 24);
                }
                return (proven, at);
            }
            all_proven &= proven;
            rests_on_line |= self.rests_on_line;
        }
        self.rests_on_line = rests_on_line;
        self.standing = standing;
        // Of a side that proves, no move did; of the other, none kept it from a proof.
        (!goal.mover_proves && all_proven, hint)
    }

    /// The position after a stone, if the rules allow it.
    fn played(&self, position: Position, at: Bits, ply: usize) -> Played {
        if at == position.ko {
            return Played::Illegal;
        }
        let next = position.after(self.shape, at);
        let is_suicide = next.other & at == 0;
        // That of a single stone changes nothing: where it is allowed, it is a pass that does not end the game.
        if is_suicide && (!self.rules.suicide || next.other == position.own) {
            return Played::Illegal;
        }
        let key = self.key(next, !ply.is_multiple_of(2));
        if self.game.contains(&key) {
            return Played::Illegal;
        }
        match self.line.contains(&key) {
            true => Played::Back,
            false => Played::On(next),
        }
    }

    /// The moves in the order in which they are tried, but for those on `settled` points.
    fn ordered(
        &self,
        position: Position,
        ply: usize,
        hint: Bits,
        settled: Bits,
    ) -> ([Bits; 32], usize) {
        let shape = self.shape;
        let empty = shape.all & !(position.own | position.other);
        let mut order = [(0u32, 0 as Bits); 32];
        let mut count = 0;
        let mut rest = empty & !settled;
        while rest != 0 {
            let at = rest & rest.wrapping_neg();
            rest &= !at;
            let beside = shape.grown(at) & !at;
            let mut worth = 1 + self.history[ply % 2][at.trailing_zeros() as usize & 31];
            worth +=
                64 * (beside & empty).count_ones() + 32 * (beside & position.other).count_ones();
            // Into an eye, most likely.
            if beside & !position.own == 0 {
                worth = 1;
            }
            if self.killers[ply].contains(&at) {
                worth += 1 << 25;
            }
            order[count] = (if at == hint { u32::MAX } else { worth }, at);
            count += 1;
        }
        order[count] = (if position.passed { u32::MAX - 1 } else { 2 }, 0);
        count += 1;
        order[..count].sort_unstable_by_key(|&(worth, _)| std::cmp::Reverse(worth));
        (order.map(|(_, at)| at), count)
    }
}

fn swapped((own, other): (Bits, Bits)) -> (Bits, Bits) {
    (other, own)
}

fn move_of(bits: Bits) -> Move {
    if bits == 0 { Move::Pass } else { Move::Play(point(bits)) }
}

/// What became of a move.
#[derive(Clone, Copy)]
enum Played {
    Illegal,
    /// It brings back a position of the line.
    Back,
    On(Position),
}
