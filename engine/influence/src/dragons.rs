//! Dragons: worms of a colour that live or die together, joined by influence and by links that
//! cannot be cut; and how safe each is (Chen 1989).

use super::links::{Link, links};
use super::worms::Worms;
use super::{CERTAIN, Influence, InfluenceModel};
use go_engine::endgame::safe_area;
use go_engine::game::AnyBoard;
use go_engine::{Color, Point, with_board};

/// A dragon that is certain to live has this safety; 0 is dead.
pub const SAFE: u8 = 64;

/// Points of territory that make an eye, in the models that know no better.
const POINTS_OF_AN_EYE: f32 = 6.0;
/// Open points about a dragon that let it escape for sure.
const FREE: f32 = 12.0;
/// A dragon with fewer liberties may be caught before it lives or escapes.
const FEW_LIBERTIES: f32 = 4.0;
/// A dragon below this safety is lost.
const HOPELESS: u8 = 6;

/// Worms of a colour that live or die together.
#[derive(Clone, Debug, PartialEq)]
pub struct Dragon {
    /// Whose.
    pub color: Color,
    /// Its worms, by their numbers.
    pub worms: Vec<usize>,
    /// Its stones, sorted.
    pub stones: Vec<Point>,
    /// The empty points beside its stones, sorted.
    pub liberties: Vec<Point>,
    /// The empty points that it controls, sorted.
    pub territory: Vec<Point>,
    /// Open points about it: empty, beside its stones or territory, not controlled by anybody.
    pub freedom: usize,
    /// From 0, dead, to 64, alive.
    pub safety: u8,
}

impl Dragon {
    /// The point that names it: its first stone.
    pub fn origin(&self) -> Point {
        self.stones[0]
    }
}

/// A position in dragons.
#[derive(Clone, Debug, PartialEq)]
pub struct Dragons {
    /// The worms and cavities.
    pub found: Worms,
    /// What joins worms that influence does not.
    pub links: Vec<Link>,
    /// The dragons by their first stones.
    pub dragons: Vec<Dragon>,
}

impl Dragons {
    /// The dragons of a position as a model sees them; `influence` is what the model makes of it.
    pub fn of(board: &AnyBoard, model: &dyn InfluenceModel, influence: &Influence) -> Dragons {
        let found = Worms::of(board);
        let links = links(board, &found);
        let mut sets = Sets::new(found.worms.len());
        for link in &links {
            sets.union(link.worms[0], link.worms[1]);
        }
        let areas = areas(board, &found, influence);
        for area in &areas {
            for pair in area.worms.windows(2) {
                sets.union(pair[0], pair[1]);
            }
        }
        let mut dragons: Vec<Dragon> = Vec::new();
        let mut numbers = vec![None; found.worms.len()];
        for (number, worm) in found.worms.iter().enumerate() {
            let root = sets.root(number);
            let at = *numbers[root].get_or_insert_with(|| {
                dragons.push(Dragon {
                    color: worm.color,
                    worms: Vec::new(),
                    stones: Vec::new(),
                    liberties: Vec::new(),
                    territory: Vec::new(),
                    freedom: 0,
                    safety: 0,
                });
                dragons.len() - 1
            });
            let dragon = &mut dragons[at];
            dragon.worms.push(number);
            dragon.stones.extend(&worm.stones);
            dragon.liberties.extend(&worm.liberties);
        }
        for area in areas {
            let Some(&worm) = area.worms.first() else { continue };
            let root = sets.root(worm);
            if let Some(at) = numbers[root] {
                dragons[at].territory.extend(area.empty);
            }
        }
        let alive = unconditional(board);
        for dragon in &mut dragons {
            for points in [&mut dragon.stones, &mut dragon.liberties, &mut dragon.territory] {
                points.sort_unstable();
                points.dedup();
            }
            dragon.freedom = freedom(board, influence, dragon);
            dragon.safety = if dragon.stones.iter().any(|&stone| alive(stone)) {
                SAFE
            } else if model.is_learned() {
                learned_safety(influence, dragon)
            } else {
                estimated_safety(influence, dragon, &found)
            };
        }
        Dragons { found, links, dragons }
    }

    /// The dragon of a stone.
    pub fn at(&self, point: Point) -> Option<&Dragon> {
        let worm = self.found.worm(point)?;
        self.dragons.iter().find(|dragon| dragon.worms.contains(&worm))
    }

