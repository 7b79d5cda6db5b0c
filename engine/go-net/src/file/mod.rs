//! KataGo's network files: `.bin.gz`, `.txt.gz`, and the same without gzip.
//!
//! [`NetworkFile`] is what a file says, layer by layer, weights included; [`NetworkFile::read`] reads one from any source
//! and [`NetworkFile::write`] writes one. Versions 8 to 17 are known, as far as they have convolutions only: blocks of
//! attention, networks that imitate players by rank, and input features other than version 7 are refused by name.
//!
//! Files come from anywhere, so nothing that one claims is believed: sizes are bounded before memory is taken, memory is
//! taken as data arrives, every number is finite, and what expands beyond all sense is no network.

mod error;
mod layers;
mod read;
mod source;
mod write;

pub use error::{NetworkError, Problem};
pub use layers::{
    ActivationLayer, BiasLayer, Block, ConvLayer, MatMulLayer, NestedBlock, NormAct, NormLayer,
    OrdinaryBlock, PoolingBlock,
};

/// Planes that go in.
pub const PLANES: usize = 22;
/// Numbers that go in beside the planes.
pub const GLOBALS: usize = 19;
/// The versions that are read.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 8..=17;

/// What the outputs of the value head are multiplied with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multipliers {
    /// Not used in play.
    pub td_score: f32,
    /// Of the mean score.
    pub score_mean: f32,
    /// Of the score's spread.
    pub score_stdev: f32,
    /// Of the lead.
    pub lead: f32,
    /// Of the variance of the time that is left.
    pub variance_time: f32,
    /// Of the short-term error of the value.
    pub value_error: f32,
    /// Of the short-term error of the score.
    pub score_error: f32,
}

impl Default for Multipliers {
    /// Those of versions before 13.
    fn default() -> Multipliers {
        Multipliers {
            td_score: 20.0,
            score_mean: 20.0,
            score_stdev: 20.0,
            lead: 20.0,
            variance_time: 40.0,
            value_error: 0.25,
            score_error: 30.0,
        }
    }
}

/// What a file says, layer by layer.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    /// The network's own name.
    pub name: String,
    /// The version of the format, of [`VERSIONS`].
    pub version: u32,
    /// What the outputs of the value head are multiplied with.
    pub multipliers: Multipliers,
    /// Whether every point of a region, not only the empty ones, has to touch a chain for the region to be vital to it
    /// (planes 18 and 19), whatever the rules say of suicide.
    pub strict_pass_alive: bool,
    /// All but the heads.
    pub trunk: Trunk,
    /// Where moves come from.
    pub policy: PolicyHead,
    /// Where values come from.
    pub value: ValueHead,
}

/// All but the heads.
#[derive(Clone, Debug, PartialEq)]
pub struct Trunk {
    /// The file's name for it.
    pub name: String,
    /// The first convolution, of the planes.
    pub conv: ConvLayer,
    /// From the global numbers to what is added at all points.
    pub globals: MatMulLayer,
    /// The residual blocks.
    pub blocks: Vec<Block>,
    /// After the last block.
    pub tip: NormAct,
}

/// Where moves come from.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyHead {
    /// The file's name for it.
    pub name: String,
    /// To the channels that go on.
    pub conv: ConvLayer,
    /// To the channels that are pooled.
    pub pooled: ConvLayer,
    /// Before pooling.
    pub pooled_norm: NormAct,
    /// From what was pooled to what is added at all points.
    pub pooled_to_bias: MatMulLayer,
    /// Before the last convolution.
    pub norm: NormAct,
    /// To logits: one channel, or two (plain, optimistic), or four.
    pub last: ConvLayer,
    /// From what was pooled to the logits of a pass, or to what `pass_deep` goes on with.
    pub pass: MatMulLayer,
    /// What follows for a pass from version 15 on.
    pub pass_deep: Option<(BiasLayer, ActivationLayer, MatMulLayer)>,
}

/// Where values come from.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueHead {
    /// The file's name for it.
    pub name: String,
    /// To the channels that are pooled.
    pub conv: ConvLayer,
    /// Before pooling.
    pub norm: NormAct,
    /// From what was pooled.
    pub hidden: MatMulLayer,
    /// Added to that.
    pub hidden_bias: BiasLayer,
    /// Done to that.
    pub hidden_act: ActivationLayer,
    /// To win, loss and no result.
    pub outcome: MatMulLayer,
    /// Added to that.
    pub outcome_bias: BiasLayer,
    /// To score, spread, lead, time left, and from version 9 on two errors.
    pub misc: MatMulLayer,
    /// Added to that.
    pub misc_bias: BiasLayer,
    /// To the owner of each point.
    pub ownership: ConvLayer,
}

impl NetworkFile {
    /// Channels of the trunk.
    pub fn channels(&self) -> usize {
        self.trunk.conv.outputs
    }

    /// Blocks of each kind, those within others too: ordinary, with global pooling, nested.
    pub fn blocks(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        let mut all: Vec<&Block> = self.trunk.blocks.iter().collect();
        while let Some(block) = all.pop() {
            counts[match block {
                Block::Ordinary(_) => 0,
                Block::Pooling(_) => 1,
                Block::Nested(nested) => {
                    all.extend(&nested.blocks);
                    2
                }
            }] += 1;
        }
        counts
    }

    /// How many numbers were learned: weights, and a factor and a shift for each normalised channel.
    pub fn parameters(&self) -> usize {
        let mut count = 0;
        self.for_each_block(&mut |numbers| count += numbers.len());
        count
    }

    /// Multiply-adds for one board of so many points, every convolution counted directly and at every point as if nothing
    /// hung over the edge: by what speeds are told.
    pub fn multiply_adds(&self, area: usize) -> usize {
        let of = |conv: &ConvLayer| conv.weights.len();
        let trunk: usize =
            self.trunk.blocks.iter().flat_map(Block::convolutions).map(of).sum::<usize>();
        let (policy, value) = (&self.policy, &self.value);
        let heads = [&policy.conv, &policy.pooled, &policy.last, &value.conv, &value.ownership];
        area * (of(&self.trunk.conv) + trunk + heads.into_iter().map(of).sum::<usize>())
    }
}
