//! Repeated runs for measurements.

use std::time::{Duration, Instant};

/// The most measured runs.
const MOST_RUNS: usize = 1000;
/// The least number of measured runs, however long they take.
const LEAST_RUNS: usize = 3;
/// The time budget, once there are enough runs.
const BUDGET: Duration = Duration::from_millis(500);

/// The times of several runs.
///
/// # Errors
/// That of the first run that fails.
pub fn repeat<E>(mut run: impl FnMut() -> Result<Duration, E>) -> Result<Vec<Duration>, E> {
    // A warm-up run, as the first one meets untouched memory and empty caches.
    run()?;
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < LEAST_RUNS || (times.len() < MOST_RUNS && start.elapsed() < BUDGET) {
        times.push(run()?);
    }
    Ok(times)
}

/// The median: the middle one, or the mean of the two in the middle; 0 if empty.
pub fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    let middle = sorted.len() / 2;
    match (sorted.get(middle), sorted.len() % 2) {
        (Some(upper), 1) => *upper,
        (Some(upper), _) => (sorted[middle - 1] + *upper) / 2,
        (None, _) => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        let median = |times: &[u64]| median(&times.iter().copied().map(Duration::from_micros).collect::<Vec<_>>());
        assert_eq!(median(&[]), Duration::ZERO);
        assert_eq!(median(&[3, 1, 2]), Duration::from_micros(2));
        assert_eq!(median(&[4, 1, 2, 3]), Duration::from_nanos(2500));
    }

    #[test]
    fn a_slow_run_is_repeated_three_times_after_one_that_does_not_count() {
        let mut runs = 0;
        let times = repeat(|| {
            runs += 1;
            std::thread::sleep(BUDGET / 2);
            Ok::<_, ()>(Duration::from_secs(runs))
        });
        assert_eq!(times, Ok([2, 3, 4].map(Duration::from_secs).to_vec()));
    }
}
