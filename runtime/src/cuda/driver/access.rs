//! What on this machine keeps a driver from its GPUs: files of devices that are missing or not open to this user.

use super::DriverError;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;

/// The error of a driver that sees no GPU or was refused one, with the problem of the files in `devices` (`/dev`) or of
/// the choice of GPUs in `visible` (`CUDA_VISIBLE_DEVICES`) that explains it, if one does.
pub(super) fn explained(error: DriverError, devices: &Path, visible: Option<&str>) -> DriverError {
    // Not permitted, the operating system's refusal, and the unknown error, which stands for any of these.
    let may_be_access = matches!(error, DriverError::NoDevice | DriverError::Call { code: 304 | 800 | 999, .. });
    let hidden = || {
        let visible = visible.filter(|_| error == DriverError::NoDevice)?;
        Some(format!(
            "CUDA_VISIBLE_DEVICES is `{visible}`, of which nothing is here: `nvidia-smi -L` lists what it may name"
        ))
    };
    match problem(devices).filter(|_| may_be_access).or_else(hidden) {
        Some(problem) => DriverError::Explained { error: Box::new(error), problem },
        None => error,
    }
}

fn problem(devices: &Path) -> Option<String> {
    // Windows, also below Linux, has no such files.
    if !cfg!(target_os = "linux") || devices.join("dxg").exists() {
        return None;
    }
    let control = devices.join("nvidiactl");
    let names = super::super::library::names_in(devices).into_iter();
    let gpus = names.filter(|name| {
        let number = name.strip_prefix("nvidia").unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    let gpus: Vec<_> = gpus.map(|name| devices.join(name)).collect();
    if gpus.is_empty() {
        return Some(format!(
            "there is no {}: load the driver's kernel module (`nvidia-smi` does), or give the container the GPU \
             (`--gpus all`)",
            devices.join("nvidia0").display()
        ));
    }
    [control].iter().chain(&gpus).find_map(|file| {
        let refused = OpenOptions::new().read(true).write(true).open(file).err()?;
        (refused.kind() == ErrorKind::PermissionDenied).then(|| {
            format!(
                "this user may not read and write {}: add the user to the group that may (`ls -l` names it), or correct \
                 the container's access to the device",
                file.display()
            )
        })
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;

    fn text(devices: &Path, error: DriverError) -> String {
        explained(error, devices, None).to_string().replace(&format!("{}/", devices.display()), "/dev/")
    }

    #[test]
    fn a_container_without_the_gpus_files_is_told() {
        let devices = tempfile::tempdir().unwrap();
        fs::write(devices.path().join("nvidiactl"), "").unwrap();
        let told = text(devices.path(), DriverError::NoDevice);
        assert!(told.starts_with(&format!("{}; there is no /dev/nvidia0: ", DriverError::NoDevice)), "{told}");
        assert!(told.ends_with("(`--gpus all`)"), "{told}");
        fs::write(devices.path().join("dxg"), "").unwrap();
        assert_eq!(text(devices.path(), DriverError::NoDevice), DriverError::NoDevice.to_string());
    }

    #[test]
    fn files_that_are_not_open_to_the_user_are_named() {
        use std::os::unix::fs::PermissionsExt;
        let devices = tempfile::tempdir().unwrap();
        let gpu = devices.path().join("nvidia0");
        for file in [&devices.path().join("nvidiactl"), &gpu] {
            fs::write(file, "").unwrap();
        }
        assert_eq!(explained(DriverError::NoDevice, devices.path(), None), DriverError::NoDevice);
        let hidden = explained(DriverError::NoDevice, devices.path(), Some("MIG-1")).to_string();
        assert!(hidden.contains("; CUDA_VISIBLE_DEVICES is `MIG-1`, of which nothing is here: "), "{hidden}");
        fs::set_permissions(&gpu, fs::Permissions::from_mode(0o000)).unwrap();
        // The superuser may open it nevertheless.
        if OpenOptions::new().read(true).open(&gpu).is_err() {
            let told = text(devices.path(), DriverError::NoDevice);
            assert!(told.contains("; this user may not read and write /dev/nvidia0: "), "{told}");
        }
        let other = DriverError::Call { call: "cuInit", code: 803, name: String::new(), text: String::new() };
        assert_eq!(explained(other.clone(), Path::new("/nowhere"), Some("0")), other);
    }
}
