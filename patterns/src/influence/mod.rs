//! Estimates without search, held against finished games: the tuned model is learned from them, the
//! constants of the published ones are fitted to them, and all are measured on them.
//!
//! * [`Counted`]: games that were counted, and whose each point was at the end.
//! * [`learn()`]: fits the numbers of [`go_influence::tuned`], the tuned model, to who owned each
//!   point. Here is its file, too.
//! * [`fit()`]: fits the constants of the published models.
//! * [`Estimator`]: the models and the network inside the program, in one form.
//! * [`Evaluation`]: how well they call owners, score and leader.

mod counted;
mod estimator;
mod evaluate;
mod fit;
mod gradient;
mod learner;
mod measure;
mod report;

pub use counted::{Counted, count};
pub use estimator::{EstimateError, Estimator, TerritoryEstimate};
pub use evaluate::{Compared, Evaluation};
pub use fit::{Objective, fit};
pub use learner::{Example, Passed, Settings, examples, learn};
pub use measure::{Lives, Sums};

use crate::file::{FileError, Reader, Writer};
use go_influence::Tuned;
use go_influence::tuned::NUMBERS;

const KIND: &[u8; 8] = b"TSJ-INFL";
const VERSION: u32 = 1;

/// The numbers of the model as a file.
pub fn to_bytes(numbers: &[f32]) -> Vec<u8> {
    let mut writer = Writer::new(KIND, VERSION);
    writer.number(numbers.len() as u64);
    for &number in numbers {
        writer.float(number);
    }
    writer.finish()
}

/// The model of a file.
///
/// # Errors
/// When the file is another, of another version, or damaged.
pub fn from_bytes(bytes: &[u8]) -> Result<Tuned, FileError> {
    let mut reader = Reader::open(bytes, KIND, VERSION)?;
    if reader.number()? != NUMBERS as u64 {
        return Err(FileError::Damaged);
    }
    let numbers: Result<Vec<f32>, FileError> = (0..NUMBERS).map(|_| reader.float()).collect();
    let numbers = numbers?;
    reader.end()?;
    Tuned::new(&numbers).ok_or(FileError::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_reads_back_and_a_damaged_one_is_refused() {
        let numbers: Vec<f32> = (0..NUMBERS).map(|i| (i as f32).sin()).collect();
        let bytes = to_bytes(&numbers);
        assert!(from_bytes(&bytes).is_ok());
        assert!(matches!(from_bytes(&bytes[..40]), Err(FileError::Damaged)));
        assert!(matches!(from_bytes(b"text"), Err(FileError::Foreign(_))));
        let mut bad = bytes.clone();
        bad[100] ^= 1;
        assert!(matches!(from_bytes(&bad), Err(FileError::Damaged)));
        let short = to_bytes(&numbers[1..]);
        assert!(matches!(from_bytes(&short), Err(FileError::Damaged)));
    }
}
