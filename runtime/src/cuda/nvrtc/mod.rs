//! NVRTC, NVIDIA's run-time compiler: CUDA C++ in, machine code out. It needs no driver and no GPU.

mod error;
mod functions;

pub use error::NvrtcError;

use super::compiled::{Code, Compiled, resources};
use super::library::{Candidate, SearchPlaces, search};
use super::loader::{self, LoadError};
use super::patient::lock_soon;
use super::target::Support;
use functions::{CopyTo, Functions, Program, SizeOf, Status};
use libloading::Library;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What to compile.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The CUDA C++ source. Kernels should be `extern "C"`, so that their names in the code are those in the source.
    pub source: &'a str,
    /// The name of the source in messages, such as `transpose.cu`.
    pub name: &'a str,
    /// `sm_90` for machine code of that architecture, `compute_90` for PTX.
    pub arch: &'a str,
    /// Further options, such as `--use_fast_math`. The architecture and the report of registers are added.
    pub options: &'a [String],
}

/// An opened NVRTC. Its functions may be called from several threads at once.
pub struct Nvrtc {
    functions: Functions,
    path: PathBuf,
    version: (u32, u32),
    archs: Vec<u32>,
    /// Never closed: NVRTC keeps state of its own, and its threads may outlive a compilation.
    _libraries: ManuallyDrop<Vec<Library>>,
}

/// The NVRTC of this process for devices of each capability that was asked for, or why there is none.
static SHARED: Mutex<BTreeMap<(u32, u32), Found>> = Mutex::new(BTreeMap::new());
/// What was found for a device.
type Found = Result<&'static Nvrtc, NvrtcError>;
/// Whether a search has found none, also if that was forgotten.
static WAS_MISSING: AtomicBool = AtomicBool::new(false);

impl Nvrtc {
    /// The NVRTC for texts that no driver of this machine has to load: in the places of the environment, the one that serves
    /// devices of this capability best, or else the first, which says what it knows.
    pub fn for_any_driver(capability: (u32, u32)) -> Result<Nvrtc, NvrtcError> {
        let places = SearchPlaces::from_environment();
        Nvrtc::find_for(&places, None, Some(capability)).or_else(|_| Nvrtc::find(&places, None))
    }

