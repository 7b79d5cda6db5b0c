//! Weights that every position moves, learned by Adam (Kingma and Ba 2015).

/// Weights, their gradients since the last step, and the means that Adam keeps.
#[derive(Clone, Debug)]
pub struct Adam<const N: usize> {
    /// The weights.
    pub weights: [f32; N],
    /// What was added up since the last step.
    pub gradients: [f32; N],
    means: [f32; N],
    squares: [f32; N],
}

impl<const N: usize> Adam<N> {
    /// Weights drawn evenly from -`spread` to `spread` by numbers from -0.5 to 0.5.
    pub fn new(spread: f32, mut random: impl FnMut() -> f32) -> Adam<N> {
        Adam {
            weights: std::array::from_fn(|_| 2.0 * spread * random()),
            gradients: [0.0; N],
            means: [0.0; N],
            squares: [0.0; N],
        }
    }

    /// One step down the gradients; `steps` is how many there were, this one too.
    #[inline(always)]
    pub fn step(&mut self, rate: f32, steps: u32) {
        const BETA: (f32, f32) = (0.9, 0.999);
        // After so many steps the corrections are 1 to the last bit.
        let steps = steps.min(100_000) as i32;
        let corrections = (1.0 - BETA.0.powi(steps), 1.0 - BETA.1.powi(steps));
        for i in 0..N {
            let gradient = std::mem::take(&mut self.gradients[i]);
            self.means[i] = BETA.0 * self.means[i] + (1.0 - BETA.0) * gradient;
            self.squares[i] = BETA.1 * self.squares[i] + (1.0 - BETA.1) * gradient * gradient;
            let (mean, square) = (self.means[i] / corrections.0, self.squares[i] / corrections.1);
            self.weights[i] -= rate * mean / (square.sqrt() + 1e-8);
        }
    }

    /// Everything that a checkpoint keeps, between steps.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.weights.iter_mut().chain(&mut self.means).chain(&mut self.squares)
    }
}
