//! Systems of linear equations, as small as regressions over a few parameters have them.

/// Solves `matrix x = vector` for a symmetric positive definite matrix, given by its rows, by Cholesky's decomposition.
/// Nothing where it is none.
///
/// ```
/// let x = tesuji::tune::linear::solve(vec![vec![4.0, 2.0], vec![2.0, 3.0]], vec![8.0, 8.0]).unwrap();
/// assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
/// assert!(tesuji::tune::linear::solve(vec![vec![-1.0]], vec![1.0]).is_none());
/// ```
pub fn solve(mut matrix: Vec<Vec<f64>>, mut vector: Vec<f64>) -> Option<Vec<f64>> {
    let size = vector.len();
    for row in 0..size {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| matrix[row][k] * matrix[column][k]).sum();
            let rest = matrix[row][column] - known;
            if row == column {
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                matrix[row][row] = rest.sqrt();
            } else {
                matrix[row][column] = rest / matrix[column][column];
            }
        }
    }
    for row in 0..size {
        let known: f64 = (0..row).map(|k| matrix[row][k] * vector[k]).sum();
        vector[row] = (vector[row] - known) / matrix[row][row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| matrix[k][row] * vector[k]).sum();
        vector[row] = (vector[row] - known) / matrix[row][row];
    }
    Some(vector)
}
