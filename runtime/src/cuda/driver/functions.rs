//! The driver functions in use.

use super::DriverError;
use cudarc::driver::sys::{
    CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUevent, CUfunction, CUfunction_attribute, CUjit_option,
    CUlaunchConfig, CUmodule, CUstream, CUuuid,
};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};

/// A status: 0 is success. It is an integer rather than cudarc's enumeration, since newer drivers may return other
/// values.
pub(super) type Status = c_int;

/// Declares the table and its loader: each field is the function of this name in cuda.h.
macro_rules! functions {
    ($($(#[$doc:meta])* $field:ident: $symbol:literal = fn($($argument:ty),* $(,)?);)*) => {
        /// Pointers into the driver's library.
        pub(super) struct Functions {
            $($(#[$doc])* pub(super) $field: unsafe extern "C" fn($($argument),*) -> Status,)*
            /// `cuModuleLoadDataEx`, which tells what the driver's compiler says.
            pub(super) module_load_ex: Option<ModuleLoadEx>,
            /// `cuDeviceGetUuid_v2`, which tells a MIG instance's own.
            pub(super) device_uuid: Option<DeviceUuid>,
            /// `cuLaunchKernelEx`, which launches clusters; drivers for CUDA 11.8 and newer have it.
            pub(super) launch_ex: Option<LaunchEx>,
        }

        impl Functions {
            /// Looks up all functions; a missing one is an error.
            pub(super) fn load(library: &Library) -> Result<Functions, DriverError> {
                let too_old = |function| move |_| DriverError::TooOld { function, needs: "11.4" };
                // SAFETY: each symbol is the function of that name in cuda.h, whose signature the type repeats.
                unsafe {
                    Ok(Functions {
                        $($field: *library.get($symbol).map_err(too_old($symbol))?,)*
                        module_load_ex: library.get("cuModuleLoadDataEx").ok().map(|symbol| *symbol),
                        device_uuid: library.get("cuDeviceGetUuid_v2").ok().map(|symbol| *symbol),
                        launch_ex: library.get("cuLaunchKernelEx").ok().map(|symbol| *symbol),
                    })
                }
            }
        }
    };
}

/// The type of `cuModuleLoadDataEx`.
pub(super) type ModuleLoadEx =
    unsafe extern "C" fn(*mut CUmodule, *const c_void, c_uint, *mut CUjit_option, *mut *mut c_void) -> Status;

/// The type of `cuDeviceGetUuid_v2`.
pub(super) type DeviceUuid = unsafe extern "C" fn(*mut CUuuid, CUdevice) -> Status;

/// The type of `cuLaunchKernelEx`.
pub(super) type LaunchEx =
    unsafe extern "C" fn(*const CUlaunchConfig, CUfunction, *mut *mut c_void, *mut *mut c_void) -> Status;

functions! {
    init: "cuInit" = fn(c_uint);
    driver_version: "cuDriverGetVersion" = fn(*mut c_int);
    error_name: "cuGetErrorName" = fn(c_int, *mut *const c_char);
    error_string: "cuGetErrorString" = fn(c_int, *mut *const c_char);
    device_count: "cuDeviceGetCount" = fn(*mut c_int);
    device_get: "cuDeviceGet" = fn(*mut CUdevice, c_int);
    device_name: "cuDeviceGetName" = fn(*mut c_char, c_int, CUdevice);
    device_memory: "cuDeviceTotalMem_v2" = fn(*mut usize, CUdevice);
    device_attribute: "cuDeviceGetAttribute" = fn(*mut c_int, CUdevice_attribute, CUdevice);
    context_retain: "cuDevicePrimaryCtxRetain" = fn(*mut CUcontext, CUdevice);
    context_release: "cuDevicePrimaryCtxRelease_v2" = fn(CUdevice);
    context_set_current: "cuCtxSetCurrent" = fn(CUcontext);
    context_synchronize: "cuCtxSynchronize" = fn();
    memory_info: "cuMemGetInfo_v2" = fn(*mut usize, *mut usize);
    memory_allocate: "cuMemAlloc_v2" = fn(*mut CUdeviceptr, usize);
    memory_free: "cuMemFree_v2" = fn(CUdeviceptr);
    host_allocate: "cuMemAllocHost_v2" = fn(*mut *mut c_void, usize);
    host_free: "cuMemFreeHost" = fn(*mut c_void);
    copy_to_device_async: "cuMemcpyHtoDAsync_v2" = fn(CUdeviceptr, *const c_void, usize, CUstream);
    copy_to_host_async: "cuMemcpyDtoHAsync_v2" = fn(*mut c_void, CUdeviceptr, usize, CUstream);
    copy_to_device: "cuMemcpyHtoD_v2" = fn(CUdeviceptr, *const c_void, usize);
    copy_to_host: "cuMemcpyDtoH_v2" = fn(*mut c_void, CUdeviceptr, usize);
    memory_set: "cuMemsetD8Async" = fn(CUdeviceptr, c_uchar, usize, CUstream);
    module_load: "cuModuleLoadData" = fn(*mut CUmodule, *const c_void);
    module_unload: "cuModuleUnload" = fn(CUmodule);
    module_function: "cuModuleGetFunction" = fn(*mut CUfunction, CUmodule, *const c_char);
    function_attribute: "cuFuncGetAttribute" = fn(*mut c_int, CUfunction_attribute, CUfunction);
    function_set_attribute: "cuFuncSetAttribute" = fn(CUfunction, CUfunction_attribute, c_int);
    launch: "cuLaunchKernel" = fn(
        CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream, *mut *mut c_void, *mut *mut c_void,
    );
    event_create: "cuEventCreate" = fn(*mut CUevent, c_uint);
    event_record: "cuEventRecord" = fn(CUevent, CUstream);
    event_synchronize: "cuEventSynchronize" = fn(CUevent);
    event_elapsed: "cuEventElapsedTime" = fn(*mut f32, CUevent, CUevent);
    event_destroy: "cuEventDestroy_v2" = fn(CUevent);
}

impl Functions {
    /// Turns a status into an error with the driver's own words.
    pub(super) fn check(&self, call: &'static str, status: Status) -> Result<(), DriverError> {
        match status {
            0 => Ok(()),
            100 if call == "cuInit" => Err(DriverError::NoDevice),
            code => {
                let name = self.describe(self.error_name, code);
                let text = self.describe(self.error_string, code);
                Err(DriverError::Call {
                    call,
                    code,
                    name: name.unwrap_or_else(|| "an unknown error".to_string()),
                    text: text.unwrap_or_else(|| "the driver gives no reason".to_string()),
                })
            }
        }
    }

    fn describe(
        &self,
        function: unsafe extern "C" fn(c_int, *mut *const c_char) -> Status,
        code: c_int,
    ) -> Option<String> {
        let mut text = std::ptr::null();
        // SAFETY: the function takes any number and stores a static string, or null, through a valid pointer.
        let status = unsafe { function(code, &mut text) };
        if status != 0 || text.is_null() {
            return None;
        }
        // SAFETY: not null, so a terminated string that lives as long as the library, which is never closed.
        Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    }
}
