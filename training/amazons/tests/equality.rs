//! burn's forward pass and the engine's are the same function.

use amazons_engine::Position;
use amazons_engine::eval::{Weights, chance};
use amazons_engine::learn::Lesson;
use amazons_engine::net::file::{Class, Net};
use amazons_engine::net::lean::{Form, Lean, ask};
use amazons_engine::net::literal::{Kind, Network, Opinion};
use amazons_engine::net::policy::{Policy, Rooms};
use amazons_training::{forward, processor};
use std::sync::Arc;

/// Positions of a game of moves drawn at random, a lesson of either stage of each turn.
fn lessons(turns: usize) -> [Vec<Lesson>; 2] {
    let mut position = Position::start();
    let (mut queens, mut arrows, mut seed) = (Vec::new(), Vec::new(), 5u64);
    for _ in 0..turns {
        let moves = position.moves();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mv = moves[(seed >> 33) as usize % moves.len()];
        let lesson = |position, shooter, played: (_, _)| Lesson {
            position,
            shooter,
            played,
            visits: vec![(played.0, played.1, 3)],
            won: true,
            chance: 0.5,
        };
        queens.push(lesson(position, None, (mv.from, mv.to)));
        let between = position.after_queen(mv.from, mv.to);
        arrows.push(lesson(between, Some(mv.to), (mv.to, mv.arrow)));
        position.make(mv);
    }
    [queens, arrows]
}

fn agree(class: Class, parameters: &[f32], turns: usize) {
    let weights = Weights::shipped();
    let net: Net = class.network(parameters).expect("a network");
    let policy = Policy::Network(Arc::new(net.clone()));
    let mut rooms = Rooms::default();
    for lessons in lessons(turns) {
        let found = forward(class, parameters, &lessons, &weights, &processor());
        for (lesson, (choices, value)) in lessons.iter().zip(found) {
            let (position, shooter) = (&lesson.position, lesson.shooter);
            let played = policy.opinion(&weights, position, shooter, &mut rooms);
            // The lean network is played in whole numbers; what training computes is its reference.
            let opinion = match &net {
                Net::Lean(network) => {
                    let (logit, asked) = ask(&weights, position, shooter);
                    let found = network.reference(position, shooter, logit, &asked);
                    let policy =
                        asked.iter().zip(found.shares).map(|(c, share)| (c.from, c.to, share));
                    Opinion { value: found.value, policy: policy.collect() }
                }
                Net::Literal(_) => played.clone(),
            };
            assert!((chance(value) - opinion.value).abs() < 1e-4, "{value} {}", opinion.value);
            assert!(
                (played.value - opinion.value).abs() < 0.05,
                "{} {}",
                played.value,
                opinion.value
            );
            assert_eq!(choices.len(), opinion.policy.len());
            for ((from, to, share), played) in opinion.policy.into_iter().zip(played.policy) {
                let other = choices
                    .iter()
                    .find(|c| c.1 == to && (c.0 == from || lesson.shooter.is_some()))
                    .expect("the same choices");
                assert!((share - other.2).abs() < 1e-4, "{share} {}", other.2);
                assert!((share - played.2).abs() < 0.2, "{share} {}", played.2);
            }
        }
    }
}

#[test]
fn the_lean_network_is_the_same_in_both() {
    for form in [Form::SHIPPED, Form { blocks: 1, channels: 5 }, Form { blocks: 0, channels: 3 }] {
        // Every parameter is something else than what training begins with.
        let mut parameters = Lean::first_parameters(form, 7);
        for (at, parameter) in parameters.iter_mut().enumerate() {
            *parameter += 0.02 * (at as f32 * 0.7).sin();
        }
        agree(Class::Lean(form), &parameters, 12);
    }
    let shipped = include_bytes!("../../../engine/amazons/weights/lean.net");
    let (class, parameters) = amazons_engine::net::file::read(shipped).expect("a network");
    agree(class, &parameters, 12);
}

#[test]
fn the_patents_networks_are_the_same_in_both() {
    let mut parameters = Network::random_parameters(Kind::Move, 1);
    parameters.extend(Network::random_parameters(Kind::Arrow, 2));
    amazons_training::share(&mut parameters);
    agree(Class::Literal, &parameters, 4);
}
