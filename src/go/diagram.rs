//! A board as a picture: wood, lines, stones and what is written on them. Its parts have the classes of `page/base.css`, so
//! that on a page it looks as all boards do; the colours here are for where there is no page.

use go_engine::{Color, Point};

use crate::svg::{Place, Shape, Svg};

/// Between two lines of the board, in units of the picture.
pub const STEP: f64 = 30.0;
/// From the picture's edge to the first line: half a cell and the coordinates.
pub const MARGIN: f64 = 46.0;

const WOOD: &str = "#ecd3a1";
/// The colour of lines and words.
pub const INK: &str = "#4d4029";

/// A picture of a board as far as it is drawn, and where the board lies in it.
pub struct Diagram {
    /// The picture.
    pub svg: Svg,
    /// The first column and the top row.
    left: f64,
    top: f64,
    width: u8,
    height: u8,
}

impl Diagram {
    /// A board of so many columns and rows in the middle of a picture's width, with what stones are filled with.
    pub fn new(mut svg: Svg, wide: f64, (width, height): (u8, u8)) -> Diagram {
        svg.definitions(&format!(
            "{}{}",
            gradient("stone-b", "#666", "#141414"),
            gradient("stone-w", "#fff", "#dad9d3")
        ));
        let left = (wide - STEP * f64::from(width - 1)) / 2.0;
        Diagram { svg, left, top: MARGIN, width, height }
    }

    /// How wide and how high a picture is of a board of so many columns and rows, with its margins.
    pub fn size((width, height): (u8, u8)) -> (f64, f64) {
        let long = |side: u8| 2.0 * MARGIN + STEP * f64::from(side - 1);
        (long(width), long(height))
    }

    /// Where a point lies in the picture.
    pub fn at(&self, point: Point) -> Place {
        let row = f64::from(self.height - 1 - point.row());
        (self.left + STEP * f64::from(point.col()), self.top + STEP * row)
    }

    /// The wood, and letters and numbers about it.
    pub fn wood(&mut self) {
        let width = self.width;
        let (x, y) = (self.left - STEP * 0.62, self.top - STEP * 0.62);
        let (w, h) = (STEP * (f64::from(width) + 0.24), STEP * (f64::from(self.height) + 0.24));
        let wood = Shape::rect((x, y), (w, h)).set("rx", 3).set("class", "wood");
        self.svg.add(wood.fill(WOOD).set("stroke", "#b99a5f"));
        let far = STEP * 1.08;
        for col in 0..width {
            let name = Point::new(col, 0).to_string();
            let letter = &name[..1];
            let (x, bottom) = self.at(Point::new(col, 0));
            for y in [self.top - far + 9.0, bottom + far + 1.0] {
                self.label(x, y, letter);
            }
        }
        for row in 0..self.height {
            let (_, y) = self.at(Point::new(0, row));
            let right = self.left + STEP * f64::from(width - 1);
            for x in [self.left - far, right + far] {
                self.label(x, y + 4.2, &(row + 1).to_string());
            }
        }
    }

    fn label(&mut self, x: f64, y: f64, text: &str) {
        let label = Shape::text((x, y), text).anchor("middle").set("font-size", 12);
        let label = label.set("class", "coordinate");
        self.svg.add(label.fill("#6b5b3e"));
    }

    /// The lines and the star points.
    pub fn grid(&mut self) {
        let width = self.width;
        let (left, bottom) = self.at(Point::new(0, 0));
        let (right, top) = self.at(Point::new(width - 1, self.height - 1));
        for col in 0..width {
            let (x, _) = self.at(Point::new(col, 0));
            self.rule((x, top), (x, bottom), col == 0 || col == width - 1);
        }
        for row in 0..self.height {
            let (_, y) = self.at(Point::new(0, row));
            self.rule((left, y), (right, y), row == 0 || row == self.height - 1);
        }
        for point in stars(width, self.height) {
            self.svg.add(Shape::circle(self.at(point), 3.0).fill(INK).set("class", "star"));
        }
    }

    fn rule(&mut self, from: Place, to: Place, is_edge: bool) {
        let (width, class) = if is_edge { (1.8, "grid-edge") } else { (1.0, "grid-line") };
        let line = Shape::line(from, to).stroke(INK, width).set("class", class);
        self.svg.add(line.set("stroke-linecap", "square"));
    }

    /// A stone.
    pub fn stone(&mut self, point: Point, color: Color, opacity: f64) {
        let (class, edge, width) = match color {
            Color::Black => ("stone-b", "#000", 0.7),
            Color::White => ("stone-w", "#3a3a3a", 1.0),
        };
        let circle = Shape::circle(self.at(point), STEP * 0.47).fill(&format!("url(#{class})"));
        let circle = circle.set("class", class);
        self.svg.add(circle.stroke(edge, width).set("opacity", opacity));
    }

    /// Bold text about a place on its line.
    pub fn bold(&mut self, at: Place, size: f64, colour: &str, text: &str) {
        let text = Shape::text(at, text).anchor("middle").set("font-size", size);
        self.svg.add(text.set("font-weight", "bold").fill(colour));
    }
}

/// Light from above and the left on a stone, to be filled with.
fn gradient(id: &str, light: &str, dark: &str) -> String {
    format!(
        "<radialGradient id=\"{id}\" cx=\"0.36\" cy=\"0.3\" r=\"0.78\"><stop offset=\"0\" \
         stop-color=\"{light}\"/><stop offset=\"1\" stop-color=\"{dark}\"/></radialGradient>"
    )
}

/// The colour of what is written on a stone, or on none.
pub fn opposite(color: Option<Color>) -> &'static str {
    if color == Some(Color::Black) { "#ffffff" } else { "#111111" }
}

/// The star points.
fn stars(width: u8, height: u8) -> Vec<Point> {
    let places = |side: u8| -> Vec<u8> {
        let far = if side > 11 { 3 } else { 2 };
        match side {
            0..7 => Vec::new(),
            _ if side % 2 == 1 && side > 11 => vec![far, side / 2, side - 1 - far],
            _ => vec![far, side - 1 - far],
        }
    };
    let (cols, rows) = (places(width), places(height));
    let cross = cols.iter().flat_map(|&col| rows.iter().map(move |&row| Point::new(col, row)));
    let mut stars: Vec<Point> = cross.collect();
    if width == height && (7..=11).contains(&width) && width % 2 == 1 {
        stars.push(Point::new(width / 2, width / 2));
    }
    stars
}
