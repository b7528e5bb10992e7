//! The compiler of an open device: NVRTC with the cache, and the kernel that it compiled while the device was opened.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use emit::{COMPILE_OPTIONS, Emitted};

use super::{FromCache, Nvrtc, NvrtcError, Request, Target, compile_cached, specialized};
use crate::cache::Cache;
use crate::execute::SizedKernel;

/// Whether this process has told that compiled code could not be kept.
static TOLD_NOT_KEPT: AtomicBool = AtomicBool::new(false);

/// NVRTC for one device.
pub(super) struct Compiler {
    nvrtc: &'static Nvrtc,
    cache: Cache,
    /// What it compiles for.
    pub(super) target: Target,
    ahead: RefCell<Option<Ahead>>,
}

/// A text that was compiled before it was asked for, and what it gave.
struct Ahead {
    source: String,
    result: Result<FromCache, NvrtcError>,
}

impl Compiler {
    /// Opens NVRTC for a device of this capability, and compiles the kernel that is asked for first.
    pub(super) fn open(capability: (u32, u32), first: Option<&SizedKernel<'_>>) -> Result<Self, NvrtcError> {
        let nvrtc = Nvrtc::for_device(capability)?;
        let target = Target::best(nvrtc.architectures(), capability);
        let compiler = Self { nvrtc, cache: Cache::from_environment(), target, ahead: RefCell::default() };
        // A kernel that cannot be emitted is refused when it is prepared.
        if let Some(emitted) = first.and_then(|kernel| specialized::emit(kernel).ok()) {
            let start = Instant::now();
            let result = compiler.compile(&emitted, &compiler.target.arch);
            let result = result.map(|found| FromCache { ahead: start.elapsed(), ..found });
            compiler.ahead.replace(Some(Ahead { source: emitted.source, result }));
        }
        Ok(compiler)
    }

    /// Compiles an emitted kernel, or takes what was compiled before.
    pub(super) fn compile(&self, emitted: &Emitted, arch: &str) -> Result<FromCache, NvrtcError> {
        let is_asked_for = |ahead: &mut Ahead| ahead.source == emitted.source && arch == self.target.arch;
        if let Some(ahead) = self.ahead.borrow_mut().take_if(is_asked_for) {
            return ahead.result;
        }
        let options = COMPILE_OPTIONS.map(str::to_owned);
        let name = format!("{}.cu", emitted.entry);
        let request = Request { source: &emitted.source, name: &name, arch, options: &options };
        let mut found = compile_cached(self.nvrtc, &self.cache, &request)?;
        // Once is enough: it is about the folder and not about the kernel.
        found.not_kept.take_if(|_| TOLD_NOT_KEPT.swap(true, Ordering::Relaxed));
        Ok(found)
    }
}
