//! How fast corners are encoded and looked up.

use super::{Code, Corner, Forms, JosekiBook, Key, Place, Stones, Turn, View};
use cpu_time::ThreadTime;
use go_engine::Color;
use std::hint::black_box;
use std::time::Duration;

/// Some items, and the processor's time for all of them.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// How many.
    pub items: usize,
    /// The time.
    pub time: Duration,
}

/// The times of encoding corner positions and of looking them up in a book.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// The paper's code of each position.
    pub code: Timed,
    /// The canonical key of each.
    pub key: Timed,
    /// The key after one more stone has come or gone.
    pub kept: Timed,
    /// The next moves of each in the book.
    pub next: Timed,
    /// The same of those that the book knows.
    pub known: Timed,
}

impl Speed {
    /// Times all of it on one thread.
    pub fn measure(positions: &[Stones], book: &JosekiBook) -> Speed {
        let forms: Vec<Forms> = positions.iter().map(|&stones| Forms::of(stones)).collect();
        let stone = |stones: &Stones| stones.black.union(stones.white).iter().next();
        let kept: Vec<_> = forms.iter().zip(positions.iter().map(stone)).collect();
        let is_known = |forms: &&Forms| book.find(forms.view(Color::Black, None).key).is_some();
        let known: Vec<Forms> = forms.iter().filter(is_known).copied().collect();
        Speed {
            code: time(positions, |&stones| Code::of(stones).s()),
            key: time(positions, |&stones| Forms::of(stones).position_key()),
            kept: time(&kept, |&(forms, stone)| kept_up(*forms, stone)),
            next: time(&forms, |forms| look_up(book, forms)),
            known: time(&known, |forms| look_up(book, forms)),
        }
    }
}

/// How many items there are, and the time of doing the same for every one.
fn time<T, R>(items: &[T], work: impl Fn(&T) -> R) -> Timed {
    let started = ThreadTime::now();
    for item in items {
        black_box(work(black_box(item)));
    }
    Timed { items: items.len(), time: started.elapsed() }
}

/// A key after one more stone has come or gone.
fn kept_up(mut forms: Forms, stone: Option<Place>) -> Key {
    if let Some(stone) = stone {
        forms.toggle(stone, Color::Black);
    }
    forms.view(Color::Black, None).key
}

/// All continuations of a corner, mapped back to the points of the board.
fn look_up(book: &JosekiBook, forms: &Forms) -> f32 {
    let view: View = forms.view(Color::Black, None);
    let Some(id) = book.find(view.key) else { return 0.0 };
    let state = book.state(id);
    let side = book.side;
    let points = book.shares(state, Turn::Answer).map(|found| {
        let point = Corner::UpperRight.point(view.turn(found.place), side, side);
        found.share * f32::from(point.col() ^ point.row())
    });
    points.sum()
}
