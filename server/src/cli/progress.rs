//! A bar for runs that take long, on terminals only.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter runs have no bar.
const PATIENCE: Duration = Duration::from_millis(300);
/// Steps of the bar.
const STEPS: u64 = 1000;

/// The progress of one run after the other.
pub(super) struct Progress {
    terminal: bool,
    kernel: String,
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new() -> Self {
        let terminal = io::stderr().is_terminal();
        Self { terminal, kernel: String::new(), start: Instant::now(), bar: None }
    }

    /// A run begins.
    pub(super) fn start(&mut self, kernel: &str) {
        self.stop();
        self.kernel = kernel.to_owned();
        self.start = Instant::now();
    }

    /// A part of the run is done, from 0 to 1.
    pub(super) fn advance(&mut self, fraction: f64) {
        if !self.terminal || self.start.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(STEPS);
            // The template is a constant; without it the bar has its own style.
            if let Ok(style) = ProgressStyle::with_template("{msg} {bar:40} {percent} %") {
                bar.set_style(style);
            }
            bar.set_message(self.kernel.clone());
            bar
        });
        bar.set_position((fraction.clamp(0.0, 1.0) * STEPS as f64) as u64);
    }

    /// The run has ended; removes the bar.
    pub(super) fn stop(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
