//! `--time`: how long a kernel takes when it has run before.

use std::time::{Duration, Instant};

/// Runs that are measured at most.
const MOST_RUNS: usize = 1000;
/// Runs that are measured at least, however long they take.
const LEAST_RUNS: usize = 3;
/// How long measuring may take altogether, once there are enough runs.
const BUDGET: Duration = Duration::from_millis(500);

/// The times of several runs, in microseconds.
pub(super) fn repeat<E>(mut run: impl FnMut() -> Result<Duration, E>) -> Result<Vec<f64>, E> {
    // The first finds memory that was never touched and caches that are empty; nobody wants to know its time.
    run()?;
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < LEAST_RUNS || (times.len() < MOST_RUNS && start.elapsed() < BUDGET) {
        times.push(run()?.as_secs_f64() * 1e6);
    }
    Ok(times)
}

/// The middle one, or the mean of the two in the middle; 0 of none.
pub(super) fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.get(middle), sorted.len() % 2) {
        (Some(upper), 1) => *upper,
        (Some(upper), _) => (sorted[middle - 1] + upper) / 2.0,
        (None, _) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