    /// The dragons of a position, from the stones alone.
    pub fn estimate(board: &AnyBoard, model: &dyn InfluenceModel, to_play: Color) -> Dragons {
        let influence = model.influence(board, to_play);
        Dragons::of(board, model, &influence)
    }
}

/// Points that belong together by influence: stones of a colour and empty points that it controls.
struct Area {
    worms: Vec<usize>,
    empty: Vec<Point>,
}

fn areas(board: &AnyBoard, found: &Worms, influence: &Influence) -> Vec<Area> {
    let width = usize::from(board.width());
    let index = |p: Point| usize::from(p.row()) * width + usize::from(p.col());
    // Stones count as their own colour's, whatever the influence on them.
    let holder = |p: Point| board.stone(p).or_else(|| influence.controller(p));
    let mut seen = vec![false; board.area()];
    let mut areas = Vec::new();
    for first in board.points() {
        let Some(color) = holder(first) else { continue };
        if std::mem::replace(&mut seen[index(first)], true) {
            continue;
        }
        let mut area = Area { worms: Vec::new(), empty: Vec::new() };
        let mut open = vec![first];
        while let Some(point) = open.pop() {
            match found.worm(point) {
                Some(worm) => area.worms.push(worm),
                None => area.empty.push(point),
            }
            for beside in board.neighbours(point) {
                if holder(beside) == Some(color)
                    && !std::mem::replace(&mut seen[index(beside)], true)
                {
                    open.push(beside);
                }
            }
        }
        area.worms.sort_unstable();
        area.worms.dedup();
        areas.push(area);
    }
    areas
}

/// Whether a stone is alive whatever happens (Benson 1976), suicide apart: an estimate knows no rules.
fn unconditional(board: &AnyBoard) -> impl Fn(Point) -> bool {
    let mut alive: Vec<Point> = with_board!(board, board => {
        let areas = Color::BOTH.map(|color| safe_area(board, color, false).stones);
        let safe = |site| areas.iter().any(|area| area.contains(bit(board, site)));
        board.sites().filter(|&site| safe(site)).map(|site| board.point(site)).collect()
    });
    alive.sort_unstable();
    move |point| alive.binary_search(&point).is_ok()
}

fn bit<const N: usize, const W: usize>(_: &go_engine::Board<N, W>, site: go_engine::Site) -> usize {
    go_engine::Board::<N, W>::bit(site)
}

fn freedom(board: &AnyBoard, influence: &Influence, dragon: &Dragon) -> usize {
    let about = dragon.stones.iter().chain(&dragon.territory).flat_map(|&p| board.neighbours(p));
    let mut open: Vec<Point> = about
        .filter(|&point| board.is_empty(point) && influence.controller(point).is_none())
        .collect();
    open.sort_unstable();
    open.dedup();
    open.len()
}

/// The chance that the stones stand at the end, as it was learned.
fn learned_safety(influence: &Influence, dragon: &Dragon) -> u8 {
    let owned: f32 = dragon.stones.iter().map(|&stone| influence.ownership(stone)).sum();
    let sign = f32::from(super::stones::sign(dragon.color));
    let chance = 0.5 + 0.5 * sign * owned / dragon.stones.len() as f32;
    (f32::from(SAFE) * chance).round() as u8
}

/// Chen's way: how near it is to two eyes, and whether it can get away.
fn estimated_safety(influence: &Influence, dragon: &Dragon, found: &Worms) -> u8 {
    let certain = CERTAIN as f32;
    let held = |&point: &Point| influence.normalised(point).abs() as f32 / certain;
    let territory: f32 = dragon.territory.iter().map(held).sum();
    // What only this dragon surrounds is an eye, however small.
    let own = |beside: &[usize]| {
        !beside.is_empty() && beside.iter().all(|worm| dragon.worms.contains(worm))
    };
    let eyes = found.cavities.iter().filter(|cavity| own(&cavity.beside)).count() as f32;
    let eyes = (territory / POINTS_OF_AN_EYE).max(eyes);
    let missing = (1.0 - eyes / 2.0).max(0.0) * (1.0 - dragon.freedom as f32 / FREE).max(0.0);
    let time = if eyes >= 2.0 { 1.0 } else { dragon.liberties.len() as f32 / FEW_LIBERTIES };
    let safety = (f32::from(SAFE) * (1.0 - missing) * time.min(1.0)).round() as u8;
    if safety < HOPELESS { 0 } else { safety }
}

/// Sets that grow together.
struct Sets(Vec<usize>);

impl Sets {
    fn new(n: usize) -> Sets {
        Sets((0..n).collect())
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    /// The smaller number becomes the root.
    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
