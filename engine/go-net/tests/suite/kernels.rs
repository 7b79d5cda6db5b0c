//! Fast kernels against the plain way, on small networks of every version, and whole numbers against floats.

use crate::common::networks;
use game_record::{Games, Record};
use go_engine::{Board, Color, Point, Rules, Site, with_layout};
use go_network::{
    Agreement, BoardSize, FeatureWriter, Features, Kernels, Network, NetworkFile, NetworkRules,
    Numbers, Outputs, Position, Symmetry, probe, reference, sample,
};
use simd::Level;

/// What the sample networks say of some positions, by the plain way; the plain way is compared with KataGo where its
/// networks are at hand. Written anew by `UPDATE_SAMPLE_OUTPUTS=1 cargo test -p tesuji-go-network stored`.
const STORED: &str = include_str!("sample_outputs.txt");

fn positions() -> Vec<Features> {
    let sides = [(9, 3), (13, 2), (19, 2), (2, 1), (5, 1), (10, 1)];
    sides.iter().flat_map(|&(side, count)| probe::positions(side, count, false)).collect()
}

fn all_numbers(outputs: &Outputs) -> Vec<f32> {
    let parts = [&outputs.policy, &outputs.optimistic_policy, &outputs.ownership];
    let mut numbers: Vec<f32> = parts.into_iter().flatten().copied().collect();
    numbers.extend(outputs.outcome);
    numbers.extend(outputs.misc);
    numbers
}

fn ask(network: &Network, features: &Features) -> Outputs {
    let mut outputs = [Outputs::default()];
    let mut worker = network.worker(features.size, 1);
    network.evaluate(&mut worker, std::slice::from_ref(features), &mut outputs);
    let [outputs] = outputs;
    outputs
}

#[test]
fn stored_outputs_are_found_again() {
    let mut lines = Vec::new();
    for version in [8, 10, 12, 15, 16] {
        let network = sample::network(version, 5);
        for (number, features) in positions().iter().enumerate() {
            let outputs = reference::evaluate(&network, features);
            // Some of each kind of number.
            let policy = outputs.policy.iter().step_by(outputs.policy.len() / 3);
            let mut line = format!("{version} {number}");
            for n in
                policy.chain(&outputs.outcome).chain(&outputs.misc).chain(&outputs.ownership[..2])
            {
                line += &format!(" {n:.5}");
            }
            lines.push(line);
        }
    }
    if std::env::var_os("UPDATE_SAMPLE_OUTPUTS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/sample_outputs.txt");
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
        return;
    }
    assert_eq!(lines.len(), STORED.lines().count());
    for (found, stored) in lines.iter().zip(STORED.lines()) {
        let numbers =
            |line: &str| line.split(' ').map(|n| n.parse().unwrap()).collect::<Vec<f32>>();
        for (found, stored) in numbers(found).iter().zip(numbers(stored)) {
            assert!((found - stored).abs() < 1e-4, "{found} {stored}");
        }
    }
}

