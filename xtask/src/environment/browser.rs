//! The browser that runs VS Code.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Need, node, run};

/// Chromium: from the variable `CHROMIUM`, on the PATH, or from Debian.
pub const CHROMIUM: Need = Need {
    what: "Chromium",
    ahead: true,
    prepare: |root| {
        let found = find(root).or_else(|problem| {
            if std::env::var_os("CHROMIUM").is_some() {
                return Err(problem);
            }
            install().map_err(|error| format!("{problem} {error}"))?;
            find(root)
        })?;
        Ok(vec![("CHROMIUM", found)])
    },
};

/// Runs the extension's own script, which its tests use as well.
fn find(root: &Path) -> Result<OsString, String> {
    let output = Command::new("node")
        .arg("editors/vscode/scripts/chromium.mjs")
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("node could not be started ({error}); {}", node::ADVICE))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout).into()) } else { Err(text(&output.stderr)) }
}

/// Installs Debian's package, without asking; only as root.
fn install() -> Result<(), String> {
    let is_root = cfg!(unix) && Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if !is_root {
        return Err("It is installed by this command for root only.".to_owned());
    }
    let apt = || {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()).arg("--quiet=2");
        apt
    };
    let advice = "where there is no apt-get, Chromium has to be installed by hand.";
    run(apt().arg("update"), advice)?;
    run(apt().args(["install", "--yes", "--no-install-recommends", "chromium"]).stdout(Stdio::null()), advice)
}
