//! The command line of tree-sitter.

use std::process::Command;

use super::{Need, Variables, run};

/// It is built by the grammar's own script with cargo, in the version with which the parser is generated.
pub const COMMAND_LINE: Need = Need {
    what: "the command line of tree-sitter",
    ahead: false,
    prepare: |root| {
        let mut install = Command::new("bash");
        install.arg("tool.sh").current_dir(root.join("editors/tree-sitter-shapewright"));
        run(&mut install, "install bash").map(|()| Variables::new())
    },
};
