//! `tesuji joseki export`: the book as an SGF tree, in the upper right corner.
//!
//! Every state stands in the tree once, where the most games came to it; another way there ends
//! with a word that says so. A pass is a move elsewhere.

use super::book;
use crate::files;
use crate::output::print;
use anyhow::{Context, Result};
use clap::Args;
use game_record::{Ident, SgfWriter, Size};
use go_engine::Color;
use go_patterns::joseki::{Corner, CornerPosition, JosekiBook, Place, State, StateId};
use std::collections::{BinaryHeap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `tesuji joseki export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// The file to write [default: standard output]
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Leave out moves played less often
    #[arg(long, alias = "least", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    min_count: u32,
    /// A machine [default: the built-in one]
    #[arg(long = "machine", value_name = "MACHINE")]
    book: Option<PathBuf>,
}

/// Runs `tesuji joseki export`.
///
/// # Errors
/// When the book cannot be read or the file cannot be written.
pub fn run(args: &ExportArgs) -> Result<ExitCode> {
    let book = book(args.book.as_deref())?;
    let tree = Tree::grow(&book, args.min_count);
    let text = tree.write(&book, args.min_count);
    match &args.out {
        None => print(&text)?,
        Some(path) => {
            files::replace(path, text.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
            let moves = tree.nodes.len() - 1;
            print(&format!("{moves} moves, {} bytes in {}\n", text.len(), path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A move of the tree, and what stands after it.
struct Node {
    /// The place in the corner, `None` for a move elsewhere.
    place: Option<Place>,
    count: u32,
    recent: u32,
    /// Per cent of games that the player of the move won; `None` for a move elsewhere.
    wins: Option<f32>,
    /// The corner afterwards, as the next player sees it, as it lies in the tree.
    seen: CornerPosition,
    state: Option<StateId>,
    /// The state stands elsewhere in the tree.
    elsewhere: bool,
    children: Vec<usize>,
}

struct Tree {
    nodes: Vec<Node>,
}

/// A way on from a node, the most played first; of equal ones that which was found first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    count: u32,
    order: std::cmp::Reverse<usize>,
    from: usize,
    place: Option<Place>,
}

impl Tree {
    /// Grows the tree along the most played ways first.
    fn grow(book: &JosekiBook, min_count: u32) -> Tree {
        let seen = CornerPosition::default();
        let state = book.find(seen.view().key);
        let root = Node {
            place: None,
            count: 0,
            recent: 0,
            wins: None,
            seen,
            state,
            elsewhere: false,
            children: Vec::new(),
        };
        let mut tree = Tree { nodes: vec![root] };
        let mut placed: HashSet<StateId> = state.into_iter().collect();
        let mut ways = BinaryHeap::new();
        let mut order = 0;
        tree.find_ways(book, 0, min_count, &mut ways, &mut order);
        while let Some(way) = ways.pop() {
            let at = tree.nodes.len();
            let node = tree.node(book, &way, &placed);
            let is_new = node.state.is_some_and(|state| placed.insert(state));
            tree.nodes.push(node);
            tree.nodes[way.from].children.push(at);
            if is_new {
                tree.find_ways(book, at, min_count, &mut ways, &mut order);
            }
        }
        tree
    }

    fn state<'m>(&self, book: &'m JosekiBook, node: usize) -> Option<&'m State> {
        self.nodes[node].state.map(|id| book.state(id))
    }

    /// Adds the ways on from a node.
    fn find_ways(
        &self,
        book: &JosekiBook,
        from: usize,
        min_count: u32,
        ways: &mut BinaryHeap<Way>,
        order: &mut usize,
    ) {
        let Some(state) = self.state(book, from) else { return };
        let view = self.nodes[from].seen.view();
        let mut add = |count: u32, place: Option<Place>| {
            *order += 1;
            ways.push(Way { count, order: std::cmp::Reverse(*order), from, place });
        };
        for transition in book.moves(state).iter().filter(|t| t.count >= min_count) {
            add(transition.count, Some(view.turn(transition.place)));
        }
        // Two passes running say nothing more about a corner.
        let just_passed = from > 0 && self.nodes[from].place.is_none();
        let left = state.turns.left;
        if left >= min_count && !just_passed && state.passed.is_some() {
            add(left, None);
        }
    }

    fn node(&self, book: &JosekiBook, way: &Way, placed: &HashSet<StateId>) -> Node {
        let before = self.nodes[way.from].seen;
        let view = before.view();
        let seen = way.place.map_or(before.passed(), |place| before.played(place));
        let state = book.find(seen.view().key);
        let transition = way.place.and_then(|place| {
            let name = view.move_name(place);
            let moves = book.moves(self.state(book, way.from)?);
            moves.iter().find(|transition| transition.place == name)
        });
        Node {
            place: way.place,
            count: way.count,
            recent: transition.map_or(0, |transition| transition.recent),
            wins: transition.map(|transition| 100.0 * transition.win_rate()),
            seen,
            state,
            elsewhere: state.is_some_and(|state| placed.contains(&state)),
            children: Vec::new(),
        }
    }

    fn write(&self, book: &JosekiBook, min_count: u32) -> String {
        let mut sgf = SgfWriter::new();
        sgf.begin_game(1, Size::square(book.side))
            .text(Ident::APPLICATION, concat!("Tesuji:", env!("CARGO_PKG_VERSION")))
            .text(Ident::NODE_NAME, "Joseki")
            .text(
                Ident::COMMENT,
                &format!(
                    "What is played in a corner in {} games: moves played {min_count} times or more, \
                     the most played first. A pass is a move elsewhere.",
                    book.games
                ),
            );
        self.label(&mut sgf, book, 0);
        sgf.end_line();
        // What is left to write: nodes with their colours, or the end of a variation.
        let mut rest: Vec<Option<(usize, Color, bool)>> = Vec::new();
        self.queue(0, Color::Black, &mut rest);
        while let Some(next) = rest.pop() {
            let Some((at, color, opens)) = next else {
                sgf.end_variation();
                continue;
            };
            if opens {
                sgf.begin_variation();
            }
            let node = &self.nodes[at];
            let point = node.place.map(|place| sgf_point(book, place));
            sgf.node().play(record_color(color), point).text(Ident::COMMENT, &comment(book, node));
            if !node.elsewhere {
                self.label(&mut sgf, book, at);
            }
            self.queue(at, color.other(), &mut rest);
        }
        sgf.end_game();
        sgf.finish()
    }

    /// Queues the children of a node, the first to be written last in the queue. Only where there
    /// are several are they variations.
    fn queue(&self, at: usize, color: Color, rest: &mut Vec<Option<(usize, Color, bool)>>) {
        let children = &self.nodes[at].children;
        let several = children.len() > 1;
        for &child in children.iter().rev() {
            if several {
                rest.push(None);
            }
            rest.push(Some((child, color, several)));
        }
    }

    /// Labels the moves that follow with their share of all moves.
    fn label(&self, sgf: &mut SgfWriter, book: &JosekiBook, at: usize) {
        let Some(state) = self.state(book, at) else { return };
        let all = state.turns.played().max(1);
        let labels: Vec<_> = self.nodes[at]
            .children
            .iter()
            .filter_map(|&child| {
                let node = &self.nodes[child];
                let share = 100.0 * f64::from(node.count) / f64::from(all);
                Some((sgf_point(book, node.place?), format!("{share:.0}")))
            })
            .collect();
        sgf.labels(labels.iter().map(|(point, text)| (*point, text.as_str())));
    }
}

fn comment(book: &JosekiBook, node: &Node) -> String {
    let mut text = match node.wins {
        Some(wins) => format!(
            "played {} times, {} since {}; won {wins:.1}%",
            node.count, node.recent, book.recent_since
        ),
        None => format!("played elsewhere {} times", node.count),
    };
    if node.elsewhere {
        text += "\ngoes on where more games came to this position";
    }
    if let Some(id) = node.state {
        let turns = book.state(id).turns;
        text += &format!("\nthen answered here {}, elsewhere {}", turns.answered, turns.left);
    }
    text
}

fn record_color(color: Color) -> game_record::Color {
    match color {
        Color::Black => game_record::Color::Black,
        Color::White => game_record::Color::White,
    }
}

/// The point as records count it, rows from the top.
fn sgf_point(book: &JosekiBook, place: Place) -> game_record::Point {
    let side = book.side;
    let point = Corner::UpperRight.point(place, side, side);
    game_record::Point::new(point.col(), side - 1 - point.row())
}
