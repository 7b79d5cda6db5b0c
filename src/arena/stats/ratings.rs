//! Ratings of all players of a tournament by maximum likelihood.
//!
//! The model is Bradley and Terry's (1952) with an advantage for moving first (Davidson and Beaver 1977): the first
//! player wins with odds `10^((r1 - r2 + advantage) / 400)`, a draw counting as half a win for each. The likelihood is
//! concave, so Newton's method finds its maximum; the error bars come from the curvature there.

use super::Z95;

/// Results between a player that moved first and another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// Number of the player that moved first.
    pub first: usize,
    /// Number of the other.
    pub second: usize,
    /// Points of the first in these games.
    pub points: f64,
    /// How many games.
    pub games: f64,
}

/// The ratings of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Each player's rating; the mean of those who have one is 0, and so are the others.
    pub elo: Vec<f64>,
    /// Half the width of each one's 95% interval, relative to that mean; infinite for who has no rating.
    pub error: Vec<f64>,
    /// What moving first is worth, with half the width of its 95% interval; `None` where the games cannot tell.
    pub advantage: Option<(f64, f64)>,
    /// Whether drawn games were added, one for each two players that met: without them somebody who only won, or only lost, would have no
    /// finite rating.
    pub with_prior: bool,
}

/// Elo points for each natural unit of log odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Beyond so many natural units (2,600 Elo) a maximum is taken to lie at infinity.
const FAR: f64 = 15.0;

/// Computes the ratings of `players` players.
pub fn ratings(players: usize, records: &[Record]) -> Ratings {
    let records: Vec<Record> =
        records.iter().copied().filter(|record| record.games > 0.0).collect();
    let has_played = |player: &usize| {
        records.iter().any(|record| record.first == *player || record.second == *player)
    };
    let played: Vec<usize> = (0..players).filter(has_played).collect();
    if (2..players).contains(&played.len()) {
        return ratings_among(&played, players, &records);
    }
    // Players that nobody connects have no ratings on one scale; the prior cannot help there, so all stay at 0.
    for prior in [false, true] {
        let mut all = records.clone();
        if prior {
            all.extend(virtual_draws(&records));
        }
        for with_advantage in [true, false] {
            if let Some((values, covariance)) = maximise(players, &all, with_advantage) {
                return summary(players, &values, &covariance, with_advantage, prior);
            }
        }
    }
    Ratings {
        elo: vec![0.0; players],
        error: vec![f64::INFINITY; players],
        advantage: None,
        with_prior: false,
    }
}

/// The same where only some have played: who has not, takes nobody else's rating away.
fn ratings_among(played: &[usize], players: usize, records: &[Record]) -> Ratings {
    let place = |player: usize| played.partition_point(|&other| other < player);
    let record = |record: &Record| Record {
        first: place(record.first),
        second: place(record.second),
        ..*record
    };
    let rated = ratings(played.len(), &records.iter().map(record).collect::<Vec<_>>());
    let mut all = Ratings { elo: vec![0.0; players], error: vec![f64::INFINITY; players], ..rated };
    for (place, &player) in played.iter().enumerate() {
        all.elo[player] = rated.elo[place];
        all.error[player] = rated.error[place];
    }
    all
}

/// One drawn game for each two players that met, half of it with either moving first.
fn virtual_draws(records: &[Record]) -> Vec<Record> {
    let mut met: Vec<(usize, usize)> =
        records.iter().map(|r| (r.first.min(r.second), r.first.max(r.second))).collect();
    met.sort_unstable();
    met.dedup();
    let half = |first, second| Record { first, second, points: 0.25, games: 0.5 };
    met.iter().flat_map(|&(a, b)| [half(a, b), half(b, a)]).collect()
}

/// Newton's method on the ratings of players 1 and up relative to player 0, and the advantage as the last value.
/// Returns the values and their covariance, or nothing where there is no finite maximum or no single one.
fn maximise(
    players: usize,
    records: &[Record],
    with_advantage: bool,
) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let free = players - 1 + usize::from(with_advantage);
    let mut values = vec![0.0; free];
    for _ in 0..200 {
        let (gradient, curvature, likelihood) =
            derivatives(players, records, with_advantage, &values);
        let covariance = inverse(&curvature)?;
        let step: Vec<f64> = covariance
            .iter()
            .map(|row| row.iter().zip(&gradient).map(|(c, g)| c * g).sum())
            .collect();
        if step.iter().all(|s: &f64| s.abs() < 1e-10) {
            return Some((values, covariance));
        }
        // Halve the step until it is an improvement.
        let mut scale = 1.0;
        loop {
            let next: Vec<f64> = values.iter().zip(&step).map(|(v, s)| v + scale * s).collect();
            if derivatives(players, records, with_advantage, &next).2 >= likelihood - 1e-12
                || scale < 1e-6
            {
                values = next;
                break;
            }
            scale /= 2.0;
        }
        if values.iter().any(|v| !v.is_finite() || v.abs() > FAR) {
            return None;
        }
    }
    None
}

