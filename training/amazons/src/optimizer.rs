//! How parameters follow their gradients.

/// The rule by which parameters are changed, with what it remembers of each.
#[derive(Clone, Debug, PartialEq)]
pub enum Optimizer {
    /// RMSProp (Tieleman and Hinton 2012) with Nesterov momentum (Sutskever et al. 2013), as in the patent: the gradient is
    /// divided by the root of its mean square, and the step looks ahead by the momentum.
    RmsProp,
    /// Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019).
    Adam,
}

/// What is remembered.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Memory {
    /// The velocity, or the mean gradient.
    pub first: Vec<f32>,
    /// The mean square of the gradient.
    pub second: Vec<f32>,
}

impl Memory {
    /// Nothing yet, of so many parameters.
    pub fn new(count: usize) -> Memory {
        Memory { first: vec![0.0; count], second: vec![0.0; count] }
    }
}

/// Mean squares are kept over about ten steps, as is momentum.
const SQUARES: f32 = 0.9;
const MOMENTUM: f32 = 0.9;
const BETA: (f32, f32) = (0.9, 0.999);
const DECAY: f32 = 1e-4;
const EPSILON: f32 = 1e-7;

impl Optimizer {
    /// Changes the parameters from `at` on by a gradient. `step` counts from 1.
    pub fn apply(
        &self,
        parameters: &mut [f32],
        memory: &mut Memory,
        at: usize,
        gradient: &[f32],
        rate: f32,
        step: u64,
    ) {
        let range = at..at + gradient.len();
        let remembered =
            memory.first[range.clone()].iter_mut().zip(&mut memory.second[range.clone()]);
        let all = parameters[range].iter_mut().zip(remembered).zip(gradient);
        match self {
            Optimizer::RmsProp => {
                for ((parameter, (velocity, square)), &slope) in all {
                    *square = SQUARES * *square + (1.0 - SQUARES) * slope * slope;
                    let pull = slope / (square.sqrt() + EPSILON);
                    *velocity = MOMENTUM * *velocity + pull;
                    *parameter -= rate * (pull + MOMENTUM * *velocity);
                }
            }
            Optimizer::Adam => {
                let steps = step.min(1 << 20) as i32;
                let (one, two) = (1.0 - BETA.0.powi(steps), 1.0 - BETA.1.powi(steps));
                for ((parameter, (mean, square)), &slope) in all {
                    *mean = BETA.0 * *mean + (1.0 - BETA.0) * slope;
                    *square = BETA.1 * *square + (1.0 - BETA.1) * slope * slope;
                    let pull = (*mean / one) / ((*square / two).sqrt() + EPSILON);
                    *parameter -= rate * (pull + DECAY * *parameter);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first two steps by hand: a constant gradient of 2.
    #[test]
    fn steps_are_those_of_the_papers() {
        let mut memory = Memory::new(1);
        let mut parameters = [1.0];
        Optimizer::RmsProp.apply(&mut parameters, &mut memory, 0, &[2.0], 0.01, 1);
        // Square 0.4; pull 2 / sqrt(0.4); velocity the same; the step 1.9 pulls.
        let pull = 2.0 / 0.4f32.sqrt();
        assert!((parameters[0] - (1.0 - 0.01 * 1.9 * pull)).abs() < 1e-6);
        let before = parameters[0];
        Optimizer::RmsProp.apply(&mut parameters, &mut memory, 0, &[2.0], 0.01, 2);
        let next = 2.0 / 0.76f32.sqrt();
        let velocity = 0.9 * pull + next;
        assert!((parameters[0] - (before - 0.01 * (next + 0.9 * velocity))).abs() < 1e-6);
        let mut memory = Memory::new(1);
        let mut parameters = [0.0];
        Optimizer::Adam.apply(&mut parameters, &mut memory, 0, &[2.0], 0.01, 1);
        assert!((parameters[0] + 0.01).abs() < 1e-6);
    }

    #[test]
    fn both_find_the_bottom_of_a_valley() {
        for optimizer in [Optimizer::RmsProp, Optimizer::Adam] {
            let mut memory = Memory::new(3);
            let mut parameters = [3.0f32, -2.0, 0.5];
            for step in 1..=3000 {
                let gradient: Vec<f32> = parameters[1..]
                    .iter()
                    .zip([1.0, 10.0])
                    .map(|(p, steep)| steep * (p - 1.0))
                    .collect();
                let rate = 0.01 * (1.0 - step as f32 / 3001.0);
                optimizer.apply(&mut parameters, &mut memory, 1, &gradient, rate, step);
            }
            assert_eq!(parameters[0], 3.0);
            assert!(parameters[1..].iter().all(|p| (p - 1.0).abs() < 1e-2), "{parameters:?}");
        }
    }
}
