//! Reading a network file, layer by layer.

use super::source::{Source, shortened};
use super::{
    ActivationLayer, BiasLayer, Block, ConvLayer, GLOBALS, MatMulLayer, Multipliers, NestedBlock,
    NetworkError, NetworkFile, NormAct, NormLayer, OrdinaryBlock, PLANES, PolicyHead, PoolingBlock,
    Problem, Trunk, VERSIONS, ValueHead,
};
use nn::Activation;
use std::io::Read;
use std::path::Path;

/// Most channels of a layer.
const MAX_CHANNELS: u64 = 4096;
/// Most rows or columns of a kernel.
const MAX_KERNEL: u64 = 15;
/// Most blocks beside each other.
const MAX_BLOCKS: u64 = 400;
/// How deep blocks may lie in blocks.
const MAX_DEPTH: usize = 4;

type Result<T> = std::result::Result<T, NetworkError>;

impl NetworkFile {
    /// Reads a file of this name.
    ///
    /// # Errors
    /// When it cannot be read, or holds no network that this program can use.
    pub fn open(path: &Path) -> Result<NetworkFile> {
        let io = |source| NetworkError::Io { path: path.display().to_string(), source };
        let file = std::fs::File::open(path).map_err(io)?;
        if file.metadata().map_err(io)?.is_dir() {
            return Err(io(std::io::ErrorKind::IsADirectory.into()));
        }
        NetworkFile::read(file)
    }

    /// Reads a network from any source, gzipped or not.
    ///
    /// # Errors
    /// What is wrong or not known, and where.
    ///
    /// ```
    /// let error = go_network::NetworkFile::read(&b"(;GM[1]SZ[19])"[..]).unwrap_err();
    /// assert!(error.to_string().contains("no network file"));
    /// ```
    pub fn read(file: impl Read) -> Result<NetworkFile> {
        let mut source = Source::new(file)?;
        let source = &mut source;
        let header = header(source)?;
        let context = Context { version: header.version };
        let trunk = source.at("the trunk", |source| context.trunk(source))?;
        let channels = trunk.conv.outputs;
        let policy = source.at("the policy head", |source| context.policy(source, channels))?;
        let value = source.at("the value head", |source| context.value(source, channels))?;
        source.at("the end", Source::end)?;
        let Header { name, version, multipliers, strict_pass_alive } = header;
        Ok(NetworkFile { name, version, multipliers, strict_pass_alive, trunk, policy, value })
    }
}

struct Header {
    name: String,
    version: u32,
    multipliers: Multipliers,
    strict_pass_alive: bool,
}

fn header(source: &mut Source<'_>) -> Result<Header> {
    // What does not begin with two words, the second a small number, is something else altogether.
    let foreign = |source: &Source<'_>, error: NetworkError| match error {
        NetworkError::At { problem: Problem::Unexpected { .. } | Problem::Cut, .. } => {
            source.error(Problem::Foreign)
        }
        other => other,
    };
    let name = source.word().map_err(|error| foreign(source, error))?;
    let version =
        source.number("a version", 0..=u64::MAX).map_err(|error| foreign(source, error))?;
    let Some(version) = u32::try_from(version).ok().filter(|version| VERSIONS.contains(version))
    else {
        let (first, last) = (VERSIONS.start(), VERSIONS.end());
        let what = format!("networks of version {version} (only {first} to {last})");
        return Err(source.error(Problem::Unsupported(what)));
    };
    for (what, expected) in [("input planes", PLANES), ("global inputs", GLOBALS)] {
        let found = source.number(what, 0..=u64::MAX)?;
        if found != expected {
            return Err(source.error(Problem::Mismatch { what, found, expected }));
        }
    }
    let mut multipliers = Multipliers::default();
    if version >= 13 {
        for multiplier in [
            &mut multipliers.td_score,
            &mut multipliers.score_mean,
            &mut multipliers.score_stdev,
            &mut multipliers.lead,
            &mut multipliers.variance_time,
            &mut multipliers.value_error,
            &mut multipliers.score_error,
        ] {
            *multiplier = source.float("a multiplier")?;
            if *multiplier <= 0.0 {
                let found = multiplier.to_string();
                let expected = "a multiplier above 0";
                return Err(source.error(Problem::Unexpected { expected, found }));
            }
        }
    }
    let mut strict_pass_alive = false;
    if version >= 15 {
        if source.number("the version of player data", 0..=u64::MAX)? != 0 {
            let what = "networks that imitate players by rank (\"human\" networks)".to_owned();
            return Err(source.error(Problem::Unsupported(what)));
        }
        strict_pass_alive = source.number("the pass-alive flag", 0..=1)? == 1;
        reserved(source, 6)?;
    }
    Ok(Header { name, version, multipliers, strict_pass_alive })
}