    /// The NVRTC for this machine's driver and a device of this capability, searched once in the places of the
    /// environment. That none was found is known until it is forgotten.
    pub fn for_device(capability: (u32, u32)) -> Result<&'static Nvrtc, NvrtcError> {
        let find = || {
            let driver = super::driver::Driver::shared().ok().map(|driver| driver.cuda_version());
            let found = Nvrtc::find_for(&SearchPlaces::from_environment(), driver, Some(capability))?;
            // It serves the process to its end.
            Ok(&*Box::leak(Box::new(found)))
        };
        // The value is whole even after a panic.
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let found = shared.entry(capability).or_insert_with(find).clone();
        WAS_MISSING.fetch_or(found.is_err(), Ordering::Relaxed);
        found
    }

    /// Forgets that no NVRTC was found, so that it is searched for again.
    pub(super) fn forget_failure() {
        // Where somebody still searches, what is found is not from before.
        let Some(mut shared) = lock_soon(&SHARED) else { return };
        shared.retain(|_, found| found.is_ok());
    }

    /// Whether a search of this process has found none.
    pub(super) fn was_missing() -> bool {
        WAS_MISSING.load(Ordering::Relaxed)
    }

    /// Opens the first usable NVRTC; see [`search`]. `driver` is the CUDA version that the driver runs, major and minor:
    /// a library of a newer major version makes code that such a driver does not load.
    pub fn find(places: &SearchPlaces, driver: Option<(u32, u32)>) -> Result<Nvrtc, NvrtcError> {
        Self::find_for(places, driver, None)
    }

    /// Opens the first usable NVRTC that makes machine code for a device of this capability, or else the first of those
    /// that serve it best; see [`Support`].
    pub fn find_for(
        places: &SearchPlaces,
        driver: Option<(u32, u32)>,
        device: Option<(u32, u32)>,
    ) -> Result<Nvrtc, NvrtcError> {
        let found = search(places);
        let mut failures = Vec::new();
        let mut best: Option<(Support, Nvrtc)> = None;
        for candidate in &found.candidates {
            let path = candidate.path.display();
            // The name may tell that it is too new, so that it need not be opened.
            let opened = match too_new(candidate.major, None, driver) {
                Some(reason) if candidate.path.components().count() > 1 => Err(LoadError::Broken(reason)),
                _ => Self::open(candidate).and_then(|nvrtc| {
                    let (major, minor) = nvrtc.version;
                    too_new(Some(major), Some(minor), driver).map_or(Ok(nvrtc), |reason| Err(LoadError::Broken(reason)))
                }),
            };
            match opened.map(|nvrtc| (nvrtc.support(driver, device), nvrtc)) {
                Ok((Ok(Support::Own), nvrtc)) => return Ok(nvrtc),
                Ok((Ok(support), nvrtc)) => {
                    if best.as_ref().is_none_or(|(best, _)| support > *best) {
                        best = Some((support, nvrtc));
                    }
                }
                Ok((Err(reason), _)) => failures.push(format!("{path}: {reason}")),
                Err(LoadError::Absent) => {}
                Err(LoadError::Broken(reason)) => failures.push(format!("{path}: {reason}")),
            }
        }
        if let Some((_, nvrtc)) = best {
            return Ok(nvrtc);
        }
        let package = package_for(driver);
        match &places.explicit {
            Some(path) => {
                if failures.is_empty() {
                    failures.push(format!("{}: no libnvrtc is there", path.display()));
                }
                Err(NvrtcError::Setting { path: path.clone(), package, tried: failures })
            }
            None if failures.is_empty() => Err(NvrtcError::NotFound { package, searched: found.searched }),
            None => Err(NvrtcError::Unusable { package, reason: failures.remove(0), others: failures }),
        }
    }

    /// How well it serves a device, any device for `None`, with a driver of this version; the error is a clause.
    fn support(&self, driver: Option<(u32, u32)>, device: Option<(u32, u32)>) -> Result<Support, String> {
        let Some(capability) = device else { return Ok(Support::Own) };
        let (major, minor) = self.version;
        match (Support::among(&self.archs, capability), driver) {
            // Machine code runs with any driver of its major version, PTX only with one that is as new as its compiler.
            (Some(Support::Ptx), Some(driver)) if self.version > driver => Err(format!(
                "NVRTC {major}.{minor} does not know sm_{}{} yet, and its PTX is too new for this driver, for CUDA {}.{}",
                capability.0, capability.1, driver.0, driver.1
            )),
            (Some(support), _) => Ok(support),
            (None, _) => {
                let oldest =
                    self.archs.iter().min().map_or(String::new(), |oldest| format!(", its oldest is sm_{oldest}"));
                let (wanted, of_it) = capability;
                Err(format!("NVRTC {major}.{minor} does not compile for sm_{wanted}{of_it}{oldest}"))
            }
        }
    }

    fn open(candidate: &Candidate) -> Result<Nvrtc, LoadError> {
        let mut libraries = Vec::new();
        for builtins in &candidate.builtins {
            // Not every build needs it opened explicitly, so a failure shows at the first compilation. SAFETY:
            // NVIDIA's library of built-in functions; its initialisers only register it with the loader.
            libraries.extend(unsafe { loader::open(builtins) });
        }
        // SAFETY: the library is NVRTC by its name, and NVRTC's initialisers have no requirements.
        let library = unsafe { loader::open(&candidate.path) }?;
        let functions = Functions::load(&library).map_err(|error| LoadError::Broken(loader::words(&error)))?;
        libraries.push(library);
        let (mut major, mut minor, mut count) = (0, 0, 0);
        // SAFETY: the functions write one integer through each pointer, which are valid.
        let (version, counted) =
            unsafe { ((functions.version)(&mut major, &mut minor), (functions.arch_count)(&mut count)) };
        let mut archs: Vec<c_int> = vec![0; usize::try_from(count).unwrap_or_default()];
        // SAFETY: the array has the number of elements that NVRTC asked for.
        let listed = if counted == 0 { unsafe { (functions.archs)(archs.as_mut_ptr()) } } else { 0 };
        let calls = [
            ("nvrtcVersion", version, "its version"),
            ("nvrtcGetNumSupportedArchs", counted, "the architectures that it compiles for"),
            ("nvrtcGetSupportedArchs", listed, "the architectures that it compiles for"),
        ];
        if let Some((call, status, what)) = calls.into_iter().find(|(_, status, _)| *status != 0) {
            let reason = format!("it does not tell {what}: {call} failed: {}", functions.status(status));
            return Err(LoadError::Broken(reason));
        }
        let number = |value: c_int| u32::try_from(value).unwrap_or_default();
        Ok(Nvrtc {
            path: loader::loaded_path(&candidate.path),
            version: (number(major), number(minor)),
            archs: archs.into_iter().map(number).collect(),
            functions,
            _libraries: ManuallyDrop::new(libraries),
        })
    }

    /// The version of CUDA it belongs to, major and minor.
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// The library's file, or its bare name if the system does not report it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The architectures it makes code for: 90 for `sm_90`.
    pub fn architectures(&self) -> &[u32] {
        &self.archs
    }

    /// The identity of this library for the cache: version, path, size and modification time.
    pub fn identity(&self) -> String {
        let (major, minor) = self.version;
        let file = std::fs::metadata(&self.path).ok().map(|metadata| {
            let changed = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
            format!("{} bytes, {} ns", metadata.len(), changed.map_or(0, |time| time.as_nanos()))
        });
        format!("nvrtc {major}.{minor} {} {}", self.path.display(), file.unwrap_or_default())
    }

    /// Compiles a source to machine code (`sm_…`) or PTX (`compute_…`).
    pub fn compile(&self, request: &Request<'_>) -> Result<Compiled, NvrtcError> {
        let form = self.form_of(request.arch)?;
        let source = zero_terminated("source", request.source)?;
        let name = zero_terminated("name of the source", request.name)?;
        let options = all_options(request);
        let options = options.iter().map(|option| zero_terminated("option", option)).collect::<Result<Vec<_>, _>>()?;
        let option_pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();

        let mut program = OpenProgram { functions: &self.functions, handle: std::ptr::null_mut() };
        // SAFETY: the strings are terminated and live on; there are no headers, so their arrays may be null.
        let status = unsafe {
            let (none, nothing) = (std::ptr::null(), std::ptr::null());
            (self.functions.create)(&mut program.handle, source.as_ptr(), name.as_ptr(), 0, none, nothing)
        };
        self.check("nvrtcCreateProgram", status, "")?;
        // SAFETY: the program was created above, and the array has as many terminated strings as it is said to have.
        let status = unsafe {
            (self.functions.compile)(program.handle, option_pointers.len() as c_int, option_pointers.as_ptr())
        };
        let log = self.output(&program, "nvrtcGetProgramLog", self.functions.log_size, self.functions.log);
        let log = match log {
            Ok(bytes) => String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_string(),
            Err(_) => String::new(),
        };
        // 5 is an option that is not understood, 6 a source with errors; the log says which.
        if status == 5 || status == 6 {
            return Err(NvrtcError::Compile {
                name: request.name.to_string(),
                arch: request.arch.to_string(),
                version: self.version,
                status: self.functions.status(status),
                log,
            });
        }
        self.check("nvrtcCompileProgram", status, &log)?;
        let mut code = match form {
            Code::Cubin => self.output(&program, "nvrtcGetCUBIN", self.functions.cubin_size, self.functions.cubin)?,
            Code::Ptx => self.output(&program, "nvrtcGetPTX", self.functions.ptx_size, self.functions.ptx)?,
        };
        if form == Code::Ptx && code.last() == Some(&0) {
            code.pop();
        }
        let kernels = resources(&log);
        Ok(Compiled { form, code, log, kernels })
    }

    /// The form of code of an architecture, if this NVRTC supports it. `sm_90a` and `sm_100f` have the numbers of
    /// `sm_90` and `sm_100`; NVRTC itself checks the letter.
    fn form_of(&self, arch: &str) -> Result<Code, NvrtcError> {
        let parse = |prefix: &str| {
            let number = arch.strip_prefix(prefix)?;
            number.strip_suffix(['a', 'f']).unwrap_or(number).parse::<u32>().ok()
        };
        let (form, number) = match (parse("sm_"), parse("compute_")) {
            (Some(number), _) => (Code::Cubin, Some(number)),
            (None, number) => (Code::Ptx, number),
        };
        if number.is_some_and(|number| self.archs.contains(&number)) {
            return Ok(form);
        }
        Err(NvrtcError::Architecture {
            arch: arch.to_string(),
            library: self.path.display().to_string(),
            version: self.version,
            supported: self.archs.iter().map(|number| format!("sm_{number}")).collect(),
        })
    }

    /// One of the program's outputs.
    fn output(
        &self,
        program: &OpenProgram<'_>,
        function: &'static str,
        size_of: SizeOf,
        copy_to: CopyTo,
    ) -> Result<Vec<u8>, NvrtcError> {
        let mut size = 0;
        // SAFETY: the program is open and the pointer valid.
        let status = unsafe { size_of(program.handle, &mut size) };
        self.check(function, status, "")?;
        let mut bytes = vec![0u8; size];
        if size > 0 {
            // SAFETY: the buffer has the size that NVRTC asked for.
            let status = unsafe { copy_to(program.handle, bytes.as_mut_ptr().cast()) };
            self.check(function, status, "")?;
        }
        Ok(bytes)
    }

    fn check(&self, function: &'static str, status: Status, log: &str) -> Result<(), NvrtcError> {
        if status == 0 {
            return Ok(());
        }
        let (version, status) = (self.version, self.functions.status(status));
        Err(NvrtcError::Call { function, version, status, log: log.to_string() })
    }
}