type Derivatives = (Vec<f64>, Vec<Vec<f64>>, f64);

/// Gradient, negated second derivatives, and the logarithm of the likelihood.
fn derivatives(
    players: usize,
    records: &[Record],
    with_advantage: bool,
    values: &[f64],
) -> Derivatives {
    let mut gradient = vec![0.0; values.len()];
    let mut curvature = vec![vec![0.0; values.len()]; values.len()];
    let mut likelihood = 0.0;
    for record in records {
        // The log odds are a sum of values with these signs.
        let mut terms = Vec::with_capacity(3);
        if record.first > 0 {
            terms.push((record.first - 1, 1.0));
        }
        if record.second > 0 {
            terms.push((record.second - 1, -1.0));
        }
        if with_advantage {
            terms.push((players - 1, 1.0));
        }
        let odds: f64 = terms.iter().map(|&(i, sign)| sign * values[i]).sum();
        let p = 1.0 / (1.0 + (-odds).exp());
        // ln p and ln (1 - p) without cancellation.
        let ln_p = -(-odds).exp().ln_1p();
        likelihood += record.points * ln_p + (record.games - record.points) * (ln_p - odds);
        for &(i, sign) in &terms {
            gradient[i] += sign * (record.points - record.games * p);
            for &(j, other) in &terms {
                curvature[i][j] += sign * other * record.games * p * (1.0 - p);
            }
        }
    }
    (gradient, curvature, likelihood)
}

/// The inverse by Gauss and Jordan with pivoting; nothing for a matrix that is singular or as good as.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| {
            row.iter().copied().chain((0..n).map(|j| f64::from(u8::from(i == j)))).collect()
        })
        .collect();
    for column in 0..n {
        let pivot =
            (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        if rows[pivot][column].abs() < 1e-9 {
            return None;
        }
        rows.swap(column, pivot);
        let scale = rows[column][column];
        rows[column].iter_mut().for_each(|value| *value /= scale);
        let pivot_row = rows[column].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if i != column && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(value, p)| *value -= factor * p);
            }
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}

