//! Small networks with random weights: for tests where no real one is at hand.

use crate::file::{
    ActivationLayer, BiasLayer, Block, ConvLayer, GLOBALS, MatMulLayer, Multipliers, NestedBlock,
    NetworkFile, NormAct, NormLayer, OrdinaryBlock, PLANES, PolicyHead, PoolingBlock, Trunk,
    ValueHead,
};
use nn::Activation;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// Channels of the trunk.
const CHANNELS: usize = 20;
/// Channels of nested blocks, and of what is pooled.
const FEW: usize = 8;

struct Sampler {
    random: Xoshiro256PlusPlus,
    version: u32,
    layers: usize,
}

/// A network of this version that has every kind of block and, from version 11 on, every kind of activation; some 40 kB.
/// The seed gives all weights.
///
/// ```
/// let network = go_network::sample::network(15, 1);
/// let read = go_network::NetworkFile::read(&network.write_gzip()[..])?;
/// assert_eq!(read, network);
/// # Ok::<(), go_network::NetworkError>(())
/// ```
pub fn network(version: u32, seed: u64) -> NetworkFile {
    let mut sampler =
        Sampler { random: Xoshiro256PlusPlus::seed_from_u64(seed), version, layers: 0 };
    let s = &mut sampler;
    let trunk = Trunk {
        name: "trunk".to_owned(),
        conv: s.conv(5, PLANES, CHANNELS),
        globals: s.matmul(GLOBALS, CHANNELS),
        blocks: vec![
            Block::Ordinary(s.ordinary(CHANNELS, CHANNELS + 4)),
            Block::Pooling(Box::new(s.pooling(CHANNELS, (CHANNELS, FEW)))),
            Block::Nested(s.nested()),
        ],
        tip: s.norm_act(CHANNELS),
    };
    let logits = match version {
        ..12 => 1,
        16 => 4,
        _ => 2,
    };
    let policy = PolicyHead {
        name: "policy".to_owned(),
        conv: s.conv(1, CHANNELS, FEW),
        pooled: s.conv(1, CHANNELS, FEW),
        pooled_norm: s.norm_act(FEW),
        pooled_to_bias: s.matmul(3 * FEW, FEW),
        norm: s.norm_act(FEW),
        last: s.conv(1, FEW, logits),
        pass: s.matmul(3 * FEW, if version < 15 { logits } else { FEW }),
        pass_deep: (version >= 15).then(|| (s.bias(FEW), s.act(), s.matmul(FEW, logits))),
    };
    let value = ValueHead {
        name: "value".to_owned(),
        conv: s.conv(1, CHANNELS, FEW),
        norm: s.norm_act(FEW),
        hidden: s.matmul(3 * FEW, FEW),
        hidden_bias: s.bias(FEW),
        hidden_act: s.act(),
        outcome: s.matmul(FEW, 3),
        outcome_bias: s.bias(3),
        misc: s.matmul(FEW, if version < 9 { 4 } else { 6 }),
        misc_bias: s.bias(if version < 9 { 4 } else { 6 }),
        ownership: s.conv(1, FEW, 1),
    };
    let mut multipliers = Multipliers::default();
    if version >= 13 {
        multipliers.lead = 15.0;
        multipliers.score_error = 120.5;
    }
    NetworkFile {
        name: format!("sample-{version}-{seed}"),
        version,
        multipliers,
        strict_pass_alive: version >= 17,
        trunk,
        policy,
        value,
    }
}

/// A network of version 8 in the form of the published ones: ordinary blocks of so many channels, every third one with
/// global pooling, a first convolution of 5x5 and heads of 32 channels. For measuring speed where no real one is at hand.
pub fn tower(blocks: usize, channels: usize, seed: u64) -> NetworkFile {
    let mut network = network(8, seed);
    let random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let s = &mut Sampler { random, version: 8, layers: 0 };
    let pooled = (channels / 3).max(1);
    network.name = format!("tower-b{blocks}c{channels}");
    network.trunk = Trunk {
        name: "trunk".to_owned(),
        conv: s.conv(5, PLANES, channels),
        globals: s.matmul(GLOBALS, channels),
        blocks: (1..=blocks)
            .map(|number| match number % 3 {
                0 => Block::Pooling(Box::new(s.pooling(channels, (channels - pooled, pooled)))),
                _ => Block::Ordinary(s.ordinary(channels, channels)),
            })
            .collect(),
        tip: s.norm_act(channels),
    };
    let heads = 32;
    network.policy = PolicyHead {
        conv: s.conv(1, channels, heads),
        pooled: s.conv(1, channels, heads),
        pooled_norm: s.norm_act(heads),
        pooled_to_bias: s.matmul(3 * heads, heads),
        norm: s.norm_act(heads),
        last: s.conv(1, heads, 1),
        pass: s.matmul(3 * heads, 1),
        ..network.policy
    };
    network.value = ValueHead {
        conv: s.conv(1, channels, heads),
        norm: s.norm_act(heads),
        hidden: s.matmul(3 * heads, FEW),
        ownership: s.conv(1, heads, 1),
        ..network.value
    };
    network
}

