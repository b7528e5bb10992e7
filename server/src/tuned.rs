//! The values of generic parameters that `tune` found to be the fastest, kept for later runs of the same kernel.
//!
//! They are kept for what the kernel means, its candidates, the device, and the class of its sizes: two sizes are of one class if the same
//! powers of two are the largest below them. They lie in the folder of compiled kernels, where a missing or a damaged
//! entry is no entry.

use std::collections::BTreeMap;

use check::generics::Generics;
use kernel::typed::Kernel;
use shapewright_runtime::cache::{Cache, Key};

/// Where the best values for a kernel are kept.
pub(crate) struct Place(Key);

impl Place {
    /// The place for a kernel with its default values and its candidates, the sizes of a run by their names, and what a device
    /// says it is.
    pub(crate) fn new(
        (kernel, candidates): (&Kernel, &[Generics]),
        sizes: &BTreeMap<String, i64>,
        device: &str,
    ) -> Self {
        let class = |size: i64| size.checked_ilog2().map_or_else(|| size.to_string(), |power| format!("2^{power}"));
        let own = kernel.symbols.iter().filter_map(|symbol| Some((symbol.name(), *sizes.get(symbol.name())?)));
        let classes: Vec<String> = own.map(|(name, size)| format!("{name}: {}", class(size))).collect();
        let candidates: Vec<String> = candidates.iter().map(ToString::to_string).collect();
        let parts = ["tuned", &kernel.schedule_text(), &candidates.join("; "), device, &classes.join(", ")];
        Self(Key::new(&parts.map(str::as_bytes)))
    }

    /// The values that are kept.
    pub(crate) fn values(&self) -> Option<BTreeMap<String, String>> {
        serde_json::from_slice(&Cache::from_environment().get(&self.0)?).ok()
    }

    /// Keeps values; otherwise returns why that was not possible.
    pub(crate) fn keep(&self, values: &BTreeMap<String, String>) -> Result<(), String> {
        let cache = Cache::from_environment();
        if cache.folder().is_none() {
            return Err(format!("{} turns off the folder for it", shapewright_runtime::cache::CACHE_SETTING));
        }
        let text = serde_json::to_vec(values).map_err(|error| error.to_string())?;
        cache.put(&self.0, &text).map_or(Ok(()), Err)
    }
}
