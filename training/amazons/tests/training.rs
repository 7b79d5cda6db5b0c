//! Training learns, repeats itself, and goes on where it stopped.

use amazons_engine::Position;
use amazons_engine::eval::Weights;
use amazons_engine::learn::{Sample, SelfPlay};
use amazons_engine::net::file::Architecture;
use amazons_engine::net::resnet::ResNetSize;
use amazons_training::{CheckpointError, Optimizer, Options, Trainer, TrainerError, processor};

/// A few short games of the engine against itself.
fn samples() -> Vec<Sample> {
    let settings = SelfPlay { visits: 12, ..SelfPlay::default() };
    let weights = Weights::shipped();
    let games = (1..=3).map(|seed| settings.play(&weights, seed));
    games.flat_map(|game| game.samples(Position::start()).expect("legal turns")).collect()
}

fn options() -> Options {
    Options {
        architecture: Architecture::ResNet(ResNetSize { blocks: 1, channels: 6 }),
        steps: 40,
        batch: 8,
        rate: 5e-3,
        optimizer: Optimizer::Adam,
        value_weight: 1.0,
        seed: 1,
    }
}

fn trainer(
    options: &Options,
    samples: &[Sample],
    checkpoint: Option<&[u8]>,
) -> Result<Trainer, TrainerError> {
    let watch = samples[..samples.len().min(40)].to_vec();
    let samples = samples.to_vec();
    Trainer::new(options.clone(), Weights::shipped(), &processor(), samples, watch, checkpoint)
}

#[test]
fn losses_fall_and_a_run_goes_on_as_if_it_had_not_stopped() {
    let samples = samples();
    let options = options();
    let mut whole = trainer(&options, &samples, None).expect("a trainer");
    let before = whole.watch().expect("a point");
    let mut kept = Vec::new();
    for step in 0..options.steps {
        if step == 25 {
            kept = whole.checkpoint();
        }
        whole.advance().expect("a step");
    }
    let after = whole.watch().expect("a point");
    // Losses of the queens' moves and of the arrows, on samples that were learned from.
    assert!(after.numbers[3] + after.numbers[7] < before.numbers[3] + before.numbers[7]);
    assert_eq!(whole.curve().len(), 2);
    let mut again = trainer(&options, &samples, Some(&kept)).expect("a trainer");
    assert_eq!(again.step(), 25);
    for _ in 25..options.steps {
        again.advance().expect("a step");
    }
    assert_eq!(again.parameters(), whole.parameters());
    // Of other options, or nothing to learn from.
    let other = Options { rate: 1e-3, ..options.clone() };
    let found = trainer(&other, &samples, Some(&kept)).err();
    assert_eq!(found, Some(TrainerError::Checkpoint(CheckpointError::Other)));
    assert_eq!(trainer(&options, &[], None).err(), Some(TrainerError::TooFew));
}

#[test]
fn the_patents_networks_learn_and_keep_what_they_share() {
    let all = samples();
    let options = Options {
        architecture: Architecture::Patent,
        steps: 2,
        batch: 1,
        rate: 1e-4,
        optimizer: Optimizer::RmsProp,
        ..options()
    };
    let mut trainer = trainer(&options, &all[..2], None).expect("a trainer");
    let before = trainer.parameters().to_vec();
    for _ in 0..2 {
        let losses = trainer.advance().expect("a step");
        assert!(losses.policy.iter().all(|loss| loss.is_finite()));
    }
    let after = trainer.parameters();
    // Outputs that no sample asked for have no gradient; the trunk's first layers have one.
    let changed = before.iter().zip(after).take(100_000).filter(|(a, b)| a != b).count();
    assert!(changed > 50_000, "{changed}");
    let mut shared = after.to_vec();
    amazons_training::share(&mut shared);
    assert_eq!(shared, after);
}
