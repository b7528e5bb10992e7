//! Errors of the driver and its devices.

use std::ffi::OsString;

use thiserror::Error;

/// A missing driver, or a failed call. The text is a sentence with what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DriverError {
    /// There is no driver on this machine.
    #[error("{library} not found; install the NVIDIA driver")]
    NotFound {
        /// The library's name.
        library: String,
    },
    /// There is a driver, but the loader cannot open it.
    #[error("the NVIDIA driver is there but {library} cannot be opened: {reason}; reinstall the NVIDIA driver")]
    Broken {
        /// The library's name.
        library: String,
        /// The loader's words.
        reason: String,
    },
    /// The driver fails, and something on this machine explains it.
    #[error("{error}; {problem}")]
    Explained {
        /// The driver's error.
        error: Box<DriverError>,
        /// What stands in the way, and what to do.
        problem: String,
    },
    /// The driver lacks a function.
    #[error("the NVIDIA driver is too old: it has no {function}; install one for CUDA {needs} or newer")]
    TooOld {
        /// The function's name.
        function: &'static str,
        /// The first CUDA version that has it.
        needs: &'static str,
    },
    /// The driver runs but sees no GPU.
    #[error(
        "the NVIDIA driver sees no GPU; check nvidia-smi and CUDA_VISIBLE_DEVICES, which names an instance where MIG is on"
    )]
    NoDevice,
    /// A number no device has.
    #[error("there is no device cuda:{ordinal}: the NVIDIA driver has {count}, cuda:0 to cuda:{}", count.saturating_sub(1))]
    NoSuchDevice {
        /// The requested number.
        ordinal: u32,
        /// How many devices there are.
        count: u32,
    },
    /// The device's memory does not suffice.
    #[error(
        "not enough memory on cuda:{ordinal}: {bytes} bytes could not be allocated, {free} of {total} bytes are free; use \
         smaller tensors or free the device"
    )]
    OutOfMemory {
        /// The device's number.
        ordinal: u32,
        /// The requested size, in bytes.
        bytes: u64,
        /// What is free, in bytes.
        free: u64,
        /// What the device has, in bytes.
        total: u64,
    },
    /// A copy between buffers of different sizes.
    #[error(
        "a copy of {found} bytes does not fit a device buffer of {expected} bytes: the two must have the same size"
    )]
    CopySize {
        /// The buffer's size, in bytes.
        expected: u64,
        /// The size of what was to be copied, in bytes.
        found: u64,
    },
    /// A launch whose shape no device takes.
    #[error("a launch of grid {grid:?}, block {block:?}, cluster {cluster:?} is impossible: {reason}")]
    LaunchShape {
        /// Blocks in x, y, z.
        grid: [u32; 3],
        /// Threads in x, y, z.
        block: [u32; 3],
        /// Blocks of a cluster in x, y, z.
        cluster: Option<[u32; 3]>,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// A kernel that is not in the code.
    #[error(
        "the machine code has no kernel `{name}`: the name in the code must be the one in the source (extern \"C\")"
    )]
    NoKernel {
        /// The kernel's name.
        name: String,
    },
    /// Machine code that is not the device's.
    #[error("the machine code does not run on {device}: {text} ({name}); {advice}{}", log_of(.log))]
    WrongCode {
        /// The device, with its architecture.
        device: String,
        /// What the driver calls the error.
        name: String,
        /// What the driver says about it.
        text: String,
        /// What to do.
        advice: String,
        /// What the driver's own compiler says, if it was asked.
        log: String,
    },
    /// Any other refusal.
    #[error("{call} failed: {text} ({name}, {code}){}", hint(.call, *.code))]
    Call {
        /// The driver's function.
        call: &'static str,
        /// The number of the error.
        code: i32,
        /// What the driver calls it.
        name: String,
        /// What the driver says about it.
        text: String,
    },
}

impl DriverError {
    /// Whether there is no driver at all, rather than one that fails.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Whether a driver sees no GPU.
    pub fn is_no_device(&self) -> bool {
        match self {
            Self::Explained { error, .. } => error.is_no_device(),
            error => *error == Self::NoDevice,
        }
    }

    /// Whether a driver sees no GPU since the user hid them all.
    pub fn hides_gpus(&self) -> bool {
        self.is_no_device() && hides_all(std::env::var_os("CUDA_VISIBLE_DEVICES"))
    }
}

/// Whether this value of `CUDA_VISIBLE_DEVICES` is meant to hide every GPU.
fn hides_all(value: Option<OsString>) -> bool {
    value.is_some_and(|value| value.is_empty() || value == "-1")
}

/// The log of the driver's compiler at the end of a message.
fn log_of(log: &str) -> String {
    if log.trim().is_empty() { String::new() } else { format!("; the driver's log:\n{}", log.trim()) }
}

