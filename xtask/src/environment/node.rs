//! The packages of the VS Code extension, and the VS Code for its tests.

use std::process::Command;

use super::{Need, Variables, run};

/// Both, installed by the extension's own script.
pub const PACKAGES: Need = Need {
    what: "VS Code and the packages of its extension",
    ahead: true,
    prepare: |root| {
        let mut install = Command::new("node");
        install.arg("scripts/install.mjs").current_dir(root.join("editors/vscode"));
        run(&mut install, ADVICE).map(|()| Variables::new())
    },
};

/// How to get Node.
pub const ADVICE: &str = "install Node 20 or later, with npm (Debian 13: apt-get install nodejs npm)";
