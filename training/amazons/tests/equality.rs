//! burn's forward pass and the engine's are the same function.

use amazons_engine::Position;
use amazons_engine::eval::{Weights, chance};
use amazons_engine::learn::Sample;
use amazons_engine::net::NetOutput;
use amazons_engine::net::file::{Architecture, Net};
use amazons_engine::net::patent::{Kind, Network};
use amazons_engine::net::policy::{Policy, Scratch};
use amazons_engine::net::resnet::{ResNet, ResNetSize, candidates};
use amazons_training::{forward, processor};
use std::sync::Arc;

/// Positions of a game of moves drawn at random, a sample of either stage of each turn.
fn samples(turns: usize) -> [Vec<Sample>; 2] {
    let mut position = Position::start();
    let (mut queens, mut arrows, mut seed) = (Vec::new(), Vec::new(), 5u64);
    for _ in 0..turns {
        let moves = position.moves();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mv = moves[(seed >> 33) as usize % moves.len()];
        let sample = |position, shooter, played: (_, _)| Sample {
            position,
            shooter,
            played,
            visits: vec![(played.0, played.1, 3)],
            won: true,
            chance: 0.5,
        };
        queens.push(sample(position, None, (mv.from, mv.to)));
        let between = position.after_queen(mv.from, mv.to);
        arrows.push(sample(between, Some(mv.to), (mv.to, mv.arrow)));
        position.make(mv);
    }
    [queens, arrows]
}

fn agree(architecture: Architecture, parameters: &[f32], turns: usize) {
    let weights = Weights::shipped();
    let net: Net = architecture.network(parameters).expect("a network");
    let policy = Policy::Network(Arc::new(net.clone()));
    let mut scratch = Scratch::default();
    for samples in samples(turns) {
        let found = forward(architecture, parameters, &samples, &weights, &processor());
        for (sample, (choices, value)) in samples.iter().zip(found) {
            let (position, shooter) = (&sample.position, sample.shooter);
            let played = policy.evaluate(&weights, position, shooter, &mut scratch);
            // The residual network is played in whole numbers; what training computes is its reference.
            let output = match &net {
                Net::ResNet(network) => {
                    let (logit, asked) = candidates(&weights, position, shooter);
                    let found = network.reference(position, shooter, logit, &asked);
                    let policy =
                        asked.iter().zip(found.shares).map(|(c, share)| (c.from, c.to, share));
                    NetOutput { value: found.value, policy: policy.collect() }
                }
                Net::Patent(_) => played.clone(),
            };
            assert!((chance(value) - output.value).abs() < 1e-4, "{value} {}", output.value);
            assert!(
                (played.value - output.value).abs() < 0.05,
                "{} {}",
                played.value,
                output.value
            );
            assert_eq!(choices.len(), output.policy.len());
            for ((from, to, share), played) in output.policy.into_iter().zip(played.policy) {
                let other = choices
                    .iter()
                    .find(|c| c.1 == to && (c.0 == from || sample.shooter.is_some()))
                    .expect("the same choices");
                assert!((share - other.2).abs() < 1e-4, "{share} {}", other.2);
                assert!((share - played.2).abs() < 0.2, "{share} {}", played.2);
            }
        }
    }
}

#[test]
fn the_residual_network_is_the_same_in_both() {
    for size in [
        ResNetSize::SHIPPED,
        ResNetSize { blocks: 1, channels: 5 },
        ResNetSize { blocks: 0, channels: 3 },
    ] {
        // Every parameter is something else than what training begins with.
        let mut parameters = ResNet::first_parameters(size, 7);
        for (at, parameter) in parameters.iter_mut().enumerate() {
            *parameter += 0.02 * (at as f32 * 0.7).sin();
        }
        agree(Architecture::ResNet(size), &parameters, 12);
    }
    let shipped = include_bytes!("../../../engine/amazons/weights/resnet.net");
    let (architecture, parameters) = amazons_engine::net::file::read(shipped).expect("a network");
    agree(architecture, &parameters, 12);
}

#[test]
fn the_patents_networks_are_the_same_in_both() {
    let mut parameters = Network::random_parameters(Kind::Move, 1);
    parameters.extend(Network::random_parameters(Kind::Arrow, 2));
    amazons_training::share(&mut parameters);
    agree(Architecture::Patent, &parameters, 4);
}
