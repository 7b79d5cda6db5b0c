//! The layers of a network file, with their weights as the file has them.

use nn::Activation;

/// A convolution over the board with zeros around it; it turns nothing over (a correlation).
#[derive(Clone, Debug, PartialEq)]
pub struct ConvLayer {
    /// The file's name for it.
    pub name: String,
    /// Rows and columns of the kernel, both odd.
    pub kernel: (usize, usize),
    /// Channels that come in.
    pub inputs: usize,
    /// Channels that go out.
    pub outputs: usize,
    /// By row and column of the kernel, input and output.
    pub weights: Vec<f32>,
}

/// A normalisation by known means and variances, which is a factor and a shift for each channel.
#[derive(Clone, Debug, PartialEq)]
pub struct NormLayer {
    /// The file's name for it.
    pub name: String,
    /// Added to variances.
    pub epsilon: f32,
    /// One for each channel.
    pub mean: Vec<f32>,
    /// One for each channel, not negative.
    pub variance: Vec<f32>,
    /// One for each channel, 1 where the file has none.
    pub scale: Option<Vec<f32>>,
    /// One for each channel, 0 where the file has none.
    pub bias: Option<Vec<f32>>,
}

impl NormLayer {
    /// How many channels it has.
    pub fn channels(&self) -> usize {
        self.mean.len()
    }

    /// The factor of each channel and what is added after it.
    pub fn factors(&self) -> (Vec<f32>, Vec<f32>) {
        let of = |numbers: &Option<Vec<f32>>, channel: usize, otherwise: f32| {
            numbers.as_ref().map_or(otherwise, |numbers| numbers[channel])
        };
        (0..self.channels())
            .map(|channel| {
                let factor =
                    of(&self.scale, channel, 1.0) / (self.variance[channel] + self.epsilon).sqrt();
                (factor, of(&self.bias, channel, 0.0) - factor * self.mean[channel])
            })
            .unzip()
    }
}

/// What is done to each number after a normalisation or bias.
#[derive(Clone, Debug, PartialEq)]
pub struct ActivationLayer {
    /// The file's name for it.
    pub name: String,
    /// One of relu, mish, silu and nothing.
    pub kind: Activation,
}

/// A product with a matrix, without bias.
#[derive(Clone, Debug, PartialEq)]
pub struct MatMulLayer {
    /// The file's name for it.
    pub name: String,
    /// Numbers that come in.
    pub inputs: usize,
    /// Numbers that go out.
    pub outputs: usize,
    /// By input and output.
    pub weights: Vec<f32>,
}

/// A number added to each channel.
#[derive(Clone, Debug, PartialEq)]
pub struct BiasLayer {
    /// The file's name for it.
    pub name: String,
    /// One for each channel.
    pub weights: Vec<f32>,
}

/// A normalisation with what follows it: what stands before every convolution but the first.
#[derive(Clone, Debug, PartialEq)]
pub struct NormAct {
    /// Comes first.
    pub norm: NormLayer,
    /// Comes second.
    pub act: ActivationLayer,
}

/// A residual block: what it computes is added to what came in.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Two convolutions.
    Ordinary(OrdinaryBlock),
    /// Two convolutions, the first with a global pooling beside it.
    Pooling(Box<PoolingBlock>),
    /// Blocks of fewer channels between two convolutions.
    Nested(NestedBlock),
}

/// Two convolutions, each after a normalisation.
#[derive(Clone, Debug, PartialEq)]
pub struct OrdinaryBlock {
    /// The file's name for it.
    pub name: String,
    /// Before the first convolution.
    pub first_norm: NormAct,
    /// The first convolution.
    pub first: ConvLayer,
    /// Before the second convolution.
    pub second_norm: NormAct,
    /// The second convolution.
    pub second: ConvLayer,
}

/// Two convolutions, the first with a global pooling beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolingBlock {
    /// The file's name for it.
    pub name: String,
    /// Before the first convolutions.
    pub first_norm: NormAct,
    /// The convolution that goes on.
    pub regular: ConvLayer,
    /// The convolution that is pooled.
    pub pooled: ConvLayer,
    /// Before pooling.
    pub pooled_norm: NormAct,
    /// From what was pooled to what is added to the regular channels at all points.
    pub pooled_to_bias: MatMulLayer,
    /// Before the second convolution.
    pub second_norm: NormAct,
    /// The second convolution.
    pub second: ConvLayer,
}

/// Blocks of fewer channels between two convolutions.
#[derive(Clone, Debug, PartialEq)]
pub struct NestedBlock {
    /// The file's name for it.
    pub name: String,
    /// Before the first convolution.
    pub first_norm: NormAct,
    /// To fewer channels.
    pub first: ConvLayer,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// Before the last convolution.
    pub last_norm: NormAct,
    /// To the channels that came in.
    pub last: ConvLayer,
}

impl Block {
    /// Convolutions in it, those of blocks within too.
    pub fn convolutions(&self) -> Vec<&ConvLayer> {
        match self {
            Block::Ordinary(block) => vec![&block.first, &block.second],
            Block::Pooling(block) => vec![&block.regular, &block.pooled, &block.second],
            Block::Nested(block) => {
                let mut all = vec![&block.first];
                all.extend(block.blocks.iter().flat_map(Block::convolutions));
                all.push(&block.last);
                all
            }
        }
    }
}
