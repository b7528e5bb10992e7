//! Where to search. Everything that a machine may have is a field, so that a test can say what there is.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use super::{NVRTC_SETTING, names_in};

/// The places to search. The default has none.
#[derive(Debug, Clone, Default)]
pub struct SearchPlaces {
    /// The library or its folder, from the setting [`NVRTC_SETTING`].
    pub explicit: Option<PathBuf>,
    /// Python environments: the active one, of `venv` or conda, and `.venv` in the current directory.
    pub environments: Vec<PathBuf>,
    /// The folders of `PATH`: the `python3` found there has packages too.
    pub path: Vec<PathBuf>,
    /// Where the user's own packages are: `~/.local`.
    pub user: Option<PathBuf>,
    /// Toolkits, from `CUDA_HOME` and `CUDA_PATH`.
    pub toolkits: Vec<PathBuf>,
    /// The root of the file system, below which the system's packages and toolkits are.
    pub system: Option<PathBuf>,
    /// Whether the loader searches its own places too.
    pub loader: bool,
}

impl SearchPlaces {
    /// The places that the process's environment and current directory name, and those of the system.
    pub fn from_environment() -> SearchPlaces {
        let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let here = std::env::current_dir().ok().map(|folder| folder.join(".venv"));
        let user = path("PYTHONUSERBASE").or_else(|| {
            if cfg!(windows) {
                return path("APPDATA").map(|folder| folder.join("Python"));
            }
            path("HOME").map(|home| home.join(".local"))
        });
        SearchPlaces {
            explicit: path(NVRTC_SETTING),
            environments: path("VIRTUAL_ENV").into_iter().chain(path("CONDA_PREFIX")).chain(here).collect(),
            path: std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default(),
            user,
            toolkits: path("CUDA_HOME").into_iter().chain(path("CUDA_PATH")).collect(),
            system: (!cfg!(windows)).then(|| PathBuf::from("/")),
            loader: true,
        }
    }

    /// The toolkits that are named, and those in the system's usual places, the newest first.
    pub(super) fn all_toolkits(&self) -> Vec<PathBuf> {
        let mut toolkits = self.toolkits.clone();
        if let Some(system) = &self.system {
            let local = system.join("usr/local");
            toolkits.push(local.join("cuda"));
            let mut versions = names_in(&local);
            versions.retain(|name| name.starts_with("cuda-"));
            versions.sort_by_key(|name| Reverse(numbers(name)));
            toolkits.extend(versions.iter().map(|name| local.join(name)));
            // Arch Linux has it here.
            toolkits.extend(Some(system.join("opt/cuda")).filter(|folder| folder.is_dir()));
        }
        toolkits
    }
}

/// The numbers in a name, so that `python3.9` comes before `python3.10`.
pub(super) fn numbers(name: &str) -> Vec<u32> {
    name.split(|letter: char| !letter.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// A path without links, for comparing.
pub(super) fn is_same(left: &Path, right: &Path) -> bool {
    super::real(left) == super::real(right)
}
