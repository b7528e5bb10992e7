//! The functions of NVRTC that are used.

use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_void};

/// A source being compiled.
pub(super) type Program = *mut c_void;
/// The status of a call: 0 is success.
pub(super) type Status = c_int;
/// Returns the size of an output, in bytes.
pub(super) type SizeOf = unsafe extern "C" fn(Program, *mut usize) -> Status;
/// Copies an output into a buffer of that size.
pub(super) type CopyTo = unsafe extern "C" fn(Program, *mut c_char) -> Status;

/// The functions of NVRTC that are used.
pub(super) struct Functions {
    pub(super) version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status,
    pub(super) error_string: unsafe extern "C" fn(Status) -> *const c_char,
    pub(super) arch_count: unsafe extern "C" fn(*mut c_int) -> Status,
    pub(super) archs: unsafe extern "C" fn(*mut c_int) -> Status,
    pub(super) create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Status,
    pub(super) destroy: unsafe extern "C" fn(*mut Program) -> Status,
    pub(super) compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> Status,
    pub(super) log_size: SizeOf,
    pub(super) log: CopyTo,
    pub(super) ptx_size: SizeOf,
    pub(super) ptx: CopyTo,
    pub(super) cubin_size: SizeOf,
    pub(super) cubin: CopyTo,
}

impl Functions {
    /// Looks every function up.
    pub(super) fn load(library: &Library) -> Result<Functions, libloading::Error> {
        // SAFETY: each symbol is the function of that name in nvrtc.h, whose signature the field's type repeats.
        unsafe {
            Ok(Functions {
                version: *library.get("nvrtcVersion")?,
                error_string: *library.get("nvrtcGetErrorString")?,
                arch_count: *library.get("nvrtcGetNumSupportedArchs")?,
                archs: *library.get("nvrtcGetSupportedArchs")?,
                create: *library.get("nvrtcCreateProgram")?,
                destroy: *library.get("nvrtcDestroyProgram")?,
                compile: *library.get("nvrtcCompileProgram")?,
                log_size: *library.get("nvrtcGetProgramLogSize")?,
                log: *library.get("nvrtcGetProgramLog")?,
                ptx_size: *library.get("nvrtcGetPTXSize")?,
                ptx: *library.get("nvrtcGetPTX")?,
                cubin_size: *library.get("nvrtcGetCUBINSize")?,
                cubin: *library.get("nvrtcGetCUBIN")?,
            })
        }
    }

    /// NVRTC's name of a status.
    pub(super) fn status(&self, status: Status) -> String {
        // SAFETY: the function takes any number and gives a static string, or null.
        let text = unsafe { (self.error_string)(status) };
        if text.is_null() {
            return format!("status {status}");
        }
        // SAFETY: not null, so a terminated string that lives as long as the library, which is never closed.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}
