//! The policy and value heads.

use super::blocks::size_scale;
use super::builder::{Builder, MapId, Role, Shared, State, matmul, norm, padded};
use crate::file::{BiasLayer, NetworkFile};
use crate::output::Outputs;
use nn::{Activation, Finish, Kernels, MapConv, Maps, MatMul, Norm, Numbers, Pooling, Sum};
use simd::Level;

/// Both heads: their first convolutions share what they read.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    level: Level,
    /// Of the policy, what is pooled for it, and of the value.
    first: Shared,
    pooled_norm: Norm,
    to_bias: MatMul,
    policy_norm: Norm,
    policy_middle: MapId,
    policy: MapConv,
    policy_out: MapId,
    /// How many kinds of policy there are that are used: plain, and optimistic.
    policies: usize,
    pass: MatMul,
    pass_deep: Option<(Vec<f32>, Activation, MatMul)>,
    value_norm: Norm,
    value_middle: MapId,
    hidden: (MatMul, Vec<f32>, Activation),
    outcome: (MatMul, Vec<f32>),
    misc: (MatMul, Vec<f32>),
    ownership: MapConv,
    ownership_out: MapId,
}

impl Heads {
    pub(super) fn new(builder: &mut Builder, network: &NetworkFile) -> Heads {
        let (policy, value) = (&network.policy, &network.value);
        // The last layers are small and have the last word: in floats whatever the rest is in.
        let exact = Kernels { numbers: Numbers::Float, ..builder.kernels };
        let bias = |layer: &BiasLayer| layer.weights.clone();
        Heads {
            level: builder.kernels.level,
            first: builder.shared(&[&policy.conv, &policy.pooled, &value.conv]),
            pooled_norm: norm(&policy.pooled_norm),
            to_bias: matmul(&policy.pooled_to_bias),
            policy_norm: norm(&policy.norm),
            policy_middle: builder.maps(Role::Middle, policy.conv.outputs),
            policy: builder.conv_with(exact, &[&policy.last]),
            policy_out: builder.maps(Role::Out(0), policy.last.outputs),
            policies: policy.last.outputs.min(2),
            pass: matmul(&policy.pass),
            pass_deep: policy
                .pass_deep
                .as_ref()
                .map(|(first, act, second)| (bias(first), act.kind, matmul(second))),
            value_norm: norm(&value.norm),
            value_middle: builder.maps(Role::Middle, value.conv.outputs),
            hidden: (matmul(&value.hidden), bias(&value.hidden_bias), value.hidden_act.kind),
            outcome: (matmul(&value.outcome), bias(&value.outcome_bias)),
            misc: (matmul(&value.misc), bias(&value.misc_bias)),
            ownership: builder.conv_with(exact, &[&value.ownership]),
            ownership_out: builder.maps(Role::Out(1), 1),
        }
    }

    /// Computes both heads from what came after the last block.
    pub(super) fn forward(&self, tip: MapId, state: &mut State, outputs: &mut [Outputs]) {
        let input = state.take(tip);
        self.first.run(&input, state);
        state.put(tip, input);
        self.policy(state, outputs);
        self.value(state, outputs);
    }

    fn policy(&self, state: &mut State, outputs: &mut [Outputs]) {
        let (raw, channels) = self.first.part(0);
        let stride = padded(channels.len());
        state.bias.clear();
        state.bias.resize(outputs.len() * stride, 0.0);
        let mut passes = [0.0; 4];
        for (position, output) in outputs.iter_mut().enumerate() {
            state.pool(self.level, self.first.part(1), position, &self.pooled_norm);
            self.to_bias.add(&state.numbers, &mut state.bias[position * stride..]);
            passes.fill(0.0);
            match &self.pass_deep {
                None => self.pass.add(&state.numbers, &mut passes),
                Some((bias, activation, second)) => {
                    let mut middle = bias.clone();
                    self.pass.add(&state.numbers, &mut middle);
                    activation.apply(&mut middle);
                    second.add(&middle, &mut passes);
                }
            }
            output.policy.clear();
            output.optimistic_policy.clear();
            output.policy.push(passes[0]);
            if self.policies > 1 {
                output.optimistic_policy.push(passes[1]);
            }
        }
        let mut middle = state.take(self.policy_middle);
        let finish = Finish {
            bias: Some(&state.bias),
            activated: Some((&mut middle, &self.policy_norm)),
            ..Finish::default()
        };
        nn::normalise(self.level, state.get(raw), channels, finish);
        state.put(self.policy_middle, middle);
        self.last(&self.policy, self.policy_middle, self.policy_out, state);
        for (position, output) in outputs.iter_mut().enumerate() {
            let logits = state.get(self.policy_out);
            put_before_pass(logits, position, 0, &mut output.policy);
            if self.policies > 1 {
                put_before_pass(logits, position, 1, &mut output.optimistic_policy);
            }
        }
    }

    /// A last convolution, from maps to maps.
    fn last(&self, conv: &MapConv, from: MapId, to: MapId, state: &mut State) {
        let (input, mut sums) = (state.take(from), state.take(to));
        let finish = Finish { sum: Some(Sum::Write(&mut sums)), ..Finish::default() };
        conv.forward(&input, finish, &mut state.work);
        state.put(from, input);
        state.put(to, sums);
    }

    fn value(&self, state: &mut State, outputs: &mut [Outputs]) {
        let (raw, channels) = self.first.part(2);
        let count = channels.len();
        let mut middle = state.take(self.value_middle);
        let finish =
            Finish { activated: Some((&mut middle, &self.value_norm)), ..Finish::default() };
        nn::normalise(self.level, state.get(raw), channels, finish);
        state.put(self.value_middle, middle);
        self.last(&self.ownership, self.value_middle, self.ownership_out, state);
        let scale = size_scale(state.work.size());
        for (position, output) in outputs.iter_mut().enumerate() {
            let mut pooled = std::mem::take(&mut state.pooled);
            let pooling = Pooling { channels: 0..count, norm: None, min: 0.0 };
            pooled.compute(self.level, state.get(self.value_middle), position, &pooling);
            state.numbers.clear();
            for factor in [1.0, scale, scale * scale - 0.1] {
                state.numbers.extend(pooled.means.iter().map(|mean| mean * factor));
            }
            state.pooled = pooled;
            let (matrix, bias, activation) = &self.hidden;
            let mut hidden = bias.clone();
            matrix.add(&state.numbers, &mut hidden);
            activation.apply(&mut hidden);
            output.outcome.copy_from_slice(&self.outcome.1);
            self.outcome.0.add(&hidden, &mut output.outcome);
            output.misc = [0.0; 6];
            output.misc[..self.misc.1.len()].copy_from_slice(&self.misc.1);
            self.misc.0.add(&hidden, &mut output.misc);
            let owners = state.get(self.ownership_out);
            output.ownership.clear();
            output.ownership.extend(owners.channel(position, 0));
        }
    }
}

/// Puts a channel's numbers before the one that is there.
fn put_before_pass(maps: &Maps, position: usize, channel: usize, numbers: &mut Vec<f32>) {
    let pass = numbers.pop();
    numbers.extend(maps.channel(position, channel));
    numbers.extend(pass);
}
