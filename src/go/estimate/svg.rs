//! A score estimate as a picture: stones, whose the points are, groups and what threatens them.

use std::collections::BTreeMap;
use std::fmt::Write;

use go_engine::{Color, Game, Move, Point};
use go_influence::{Dragon, ScoreEstimate, is_in_danger};

use super::balance::Balance;
use super::groups::{Group, groups};
use crate::go::diagram::{Diagram, INK, STEP, opposite};
use crate::svg::{Shape, Svg};

/// Height of a line of text below the board.
const LINE: f64 = 23.0;
/// Below this safety a group is given up for lost.
const LOST: u8 = 8;

/// The picture, a whole SVG file.
pub fn svg(title: &str, game: &Game, estimate: &ScoreEstimate) -> String {
    let (width, height) = (game.board().width(), game.board().height());
    let groups = groups(estimate);
    // Groups in danger have a letter, which their moves and the text below show too.
    let told = || groups.iter().filter_map(|group| Some((group.letter.as_deref()?, group)));
    let (wide, board_high) = Diagram::size((width, height));
    // Room for the text below boards of any size.
    let wide = wide.max(460.0);
    let lines = if told().count() == 0 { 3 } else { 4 + told().count() };
    let high = board_high + LINE * lines as f64 + 16.0;
    let mut svg = Svg::file(wide, high)
        .set("width", wide)
        .set("height", high)
        .set("font-family", "Helvetica, Arial, 'DejaVu Sans', sans-serif");
    svg.title(title);
    let mut picture = Picture { board: Diagram::new(svg, wide, (width, height)) };
    picture.board.svg.add(Shape::rect((0.0, 0.0), (wide, high)).fill("#fbf8f1"));
    picture.board.wood();
    picture.shading(estimate);
    picture.board.grid();
    for group in &groups {
        picture.bonds(group.dragon);
    }
    picture.stones(game, &groups.iter().map(|group| group.dragon).collect::<Vec<_>>());
    let mut marks: BTreeMap<Point, Mark> = BTreeMap::new();
    for (letter, Group { dragon, defend, attack, .. }) in told() {
        picture.letter(dragon, letter);
        if let Some(best) = defend.first() {
            let mark = marks.entry(best.point).or_default();
            mark.defends = true;
            mark.add(letter);
        }
        if let Some(best) = attack.first() {
            let mark = marks.entry(best.point).or_default();
            mark.attacks = true;
            mark.add(letter);
        }
    }
    for (&point, mark) in &marks {
        picture.mark(point, mark);
    }
    let mut y = board_high + 6.0;
    let balance = Balance::of(game, estimate);
    picture.line(y, 17.0, true, &balance.verdict());
    y += LINE;
    picture.line(y, 13.0, false, &balance.to_string());
    y += LINE;
    picture.line(y, 13.0, false, &format!("{title}; estimated by {}", estimate.model));
    if told().next().is_some() {
        y += LINE;
        picture.line(
            y,
            13.0,
            false,
            "Groups in danger. Squares: green defends, red attacks, violet does both.",
        );
    }
    for (letter, Group { dragon, defend, attack, .. }) in told() {
        y += LINE;
        let mut text = format!(
            "{letter}  {}, {} {} at {}: safety {} of 64",
            dragon.color,
            dragon.stones.len(),
            if dragon.stones.len() == 1 { "stone" } else { "stones" },
            dragon.origin(),
            dragon.safety
        );
        if let Some(best) = defend.first() {
            let _ = write!(text, "; defend at {} ({})", best.point, best.safety);
        }
        if let Some(best) = attack.first() {
            let _ = write!(text, "; attack at {} ({})", best.point, best.safety);
        }
        picture.line(y, 13.0, false, &text);
    }
    picture.board.svg.finish()
}

/// What a move does, and for which groups.
#[derive(Default)]
struct Mark {
    defends: bool,
    attacks: bool,
    letters: Vec<String>,
}

impl Mark {
    fn add(&mut self, letter: &str) {
        if !self.letters.iter().any(|known| known == letter) {
            self.letters.push(letter.to_owned());
        }
    }

    /// The letters of its groups, apart where one has two.
    fn text(&self) -> String {
        let are_single = self.letters.iter().all(|letter| letter.len() == 1);
        self.letters.join(if are_single { "" } else { " " })
    }
}

/// The picture as far as it is drawn.
struct Picture {
    board: Diagram,
}

impl Picture {
    /// A tinted cell for every point: the surer its owner, the stronger.
    fn shading(&mut self, estimate: &ScoreEstimate) {
        for (point, &owned) in estimate.influence.points().zip(&estimate.ownership) {
            // What is hardly anybody's stays wood.
            let strength = f64::from(owned.abs());
            if strength < 0.12 {
                continue;
            }
            let (x, y) = self.board.at(point);
            let (fill, max_opacity) =
                if owned > 0.0 { ("#1d2733", 0.55) } else { ("#ffffff", 0.85) };
            let cell = Shape::rect((x - STEP / 2.0, y - STEP / 2.0), (STEP, STEP)).fill(fill);
            self.board
                .svg
                .add(cell.set("fill-opacity", format_args!("{:.2}", max_opacity * strength)));
        }
    }