/// Numbers that are kept for later versions, and 0 in all that are known.
fn reserved(source: &mut Source<'_>, count: usize) -> Result<()> {
    for _ in 0..count {
        if source.number("a reserved number", 0..=u64::MAX)? != 0 {
            let what = "networks with a later version's settings".to_owned();
            return Err(source.error(Problem::Unsupported(what)));
        }
    }
    Ok(())
}

fn same(source: &Source<'_>, what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        Ok(())
    } else {
        Err(source.error(Problem::Mismatch { what, found, expected }))
    }
}

fn channels(source: &mut Source<'_>, what: &'static str) -> Result<usize> {
    source.number(what, 1..=MAX_CHANNELS)
}

fn conv(source: &mut Source<'_>, what: &str, inputs: usize) -> Result<ConvLayer> {
    source.at(format!("convolution {what}"), |source| {
        let name = source.word()?;
        source.name_place(&name);
        let mut sides = [0; 2];
        for side in &mut sides {
            *side = source.number("a side of the kernel", 1..=MAX_KERNEL)?;
            if *side % 2 == 0 {
                let what = format!("kernels of even sides ({side})");
                return Err(source.error(Problem::Unsupported(what)));
            }
        }
        let found = channels(source, "the number of input channels")?;
        same(source, "input channels", found, inputs)?;
        let outputs = channels(source, "the number of output channels")?;
        for _ in 0..2 {
            let dilation = source.number("a dilation", 0..=u64::MAX)?;
            if dilation != 1 {
                let what = format!("convolutions with dilation {dilation}");
                return Err(source.error(Problem::Unsupported(what)));
            }
        }
        let weights = source.floats(&[sides[0], sides[1], inputs, outputs])?;
        Ok(ConvLayer { name, kernel: (sides[0], sides[1]), inputs, outputs, weights })
    })
}

fn norm(source: &mut Source<'_>, what: &str, channels: usize) -> Result<NormLayer> {
    source.at(format!("normalisation {what}"), |source| {
        let name = source.word()?;
        source.name_place(&name);
        let found = self::channels(source, "the number of channels")?;
        same(source, "channels", found, channels)?;
        let epsilon = source.float("an epsilon")?;
        let has_scale = source.number("whether there is a scale", 0..=1)? == 1;
        let has_bias = source.number("whether there is a bias", 0..=1)? == 1;
        let mean = source.floats(&[channels])?;
        let variance = source.floats(&[channels])?;
        // A factor that is no number would make all outputs none.
        if let Some(at) = variance.iter().position(|&variance| variance + epsilon <= 0.0) {
            return Err(source.error(Problem::NotFinite(at)));
        }
        let scale = has_scale.then(|| source.floats(&[channels])).transpose()?;
        let bias = has_bias.then(|| source.floats(&[channels])).transpose()?;
        Ok(NormLayer { name, epsilon, mean, variance, scale, bias })
    })
}

fn matmul(source: &mut Source<'_>, what: &str, inputs: usize) -> Result<MatMulLayer> {
    source.at(format!("matrix {what}"), |source| {
        let name = source.word()?;
        source.name_place(&name);
        let found = source.number("the number of inputs", 1..=3 * MAX_CHANNELS)?;
        same(source, "inputs", found, inputs)?;
        let outputs = channels(source, "the number of outputs")?;
        Ok(MatMulLayer { name, inputs, outputs, weights: source.floats(&[inputs, outputs])? })
    })
}

fn bias(source: &mut Source<'_>, what: &str, channels: usize) -> Result<BiasLayer> {
    source.at(format!("bias {what}"), |source| {
        let name = source.word()?;
        source.name_place(&name);
        let found = self::channels(source, "the number of channels")?;
        same(source, "channels", found, channels)?;
        Ok(BiasLayer { name, weights: source.floats(&[channels])? })
    })
}

/// What the version of a file changes.
struct Context {
    version: u32,
}

