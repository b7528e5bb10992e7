//! What can run a kernel here, and for what cannot, what is missing.

use crate::cuda::Nvrtc;
use crate::cuda::driver::Driver;
use serde::{Deserialize, Serialize};

/// Something that runs kernels. The field names are those of the JSON that `shapewright devices` prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// What `--device` takes: `cpu`, `interp` or `cuda:N`.
    pub name: String,
    /// Whether kernels can run on it now.
    pub available: bool,
    /// What is missing and what to do, where it is not available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The processor or board.
    pub description: String,
    /// CPU threads, or multiprocessors of a GPU; `None` where there is no device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u64>,
    /// The architecture kernels are compiled for, such as `sm_90`, of a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// The device's own memory, in bytes, of a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// The peak bandwidth of its memory, in GB/s (10^9 bytes per second), where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_gb_per_s: Option<f64>,
}

/// Every device: `cpu`, `interp`, and the GPUs; without a GPU there is a `cuda:0` that is not available and says why.
pub fn devices() -> Vec<DeviceInfo> {
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let always = |name: &str, description: String, cores| DeviceInfo {
        name: name.to_string(),
        available: true,
        missing: None,
        description,
        cores: Some(cores),
        architecture: None,
        memory_bytes: None,
        peak_gb_per_s: None,
    };
    let mut devices = vec![
        always("cpu", processor(), cores),
        always("interp", "the reference interpreter, for checking and debugging".to_string(), 1),
    ];
    match Driver::shared() {
        Ok(driver) => {
            let nvrtc = Nvrtc::shared().err().map(|error| error.to_string());
            devices.extend((0..driver.device_count()).map(|ordinal| gpu(driver, ordinal, nvrtc.clone())));
        }
        Err(error) => devices.push(no_gpu(0, error.to_string())),
    }
    devices
}

fn gpu(driver: &Driver, ordinal: u32, missing: Option<String>) -> DeviceInfo {
    match driver.properties(ordinal) {
        Ok(properties) => DeviceInfo {
            name: format!("cuda:{ordinal}"),
            available: missing.is_none(),
            missing,
            description: properties.name.clone(),
            cores: Some(u64::from(properties.multiprocessors)),
            architecture: Some(properties.architecture()),
            memory_bytes: Some(properties.memory_bytes),
            peak_gb_per_s: properties.peak_gb_per_s,
        },
        Err(error) => no_gpu(ordinal, error.to_string()),
    }
}

fn no_gpu(ordinal: u32, missing: String) -> DeviceInfo {
    DeviceInfo {
        name: format!("cuda:{ordinal}"),
        available: false,
        missing: Some(missing),
        description: "NVIDIA GPU".to_string(),
        cores: None,
        architecture: None,
        memory_bytes: None,
        peak_gb_per_s: None,
    }
}

/// What `--device` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceName {
    /// `cuda:0` where it is available, else `cpu`.
    Auto,
    /// The CPU backend.
    Cpu,
    /// The reference interpreter.
    Interp,
    /// A GPU by its number.
    Cuda(u32),
}

impl std::str::FromStr for DeviceName {
    type Err = String;

    /// Reads `auto`, `cpu`, `interp`, `cuda` (which is `cuda:0`) or `cuda:N`; the error is a sentence.
    fn from_str(text: &str) -> Result<DeviceName, String> {
        let ordinal = || text.strip_prefix("cuda:")?.parse().ok();
        match text {
            "auto" => Ok(DeviceName::Auto),
            "cpu" => Ok(DeviceName::Cpu),
            "interp" => Ok(DeviceName::Interp),
            "cuda" => Ok(DeviceName::Cuda(0)),
            _ => ordinal()
                .map(DeviceName::Cuda)
                .ok_or_else(|| format!("there is no device `{text}`, expected auto, cpu, cuda:N or interp")),
        }
    }
}

impl DeviceName {
    /// The device that `auto` means here; every other name means itself.
    pub fn resolve(self) -> DeviceName {
        match self {
            DeviceName::Auto if Driver::shared().is_ok() && Nvrtc::shared().is_ok() => DeviceName::Cuda(0),
            DeviceName::Auto => DeviceName::Cpu,
            other => other,
        }
    }
}

impl std::fmt::Display for DeviceName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DeviceName::Auto => f.write_str("auto"),
            DeviceName::Cpu => f.write_str("cpu"),
            DeviceName::Interp => f.write_str("interp"),
            DeviceName::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

/// The processor's name where the system tells, and its architecture.
fn processor() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_string())
    });
    let architecture = std::env::consts::ARCH;
    model.map_or_else(|| architecture.to_string(), |model| format!("{model} ({architecture})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuda::driver::DriverError;

    #[test]
    fn the_cpu_and_the_interpreter_are_always_there() {
        let devices = devices();
        let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
        assert_eq!(&names[..3], ["cpu", "interp", "cuda:0"]);
        for device in &devices {
            assert_eq!(device.available, device.missing.is_none(), "{device:?}");
            assert!(!device.description.is_empty());
        }
        assert!(devices[0].available && devices[1].available && devices[0].cores >= Some(1));
    }

    #[test]
    fn a_gpu_that_is_missing_says_why() {
        let device = no_gpu(0, DriverError::NotFound { library: "libcuda.so.1".to_string() }.to_string());
        assert_eq!(
            serde_json::to_string(&device).unwrap(),
            r#"{"name":"cuda:0","available":false,"missing":"libcuda.so.1 not found; install the NVIDIA driver","description":"NVIDIA GPU"}"#
        );
    }

    #[test]
    fn device_names_are_read() {
        for name in ["auto", "cpu", "interp", "cuda:0", "cuda:13"] {
            assert_eq!(name.parse::<DeviceName>().unwrap().to_string(), name);
        }
        assert_eq!("cuda".parse(), Ok(DeviceName::Cuda(0)));
        for name in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:99999999999"] {
            assert_eq!(
                name.parse::<DeviceName>(),
                Err(format!("there is no device `{name}`, expected auto, cpu, cuda:N or interp"))
            );
        }
    }
}