impl std::fmt::Debug for Nvrtc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NVRTC {}.{} ({})", self.version.0, self.version.1, self.path.display())
    }
}

/// All options of a compilation, in order.
pub(super) fn all_options(request: &Request<'_>) -> Vec<String> {
    let mut options = vec![format!("--gpu-architecture={}", request.arch), "--ptxas-options=-v".to_string()];
    options.extend(request.options.iter().cloned());
    options
}

/// A program that is destroyed at the end of its scope.
struct OpenProgram<'a> {
    functions: &'a Functions,
    handle: Program,
}

impl Drop for OpenProgram<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: the program was created and not destroyed. A failure leaves nothing to do.
            unsafe { (self.functions.destroy)(&mut self.handle) };
        }
    }
}

fn zero_terminated(what: &'static str, text: &str) -> Result<CString, NvrtcError> {
    CString::new(text).map_err(|error| NvrtcError::ZeroByte { what, at: error.nul_position() })
}

/// Why a library of this version makes code that a driver for this version of CUDA does not load, if it does.
fn too_new(major: Option<u32>, minor: Option<u32>, driver: Option<(u32, u32)>) -> Option<String> {
    let (major, (driver_major, driver_minor)) = (major?, driver?);
    let version = minor.map_or_else(|| major.to_string(), |minor| format!("{major}.{minor}"));
    (major > driver_major).then(|| {
        format!("NVRTC {version} makes code that this driver, for CUDA {driver_major}.{driver_minor}, does not load")
    })
}

