//! The CUDA driver: devices, memory, machine code, launches, timing.
//!
//! The driver's library is opened when it is first needed. Its types are cudarc's; its functions are looked up here,
//! for two reasons: cudarc panics if the library or a function is missing, and it represents status codes by an enum,
//! which a driver newer than the binding may exceed.

mod access;
mod context;
mod error;
mod functions;
mod launch;
mod load;
mod modules;
mod properties;
mod staging;

pub use context::{Buffer, Context, Event};
pub use error::DriverError;
pub use launch::{Argument, Function, LaunchShape, Module};
pub use properties::DeviceProperties;

use super::loader::{self, LoadError};
use super::patient::lock_soon;
use crate::execute::Doing;
use cudarc::driver::sys;
use functions::Functions;
use libloading::Library;
use std::ffi::{CStr, c_char, c_int};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The driver's library: as the loader finds it, and where the loader of some systems does not look.
#[cfg(not(windows))]
const LIBRARIES: [&str; 4] =
    ["libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1", "/run/opengl-driver/lib/libcuda.so.1"];
/// The driver's library.
#[cfg(windows)]
const LIBRARIES: [&str; 1] = ["nvcuda.dll"];

/// The driver of this process, or why there is none; `None` before anybody asked.
static SHARED: Mutex<Option<Result<&'static Driver, DriverError>>> = Mutex::new(None);

/// The opened and initialised driver.
pub struct Driver {
    functions: Functions,
    cuda_version: (u32, u32),
    device_count: u32,
    path: PathBuf,
    /// Never closed: the driver has threads of its own.
    _library: ManuallyDrop<Library>,
}

impl Driver {
    /// The driver of this process, opened once. Fails if there is no driver or no device; that is known until it is
    /// forgotten.
    pub fn shared() -> Result<&'static Driver, DriverError> {
        let open = || {
            // What stands in the way is looked up here, so that a stand-in's answers do not depend on the machine.
            let visible = std::env::var("CUDA_VISIBLE_DEVICES").ok();
            let explained = |error| access::explained(error, Path::new("/dev"), visible.as_deref());
            let driver = Driver::open(&LIBRARIES.map(Path::new)).map_err(explained)?;
            // It serves the process to its end.
            Ok(&*Box::leak(Box::new(driver)))
        };
        // The value is whole even after a panic.
        SHARED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(open).clone()
    }

    /// Forgets why there was no driver, so that it is looked for again. Returns whether this process can find out: a
    /// driver that was loaded and did not start may keep that for as long as the process lives.
    pub(super) fn forget_failure() -> bool {
        // Where somebody still looks, what is found is not from before.
        let Some(mut shared) = lock_soon(&SHARED) else { return true };
        match &*shared {
            Some(Err(DriverError::NotFound { .. } | DriverError::Broken { .. })) => {
                *shared = None;
                true
            }
            // What hides the GPUs is the environment of this process, which stays.
            Some(Err(error)) => error.hides_gpus(),
            Some(Ok(_)) | None => true,
        }
    }

    /// Opens the first of these libraries that can be opened.
    pub fn open(libraries: &[&Path]) -> Result<Driver, DriverError> {
        let mut broken = None;
        for path in libraries {
            let _asked = opening("the NVIDIA driver (its library)").begin();
            // SAFETY: NVIDIA's driver library by its name; its initialisers have no requirements.
            match unsafe { loader::open(path) } {
                Ok(library) => return Driver::start(library, loader::loaded_path(path)),
                Err(LoadError::Absent) => {}
                Err(LoadError::Broken(reason)) => {
                    let library = path.display().to_string();
                    broken.get_or_insert(DriverError::Broken { library, reason });
                }
            }
        }
        let name = || libraries.first().map(|path| path.display().to_string()).unwrap_or_default();
        Err(broken.unwrap_or_else(|| DriverError::NotFound { library: name() }))
    }

    /// Initialises an opened driver.
    fn start(library: Library, path: PathBuf) -> Result<Driver, DriverError> {
        // Even a driver that fails may have started threads, whose code must stay.
        let library = ManuallyDrop::new(library);
        let functions = Functions::load(&library)?;
        let _asked = opening("the NVIDIA driver (cuInit)").begin();
        // SAFETY: 0 is the only value the function takes.
        let status = unsafe { (functions.init)(0) };
        functions.check("cuInit", status)?;
        let (mut version, mut count) = (0, 0);
        // SAFETY: the driver is initialised and writes one integer through each pointer, which are valid.
        let status = unsafe { (functions.driver_version)(&mut version) };
        functions.check("cuDriverGetVersion", status)?;
        // SAFETY: as above.
        let status = unsafe { (functions.device_count)(&mut count) };
        functions.check("cuDeviceGetCount", status)?;
        let version = u32::try_from(version).unwrap_or_default();
        let device_count = u32::try_from(count).unwrap_or_default();
        if device_count == 0 {
            return Err(DriverError::NoDevice);
        }
        Ok(Driver {
            functions,
            cuda_version: (version / 1000, version % 1000 / 10),
            device_count,
            path,
            _library: library,
        })
    }

    /// The newest CUDA that the driver runs, major and minor.
    pub fn cuda_version(&self) -> (u32, u32) {
        self.cuda_version
    }

    /// Where the process's driver library is, opened or not.
    pub(super) fn library_path() -> PathBuf {
        let names = LIBRARIES.map(Path::new);
        let present = names.iter().map(|name| loader::loaded_path(name)).find(|path| path.exists());
        present.unwrap_or_else(|| names[0].to_path_buf())
    }

    /// The library's file, or its bare name if the system does not report it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of devices; they are numbered from 0.
    pub fn device_count(&self) -> u32 {
        self.device_count
    }

    /// Opens a device: `cuda:N` for N = `ordinal`.
    pub fn context(&self, ordinal: u32) -> Result<Context<'_>, DriverError> {
        Context::open(self, ordinal)
    }

    /// The properties of a device.
    pub fn properties(&self, ordinal: u32) -> Result<DeviceProperties, DriverError> {
        properties::read(self, self.device(ordinal)?, ordinal)
    }

    fn device(&self, ordinal: u32) -> Result<sys::CUdevice, DriverError> {
        if ordinal >= self.device_count {
            return Err(DriverError::NoSuchDevice { ordinal, count: self.device_count });
        }
        let mut device = 0;
        // SAFETY: the pointer is valid and the ordinal below the number of devices.
        let status = unsafe { (self.functions.device_get)(&mut device, ordinal as c_int) };
        self.check("cuDeviceGet", status)?;
        Ok(device)
    }

    fn check(&self, call: &'static str, status: c_int) -> Result<(), DriverError> {
        self.functions.check(call, status)
    }
}

impl std::fmt::Debug for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CUDA driver {}.{}", self.cuda_version.0, self.cuda_version.1)
    }
}

/// Asking the driver for what comes before any kernel runs.
fn opening(what: &'static str) -> Doing {
    Doing::Opening { what, advice: "see whether `nvidia-smi` answers, and restart the machine if it does not" }
}

/// The text of a buffer that the driver filled with a terminated string.
fn text_of(buffer: &[c_char]) -> String {
    let bytes: Vec<u8> = buffer.iter().map(|&byte| byte as u8).collect();
    CStr::from_bytes_until_nul(&bytes).map_or_else(|_| String::new(), |text| text.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests;