impl Context {
    fn act(&self, source: &mut Source<'_>, what: &str) -> Result<ActivationLayer> {
        source.at(format!("activation {what}"), |source| {
            let name = source.word()?;
            source.name_place(&name);
            if self.version < 11 {
                return Ok(ActivationLayer { name, kind: Activation::Relu });
            }
            let word = source.word()?;
            let kind = match word.as_str() {
                "ACTIVATION_RELU" => Activation::Relu,
                "ACTIVATION_MISH" => Activation::Mish,
                "ACTIVATION_SILU" => Activation::Silu,
                "ACTIVATION_IDENTITY" => Activation::None,
                _ => {
                    let what = format!("activations {:?}", shortened(word.as_bytes()));
                    return Err(source.error(Problem::Unsupported(what)));
                }
            };
            Ok(ActivationLayer { name, kind })
        })
    }

    fn norm_act(&self, source: &mut Source<'_>, what: &str, channels: usize) -> Result<NormAct> {
        Ok(NormAct { norm: norm(source, what, channels)?, act: self.act(source, what)? })
    }

    fn trunk(&self, source: &mut Source<'_>) -> Result<Trunk> {
        let name = source.word()?;
        let count = source.number("the number of blocks", 1..=MAX_BLOCKS)?;
        let channels = channels(source, "the number of trunk channels")?;
        // Layers say their own sizes; these must only make sense.
        for what in ["the number of middle channels", "the number of regular channels"] {
            source.number(what, 1..=MAX_CHANNELS)?;
        }
        source.number("the number of dilated channels", 0..=MAX_CHANNELS)?;
        source.number("the number of pooled channels", 1..=MAX_CHANNELS)?;
        if self.version >= 15 {
            if source.number("the kind of normalisation", 0..=u64::MAX)? != 0 {
                let what = "normalisations by root mean square".to_owned();
                return Err(source.error(Problem::Unsupported(what)));
            }
            reserved(source, 5)?;
        }
        let conv = conv(source, "of the planes", PLANES)?;
        same(source, "output channels", conv.outputs, channels)?;
        let globals = matmul(source, "of the globals", GLOBALS)?;
        same(source, "outputs of the globals", globals.outputs, channels)?;
        let blocks = self.blocks(source, count, channels, 0)?;
        let tip = self.norm_act(source, "of the tip", channels)?;
        Ok(Trunk { name, conv, globals, blocks, tip })
    }

    fn blocks(
        &self,
        source: &mut Source<'_>,
        count: usize,
        channels: usize,
        depth: usize,
    ) -> Result<Vec<Block>> {
        let mut blocks = Vec::new();
        for number in 1..=count {
            let place = format!("block {number} of {count}");
            blocks.push(source.at(place, |source| self.block(source, channels, depth))?);
        }
        Ok(blocks)
    }

    fn block(&self, source: &mut Source<'_>, channels: usize, depth: usize) -> Result<Block> {
        let kind = source.word()?;
        match kind.as_str() {
            "ordinary_block" => self.ordinary(source, channels).map(Block::Ordinary),
            "gpool_block" => {
                self.pooling(source, channels).map(|block| Block::Pooling(Box::new(block)))
            }
            "nested_bottleneck_block" if depth < MAX_DEPTH => {
                self.nested(source, channels, depth).map(Block::Nested)
            }
            "nested_bottleneck_block" => Err(source
                .error(Problem::Unsupported(format!("blocks in more than {MAX_DEPTH} others")))),
            _ => {
                let what = format!("blocks of kind {:?}", shortened(kind.as_bytes()));
                Err(source.error(Problem::Unsupported(what)))
            }
        }
    }

    fn ordinary(&self, source: &mut Source<'_>, channels: usize) -> Result<OrdinaryBlock> {
        let name = source.word()?;
        source.name_place(&name);
        let first_norm = self.norm_act(source, "1", channels)?;
        let first = conv(source, "1", channels)?;
        let second_norm = self.norm_act(source, "2", first.outputs)?;
        let second = conv(source, "2", first.outputs)?;
        same(source, "output channels", second.outputs, channels)?;
        Ok(OrdinaryBlock { name, first_norm, first, second_norm, second })
    }