/// The Python package of an NVRTC whose code a driver for this version of CUDA loads.
fn package_for(driver: Option<(u32, u32)>) -> &'static str {
    if driver.is_some_and(|(major, _)| major < 12) { "nvidia-cuda-nvrtc-cu11" } else { "nvidia-cuda-nvrtc-cu12" }
}

/// For tests, of this crate and others: the NVRTC of the environment or of `.venv` in `workspace`. `Ok(None)` says that
/// there is none and the test has nothing to do; where the variable `CI` is set that is an error, because there the
/// library is installed and a test that silently does nothing would be worth nothing.
pub fn nvrtc_required(workspace: &Path) -> Result<Option<Nvrtc>, NvrtcError> {
    // What the system and its Pythons happen to have is of any version, and is not what the tests were written for.
    let mut places = SearchPlaces { path: Vec::new(), user: None, system: None, ..SearchPlaces::from_environment() };
    places.environments.push(workspace.join(".venv"));
    required(&places)
}

/// For tests: the NVRTC with the front end of CUDA Tile C++ that the test command installs below `workspace`. `Ok(None)` is
/// as for [`nvrtc_required`].
pub fn tile_front_end_required(workspace: &Path) -> Result<Option<Nvrtc>, NvrtcError> {
    let environments = vec![workspace.join("target").join("tile-front-end")];
    required(&SearchPlaces { environments, ..SearchPlaces::default() })
}

fn required(places: &SearchPlaces) -> Result<Option<Nvrtc>, NvrtcError> {
    match Nvrtc::find(places, None) {
        Ok(nvrtc) => Ok(Some(nvrtc)),
        Err(error) if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) => Err(error),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests;
