//! A judgement as a picture: stones, whose the points are, groups and what threatens them.

use std::collections::BTreeMap;
use std::fmt::Write;

use go_engine::influence::{Dragon, Judgement, is_in_danger};
use go_engine::{Color, Game, Move, Point};

use super::text::verdict;

/// Between two lines of the board, in units of the picture.
const STEP: f64 = 30.0;
/// From the picture's edge to the first line: half a cell and the coordinates.
const MARGIN: f64 = 46.0;
/// Height of a line of text below the board.
const LINE: f64 = 23.0;
/// Groups that are told of below the board at most.
const TOLD: usize = 8;
/// Below this safety a group is given up for lost.
const LOST: u8 = 8;

const WOOD: &str = "#ecd3a1";
const INK: &str = "#3a2f1d";

/// The picture, a whole SVG file.
pub fn svg(title: &str, game: &Game, judgement: &Judgement) -> String {
    let (width, height) = (game.board().width(), game.board().height());
    let groups = judgement.groups();
    // Groups in danger have a letter, which their moves and the text below show too.
    let told: Vec<_> =
        groups.iter().filter(|(dragon, _)| is_in_danger(dragon)).take(TOLD).collect();
    let wide = 2.0 * MARGIN + STEP * f64::from(width - 1);
    // Room for the text below boards of any size.
    let wide = wide.max(420.0);
    let board_high = 2.0 * MARGIN + STEP * f64::from(height - 1);
    let lines = if told.is_empty() { 2 } else { 3 + told.len() };
    let high = board_high + LINE * lines as f64 + 16.0;
    let mut picture = Picture {
        text: String::new(),
        left: (wide - STEP * f64::from(width - 1)) / 2.0,
        top: MARGIN,
        height,
    };
    let _ = write!(
        picture.text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" \
         height=\"{high}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n\
         <title>{}</title>\n\
         <defs>\
         <radialGradient id=\"black\" cx=\"0.36\" cy=\"0.3\" r=\"0.75\"><stop offset=\"0\" stop-color=\"#6a6a6a\"/>\
         <stop offset=\"1\" stop-color=\"#151515\"/></radialGradient>\
         <radialGradient id=\"white\" cx=\"0.36\" cy=\"0.3\" r=\"0.8\"><stop offset=\"0\" stop-color=\"#ffffff\"/>\
         <stop offset=\"1\" stop-color=\"#dcdcd6\"/></radialGradient></defs>\n\
         <rect width=\"{wide}\" height=\"{high}\" fill=\"#fbf8f1\"/>\n",
        escaped(title)
    );
    picture.board(width);
    picture.shading(judgement);
    picture.grid(width);
    for (dragon, _) in &groups {
        picture.bonds(dragon);
    }
    picture.stones(game, &groups.iter().map(|(dragon, _)| *dragon).collect::<Vec<_>>());
    let mut marks: BTreeMap<Point, Mark> = BTreeMap::new();
    for (number, (dragon, [defend, attack])) in told.iter().enumerate() {
        picture.letter(dragon, number);
        if let Some(best) = defend.first() {
            let mark = marks.entry(best.point).or_default();
            mark.defends = true;
            mark.add(letter(number));
        }
        if let Some(best) = attack.first() {
            let mark = marks.entry(best.point).or_default();
            mark.attacks = true;
            mark.add(letter(number));
        }
    }
    for (&point, mark) in &marks {
        picture.mark(point, mark);
    }
    let mut y = board_high + 6.0;
    picture.line(y, 17.0, true, &format!("{} {}", verdict(judgement), held(game, judgement)));
    y += LINE;
    picture.line(y, 13.0, false, &format!("{title}; judged by {}", judgement.model));
    if !told.is_empty() {
        y += LINE;
        picture.line(
            y,
            13.0,
            false,
            "Groups in danger. Squares: green defends, red attacks, violet does both.",
        );
    }
    for (number, (dragon, [defend, attack])) in told.iter().enumerate() {
        y += LINE;
        let mut text = format!(
            "{}  {}, {} {} at {}: safety {} of 64",
            letter(number),
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
    picture.text += "</svg>\n";
    picture.text
}

/// What a move does, and for which groups.
#[derive(Default)]
struct Mark {
    defends: bool,
    attacks: bool,
    letters: String,
}

impl Mark {
    fn add(&mut self, letter: char) {
        if !self.letters.contains(letter) {
            self.letters.push(letter);
        }
    }
}

/// The letter of the groups in danger, the first A.
fn letter(number: usize) -> char {
    char::from(b'A' + (number % 26) as u8)
}

fn held(game: &Game, judgement: &Judgement) -> String {
    let [black, white] = Color::BOTH.map(|color| judgement.holdings(game, color).area());
    format!("Area {black} to {white}, komi {}.", game.komi())
}

/// Text as XML has it; control characters, which it forbids, are left out.
fn escaped(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).fold(String::new(), |mut out, c| {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c => out.push(c),
        }
        out
    })
}

/// The picture as far as it is drawn, and where the board lies in it.
struct Picture {
    text: String,
    /// The first column and the top row.
    left: f64,
    top: f64,
    height: u8,
}

impl Picture {
    fn at(&self, point: Point) -> (f64, f64) {
        let row = f64::from(self.height - 1 - point.row());
        (self.left + STEP * f64::from(point.col()), self.top + STEP * row)
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(element);
        self.text.push('\n');
    }

