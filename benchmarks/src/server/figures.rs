//! Measured figures, and their formatting.

use std::time::Duration;

/// A measured figure of a server.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Figure {
    /// The times of all repetitions, ascending.
    Times(Vec<Duration>),
    /// Memory in bytes.
    Memory(u64),
    /// Memory in bytes, before and after many edits.
    Growth(u64, u64),
    /// The reason why there is no figure.
    Missing(&'static str),
}

/// The bound of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    None,
    /// A bound of the 95th percentile.
    Time(Duration),
    /// A bound of the memory in bytes.
    Memory(u64),
}

impl Figure {
    pub(super) fn times(mut times: Vec<Duration>) -> Figure {
        times.sort_unstable();
        if times.is_empty() { Figure::Missing("no answer") } else { Figure::Times(times) }
    }

    /// The number that is compared with bounds and peers: the 95th percentile in seconds, or the final memory in bytes.
    fn decisive(&self) -> Option<f64> {
        match self {
            Figure::Times(times) => Some(percentile(times, 95).as_secs_f64()),
            Figure::Memory(bytes) | Figure::Growth(_, bytes) => Some(*bytes as f64),
            Figure::Missing(_) => None,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Figure::Times(times) => {
                format!("{} / {}", milliseconds(percentile(times, 50)), milliseconds(percentile(times, 95)))
            }
            Figure::Memory(bytes) => mebibytes(*bytes),
            Figure::Growth(before, after) => format!("{} → {}", mebibytes(*before), mebibytes(*after)),
            Figure::Missing(why) => (*why).to_owned(),
        }
    }

    /// The ratio of a peer's figure to this one.
    pub(super) fn ratio(&self, peer: &Figure) -> String {
        match (self.decisive(), peer.decisive()) {
            (Some(ours), Some(theirs)) if ours > 0.0 => ratio(theirs / ours),
            _ => String::new(),
        }
    }
}

impl Bound {
    pub(super) fn text(self) -> String {
        match self {
            Bound::None => String::new(),
            Bound::Time(time) => milliseconds(time),
            Bound::Memory(bytes) => mebibytes(bytes),
        }
    }

    /// The ratio of the bound to the figure.
    pub(super) fn ratio(self, measured: &Figure) -> String {
        let bound = match self {
            Bound::None => return String::new(),
            Bound::Time(time) => time.as_secs_f64(),
            Bound::Memory(bytes) => bytes as f64,
        };
        measured
            .decisive()
            .filter(|measured| *measured > 0.0)
            .map(|measured| ratio(bound / measured))
            .unwrap_or_default()
    }
}

fn ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}

fn milliseconds(time: Duration) -> String {
    let time = time.as_secs_f64() * 1e3;
    if time < 10.0 { format!("{time:.2} ms") } else { format!("{time:.0} ms") }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20))
}

/// The time that `percent` of a hundred do not exceed. `times` are sorted and not empty.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    let rank = (times.len() * percent).div_ceil(100).max(1);
    times[rank - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_times() {
        let times: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        assert_eq!(percentile(&times, 50), Duration::from_millis(100));
        assert_eq!(percentile(&times, 95), Duration::from_millis(190));
        assert_eq!(percentile(&times, 100), Duration::from_millis(200));
        assert_eq!(percentile(&times[..1], 95), Duration::from_millis(1));
        assert_eq!(percentile(&times[..5], 95), Duration::from_millis(5));
    }

    #[test]
    fn ratios_are_of_what_is_decisive() {
        let of = |milliseconds: &[u64]| {
            Figure::times(milliseconds.iter().map(|time| Duration::from_millis(*time)).collect())
        };
        assert_eq!(of(&[2, 1]).text(), "1.00 ms / 2.00 ms");
        assert_eq!(of(&[2, 1]).ratio(&of(&[3, 50])), "25");
        assert_eq!(Bound::Time(Duration::from_millis(5)).ratio(&of(&[2])), "2.50");
        assert_eq!(Figure::Growth(1, 100).ratio(&Figure::Memory(250)), "2.50");
        assert_eq!(Bound::Memory(150 << 20).ratio(&Figure::Growth(1 << 20, 100 << 20)), "1.50");
        assert_eq!(of(&[1]).ratio(&Figure::Missing("push only")), "");
        assert_eq!(of(&[]).text(), "no answer");
    }
}
