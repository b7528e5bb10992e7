//! The steps of the test command.

use std::path::Path;
use std::process::Command;

use crate::environment::{Need, browser, node, programs, python, seed, tree_sitter};
use crate::gpu;

/// One step, which checks a property of the code.
pub struct Step {
    /// Its name on the command line.
    pub name: &'static str,
    /// The property that it checks, for the help.
    pub about: &'static str,
    /// What has to be available.
    pub needs: &'static [Need],
    /// Whether the step is useful without what it needs: its tests then skip a part, and say so.
    pub runs_without: bool,
    /// Whether it may run beside another such step: it measures no time and leaves a core for the other one.
    pub beside: bool,
    /// The command to execute.
    pub command: fn(&Path) -> Command,
}

/// All steps, those that build the most first. Neighbours that may run beside each other do.
pub const STEPS: &[Step] = &[
    Step {
        name: "format",
        about: "Rust sources are formatted",
        needs: &[],
        runs_without: false,
        beside: false,
        command: |root| cargo(root, &["fmt", "--all", "--", "--check"]),
    },
    Step {
        name: "lints",
        about: "Rust sources have no warning",
        needs: &[],
        runs_without: false,
        beside: false,
        command: |root| cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    },
    Step {
        name: "tests",
        about: "the tests of all crates",
        needs: &[seed::SEED, python::CUDA, python::TILE_FRONT_END],
        runs_without: true,
        beside: false,
        command: |root| cargo(root, &["test", "--workspace", "--no-fail-fast", "--", "--quiet"]),
    },
    Step {
        name: "gpu",
        about: "the folder for a GPU machine, with stand-ins for NVIDIA's libraries",
        needs: &[gpu::TRIAL],
        runs_without: false,
        beside: true,
        command: |root| {
            let mut python = within(root, "python3");
            python.arg("tests/gpu/trial.py").arg(gpu::trial_folder(root));
            python
        },
    },
    Step {
        name: "lsp",
        about: "the language server, through a client that was written elsewhere",
        needs: &[python::LANGUAGE_CLIENT, programs::SERVER],
        runs_without: false,
        beside: true,
        command: |root| {
            let mut pytest = within(root, python::interpreter(root));
            pytest.args(["-m", "pytest", "--quiet", "tests/lsp"]);
            pytest
        },
    },
    Step {
        name: "grammar",
        about: "the tree-sitter grammar",
        needs: &[tree_sitter::COMMAND_LINE],
        runs_without: false,
        beside: true,
        command: |root| script(root, "editors/tree-sitter-shapewright/test.sh"),
    },
    Step {
        name: "nvim",
        about: "the plugin in a real Neovim",
        needs: &[python::NEOVIM, programs::SERVER],
        runs_without: false,
        beside: true,
        command: |root| script(root, "editors/nvim/test.sh"),
    },
    Step {
        name: "vscode",
        about: "the extension in a real VS Code, with a server that plays its part",
        needs: &[node::PACKAGES, browser::CHROMIUM],
        runs_without: false,
        beside: false,
        command: |root| extension(root, &["types", "unit", "grammar", "host"]),
    },
    Step {
        name: "vscode-real",
        about: "the package in a real VS Code, with the real server",
        needs: &[node::PACKAGES, browser::CHROMIUM, programs::SERVER],
        runs_without: false,
        beside: false,
        command: |root| extension(root, &["real"]),
    },
];

fn within(root: &Path, program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root);
    command
}

fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut cargo = within(root, env!("CARGO"));
    cargo.args(arguments);
    cargo
}

fn script(root: &Path, path: &str) -> Command {
    let mut bash = within(root, "bash");
    bash.arg(path);
    bash
}

fn extension(root: &Path, parts: &[&str]) -> Command {
    let mut node = within(&root.join("editors/vscode"), "node");
    node.arg("scripts/test.mjs").args(parts);
    node
}