/// What to do about machine code or PTX that a driver for this version of CUDA refuses to load.
pub(super) fn load_advice(code: i32, (major, minor): (u32, u32)) -> String {
    match code {
        222 => format!(
            "NVRTC is newer than the driver, which is for CUDA {major}.{minor}: update the driver, or install an NVRTC of \
             that version or older"
        ),
        _ => "compile it for that device's architecture".to_owned(),
    }
}

/// What to do about an error, where that is known.
fn hint(call: &str, code: i32) -> &'static str {
    const FIRST: [&str; 5] =
        ["cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDevicePrimaryCtxRetain"];
    match code {
        // A device that has worked until then.
        46 | 999 if !FIRST.contains(&call) => {
            "; the GPU may be gone, such as after a fault of the hardware or where it was taken from the container: see \
             `nvidia-smi` and the system's log (`dmesg`)"
        }
        34 => "; this is the toolkit's stub, not a driver: take its folder (lib64/stubs) out of LD_LIBRARY_PATH",
        46 => {
            "; another process has the GPU to itself, or its compute mode forbids processes: end that process, or set the \
             mode with `nvidia-smi -c DEFAULT`"
        }
        100 => "; check nvidia-smi and CUDA_VISIBLE_DEVICES",
        101 => {
            "; where MIG is on, CUDA_VISIBLE_DEVICES must name an instance (MIG-…) as `nvidia-smi -L` lists them, and a \
             process can use one"
        }
        214 | 220 => "; the hardware reports a fault: see `nvidia-smi -q`, and reset the GPU or restart the machine",
        221 => {
            "; libnvidia-ptxjitcompiler, a part of the driver, is missing: install it, or an NVRTC that knows the GPU"
        }
        223 => "; unset CUDA_DISABLE_PTX_JIT, or install an NVRTC that knows the GPU",
        700 | 714..=719 => {
            "; the kernel was stopped, and all that was on the device for it is lost: the next run begins anew"
        }
        701 => "; the kernel needs more registers or shared memory than a block may have: use a smaller block",
        702 => "; the display driver stopped a kernel that took too long: use a device without a display",
        800 => {
            "; this user may not do that: check who may read and write /dev/nvidia*, and that a container was given the \
             GPU (`--gpus all`)"
        }
        802 => {
            "; the machine's GPUs are not ready yet: wait a moment, and where NVSwitch connects them start the fabric \
             manager of the driver's version (`systemctl start nvidia-fabricmanager`)"
        }
        803 => {
            "; the driver's library and its kernel module have different versions, as after an update: restart the \
             machine, or reinstall the driver"
        }
        804 => {
            "; the forward-compatibility library (cuda-compat) does not support this GPU: take its folder out of \
             LD_LIBRARY_PATH, or update the driver"
        }
        805..=810 => "; the MPS server refuses: check that it runs (`nvidia-cuda-mps-control`) and has room",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudarc::driver::sys::CUresult;

    #[test]
    fn a_choice_of_no_gpu_hides_all() {
        assert!(hides_all(Some("".into())) && hides_all(Some("-1".into())));
        assert!(!hides_all(None) && !hides_all(Some("0".into())) && !hides_all(Some("MIG-1".into())));
    }

    #[test]
    fn what_is_known_about_an_error_is_said() {
        for (code, word) in [
            (CUresult::CUDA_ERROR_STUB_LIBRARY, "lib64/stubs"),
            (CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE, "nvidia-smi -c DEFAULT"),
            (CUresult::CUDA_ERROR_NO_DEVICE, "CUDA_VISIBLE_DEVICES"),
            (CUresult::CUDA_ERROR_INVALID_DEVICE, "MIG"),
            (CUresult::CUDA_ERROR_ECC_UNCORRECTABLE, "reset the GPU"),
            (CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "libnvidia-ptxjitcompiler"),
            (CUresult::CUDA_ERROR_JIT_COMPILATION_DISABLED, "CUDA_DISABLE_PTX_JIT"),
            (CUresult::CUDA_ERROR_ILLEGAL_ADDRESS, "the next run begins anew"),
            (CUresult::CUDA_ERROR_NOT_PERMITTED, "/dev/nvidia*"),
            (CUresult::CUDA_ERROR_SYSTEM_NOT_READY, "fabric manager"),
            (CUresult::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "restart"),
            (CUresult::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, "forward-compatibility"),
            (CUresult::CUDA_ERROR_MPS_CONNECTION_FAILED, "nvidia-cuda-mps-control"),
        ] {
            let hint = hint("cuInit", code as i32);
            assert!(hint.starts_with("; ") && hint.contains(word), "{code:?}: {hint}");
        }
        assert!(
            load_advice(CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION as i32, (12, 8)).starts_with("NVRTC is newer")
        );
        assert_eq!(hint("cuInit", 1), "");
        for code in [CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE, CUresult::CUDA_ERROR_UNKNOWN] {
            assert!(hint("cuLaunchKernel", code as i32).starts_with("; the GPU may be gone"));
        }
        assert_eq!(hint("cuInit", CUresult::CUDA_ERROR_UNKNOWN as i32), "");
    }
}
