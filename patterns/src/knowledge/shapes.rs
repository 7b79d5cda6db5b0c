//! Learned shapes for playouts.

use super::memo::Memo;
use super::{Library, Patterns};
use crate::mix;
use crate::mle::{Answers, Katz, Name, Template, names_on_board};
use go_engine::playout::heavy::{HandMade, Shapes};
use go_engine::{Board, Color, Site};
use std::sync::Arc;

/// The shapes of one choice of [`Patterns`].
pub(super) struct LearnedShapes {
    patterns: Patterns,
    library: Arc<Library>,
    /// Estimates by the raw code of a 3x3 or 5x5, which is cheaper than its name.
    memo: Memo,
    /// The least estimate of a good point, in 65,536ths.
    good: u16,
}

/// Room for two hundred thousand codes, two megabytes: more than a search of a minute meets often.
const MEMO_BITS: u32 = 18;

impl LearnedShapes {
    pub(super) fn new(patterns: Patterns, library: Arc<Library>, good: f32) -> LearnedShapes {
        let bits = match patterns {
            Patterns::Square3 | Patterns::Square5 | Patterns::Katz => MEMO_BITS,
            _ => 0,
        };
        let good = (good * 65536.0).clamp(1.0, 65535.0) as u16;
        LearnedShapes { patterns, library, memo: Memo::new(bits), good }
    }

    fn answers(&self) -> &Answers {
        &self.library.table().answers
    }

    /// The estimate of the patterns up to a template, in 65,536ths.
    #[cold]
    fn estimate<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        site: Site,
        mover: Color,
    ) -> u16 {
        let table = self.library.table();
        let largest = match self.patterns {
            Patterns::Square3 => Template::SQUARE_3,
            _ => Template::SQUARE_5,
        };
        let names: Vec<Name> = names_on_board(board, site, mover, largest);
        let rate = match self.patterns {
            Patterns::Katz => Katz::FULL.estimate(table, names),
            _ => names.last().and_then(|&name| table.get(name)).map_or(0.0, |entry| entry.rate()),
        };
        (rate * 65536.0).round().clamp(0.0, 65535.0) as u16
    }
}

/// A code of the 5x5 about a site, raw: made of the 3x3 codes of the four diagonal neighbours, which
/// cover all but those neighbours themselves, and of the site's own, which has them.
#[inline(always)]
fn code_5x5<const N: usize, const W: usize>(board: &Board<N, W>, site: Site) -> u64 {
    let mut code = 0;
    for step in Board::<N, W>::DIAGONAL {
        let corner = site.offset(step);
        // Beyond the border lies another row's end: nothing that belongs to the pattern, and what
        // does is covered by the other corners.
        let part = if board.is_on_board(corner) { board.around(corner).0 } else { 0xffff };
        code = code << 16 | u64::from(part);
    }
    mix(code) ^ u64::from(board.around(site).0)
}

impl Shapes for LearnedShapes {
    #[inline(always)]
    fn weight<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        s: Site,
        last: Site,
        color: Color,
    ) -> u16 {
        let weight = match self.patterns {
            Patterns::None => 0,
            Patterns::Hand => return HandMade.weight(board, s, last, color),
            Patterns::Full => self.answers().rate(board, s, last, color),
            Patterns::Square3 => {
                let key = mix(u64::from(board.around(s).0) << 2 | color as u64);
                self.memo.get(key, || self.estimate(board, s, color))
            }
            Patterns::Square5 | Patterns::Katz => {
                let key = mix(code_5x5(board, s) ^ (color as u64) << 40);
                self.memo.get(key, || self.estimate(board, s, color))
            }
        };
        if weight >= self.good { weight } else { 0 }
    }
}
