//! What steps need from the package registries, installed by a thread of its own while the first steps build.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use crate::environment::{Need, Variables};
use crate::steps::Step;

/// What a need gives, or a sentence on what is missing.
type Prepared = Result<Variables, String>;

/// Needs that are being prepared, in the order of the steps.
pub struct Ahead {
    coming: Receiver<(&'static str, Prepared)>,
    known: BTreeMap<&'static str, Prepared>,
}

impl Ahead {
    /// Begins with the needs of some steps.
    pub fn begin(root: &Path, steps: &[&Step]) -> Ahead {
        let mut needs: Vec<&'static Need> = Vec::new();
        for need in steps.iter().flat_map(|step| step.needs).filter(|need| need.ahead) {
            if needs.iter().all(|known| known.what != need.what) {
                needs.push(need);
            }
        }
        let (sender, coming) = channel();
        let root = root.to_path_buf();
        std::thread::spawn(move || {
            for need in needs {
                // Where nobody waits any more, a step has failed and the command ends.
                if sender.send((need.what, (need.prepare)(&root))).is_err() {
                    break;
                }
            }
        });
        Ahead { coming, known: BTreeMap::new() }
    }

    /// What a need gives, once it is there.
    ///
    /// # Errors
    /// A sentence on what is missing.
    pub fn prepared(&mut self, root: &Path, need: &Need) -> Prepared {
        while need.ahead && !self.known.contains_key(need.what) {
            let Ok((what, prepared)) = self.coming.recv() else { break };
            self.known.insert(what, prepared);
        }
        self.known.get(need.what).cloned().unwrap_or_else(|| (need.prepare)(root))
    }
}