    fn pooling(&self, source: &mut Source<'_>, channels: usize) -> Result<PoolingBlock> {
        let name = source.word()?;
        source.name_place(&name);
        let first_norm = self.norm_act(source, "1", channels)?;
        let regular = conv(source, "1", channels)?;
        let pooled = conv(source, "pooled", channels)?;
        let pooled_norm = self.norm_act(source, "pooled", pooled.outputs)?;
        let pooled_to_bias = matmul(source, "of what is pooled", 3 * pooled.outputs)?;
        same(source, "outputs of what is pooled", pooled_to_bias.outputs, regular.outputs)?;
        let second_norm = self.norm_act(source, "2", regular.outputs)?;
        let second = conv(source, "2", regular.outputs)?;
        same(source, "output channels", second.outputs, channels)?;
        Ok(PoolingBlock {
            name,
            first_norm,
            regular,
            pooled,
            pooled_norm,
            pooled_to_bias,
            second_norm,
            second,
        })
    }

    fn nested(
        &self,
        source: &mut Source<'_>,
        channels: usize,
        depth: usize,
    ) -> Result<NestedBlock> {
        let name = source.word()?;
        source.name_place(&name);
        let count = source.number("the number of blocks within", 1..=MAX_BLOCKS)?;
        let first_norm = self.norm_act(source, "1", channels)?;
        let first = conv(source, "1", channels)?;
        let blocks = self.blocks(source, count, first.outputs, depth + 1)?;
        let last_norm = self.norm_act(source, "2", first.outputs)?;
        let last = conv(source, "2", first.outputs)?;
        same(source, "output channels", last.outputs, channels)?;
        Ok(NestedBlock { name, first_norm, first, blocks, last_norm, last })
    }

    fn policy(&self, source: &mut Source<'_>, channels: usize) -> Result<PolicyHead> {
        let name = source.word()?;
        let logits = match self.version {
            ..12 => 1,
            16 => 4,
            17 => {
                let logits = source.number("the number of policy channels", 2..=4)?;
                reserved(source, 3)?;
                logits
            }
            _ => 2,
        };
        let conv_first = conv(source, "1", channels)?;
        let pooled = conv(source, "pooled", channels)?;
        let pooled_norm = self.norm_act(source, "pooled", pooled.outputs)?;
        let pooled_to_bias = matmul(source, "of what is pooled", 3 * pooled.outputs)?;
        same(source, "outputs of what is pooled", pooled_to_bias.outputs, conv_first.outputs)?;
        let norm = self.norm_act(source, "1", conv_first.outputs)?;
        let last = conv(source, "2", conv_first.outputs)?;
        same(source, "policy channels", last.outputs, logits)?;
        let pass = matmul(source, "for a pass", 3 * pooled.outputs)?;
        let mut pass_deep = None;
        let mut outputs = pass.outputs;
        if self.version >= 15 {
            let bias = bias(source, "for a pass", pass.outputs)?;
            let act = self.act(source, "for a pass")?;
            let second = matmul(source, "2 for a pass", pass.outputs)?;
            outputs = second.outputs;
            pass_deep = Some((bias, act, second));
        }
        same(source, "outputs for a pass", outputs, logits)?;
        Ok(PolicyHead {
            name,
            conv: conv_first,
            pooled,
            pooled_norm,
            pooled_to_bias,
            norm,
            last,
            pass,
            pass_deep,
        })
    }

    fn value(&self, source: &mut Source<'_>, channels: usize) -> Result<ValueHead> {
        let name = source.word()?;
        if self.version == 17 {
            reserved(source, 3)?;
        }
        let conv_first = conv(source, "1", channels)?;
        let norm = self.norm_act(source, "1", conv_first.outputs)?;
        let hidden = matmul(source, "1", 3 * conv_first.outputs)?;
        let hidden_bias = bias(source, "1", hidden.outputs)?;
        let hidden_act = self.act(source, "1")?;
        let outcome = matmul(source, "of the outcome", hidden.outputs)?;
        same(source, "outputs of the outcome", outcome.outputs, 3)?;
        let outcome_bias = bias(source, "of the outcome", 3)?;
        let misc = matmul(source, "of scores", hidden.outputs)?;
        same(source, "outputs of scores", misc.outputs, if self.version < 9 { 4 } else { 6 })?;
        let misc_bias = bias(source, "of scores", misc.outputs)?;
        let ownership = conv(source, "of owners", conv_first.outputs)?;
        same(source, "outputs of owners", ownership.outputs, 1)?;
        Ok(ValueHead {
            name,
            conv: conv_first,
            norm,
            hidden,
            hidden_bias,
            hidden_act,
            outcome,
            outcome_bias,
            misc,
            misc_bias,
            ownership,
        })
    }
}
