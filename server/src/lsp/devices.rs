//! The devices that can run kernels. A worker process looks for them, as driver libraries are large and may hang.

use std::time::Duration;

use shapewright_runtime::execute::DeviceInfo;

use crate::worker::{Client, Ending, Event, Task, Workers};

/// The time limit for drivers.
const PATIENCE: Duration = Duration::from_secs(60);

/// Finds the devices; the error is a sentence.
pub(super) async fn find() -> Result<Vec<DeviceInfo>, String> {
    let found = tokio::task::spawn_blocking(look).await;
    found.unwrap_or_else(|_| Err("a defect of the server stopped the search for devices".to_owned()))
}

fn look() -> Result<Vec<DeviceInfo>, String> {
    // A process of its own, which ends at once: drivers keep memory.
    let client = Client::start(&Task::Devices, &Workers::none())
        .map_err(|error| format!("a process that looks for devices could not be started: {error}"))?;
    let mut found = None;
    let Ok(ending) = client.wait(Some(PATIENCE), |event| {
        if let Event::Devices { devices } = event {
            found = Some(devices);
        }
        Ok::<(), std::convert::Infallible>(())
    });
    match (ending, found) {
        (_, Some(devices)) => Ok(devices),
        (Ending::Died(reason), None) => Err(format!("the devices are not known: {reason}")),
        (Ending::TimeLimit, None) => {
            Err(format!("the devices are not known: a driver did not answer within {} s", PATIENCE.as_secs()))
        }
        (Ending::Done | Ending::Interrupted, None) => Err("the devices are not known: no answer came".to_owned()),
    }
}

/// The default GPU.
pub(super) const FIRST_GPU: &str = "cuda:0";

/// Whether kernels can run on a GPU.
pub(super) fn has_gpu(devices: &[DeviceInfo]) -> bool {
    devices.iter().any(|device| device.name == FIRST_GPU && device.available)
}

/// A device setting as a status item shows it, and what is missing if it is not available.
pub(super) fn described(setting: &str, devices: &[DeviceInfo]) -> (String, Option<String>) {
    let named = |name: &str| devices.iter().find(|device| device.name == name);
    if setting == "auto" {
        let gpu = named(FIRST_GPU).filter(|device| device.available);
        let meant = gpu.or_else(|| named("cpu")).map(|device| match details(device) {
            Some(details) if device.name == "cpu" => format!("{}, {details}", device.name),
            Some(details) => format!("{} {details}", device.name),
            None => device.name.clone(),
        });
        return (meant.map_or_else(|| setting.to_owned(), |meant| format!("{setting} ({meant})")), None);
    }
    match named(setting) {
        Some(device) if device.available => {
            (details(device).map_or_else(|| setting.to_owned(), |details| format!("{setting} ({details})")), None)
        }
        Some(device) => (format!("{setting} (not available)"), device.missing.clone()),
        None => (format!("{setting} (not available)"), Some(format!("there is no device {setting} here"))),
    }
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
    use super::*;

    fn device(name: &str, description: &str, cores: u64, missing: Option<&str>) -> DeviceInfo {
        DeviceInfo {
            name: name.to_owned(),
            available: missing.is_none(),
            missing: missing.map(str::to_owned),
            description: description.to_owned(),
            cores: Some(cores),
            architecture: None,
            memory_bytes: None,
            peak_gb_per_s: None,
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
            assert_eq!(found, (expected.to_owned(), problem.map(str::to_owned)));
        }
        assert_eq!(described("auto", &[device("cpu", "", 1, None)]).0, "auto (cpu, 1 thread)");
    }
}
