//! The board at a mistake: the move that was made, crossed out, and the better one with what would have followed.

use go_engine::{Color, Game, Move};

use super::words;
use crate::go::diagram::{Diagram, STEP, opposite};
use crate::go::review::document::MoveEntry;
use crate::svg::{Shape, Svg};

/// A drawing, and what it cannot show.
pub struct Drawing {
    /// As SVG.
    pub svg: String,
    /// Moves on points that have a number already, and passes, as `7 at 3`.
    pub notes: Vec<String>,
}

/// The position before a move with the better variation.
pub fn board(game: &Game, entry: &MoveEntry, line: &[Move]) -> Drawing {
    let size = (game.board().width(), game.board().height());
    let (wide, high) = Diagram::size(size);
    let mut svg = Svg::new(wide, high).set("class", "board").set("role", "img");
    let title = format!("The position before move {}", entry.number);
    svg.title(&title);
    let mut diagram = Diagram::new(svg, wide, size);
    diagram.wood();
    diagram.grid();
    for (point, color) in game.board().stones() {
        diagram.stone(point, color, 1.0);
    }
    if let Some(Move::Play(last)) = game.last().map(|played| played.mv) {
        let colour = opposite(game.board().stone(last));
        let ring = Shape::circle(diagram.at(last), STEP * 0.2).fill("none");
        diagram.svg.add(ring.stroke(colour, 2.2));
    }
    let mut notes = Vec::new();
    let mut numbered = Vec::new();
    let mut color = words::color_of(&entry.color);
    for (number, &mv) in (1..).zip(line) {
        match mv {
            Move::Pass => notes.push(format!("{number} passes")),
            Move::Play(point) => match numbered.iter().find(|(taken, _)| *taken == point) {
                Some((_, first)) => notes.push(format!("{number} at {first}")),
                None => {
                    diagram.stone(point, color, 1.0);
                    let (x, y) = diagram.at(point);
                    let size = if number < 10 { 18.0 } else { 15.0 };
                    let ink = opposite(Some(color));
                    diagram.bold((x, y + 0.36 * size), size, ink, &number.to_string());
                    numbered.push((point, number));
                }
            },
        }
        color = color.other();
    }
    if let Move::Play(played) = entry.mv {
        cross(&mut diagram, played, words::color_of(&entry.color), &numbered);
    }
    Drawing { svg: diagram.svg.finish(), notes }
}

/// The move that was made: a cross in a small stone of its colour, or beside the number where the variation has one too.
fn cross(
    diagram: &mut Diagram,
    point: go_engine::Point,
    color: Color,
    numbered: &[(go_engine::Point, i32)],
) {
    let (mut x, mut y) = diagram.at(point);
    let is_taken = numbered.iter().any(|(taken, _)| *taken == point);
    let mut reach = STEP * 0.24;
    if is_taken {
        (x, y, reach) = (x + STEP * 0.34, y - STEP * 0.34, STEP * 0.14);
    }
    let fill = if color == Color::Black { "#111111" } else { "#ffffff" };
    let half = reach * 1.55;
    let tile = Shape::rect((x - half, y - half), (2.0 * half, 2.0 * half)).set("rx", 3);
    diagram.svg.add(tile.fill(fill).stroke("#b3261e", 2.0));
    let ink = opposite(Some(color));
    for (dx, dy) in [(reach, reach), (reach, -reach)] {
        let line = Shape::line((x - dx, y - dy), (x + dx, y + dy)).stroke(ink, 2.6);
        diagram.svg.add(line.set("stroke-linecap", "round"));
    }
}
