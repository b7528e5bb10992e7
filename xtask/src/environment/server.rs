//! The command `shapewright`, as the editors start it.

use std::process::Command;

use super::{Need, run};

/// The command, built without optimisation.
pub const SERVER: Need = Need {
    what: "the command `shapewright`",
    prepare: |root| {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "shapewright"]).current_dir(root);
        run(&mut build, "install Rust 1.95 or later")?;
        // This program is in the folder where cargo puts what it builds, `target/PROFILE`.
        let here = std::env::current_exe().map_err(|error| format!("this program's place is unknown: {error}"))?;
        let target = here.ancestors().nth(2).unwrap_or(root);
        let server = target.join("debug").join(format!("shapewright{}", std::env::consts::EXE_SUFFIX));
        if !server.is_file() {
            return Err(format!("cargo has built the server, but not as {}", server.display()));
        }
        Ok(vec![("SHAPEWRIGHT", server.clone().into()), ("SHAPEWRIGHT_SERVER", server.into())])
    },
};