#[test]
fn all_kernels_say_what_the_plain_way_says() {
    let positions = positions();
    for version in 8..=17 {
        let file = sample::network(version, u64::from(version) + 100);
        for level in Level::available() {
            for numbers in [Numbers::Float, Numbers::Int16] {
                let network = Network::new(&file, Kernels { level, numbers });
                let near = if numbers == Numbers::Float { 1e-4 } else { 2e-2 };
                for features in &positions {
                    let expected = all_numbers(&reference::evaluate(&file, features));
                    let found = all_numbers(&ask(&network, features));
                    assert_eq!(found.len(), expected.len());
                    for (found, expected) in found.iter().zip(&expected) {
                        let near = near * (1.0 + expected.abs());
                        assert!(
                            (found - expected).abs() < near,
                            "{version} {level:?} {numbers:?}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_position_gives_the_same_in_any_batch_and_thread() {
    let file = sample::network(15, 2);
    for numbers in [Numbers::Float, Numbers::Int16] {
        let network = Network::new(&file, Kernels { level: simd::level(), numbers });
        for side in [9, 19] {
            let positions = probe::positions(side, 7, false);
            let alone: Vec<Outputs> =
                positions.iter().map(|features| ask(&network, features)).collect();
            std::thread::scope(|scope| {
                for batch in [1, 2, 3, 7, 20] {
                    let (network, positions, alone) = (&network, &positions, &alone);
                    scope.spawn(move || {
                        let mut worker = network.worker(positions[0].size, batch);
                        let mut outputs = vec![Outputs::default(); 7];
                        // Twice, since nothing of an earlier batch may be left.
                        for _ in 0..2 {
                            network.evaluate(&mut worker, positions, &mut outputs);
                            assert_eq!(&outputs, alone);
                            network.evaluate(&mut worker, &positions[3..4], &mut outputs[..1]);
                            assert_eq!(outputs[0], alone[3]);
                        }
                    });
                }
            });
        }
    }
}

#[test]
fn symmetries_are_undone() {
    // A network whose convolutions look at one point only is symmetric itself.
    let mut file = sample::network(12, 4);
    let keep_middle = |conv: &mut go_network::file::ConvLayer| {
        let (rows, columns) = conv.kernel;
        let place = conv.inputs * conv.outputs;
        for (at, weights) in conv.weights.chunks_exact_mut(place).enumerate() {
            if at != rows * columns / 2 {
                weights.fill(0.0);
            }
        }
    };
    keep_middle(&mut file.trunk.conv);
    file.trunk.blocks.truncate(1);
    if let go_network::file::Block::Ordinary(block) = &mut file.trunk.blocks[0] {
        keep_middle(&mut block.first);
        keep_middle(&mut block.second);
    }
    let network = Network::new(&file, Kernels { level: simd::level(), numbers: Numbers::Float });
    let features = &probe::positions(9, 3, false)[2];
    let expected = ask(&network, features);
    let size = BoardSize::square(9);
    for symmetry in Symmetry::of_board((9, 9)) {
        let mut found = ask(&network, &features.transformed(symmetry));
        found.undo_symmetry(size, symmetry);
        for (found, expected) in all_numbers(&found).iter().zip(all_numbers(&expected)) {
            assert!((found - expected).abs() < 1e-3, "{symmetry:?}: {found} {expected}");
        }
    }
}

/// Positions of games from records, one each.
fn of_records<const N: usize, const W: usize>(
    bytes: &[u8],
    side: u8,
    count: usize,
) -> Vec<Features> {
    let mut writer = FeatureWriter::<N, W>::new(false);
    let mut positions = Vec::new();
    for (number, game) in Games::new(bytes).filter_map(Result::ok).take(count).enumerate() {
        let record = Record::read(&game).unwrap();
        let board = Board::<N, W>::new(side, side).unwrap();
        let rules = NetworkRules::from(Rules::CHINESE);
        let mut position = Position::new(board, Color::Black, rules, 7.0, [0; 2]);
        let moves: Vec<_> = record.moves().collect();
        for played in moves.iter().take(moves.len() * (number % 20) / 20) {
            let color = match played.color {
                game_record::Color::Black => Color::Black,
                game_record::Color::White => Color::White,
            };
            let site = played.point.map_or(Site::PASS, |p| {
                position.board().site(Point::new(p.column, side - 1 - p.row)).unwrap()
            });
            position.play(color, site);
        }
        positions.push(writer.write(&position));
    }
    positions
}

#[test]
fn whole_numbers_find_the_moves_that_floats_find() {
    let (Some(folder), Some(shared)) = (networks(), test_support::shared("data")) else { return };
    let name = "g170-b6c96-s175395328-d26788732.bin.gz";
    let file = NetworkFile::open(&folder.join(name)).unwrap();
    let [float, int16] = [Numbers::Float, Numbers::Int16]
        .map(|numbers| Network::new(&file, Kernels { level: simd::level(), numbers }));
    let mut agreement = Agreement::default();
    for (side, records) in [(9, "go9/cgos"), (19, "go19/pro")] {
        let path = std::fs::read_dir(shared.join(records)).unwrap().flatten().next();
        let bytes = std::fs::read(path.unwrap().path()).unwrap();
        agreement.add(&float, &int16, &with_layout!(side, of_records(&bytes, side, 300)));
    }
    eprintln!("{agreement:?}");
    assert!(agreement.positions >= 500);
    assert!(agreement.same_best * 100 >= agreement.positions * 97, "{agreement:?}");
}

#[test]
fn a_root_is_averaged_where_an_evaluation_is_quick() {
    let file = sample::network(15, 1);
    for level in Level::available() {
        let network = Network::new(&file, Kernels { level, numbers: Numbers::Float });
        let ways = if level == Level::SCALAR { 1 } else { 8 };
        assert_eq!(network.root_symmetries(8), ways, "{level:?}");
    }
}