    /// The wood, and letters and numbers about it.
    fn board(&mut self, width: u8) {
        let (x, y) = (self.left - STEP * 0.62, self.top - STEP * 0.62);
        let (w, h) = (STEP * (f64::from(width) + 0.24), STEP * (f64::from(self.height) + 0.24));
        self.put(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"3\" fill=\"{WOOD}\" \
             stroke=\"#b99a5f\"/>"
        ));
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
        self.put(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"12\" fill=\"#6b5b3e\" text-anchor=\"middle\">{text}</text>"
        ));
    }

    fn grid(&mut self, width: u8) {
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
            let (x, y) = self.at(point);
            self.put(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{INK}\"/>"));
        }
    }

    fn rule(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), is_edge: bool) {
        let width = if is_edge { 1.6 } else { 0.8 };
        self.put(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{INK}\" \
             stroke-width=\"{width}\" stroke-linecap=\"square\"/>"
        ));
    }

    /// A tinted cell for every point: the surer its owner, the stronger.
    fn shading(&mut self, judgement: &Judgement) {
        for (point, &owned) in judgement.influence.points().zip(&judgement.ownership) {
            // What is hardly anybody's stays wood.
            let strength = f64::from(owned.abs());
            if strength < 0.12 {
                continue;
            }
            let (x, y) = self.at(point);
            let (fill, most) = if owned > 0.0 { ("#1d2733", 0.55) } else { ("#ffffff", 0.85) };
            self.put(format_args!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{STEP}\" height=\"{STEP}\" fill=\"{fill}\" \
                 fill-opacity=\"{:.2}\"/>",
                x - STEP / 2.0,
                y - STEP / 2.0,
                most * strength
            ));
        }
    }

    /// Lines that hold the stones of a group together, in the colour of its safety.
    fn bonds(&mut self, dragon: &Dragon) {
        let colour = safety_colour(dragon.safety);
        for (a, b) in tree(&dragon.stones) {
            let ((x1, y1), (x2, y2)) = (self.at(a), self.at(b));
            self.put(format_args!(
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
                 stroke-width=\"5\" stroke-opacity=\"0.6\" stroke-linecap=\"round\"/>"
            ));
        }
    }

    fn stones(&mut self, game: &Game, dragons: &[&Dragon]) {
        for dragon in dragons {
            let fill = if dragon.color == Color::Black { "black" } else { "white" };
            let lost = dragon.safety < LOST;
            for &stone in &dragon.stones {
                let (x, y) = self.at(stone);
                let opacity = if lost { 0.55 } else { 1.0 };
                self.put(format_args!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"url(#{fill})\" stroke=\"#2b2b2b\" \
                     stroke-width=\"0.7\" opacity=\"{opacity}\"/>",
                    STEP * 0.47
                ));
                if is_in_danger(dragon) || lost {
                    self.put(format_args!(
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"none\" stroke=\"{}\" \
                         stroke-width=\"2.4\"/>",
                        STEP * 0.36,
                        safety_colour(dragon.safety)
                    ));
                }
            }
        }
        if let Some(Move::Play(last)) = game.last().map(|played| played.mv) {
            let (x, y) = self.at(last);
            let colour = opposite(game.board().stone(last));
            self.put(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>"
            ));
        }
    }

    /// The letter of a group in danger, on its stone nearest to its middle.
    fn letter(&mut self, dragon: &Dragon, number: usize) {
        let n = dragon.stones.len() as f64;
        let mean =
            |of: fn(Point) -> u8| dragon.stones.iter().map(|&p| f64::from(of(p))).sum::<f64>() / n;
        let (col, row) = (mean(Point::col), mean(Point::row));
        let away = |p: &Point| (f64::from(p.col()) - col).hypot(f64::from(p.row()) - row);
        let Some(&stone) = dragon.stones.iter().min_by(|a, b| away(a).total_cmp(&away(b))) else {
            return;
        };
        let (x, y) = self.at(stone);
        let fill = if dragon.color == Color::Black { "url(#black)" } else { "url(#white)" };
        self.put(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{fill}\"/>",
            STEP * 0.3
        ));
        self.put(format_args!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"15\" font-weight=\"bold\" fill=\"{}\" \
             text-anchor=\"middle\">{}</text>",
            y + 5.4,
            opposite(Some(dragon.color)),
            letter(number)
        ));
    }

    /// A move for or against groups.
    fn mark(&mut self, point: Point, mark: &Mark) {
        let (x, y) = self.at(point);
        let side = STEP * 0.62;
        let colour = match (mark.defends, mark.attacks) {
            (true, true) => "#6b3fa0",
            (true, false) => "#1f7a3d",
            _ => "#b3261e",
        };
        // More letters are written smaller.
        let size = match mark.letters.len() {
            0 | 1 => 13.0,
            2 => 11.0,
            _ => 8.0,
        };
        let letters = &mark.letters;
        self.put(format_args!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side}\" height=\"{side}\" rx=\"4\" fill=\"{colour}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{size}\" font-weight=\"bold\" fill=\"#ffffff\" \
             text-anchor=\"middle\">{letters}</text>",
            x - side / 2.0,
            y - side / 2.0,
            y + 0.36 * size
        ));
    }

    /// A line of text below the board.
    fn line(&mut self, y: f64, size: f64, bold: bool, text: &str) {
        let weight = if bold { "bold" } else { "normal" };
        let x = 16.0;
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{:.1}\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{INK}\">{}</text>",
            y + 12.0,
            escaped(text)
        ));
    }
}

fn opposite(color: Option<Color>) -> &'static str {
    if color == Some(Color::Black) { "#ffffff" } else { "#111111" }
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
