//! What was found of GPUs and of the libraries that they need, as devices are listed and refused.

use super::driver::{DeviceProperties, Driver, DriverError};
use super::{Nvrtc, NvrtcError};
use crate::execute::{DeviceInfo, ExecuteError, LibraryInfo};

/// Every GPU, or a `cuda:0` that is not available. NVRTC is searched for the capability of each, only if there is a driver.
pub(super) fn devices<'n>(
    driver: Result<&Driver, DriverError>,
    nvrtc: impl Fn((u32, u32)) -> Result<&'n Nvrtc, NvrtcError>,
) -> Vec<DeviceInfo> {
    match driver {
        Ok(driver) => (0..driver.device_count()).map(|number| gpu(driver, number, &nvrtc)).collect(),
        Err(error) => vec![without_driver(&error)],
    }
}

fn gpu<'n>(driver: &Driver, number: u32, nvrtc: &impl Fn((u32, u32)) -> Result<&'n Nvrtc, NvrtcError>) -> DeviceInfo {
    let library = |(major, minor): (u32, u32), path: &std::path::Path| LibraryInfo {
        version: Some(format!("{major}.{minor}")),
        path: path.display().to_string(),
    };
    let properties = driver.properties(number);
    let nvrtc = properties.as_ref().ok().map(|properties| nvrtc(properties.capability));
    let missing = match (&properties, &nvrtc) {
        (Err(error), _) => Some(error.to_string()),
        (_, Some(Err(error))) => Some(error.to_string()),
        _ => None,
    };
    let info = DeviceInfo {
        name: name(number),
        available: missing.is_none(),
        missing,
        description: "NVIDIA GPU".to_owned(),
        driver: Some(library(driver.cuda_version(), driver.path())),
        nvrtc: nvrtc.and_then(Result::ok).map(|nvrtc| library(nvrtc.version(), nvrtc.path())),
        ..DeviceInfo::default()
    };
    let Ok(properties) = properties else { return info };
    let DeviceInfo { name, available, missing, driver, nvrtc, .. } = info;
    DeviceInfo { name, available, missing, driver, nvrtc, ..self::info(&properties) }
}

/// What the driver tells of a GPU.
pub(super) fn info(properties: &DeviceProperties) -> DeviceInfo {
    let megahertz = |kilohertz: u32| (kilohertz > 0).then_some(kilohertz / 1000);
    DeviceInfo {
        name: name(properties.ordinal),
        description: properties.name.clone(),
        cores: Some(u64::from(properties.multiprocessors)),
        architecture: Some(properties.architecture()),
        memory_bytes: Some(properties.memory_bytes),
        peak_gb_per_s: properties.peak_gb_per_s,
        clock_mhz: megahertz(properties.clock_khz),
        memory_clock_mhz: megahertz(properties.memory_clock_khz),
        uuid: properties.uuid.clone(),
        ..DeviceInfo::default()
    }
}

/// A GPU that may be there, where the driver is missing or fails.
fn without_driver(error: &DriverError) -> DeviceInfo {
    let path = (!error.is_absent()).then(Driver::library_path);
    DeviceInfo {
        name: name(0),
        missing: Some(error.to_string()),
        description: "NVIDIA GPU".to_owned(),
        driver: path.map(|path| LibraryInfo { version: None, path: path.display().to_string() }),
        ..DeviceInfo::default()
    }
}

/// The refusal to open a device without a working driver: it is absent if there is none, or if the user hid the GPUs.
pub(super) fn refusal(number: u32, error: DriverError) -> ExecuteError {
    let (device, is_absent) = (name(number), error.is_absent() || error.hides_gpus());
    let missing = error.into();
    if is_absent { ExecuteError::Absent { device, missing } } else { ExecuteError::Unavailable { device, missing } }
}

fn name(number: u32) -> String {
    format!("cuda:{number}")
}

/// The name of a device, with the GPU's own name where the driver tells it: `cuda:0 (NVIDIA H200)`.
pub(super) fn described(driver: &Driver, number: u32) -> String {
    let properties = driver.properties(number);
    properties.map_or_else(|_| name(number), |properties| format!("{} ({})", name(number), properties.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn absent() -> DriverError {
        DriverError::NotFound { library: "libcuda.so.1".to_string() }
    }

    #[test]
    fn a_gpu_that_is_missing_says_why() {
        assert_eq!(
            serde_json::to_string(&without_driver(&absent())).unwrap(),
            r#"{"name":"cuda:0","available":false,"missing":"libcuda.so.1 not found; install the NVIDIA driver","description":"NVIDIA GPU"}"#
        );
    }

    #[test]
    fn only_a_machine_without_a_driver_has_no_gpu() {
        assert!(matches!(refusal(0, absent()), ExecuteError::Absent { .. }));
        let broken = DriverError::Broken { library: "libcuda.so.1".to_string(), reason: "file too short".to_string() };
        assert!(without_driver(&broken).driver.is_some());
        let refused = refusal(1, broken);
        assert!(matches!(refused, ExecuteError::Unavailable { .. }));
        assert_eq!(
            refused.to_string(),
            "cuda:1 is not available, but --device cpu always is: the NVIDIA driver is there but libcuda.so.1 cannot be \
             opened: file too short; reinstall the NVIDIA driver"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_tell_which_libraries_were_found_and_where() {
        use super::super::library::SearchPlaces;
        use testing::gpu;

        let folder = tempfile::tempdir().unwrap();
        let cuda = gpu::driver(&folder.path().join("libcuda.so.1"), "version=12.4");
        let driver = Driver::open(&[&cuda]).unwrap();
        let find = |minor: u32, major: u32| {
            let library = folder.path().join(format!("libnvrtc.so.{major}"));
            gpu::nvrtc(&library, &format!("nvrtc={major}.{minor}"));
            let places = SearchPlaces { explicit: Some(library), ..SearchPlaces::default() };
            Nvrtc::find(&places, Some(driver.cuda_version()))
        };
        let nvrtc = find(9, 12).unwrap();
        let found = devices(Ok(&driver), |_| Ok(&nvrtc)).remove(0);
        let info = |version: &str, path: &std::path::Path| {
            let path = path.canonicalize().unwrap().display().to_string();
            Some(LibraryInfo { version: Some(version.to_owned()), path })
        };
        assert!(found.available && found.missing.is_none());
        assert_eq!(found.driver, info("12.4", &cuda));
        assert_eq!(found.nvrtc, info("12.9", &folder.path().join("libnvrtc.so.12")));

        let refused = find(0, 13).unwrap_err();
        let found = devices(Ok(&driver), |_| Err(refused.clone())).remove(0);
        assert!(!found.available && found.missing.unwrap().contains("this driver, for CUDA 12.4, does not load"));
        assert_eq!((found.description.as_str(), found.nvrtc), ("NVIDIA Stand-in", None));
        assert_eq!(found.driver, info("12.4", &cuda));
        assert_eq!(described(&driver, 0), "cuda:0 (NVIDIA Stand-in)");
    }
}