impl Sampler {
    fn name(&mut self) -> String {
        self.layers += 1;
        format!("layer{}", self.layers)
    }

    /// A number from -1 to 1.
    fn number(&mut self) -> f32 {
        (self.random.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Numbers from -1 to 1, so that sums of `inputs` products are about as large as what comes in.
    fn numbers(&mut self, count: usize, inputs: usize) -> Vec<f32> {
        let scale = (3.0 / inputs as f32).sqrt();
        (0..count).map(|_| self.number() * scale).collect()
    }

    fn conv(&mut self, side: usize, inputs: usize, outputs: usize) -> ConvLayer {
        let weights = self.numbers(side * side * inputs * outputs, side * side * inputs);
        ConvLayer { name: self.name(), kernel: (side, side), inputs, outputs, weights }
    }

    fn matmul(&mut self, inputs: usize, outputs: usize) -> MatMulLayer {
        let weights = self.numbers(inputs * outputs, inputs);
        MatMulLayer { name: self.name(), inputs, outputs, weights }
    }

    fn bias(&mut self, channels: usize) -> BiasLayer {
        BiasLayer { name: self.name(), weights: self.numbers(channels, 12) }
    }

    fn act(&mut self) -> ActivationLayer {
        let kinds = [Activation::Relu, Activation::Mish, Activation::Silu, Activation::None];
        let name = self.name();
        let kind = if self.version < 11 { Activation::Relu } else { kinds[self.layers % 4] };
        ActivationLayer { name, kind }
    }

    fn norm_act(&mut self, channels: usize) -> NormAct {
        let variance = (0..channels).map(|_| 0.5 + self.number().abs()).collect();
        let has_scale = self.layers.is_multiple_of(2);
        let norm = NormLayer {
            name: self.name(),
            epsilon: 1e-3,
            mean: self.numbers(channels, 30),
            variance,
            scale: has_scale.then(|| (0..channels).map(|_| 1.0 + 0.3 * self.number()).collect()),
            bias: Some(self.numbers(channels, 12)),
        };
        NormAct { norm, act: self.act() }
    }

    fn ordinary(&mut self, channels: usize, middle: usize) -> OrdinaryBlock {
        OrdinaryBlock {
            name: self.name(),
            first_norm: self.norm_act(channels),
            first: self.conv(3, channels, middle),
            second_norm: self.norm_act(middle),
            second: self.conv(3, middle, channels),
        }
    }

    fn pooling(&mut self, channels: usize, (regular, pooled): (usize, usize)) -> PoolingBlock {
        PoolingBlock {
            name: self.name(),
            first_norm: self.norm_act(channels),
            regular: self.conv(3, channels, regular),
            pooled: self.conv(3, channels, pooled),
            pooled_norm: self.norm_act(pooled),
            pooled_to_bias: self.matmul(3 * pooled, regular),
            second_norm: self.norm_act(regular),
            second: self.conv(3, regular, channels),
        }
    }

    fn nested(&mut self) -> NestedBlock {
        NestedBlock {
            name: self.name(),
            first_norm: self.norm_act(CHANNELS),
            first: self.conv(1, CHANNELS, FEW),
            blocks: vec![
                Block::Ordinary(self.ordinary(FEW, FEW + 4)),
                Block::Pooling(Box::new(self.pooling(FEW, (FEW, FEW)))),
            ],
            last_norm: self.norm_act(FEW),
            last: self.conv(1, FEW, CHANNELS),
        }
    }
}
