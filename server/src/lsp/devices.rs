//! The devices that can run kernels. A worker process looks for them, as driver libraries are large and may hang.

use shapewright_runtime::execute::DeviceInfo;

use crate::worker;

/// Finds the devices; the error is a sentence.
pub(super) async fn find() -> Result<Vec<DeviceInfo>, String> {
    let found = tokio::task::spawn_blocking(look).await;
    found.unwrap_or_else(|_| Err("a defect of the server stopped the search for devices".to_owned()))
}

fn look() -> Result<Vec<DeviceInfo>, String> {
    match worker::devices() {
        (devices, None) => Ok(devices),
        (_, Some(problem)) => Err(format!("the devices are not known: {problem}")),
    }
}

/// The default GPU.
pub(super) const FIRST_GPU: &str = "cuda:0";

/// Whether kernels can run on a GPU.
pub(super) fn has_gpu(devices: &[DeviceInfo]) -> bool {
    devices.iter().any(|device| device.name == FIRST_GPU && device.available)
}

/// What a status item shows of a device setting.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Described {
    /// The setting and the device that it means.
    pub(super) device: String,
    /// Why the device, or a faster one that `auto` passes over, is not available.
    pub(super) problem: Option<String>,
    /// The libraries that were found for the device: which versions, and where.
    pub(super) libraries: Option<String>,
}

/// A device setting as a status item shows it.
pub(super) fn described(setting: &str, devices: &[DeviceInfo]) -> Described {
    let named = |name: &str| devices.iter().find(|device| device.name == name);
    let is_auto = setting == "auto";
    let asked = if is_auto { FIRST_GPU } else { setting };
    let asked = named(asked);
    let libraries = asked.and_then(DeviceInfo::libraries);
    let meant = asked.filter(|device| device.available).or_else(|| named("cpu").filter(|_| is_auto));
    let device = match meant {
        Some(device) => {
            let details = details(device);
            let shown = match &details {
                Some(details) if is_auto && device.name == "cpu" => Some(format!("{}, {details}", device.name)),
                Some(details) if is_auto => Some(format!("{} {details}", device.name)),
                None if is_auto => Some(device.name.clone()),
                _ => details,
            };
            shown.map_or_else(|| setting.to_owned(), |shown| format!("{setting} ({shown})"))
        }
        None if is_auto => setting.to_owned(),
        None => format!("{setting} (not available)"),
    };
    // A machine without a driver has no GPU, which `auto` passes over without a word.
    let told = asked.filter(|device| !is_auto || device.driver.is_some());
    let problem = match asked {
        None if !is_auto => Some(format!("there is no device {setting} here")),
        _ => told.and_then(DeviceInfo::short_missing),
    };
    Described { device, problem, libraries }
}

/// The distinguishing details of a device.
fn details(device: &DeviceInfo) -> Option<String> {
    match (device.name.as_str(), device.cores) {
        ("interp", _) => None,
        ("cpu", None) => None,
        ("cpu", Some(1)) => Some("1 thread".to_owned()),
        ("cpu", Some(cores)) => Some(format!("{cores} threads")),
        _ => Some(device.description.clone()),
    }
}

#[cfg(test)]
mod tests {
    use shapewright_runtime::execute::LibraryInfo;

    use super::*;

    fn device(name: &str, description: &str, cores: u64, missing: Option<&str>) -> DeviceInfo {
        DeviceInfo {
            name: name.to_owned(),
            available: missing.is_none(),
            missing: missing.map(str::to_owned),
            description: description.to_owned(),
            cores: Some(cores),
            ..DeviceInfo::default()
        }
    }

    #[test]
    fn a_setting_says_what_it_means_here() {
        let here = |missing| {
            let gpu = device("cuda:0", "NVIDIA H200", 132, missing);
            [device("cpu", "A processor", 2, None), device("interp", "the reference", 1, None), gpu]
        };
        for (setting, missing, expected, problem) in [
            ("auto", Some("no driver"), "auto (cpu, 2 threads)", None),
            ("auto", None, "auto (cuda:0 NVIDIA H200)", None),
            ("cpu", None, "cpu (2 threads)", None),
            ("interp", None, "interp", None),
            ("cuda:0", None, "cuda:0 (NVIDIA H200)", None),
            ("cuda:0", Some("no driver"), "cuda:0 (not available)", Some("no driver")),
            ("cuda:7", None, "cuda:7 (not available)", Some("there is no device cuda:7 here")),
        ] {
            let found = described(setting, &here(missing));
            assert_eq!((found.device.as_str(), found.problem.as_deref()), (expected, problem));
        }
        assert_eq!(described("auto", &[device("cpu", "", 1, None)]).device, "auto (cpu, 1 thread)");
    }

    #[test]
    fn a_gpu_that_is_here_and_cannot_be_used_is_told_for_auto_too() {
        let library = |version: Option<&str>, path: &str| {
            Some(LibraryInfo { version: version.map(str::to_owned), path: path.to_owned() })
        };
        let cpu = device("cpu", "A processor", 2, None);
        let gpu = DeviceInfo {
            driver: library(Some("12.8"), "/lib/libcuda.so.1"),
            ..device("cuda:0", "NVIDIA H200", 132, Some("no NVRTC\nSearched:\n  here"))
        };
        let found = described("auto", &[cpu.clone(), gpu.clone()]);
        let problem = "no NVRTC; `shapewright devices` tells more";
        assert_eq!((found.device.as_str(), found.problem.as_deref()), ("auto (cpu, 2 threads)", Some(problem)));
        assert_eq!(found.libraries.as_deref(), Some("driver for CUDA 12.8: /lib/libcuda.so.1"));

        let nvrtc = library(Some("12.9"), "/env/libnvrtc.so.12");
        let found = described("auto", &[cpu.clone(), DeviceInfo { available: true, missing: None, nvrtc, ..gpu }]);
        assert_eq!((found.device.as_str(), found.problem), ("auto (cuda:0 NVIDIA H200)", None));
        assert_eq!(
            found.libraries.as_deref(),
            Some("driver for CUDA 12.8: /lib/libcuda.so.1, NVRTC 12.9: /env/libnvrtc.so.12")
        );
        let broken = DeviceInfo { driver: library(None, "libcuda.so.1"), ..device("cuda:0", "", 0, Some("cut off")) };
        let found = described("auto", &[cpu, broken]);
        assert_eq!(
            (found.problem.as_deref(), found.libraries.as_deref()),
            (Some("cut off"), Some("driver: libcuda.so.1"))
        );
    }
}
