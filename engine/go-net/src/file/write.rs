//! Writing a network file, in the form that [`NetworkFile::read`] and KataGo read.

use super::{
    ActivationLayer, BiasLayer, Block, ConvLayer, GLOBALS, MatMulLayer, NetworkFile, NormAct,
    NormLayer, PLANES,
};
use nn::Activation;

/// What is written: words, whole numbers and rows of numbers, one after another.
enum Item<'a> {
    Word(&'a str),
    Number(usize),
    Float(f32),
    Row(&'a [f32]),
}

impl NetworkFile {
    /// The bytes of the file, not gzipped.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.items(&mut |item| match item {
            Item::Word(word) => bytes.extend(format!("{word}\n").bytes()),
            Item::Number(number) => bytes.extend(format!("{number}\n").bytes()),
            Item::Float(number) => bytes.extend(format!("{number:?}\n").bytes()),
            Item::Row(numbers) => {
                bytes.extend(b"@BIN@");
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
                bytes.push(b'\n');
            }
        });
        bytes
    }

    /// The bytes of the file, gzipped.
    pub fn write_gzip(&self) -> Vec<u8> {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        let written = encoder.write_all(&self.write()).and_then(|()| encoder.finish());
        written.expect("memory can be written to")
    }

    /// Calls a function with each row of numbers.
    pub(super) fn for_each_block(&self, then: &mut dyn FnMut(&[f32])) {
        self.items(&mut |item| {
            if let Item::Row(numbers) = item {
                then(numbers);
            }
        });
    }

    fn items(&self, to: &mut dyn FnMut(Item<'_>)) {
        let version = self.version;
        to(Item::Word(&self.name));
        for number in [version as usize, PLANES, GLOBALS] {
            to(Item::Number(number));
        }
        if version >= 13 {
            let m = self.multipliers;
            for number in [
                m.td_score,
                m.score_mean,
                m.score_stdev,
                m.lead,
                m.variance_time,
                m.value_error,
                m.score_error,
            ] {
                to(Item::Float(number));
            }
        }
        if version >= 15 {
            to(Item::Number(0));
            to(Item::Number(usize::from(self.strict_pass_alive)));
            zeros(6, to);
        }
        self.trunk(to);
        self.policy(to);
        self.value(to);
    }

    fn trunk(&self, to: &mut dyn FnMut(Item<'_>)) {
        let trunk = &self.trunk;
        to(Item::Word(&trunk.name));
        let channels = trunk.conv.outputs;
        for number in [trunk.blocks.len(), channels, channels, channels, 0, channels] {
            to(Item::Number(number));
        }
        if self.version >= 15 {
            zeros(6, to);
        }
        conv(&trunk.conv, to);
        matmul(&trunk.globals, to);
        trunk.blocks.iter().for_each(|block| self.block(block, to));
        self.norm_act(&trunk.tip, to);
    }

    fn block(&self, block: &Block, to: &mut dyn FnMut(Item<'_>)) {
        match block {
            Block::Ordinary(block) => {
                to(Item::Word("ordinary_block"));
                to(Item::Word(&block.name));
                self.norm_act(&block.first_norm, to);
                conv(&block.first, to);
                self.norm_act(&block.second_norm, to);
                conv(&block.second, to);
            }
            Block::Pooling(block) => {
                to(Item::Word("gpool_block"));
                to(Item::Word(&block.name));
                self.norm_act(&block.first_norm, to);
                conv(&block.regular, to);
                conv(&block.pooled, to);
                self.norm_act(&block.pooled_norm, to);
                matmul(&block.pooled_to_bias, to);
                self.norm_act(&block.second_norm, to);
                conv(&block.second, to);
            }
            Block::Nested(block) => {
                to(Item::Word("nested_bottleneck_block"));
                to(Item::Word(&block.name));
                to(Item::Number(block.blocks.len()));
                self.norm_act(&block.first_norm, to);
                conv(&block.first, to);
                block.blocks.iter().for_each(|block| self.block(block, to));
                self.norm_act(&block.last_norm, to);
                conv(&block.last, to);
            }
        }
    }

    fn policy(&self, to: &mut dyn FnMut(Item<'_>)) {
        let head = &self.policy;
        to(Item::Word(&head.name));
        if self.version == 17 {
            to(Item::Number(head.last.outputs));
            zeros(3, to);
        }
        conv(&head.conv, to);
        conv(&head.pooled, to);
        self.norm_act(&head.pooled_norm, to);
        matmul(&head.pooled_to_bias, to);
        self.norm_act(&head.norm, to);
        conv(&head.last, to);
        matmul(&head.pass, to);
        if let Some((bias_layer, act, second)) = &head.pass_deep {
            bias(bias_layer, to);
            self.act(act, to);
            matmul(second, to);
        }
    }

    fn value(&self, to: &mut dyn FnMut(Item<'_>)) {
        let head = &self.value;
        to(Item::Word(&head.name));
        if self.version == 17 {
            zeros(3, to);
        }
        conv(&head.conv, to);
        self.norm_act(&head.norm, to);
        matmul(&head.hidden, to);
        bias(&head.hidden_bias, to);
        self.act(&head.hidden_act, to);
        matmul(&head.outcome, to);
        bias(&head.outcome_bias, to);
        matmul(&head.misc, to);
        bias(&head.misc_bias, to);
        conv(&head.ownership, to);
    }

    fn norm_act(&self, layers: &NormAct, to: &mut dyn FnMut(Item<'_>)) {
        norm(&layers.norm, to);
        self.act(&layers.act, to);
    }

    fn act(&self, layer: &ActivationLayer, to: &mut dyn FnMut(Item<'_>)) {
        to(Item::Word(&layer.name));
        if self.version >= 11 {
            to(Item::Word(match layer.kind {
                Activation::Mish => "ACTIVATION_MISH",
                Activation::Silu => "ACTIVATION_SILU",
                Activation::None => "ACTIVATION_IDENTITY",
                _ => "ACTIVATION_RELU",
            }));
        }
    }
}

fn zeros(count: usize, to: &mut dyn FnMut(Item<'_>)) {
    (0..count).for_each(|_| to(Item::Number(0)));
}

fn conv(layer: &ConvLayer, to: &mut dyn FnMut(Item<'_>)) {
    to(Item::Word(&layer.name));
    for number in [layer.kernel.0, layer.kernel.1, layer.inputs, layer.outputs, 1, 1] {
        to(Item::Number(number));
    }
    to(Item::Row(&layer.weights));
}

fn norm(layer: &NormLayer, to: &mut dyn FnMut(Item<'_>)) {
    to(Item::Word(&layer.name));
    to(Item::Number(layer.channels()));
    to(Item::Float(layer.epsilon));
    for there in [layer.scale.is_some(), layer.bias.is_some()] {
        to(Item::Number(usize::from(there)));
    }
    let rows =
        [Some(&layer.mean), Some(&layer.variance), layer.scale.as_ref(), layer.bias.as_ref()];
    rows.into_iter().flatten().for_each(|row| to(Item::Row(row)));
}

fn matmul(layer: &MatMulLayer, to: &mut dyn FnMut(Item<'_>)) {
    to(Item::Word(&layer.name));
    to(Item::Number(layer.inputs));
    to(Item::Number(layer.outputs));
    to(Item::Row(&layer.weights));
}

fn bias(layer: &BiasLayer, to: &mut dyn FnMut(Item<'_>)) {
    to(Item::Word(&layer.name));
    to(Item::Number(layer.weights.len()));
    to(Item::Row(&layer.weights));
}