fn summary(
    players: usize,
    values: &[f64],
    covariance: &[Vec<f64>],
    with_advantage: bool,
    with_prior: bool,
) -> Ratings {
    let raw: Vec<f64> = std::iter::once(0.0).chain(values[..players - 1].iter().copied()).collect();
    let mean = raw.iter().sum::<f64>() / players as f64;
    // A rating relative to the mean is a linear form of the values; its variance follows.
    let error = (0..players)
        .map(|player| {
            let weight = |i: usize| f64::from(u8::from(i + 1 == player)) - 1.0 / players as f64;
            let variance: f64 = (0..players - 1)
                .map(|i| {
                    (0..players - 1).map(|j| weight(i) * weight(j) * covariance[i][j]).sum::<f64>()
                })
                .sum();
            ELO * Z95 * variance.max(0.0).sqrt()
        })
        .collect();
    let advantage = with_advantage.then(|| {
        (ELO * values[players - 1], ELO * Z95 * covariance[players - 1][players - 1].sqrt())
    });
    Ratings {
        elo: raw.iter().map(|value| ELO * (value - mean)).collect(),
        error,
        advantage,
        with_prior,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(first: usize, second: usize, points: f64, games: f64) -> Record {
        Record { first, second, points, games }
    }

    /// The maximum found in quite another way: coordinate by coordinate, by shrinking steps, on the likelihood alone.
    fn by_search(players: usize, records: &[Record]) -> (Vec<f64>, f64) {
        let likelihood = |values: &[f64]| -> f64 {
            records
                .iter()
                .map(|r| {
                    let lead = values[r.first] - values[r.second] + values[players];
                    let p = 1.0 / (1.0 + 10f64.powf(-lead / 400.0));
                    r.points * p.ln() + (r.games - r.points) * (1.0 - p).ln()
                })
                .sum()
        };
        let mut values = vec![0.0; players + 1];
        let mut step = 100.0;
        while step > 1e-7 {
            let mut better = false;
            for i in 0..=players {
                for change in [step, -step] {
                    let mut next = values.clone();
                    next[i] += change;
                    if likelihood(&next) > likelihood(&values) {
                        values = next;
                        better = true;
                    }
                }
            }
            if !better {
                step /= 2.0;
            }
        }
        let mean = values[..players].iter().sum::<f64>() / players as f64;
        (values[..players].iter().map(|v| v - mean).collect(), values[players])
    }

    #[test]
    fn who_has_not_played_takes_nobody_elses_rating() {
        let of_three = ratings(
            3,
            &[record(0, 1, 14.5, 20.0), record(2, 0, 8.0, 20.0), record(1, 2, 9.0, 18.0)],
        );
        let of_five = ratings(
            5,
            &[record(1, 3, 14.5, 20.0), record(4, 1, 8.0, 20.0), record(3, 4, 9.0, 18.0)],
        );
        let [a, b, c] = of_three.elo[..] else { panic!("three players") };
        assert_eq!(of_five.elo, [0.0, a, 0.0, b, c]);
        let [a, b, c] = of_three.error[..] else { panic!("three players") };
        assert_eq!(of_five.error, [f64::INFINITY, a, f64::INFINITY, b, c]);
        assert_eq!(of_five.advantage, of_three.advantage);
    }

    #[test]
    fn ratings_agree_with_an_independent_search_of_the_maximum() {
        let records = [
            record(0, 1, 14.5, 20.0),
            record(1, 0, 8.0, 20.0),
            record(0, 2, 17.0, 20.0),
            record(2, 0, 5.5, 20.0),
            record(1, 2, 13.0, 20.0),
            record(2, 1, 9.5, 20.0),
            record(2, 3, 12.0, 15.0),
            record(3, 2, 6.0, 11.0),
        ];
        let found = ratings(4, &records);
        let (expected, advantage) = by_search(4, &records);
        assert!(!found.with_prior);
        for (one, other) in found.elo.iter().zip(&expected) {
            assert!((one - other).abs() < 0.01, "{:?} {expected:?}", found.elo);
        }
        assert!((found.advantage.expect("an advantage").0 - advantage).abs() < 0.01);
    }

    #[test]
    fn two_players_get_the_textbook_values() {
        // Without an advantage to be seen: 150 of 200 points are 190.85 Elo; the standard error of the log odds is
        // 1 / sqrt(n p (1 - p)).
        let found = ratings(2, &[record(0, 1, 75.0, 100.0), record(1, 0, 25.0, 100.0)]);
        assert!((found.elo[0] - found.elo[1] - 190.85).abs() < 0.01);
        let error = ELO * Z95 / (200.0f64 * 0.75 * 0.25).sqrt();
        assert!((found.error[0] * 2.0 - error).abs() < 1e-6, "{} {error}", found.error[0]);
        assert!(found.advantage.expect("an advantage").0.abs() < 1e-6);
    }

    #[test]
    fn error_bars_hold_the_truth_as_often_as_they_say() {
        use rand::{RngExt, SeedableRng};
        let truth = [120.0, 20.0, -40.0, -100.0];
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut inside, mut all) = (0, 0);
        for _ in 0..400 {
            let mut records = Vec::new();
            for a in 0..4 {
                for b in (0..4).filter(|&b| b != a) {
                    let p = 1.0 / (1.0 + 10f64.powf(-(truth[a] - truth[b] + 30.0) / 400.0));
                    let won = (0..50).filter(|_| random.random_bool(p)).count();
                    records.push(record(a, b, won as f64, 50.0));
                }
            }
            let found = ratings(4, &records);
            for ((elo, truth), error) in found.elo.iter().zip(truth).zip(&found.error) {
                inside += u32::from((elo - truth).abs() <= *error);
                all += 1;
            }
        }
        let share = f64::from(inside) / f64::from(all);
        assert!((0.93..=0.97).contains(&share), "{share}");
    }

    #[test]
    fn whoever_wins_everything_gets_a_rating_with_a_prior() {
        let found = ratings(
            3,
            &[
                record(0, 1, 5.0, 5.0),
                record(1, 0, 0.0, 5.0),
                record(1, 2, 3.0, 5.0),
                record(2, 1, 2.0, 5.0),
            ],
        );
        assert!(found.with_prior);
        assert!(found.elo[0] > 300.0 && found.elo[0].is_finite(), "{:?}", found.elo);
    }

    #[test]
    fn an_advantage_that_cannot_be_told_from_strength_is_left_out() {
        let found = ratings(2, &[record(0, 1, 7.0, 10.0)]);
        assert!(found.advantage.is_none() && !found.with_prior);
        assert!(
            ratings(4, &[record(0, 1, 7.0, 10.0), record(2, 3, 7.0, 10.0)])
                .error
                .iter()
                .all(|e| e.is_infinite())
        );
        assert!(ratings(2, &[]).elo.iter().all(|&e| e == 0.0));
    }
}
