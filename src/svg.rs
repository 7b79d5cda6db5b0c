//! Pictures as SVG: the shapes that the programs draw, with their attributes.
//!
//! Elements are written in the order in which they are drawn; lengths are in the picture's own units, to a tenth.

use std::fmt::{Display, Write};

/// A picture as far as it is drawn.
///
/// ```
/// use tesuji::svg::{Shape, Svg};
///
/// let mut picture = Svg::new(20.0, 10.0).set("role", "img");
/// picture.title("A & B");
/// picture.add(Shape::circle((5.0, 5.0), 3.25).fill("#111111"));
/// assert_eq!(
///     picture.finish(),
///     "<svg viewBox=\"0 0 20 10\" role=\"img\">\n<title>A &amp; B</title>\n\
///      <circle cx=\"5\" cy=\"5\" r=\"3.2\" fill=\"#111111\"/>\n</svg>\n"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Svg {
    root: Shape,
    body: String,
}

/// One element of a picture.
#[derive(Clone, Debug)]
pub struct Shape {
    name: &'static str,
    attributes: String,
    /// The text in it, escaped.
    text: Option<String>,
}

/// A place in a picture: from the left and from the top.
pub type Place = (f64, f64);

impl Svg {
    /// An empty picture of this width and height, to be shown at whatever size there is room for.
    pub fn new(width: f64, height: f64) -> Svg {
        let size = format!("0 0 {} {}", tenth(width), tenth(height));
        Svg { root: Shape::new("svg").set("viewBox", size), body: String::new() }
    }

    /// A picture that is a file of its own rather than a part of a page.
    pub fn file(width: f64, height: f64) -> Svg {
        let mut svg = Svg::new(width, height);
        svg.root.attributes.insert_str(0, " xmlns=\"http://www.w3.org/2000/svg\"");
        svg
    }

    /// The same with an attribute of the whole picture.
    pub fn set(mut self, name: &str, value: impl Display) -> Svg {
        self.root = self.root.set(name, value);
        self
    }

    /// What the picture is, for those who cannot see it.
    pub fn title(&mut self, text: &str) {
        self.add(Shape { text: Some(escaped(text)), ..Shape::new("title") });
    }

    /// Draws a shape over what is there.
    pub fn add(&mut self, shape: Shape) {
        let Shape { name, attributes, text } = shape;
        // Writing to a string cannot fail.
        let _ = match text {
            Some(text) => writeln!(self.body, "<{name}{attributes}>{text}</{name}>"),
            None => writeln!(self.body, "<{name}{attributes}/>"),
        };
    }

    /// Adds definitions that shapes refer to, in SVG.
    pub fn definitions(&mut self, svg: &str) {
        let _ = writeln!(self.body, "<defs>{svg}</defs>");
    }

    /// The whole picture.
    pub fn finish(self) -> String {
        format!("<svg{}>\n{}</svg>\n", self.root.attributes, self.body)
    }
}

impl Shape {
    fn new(name: &'static str) -> Shape {
        Shape { name, attributes: String::new(), text: None }
    }

    /// A straight line.
    pub fn line((x1, y1): Place, (x2, y2): Place) -> Shape {
        let ends = [("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)];
        Shape::new("line").lengths(ends)
    }

    /// A circle about its middle.
    pub fn circle((cx, cy): Place, radius: f64) -> Shape {
        Shape::new("circle").lengths([("cx", cx), ("cy", cy), ("r", radius)])
    }

    /// A rectangle from its upper left corner.
    pub fn rect((x, y): Place, (width, height): (f64, f64)) -> Shape {
        Shape::new("rect").lengths([("x", x), ("y", y), ("width", width), ("height", height)])
    }

    /// A line through these places, not filled.
    pub fn polyline(places: impl IntoIterator<Item = Place>) -> Shape {
        Shape::new("polyline").set("points", joined(places)).fill("none")
    }

    /// An area within these corners.
    pub fn polygon(places: impl IntoIterator<Item = Place>) -> Shape {
        Shape::new("polygon").set("points", joined(places))
    }

    /// Text that begins at a place on its line, or as [`Shape::anchor`] says.
    pub fn text((x, y): Place, text: impl Display) -> Shape {
        let text = Some(escaped(&text.to_string()));
        Shape { text, ..Shape::new("text").lengths([("x", x), ("y", y)]) }
    }

    /// Where a text's place is: its `middle` or its `end`.
    pub fn anchor(self, anchor: &str) -> Shape {
        self.set("text-anchor", anchor)
    }

    /// The colour inside it.
    pub fn fill(self, colour: &str) -> Shape {
        self.set("fill", colour)
    }

    /// The colour and width of its line.
    pub fn stroke(self, colour: &str, width: f64) -> Shape {
        self.set("stroke", colour).set("stroke-width", tenth(width))
    }

    /// Any other attribute.
    pub fn set(mut self, name: &str, value: impl Display) -> Shape {
        let _ = write!(self.attributes, " {name}=\"{}\"", escaped(&value.to_string()));
        self
    }

    fn lengths<const N: usize>(self, lengths: [(&str, f64); N]) -> Shape {
        lengths.into_iter().fold(self, |shape, (name, value)| shape.set(name, tenth(value)))
    }
}

/// A length to a tenth.
fn tenth(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn joined(places: impl IntoIterator<Item = Place>) -> String {
    let places = places.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
    places.collect::<Vec<_>>().join(" ")
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
