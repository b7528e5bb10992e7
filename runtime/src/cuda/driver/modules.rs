//! The machine code that a device has loaded, kept for the next run of the same kernel.

use super::{Context, DriverError};
use cudarc::driver::sys::CUmodule;
use std::cell::RefCell;
use std::rc::Rc;

/// The most that are kept. A file has rarely as many kernels, and each takes some tens of kilobytes.
const MOST: usize = 64;

/// Code in the form in which it was loaded, and the driver's handle.
pub(super) struct Loaded {
    code: Vec<u8>,
    pub(super) raw: CUmodule,
}

/// What is loaded in a context; the one used last is last.
#[derive(Default)]
pub(super) struct Modules(RefCell<Vec<Rc<Loaded>>>);

impl Context<'_> {
    /// What was loaded from this code.
    pub(super) fn loaded(&self, code: &[u8]) -> Option<Rc<Loaded>> {
        let mut modules = self.modules.0.borrow_mut();
        let place = modules.iter().position(|loaded| loaded.code == code)?;
        let found = modules.remove(place);
        modules.push(Rc::clone(&found));
        Some(found)
    }

    /// Keeps what was loaded from this code. If there is too much, what was used longest ago is unloaded.
    pub(super) fn keep(&self, code: &[u8], raw: CUmodule) -> Rc<Loaded> {
        let kept = Rc::new(Loaded { code: code.to_vec(), raw });
        let mut modules = self.modules.0.borrow_mut();
        modules.push(Rc::clone(&kept));
        // What a `Module` holds is in use.
        if modules.len() > MOST
            && let Some(place) = modules.iter().position(|loaded| Rc::strong_count(loaded) == 1)
        {
            self.unload(&modules.remove(place));
        }
        kept
    }

    /// Unloads everything; nothing is in use any more.
    pub(super) fn unload_all(&self) {
        self.modules.0.take().iter().for_each(|loaded| self.unload(loaded));
    }

    fn unload(&self, loaded: &Loaded) {
        let unloaded = self.enter().and_then(|()| {
            // SAFETY: loaded in `load` and unloaded once, as it is no longer in the list; no module holds it.
            let status = unsafe { (self.driver.functions.module_unload)(loaded.raw) };
            self.driver.check("cuModuleUnload", status)
        });
        // A context that was lost has lost its code too.
        let _: Result<(), DriverError> = unloaded;
    }
}
