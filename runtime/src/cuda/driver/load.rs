//! Loading machine code, or PTX that the driver's own compiler translates.

use super::error::load_advice;
use super::functions::Status;
use super::{Context, DeviceProperties, DriverError, Module};
use cudarc::driver::sys::{CUjit_option, CUmodule};
use std::ffi::c_void;

/// The most bytes of the log of the driver's compiler.
const LOG_BYTES: usize = 8 << 10;

impl Context<'_> {
    /// Loads machine code that was compiled for the device's architecture, or PTX. The same code is loaded once.
    pub fn load(&self, code: &[u8]) -> Result<Module<'_>, DriverError> {
        self.enter()?;
        if let Some(loaded) = self.loaded(code) {
            return Ok(Module { context: self, loaded });
        }
        // PTX is text that must end with a zero byte; for machine code the extra byte changes nothing.
        let mut image = code.to_vec();
        image.push(0);
        let mut raw = std::ptr::null_mut();
        let (call, status, log) = self.load_image(&mut raw, &image);
        match self.driver.check(call, status) {
            Ok(()) => Ok(Module { context: self, loaded: self.keep(code, raw) }),
            // No image for the device, no code it could run, PTX newer than the driver.
            Err(DriverError::Call { code: code @ (200 | 209 | 218 | 222), name, text, .. }) => {
                let DeviceProperties { name: device, .. } = self.properties();
                let device = format!("{device} ({})", self.properties().architecture());
                // Some of the driver's texts are sentences, and this is one too.
                let text = text.trim_end_matches('.').to_owned();
                let advice = load_advice(code, self.driver.cuda_version());
                Err(DriverError::WrongCode { device, name, text, advice, log })
            }
            Err(error) if log.trim().is_empty() => Err(error),
            Err(error) => {
                let problem = format!("the driver's log:\n{}", log.trim());
                Err(DriverError::Explained { error: Box::new(error), problem })
            }
        }
    }

    /// Loads a terminated image; also returns which function did it, and what the driver's compiler complains about.
    fn load_image(&self, raw: &mut CUmodule, image: &[u8]) -> (&'static str, Status, String) {
        let functions = &self.driver.functions;
        let Some(load) = functions.module_load_ex else {
            // SAFETY: the image is complete and terminated; the driver reads it during the call only.
            return ("cuModuleLoadData", unsafe { (functions.module_load)(raw, image.as_ptr().cast()) }, String::new());
        };
        let mut log = vec![0u8; LOG_BYTES];
        let mut options = [CUjit_option::CU_JIT_ERROR_LOG_BUFFER, CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        // The size is the pointer's own value, not what it points to.
        let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(LOG_BYTES)];
        // SAFETY: as above; there are two options with a value each, and the buffer has the size that is passed. The
        // driver writes it, and the size's place in `values`, during the call only.
        let status = unsafe { load(raw, image.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr()) };
        let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
        ("cuModuleLoadDataEx", status, String::from_utf8_lossy(&log[..end]).into_owned())
    }
}
