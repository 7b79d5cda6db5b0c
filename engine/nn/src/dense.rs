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

/// A small matrix of weights, for layers that follow a pooling.
#[derive(Clone, Debug, PartialEq)]
pub struct MatMul {
    outputs: usize,
    /// By input and output.
    weights: Vec<f32>,
}

#[inline(always)]
fn add_plain_rows(numbers: &[f32], weights: &[f32], sums: &mut [f32]) {
    for (&number, weights) in numbers.iter().zip(weights.chunks_exact(sums.len())) {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += number * weight;
        }
    }
}

simd::multiversion! {
    fn add_rows(numbers: &[f32], weights: &[f32], sums: &mut [f32]) = add_plain_rows;
}

impl MatMul {
    /// A matrix of weights by input and output.
    pub fn new(outputs: usize, weights: &[f32]) -> MatMul {
        MatMul { outputs, weights: weights.to_vec() }
    }

    /// How many numbers go out.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Adds the product to as many sums as there are outputs; those beyond are left alone.
    ///
    /// ```
    /// let mut sums = [0.5, 0.0];
    /// nn::MatMul::new(2, &[1.0, 2.0, 3.0, 4.0]).add(&[1.0, 10.0], &mut sums);
    /// assert_eq!(sums, [31.5, 42.0]);
    /// ```
    ///
    /// # Panics
    /// When there are fewer sums than outputs.
    pub fn add(&self, numbers: &[f32], sums: &mut [f32]) {
        add_rows(numbers, &self.weights, &mut sums[..self.outputs]);
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
