//! Fully connected layers, and what turns their output into shares.

/// The sum of products, in four sums side by side, since a single one would have to be added up in order.
///
/// ```
/// assert_eq!(nn::dot(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0, 1.0, 1.0, 1.0, 2.0]), 20.0);
/// ```
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 4];
    let (fours, others) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f32 = fours.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in fours.zip(others) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Turns logits into shares, which are together 1.
///
/// ```
/// let mut shares = [0.0, 3.0f32.ln()];
/// nn::softmax(&mut shares);
/// assert!((shares[0] - 0.25).abs() < 1e-6 && (shares[1] - 0.75).abs() < 1e-6);
/// ```
pub fn softmax(logits: &mut [f32]) {
    let best = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = (*logit - best).exp();
        sum += *logit;
    }
    logits.iter_mut().for_each(|share| *share /= sum);
}

/// A large fully connected layer, of which single outputs can be computed. Its inputs are a multiple of 16; any beyond
/// that count nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    inputs: usize,
    /// By output and input.
    weights: Vec<f32>,
    biases: Vec<f32>,
}

impl Dense {
    /// A layer of weights by output and input, and the outputs' biases.
    pub fn new(inputs: usize, weights: &[f32], biases: &[f32]) -> Dense {
        Dense { inputs, weights: weights.to_vec(), biases: biases.to_vec() }
    }

    /// One output.
    ///
    /// # Panics
    /// When the layer has no such output.
    pub fn output(&self, number: usize, input: &[f32]) -> f32 {
        let weights = &self.weights[number * self.inputs..(number + 1) * self.inputs];
        let mut sums = [0.0f32; 16];
        for (weights, numbers) in weights.chunks_exact(16).zip(input.chunks_exact(16)) {
            for i in 0..16 {
                sums[i] += weights[i] * numbers[i];
            }
        }
        sums.iter().sum::<f32>() + self.biases[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_outputs_are_those_of_their_rows() {
        let weights: Vec<f32> = (0..64).map(|at| (at / 32) as f32).collect();
        let layer = Dense::new(32, &weights, &[0.5, -1.0]);
        assert_eq!([0, 1].map(|output| layer.output(output, &[2.0; 32])), [0.5, 63.0]);
    }
}