    /// Lines that hold the stones of a group together, in the colour of its safety.
    fn bonds(&mut self, dragon: &Dragon) {
        let colour = safety_colour(dragon.safety);
        for (a, b) in tree(&dragon.stones) {
            let line = Shape::line(self.board.at(a), self.board.at(b)).stroke(colour, 5.0);
            self.board.svg.add(line.set("stroke-opacity", 0.6).set("stroke-linecap", "round"));
        }
    }

    fn stones(&mut self, game: &Game, dragons: &[&Dragon]) {
        for dragon in dragons {
            let lost = dragon.safety < LOST;
            for &stone in &dragon.stones {
                let at = self.board.at(stone);
                let opacity = if lost { 0.55 } else { 1.0 };
                self.board.stone(stone, dragon.color, opacity);
                if is_in_danger(dragon) || lost {
                    let ring = Shape::circle(at, STEP * 0.36).fill("none");
                    self.board.svg.add(ring.stroke(safety_colour(dragon.safety), 2.4));
                }
            }
        }
        if let Some(Move::Play(last)) = game.last().map(|played| played.mv) {
            let colour = opposite(game.board().stone(last));
            self.board.svg.add(Shape::circle(self.board.at(last), 4.0).fill(colour));
        }
    }

    /// The letter of a group in danger, on its stone nearest to its middle.
    fn letter(&mut self, dragon: &Dragon, letter: &str) {
        let n = dragon.stones.len() as f64;
        let mean =
            |of: fn(Point) -> u8| dragon.stones.iter().map(|&p| f64::from(of(p))).sum::<f64>() / n;
        let (col, row) = (mean(Point::col), mean(Point::row));
        let away = |p: &Point| (f64::from(p.col()) - col).hypot(f64::from(p.row()) - row);
        let Some(&stone) = dragon.stones.iter().min_by(|a, b| away(a).total_cmp(&away(b))) else {
            return;
        };
        let (x, y) = self.board.at(stone);
        let fill = if dragon.color == Color::Black { "url(#stone-b)" } else { "url(#stone-w)" };
        self.board.svg.add(Shape::circle((x, y), STEP * 0.3).fill(fill));
        let size = if letter.len() == 1 { 15.0 } else { 11.0 };
        self.board.bold((x, y + 0.36 * size), size, opposite(Some(dragon.color)), letter);
    }

    /// A move for or against groups.
    fn mark(&mut self, point: Point, mark: &Mark) {
        let (x, y) = self.board.at(point);
        let side = STEP * 0.62;
        let colour = match (mark.defends, mark.attacks) {
            (true, true) => "#6b3fa0",
            (true, false) => "#1f7a3d",
            _ => "#b3261e",
        };
        // More letters are written smaller.
        let letters = mark.text();
        let size = match letters.len() {
            0 | 1 => 13.0,
            2 => 11.0,
            _ => 8.0,
        };
        let square = Shape::rect((x - side / 2.0, y - side / 2.0), (side, side)).set("rx", 4);
        self.board.svg.add(square.fill(colour));
        self.board.bold((x, y + 0.36 * size), size, "#ffffff", &letters);
    }

    /// A line of text below the board.
    fn line(&mut self, y: f64, size: f64, bold: bool, text: &str) {
        let weight = if bold { "bold" } else { "normal" };
        let text = Shape::text((16.0, y + 12.0), text).set("font-size", size);
        self.board.svg.add(text.set("font-weight", weight).fill(INK));
    }
}

/// Green for safe, by way of orange to red for dead.
fn safety_colour(safety: u8) -> &'static str {
    match safety {
        0..LOST => "#7a1f1f",
        LOST..24 => "#d6322a",
        24..40 => "#ee7b21",
        40..52 => "#d9a514",
        _ => "#4f8f5a",
    }
}

/// The shortest lines that hold points together (Prim's tree).
fn tree(points: &[Point]) -> Vec<(Point, Point)> {
    let away = |a: Point, b: Point| {
        let col = i32::from(a.col()) - i32::from(b.col());
        let row = i32::from(a.row()) - i32::from(b.row());
        col * col + row * row
    };
    let Some((&first, rest)) = points.split_first() else { return Vec::new() };
    // For each point that is not tied in yet: how far it is, and from where.
    let mut open: Vec<(Point, Point)> = rest.iter().map(|&point| (point, first)).collect();
    let mut lines = Vec::new();
    while let Some(at) = (0..open.len()).min_by_key(|&i| away(open[i].0, open[i].1)) {
        let (new, from) = open.swap_remove(at);
        lines.push((from, new));
        for (point, from) in &mut open {
            if away(*point, new) < away(*point, *from) {
                *from = new;
            }
        }
    }
    lines
}
