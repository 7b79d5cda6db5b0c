//! The fixed templates of contextual patterns (Shang, Li, Liu), nested, and the keys that make
//! their codes.

use std::fmt;
use std::sync::LazyLock;

/// A template TP(x, y): all points whose larger distance from the centre, of the horizontal and the
/// vertical, and then the smaller, come no later than `(x, y)` in order. The last one is the 9x9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Template(u8);

/// How many templates there are.
pub const TEMPLATES: usize = 10;

/// Larger and smaller distance of each template's outermost points.
const OUTERMOST: [(u8, u8); TEMPLATES] =
    [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3), (4, 4)];

impl Template {
    /// All templates, the smallest first.
    pub const ALL: [Template; TEMPLATES] = {
        let mut all = [Template(0); TEMPLATES];
        let mut index = 0;
        while index < TEMPLATES {
            all[index] = Template(index as u8);
            index += 1;
        }
        all
    };
    /// The 3x3.
    pub const SQUARE_3: Template = Template(1);
    /// The 5x5.
    pub const SQUARE_5: Template = Template(4);
    /// The largest.
    pub const LARGEST: Template = Template(TEMPLATES as u8 - 1);
    /// The template whose code decides in which round a larger one is learned, when memory is short.
    pub(super) const SPLITTING: Template = Template(2);

    /// All templates, the smallest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Template> {
        Self::ALL.into_iter()
    }

    /// Its number, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The template of this number.
    pub fn from_index(index: usize) -> Option<Template> {
        (index < TEMPLATES).then_some(Template(index as u8))
    }

    /// The next smaller one: `TP(x, y - 1)`, and after `y = 0` the whole square within, as the
    /// paper's `TP(x - 1, y + x - 1)`. `None` below the smallest.
    ///
    /// ```
    /// use go_patterns::frequencies::Template;
    /// let chain: Vec<String> = Template::all().rev().map(|t| t.to_string()).collect();
    /// assert_eq!(chain.join(" "), "(4,*) (3,3) (3,2) (3,1) (3,0) (2,2) (2,1) (2,0) (1,1) (1,0)");
    /// ```
    pub fn smaller(self) -> Option<Template> {
        self.0.checked_sub(1).map(Template)
    }

    /// The smallest template that has a point at this distance; `None` beyond the largest.
    pub fn of_offset(dx: i32, dy: i32) -> Option<Template> {
        let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
        let place = (dx.max(dy), dx.min(dy));
        if place == (0, 0) {
            return None;
        }
        let index = OUTERMOST.iter().position(|&(x, y)| place <= (x.into(), y.into()))?;
        Some(Template(index as u8))
    }

    /// The largest distance of a point in a row or column.
    pub fn radius(self) -> u8 {
        OUTERMOST[self.index()].0
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match OUTERMOST[self.index()] {
            (4, _) => f.write_str("(4,*)"),
            (x, y) => write!(f, "({x},{y})"),
        }
    }
}

/// A code in the eight ways that it can lie, one lane each.
pub(super) type Lanes = [u64; 8];

/// A point of a template, seen from the centre.
#[derive(Clone, Copy)]
pub(super) struct Offset {
    pub dx: i8,
    pub dy: i8,
    pub template: Template,
    /// Keys of the mover's stone, the other side's and the border here, in all eight lanes.
    pub keys: [Lanes; 3],
}

/// The points of the largest template, those of smaller ones first.
pub(super) static OFFSETS: LazyLock<Vec<Offset>> = LazyLock::new(|| {
    let radius = i32::from(Template::LARGEST.radius());
    let mut offsets: Vec<Offset> = (-radius..=radius)
        .flat_map(|dy| (-radius..=radius).map(move |dx| (dx, dy)))
        .filter_map(|(dx, dy)| {
            let template = Template::of_offset(dx, dy)?;
            let keys = std::array::from_fn(|kind| lanes(dx, dy, kind as u64));
            Some(Offset { dx: dx as i8, dy: dy as i8, template, keys })
        })
        .collect();
    offsets.sort_by_key(|offset| offset.template);
    offsets
});

fn lanes(dx: i32, dy: i32, kind: u64) -> Lanes {
    let images =
        [(dx, dy), (-dx, dy), (dx, -dy), (-dx, -dy), (dy, dx), (-dy, dx), (dy, -dx), (-dy, -dx)];
    images.map(|(x, y)| {
        let place = ((x + 16) * 64 + y + 16) as u64;
        game_core::splitmix(0x7461_6263_6f64_6531 ^ (place << 8 | kind))
    })
}

/// The name of a pattern, the same in all eight ways that it can lie and for both colours as mover:
/// 60 bits of hash and the template's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(pub(super) u64);

impl Name {
    #[inline(always)]
    pub(super) fn of(lanes: &Lanes, template: Template) -> Name {
        let min = lanes.iter().copied().min().unwrap_or(0);
        // The offset keeps the empty neighbourhood, whose lanes are zero, from the name zero.
        Name(game_core::splitmix(min ^ 0x656d_7074_7921) & !15 | u64::from(template.0))
    }

    /// The template that the pattern is one of.
    pub fn template(self) -> Template {
        Template((self.0 & 15) as u8)
    }
}
