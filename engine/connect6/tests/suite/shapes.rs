//! The table of shapes against brute force, and the exercises of the slides.

use connect6_engine::shape::{ShapeType, attack_points, defence_points, promotion, shape};
use connect6_engine::windows::free_windows;

/// Lengths checked by brute force over every shape.
const MAX_LEN: usize = 13;

/// Whether a stretch can be filled to six in a row with two stones.
fn can_complete(len: usize, stones: u32, blocked: u32) -> bool {
    (0..(len + 1).saturating_sub(6)).any(|start| {
        let window = 0x3f << start;
        blocked & window == 0 && (stones & window).count_ones() >= 4
    })
}

/// The minimum number of stones of the opponent, tried in every way, after which no six is possible; 3 for more.
fn min_by_trying(len: usize, stones: u32) -> u8 {
    let empties: Vec<u32> = (0..len).map(|bit| 1 << bit).filter(|bit| stones & bit == 0).collect();
    if !can_complete(len, stones, 0) {
        return 0;
    }
    if empties.iter().any(|a| !can_complete(len, stones, *a)) {
        return 1;
    }
    let pairs = || empties.iter().flat_map(|a| empties.iter().map(move |b| a | b));
    if pairs().any(|pair| !can_complete(len, stones, pair)) { 2 } else { 3 }
}

fn has_six(len: usize, stones: u32) -> bool {
    (0..(len + 1).saturating_sub(6)).any(|start| stones >> start & 0x3f == 0x3f)
}

#[test]
fn threat_counts_are_exact() {
    for len in 1..=MAX_LEN {
        for stones in 0..1u32 << len {
            let found = shape(len, stones);
            if has_six(len, stones) {
                assert_eq!((found.kind, found.threats), (ShapeType::Win, 3), "{len} {stones:b}");
            } else {
                assert_eq!(found.threats, min_by_trying(len, stones), "{len} {stones:b}");
                assert_eq!(
                    found.kind == ShapeType::DoubleWin,
                    found.threats == 3,
                    "{len} {stones:b}"
                );
            }
        }
    }
}

#[test]
fn windows_counted_in_words_are_those_counted_one_by_one() {
    // A fixed stream of pseudo-random lines, for several rules.
    let mut state = 12345u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32
    };
    for (k, p) in [(6, 2), (5, 1), (4, 3), (7, 2), (15, 5), (2, 1)] {
        for _ in 0..20_000 {
            let valid = (1u32 << (1 + random() % 19)) - 1;
            let own = random() & valid & (random() | random());
            let other = random() & random() & valid & !own;
            let free = free_windows(k, p, own, other, valid);
            for (level, mask) in free.levels.iter().enumerate() {
                for start in 0..32 {
                    let window = (((1u64 << k) - 1) << start) as u32;
                    let whole = start + k <= 32 && window & valid == window && window & other == 0;
                    let count = (own & window).count_ones() as usize;
                    let expected = whole
                        && if level == 0 {
                            count >= k - p
                        } else {
                            count > 0 && count + level == k - p
                        };
                    assert_eq!(
                        mask >> start & 1 == 1,
                        expected,
                        "{k} {p} {own:b} {other:b} {valid:b} {level} {start}"
                    );
                }
            }
        }
    }
}

fn parse(text: &str) -> (usize, u32) {
    let bits = text.bytes().enumerate().fold(0, |m, (i, b)| m | u32::from(b == b'O') << i);
    (text.len(), bits)
}

#[test]
fn the_exercises_of_the_slides() {
    // Both shapes fill a line of nineteen points. A rational player would have won long before either.
    for text in ["OO--OOOO-OO-OOOO-OO", "O--OO-OOO--OOO--OO-"] {
        let (len, stones) = parse(text);
        assert_eq!(len, 19);
        let found = shape(len, stones);
        // Brute force over all ways to place two stones agrees.
        assert_eq!(found.threats, min_by_trying(len, stones), "{text}");
        println!("{text}: {} {}", found.kind.name(), found.threats);
    }
    let (len, stones) = parse("OO--OOOO-OO-OOOO-OO");
    assert_eq!(shape(len, stones).kind, ShapeType::DoubleWin);
    let (len, stones) = parse("O--OO-OOO--OOO--OO-");
    assert_eq!(shape(len, stones).kind, SECOND_EXERCISE);
}

const SECOND_EXERCISE: ShapeType = ShapeType::DoubleWin;

#[test]
fn types_follow_from_promotions() {
    for (text, kind, threats) in [
        ("--OOOO--", ShapeType::Live4, 2),
        ("OOOO--", ShapeType::Dead4, 1),
        ("-O-OOO-", ShapeType::Sleeping4, 1),
        ("-OOOOO-", ShapeType::Live5, 2),
        ("OOOOO-", ShapeType::Dead5, 1),
        ("--OOO---", ShapeType::Live3, 0),
        ("OOO---", ShapeType::Dead3, 0),
        ("----OO----", ShapeType::Live2, 0),
        ("OO----", ShapeType::Other, 0),
        ("OOOOOO", ShapeType::Win, 3),
        ("OOOOO", ShapeType::Other, 0),
    ] {
        let (len, stones) = parse(text);
        let found = shape(len, stones);
        assert_eq!((found.kind, found.threats), (kind, threats), "{text}");
    }
}

#[test]
fn no_stone_of_the_colour_lowers_a_type() {
    for len in 6..=12 {
        for stones in 0..1u32 << len {
            let now = shape(len, stones);
            for bit in 0..len {
                match promotion(len, stones, bit) {
                    Some(next) => assert!(next.threats >= now.threats, "{len} {stones:b} {bit}"),
                    None => assert!(stones >> bit & 1 == 1),
                }
            }
            // Attack and defence points are empty points of the shape.
            for points in [attack_points(len, stones), defence_points(len, stones)] {
                assert_eq!(points & (stones | !((1 << len) - 1)), 0);
            }
        }
    }
    let (len, stones) = parse("--OOOO--");
    assert_ne!(defence_points(len, stones) & 0b0100_0010, 0);
}
