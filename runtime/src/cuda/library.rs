//! The search for the NVRTC library.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The setting that names the NVRTC library, a file or its folder. If it is set, nothing else is tried.
pub const NVRTC_SETTING: &str = "SHAPEWRIGHT_NVRTC";

/// The places to search, apart from the loader's path.
#[derive(Debug, Clone, Default)]
pub struct SearchPlaces {
    /// The library or its folder, from the setting [`NVRTC_SETTING`].
    pub explicit: Option<PathBuf>,
    /// Python environments: the active one, and `.venv` in the current directory.
    pub environments: Vec<PathBuf>,
    /// Toolkits, from `CUDA_HOME` and `CUDA_PATH`.
    pub toolkits: Vec<PathBuf>,
}

impl SearchPlaces {
    /// The places that the process's environment and current directory name.
    pub fn from_environment() -> SearchPlaces {
        let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let here = std::env::current_dir().ok().map(|folder| folder.join(".venv"));
        SearchPlaces {
            explicit: path(NVRTC_SETTING),
            environments: path("VIRTUAL_ENV").into_iter().chain(here).collect(),
            toolkits: path("CUDA_HOME").into_iter().chain(path("CUDA_PATH")).collect(),
        }
    }
}

/// A library that could be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its path, or a bare name for the loader.
    pub path: PathBuf,
    /// Its major version, if the name has it.
    pub major: Option<u32>,
    /// `libnvrtc-builtins` beside it, to be opened first: some builds find it only when it is already loaded.
    pub builtins: Vec<PathBuf>,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    /// The libraries to try, best first.
    pub candidates: Vec<Candidate>,
    /// Every place that was searched, for the message if nothing is found.
    pub searched: Vec<String>,
}

/// Searches for NVRTC: in the explicit setting alone if there is one; otherwise in the wheels of Python environments,
/// in toolkits, and on the loader's path. Libraries newer than the driver's CUDA (by major version) come last, since
/// the driver may refuse their code.
pub fn search(places: &SearchPlaces, driver_major: Option<u32>) -> Search {
    let mut search = Search::default();
    if let Some(explicit) = &places.explicit {
        search.searched.push(format!("{NVRTC_SETTING}={}", explicit.display()));
        if explicit.is_dir() {
            search.candidates = libraries_in(explicit);
        } else if explicit.is_file() {
            search.candidates = vec![candidate(explicit.clone())];
        }
        return search;
    }
    for environment in &places.environments {
        search.searched.push(format!("Python packages of {}", environment.display()));
        for packages in site_packages(environment) {
            for folder in wheel_folders(&packages) {
                search.candidates.extend(libraries_in(&folder));
            }
        }
    }
    for toolkit in &places.toolkits {
        let folder = toolkit.join(if cfg!(windows) { "bin" } else { "lib64" });
        search.searched.push(folder.display().to_string());
        search.candidates.extend(libraries_in(&folder));
    }
    for (name, major) in loader_names() {
        search.searched.push(format!("{name} on the loader's path"));
        search.candidates.push(Candidate { path: PathBuf::from(name), major: Some(major), builtins: Vec::new() });
    }
    let mut seen = HashSet::new();
    search.candidates.retain(|candidate| seen.insert(candidate.path.clone()));
    // The sort is stable and keeps the order above.
    search.candidates.sort_by_key(|candidate| match (candidate.major, driver_major) {
        (Some(library), Some(driver)) => library > driver,
        _ => false,
    });
    search
}

/// The library names for the loader, with their major versions.
fn loader_names() -> [(&'static str, u32); 2] {
    if cfg!(windows) {
        [("nvrtc64_130_0.dll", 13), ("nvrtc64_120_0.dll", 12)]
    } else {
        [("libnvrtc.so.13", 13), ("libnvrtc.so.12", 12)]
    }
}

/// The folders of installed packages in a Python environment.
fn site_packages(environment: &Path) -> Vec<PathBuf> {
    if cfg!(windows) {
        return vec![environment.join("Lib").join("site-packages")];
    }
    let mut pythons = names_in(&environment.join("lib"));
    pythons.retain(|name| name.starts_with("python3"));
    pythons.into_iter().map(|python| environment.join("lib").join(python).join("site-packages")).collect()
}

/// The folders where the NVRTC wheels put the library: `cu13` (and whatever follows it) before the older layout.
fn wheel_folders(packages: &Path) -> Vec<PathBuf> {
    let nvidia = packages.join("nvidia");
    let library_folder = if cfg!(windows) { "bin" } else { "lib" };
    let number = |name: &String| name.strip_prefix("cu").and_then(|rest| rest.parse::<u32>().ok());
    let mut toolkits = names_in(&nvidia);
    toolkits.retain(|name| number(name).is_some());
    toolkits.sort_by_key(|name| std::cmp::Reverse(number(name)));
    toolkits.push("cuda_nvrtc".to_string());
    toolkits.into_iter().map(|name| nvidia.join(name).join(library_folder)).collect()
}

/// The NVRTC libraries in a folder, the newest first, one for each file behind the links.
fn libraries_in(folder: &Path) -> Vec<Candidate> {
    let mut names: Vec<(Vec<u32>, String)> =
        names_in(folder).into_iter().filter_map(|name| Some((library_version(&name)?, name))).collect();
    names.sort_by(|left, right| right.cmp(left));
    let mut seen = HashSet::new();
    names
        .into_iter()
        .map(|(_, name)| folder.join(name))
        .filter(|path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())))
        .map(candidate)
        .collect()
}

fn candidate(path: PathBuf) -> Candidate {
    let file_name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let major_of = |path: &Path| library_version(&file_name(path)?)?.first().copied();
    let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
    let major = major_of(&path).or_else(|| major_of(&real));
    let folder = real.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut builtins = names_in(&folder);
    builtins.retain(|name| {
        let version = name.strip_prefix("libnvrtc-builtins.so.").filter(|version| !version.contains("alt"));
        version.is_some_and(|version| {
            let first = version.split('.').next().and_then(|number| number.parse::<u32>().ok());
            major.is_none() || first == major
        })
    });
    let builtins = builtins.into_iter().map(|name| folder.join(name)).collect();
    Candidate { path, major, builtins }
}

/// The version in the name of an NVRTC library, empty where the name has none; `None` for any other file. The `alt`
/// builds are skipped: they are another memory allocator's and add nothing here.
fn library_version(name: &str) -> Option<Vec<u32>> {
    if name.contains(".alt.") {
        return None;
    }
    if cfg!(windows) {
        let number = name.strip_prefix("nvrtc64_")?.strip_suffix(".dll")?.split('_').next()?;
        return number.parse::<u32>().ok().map(|number| vec![number / 10, number % 10]);
    }
    let rest = name.strip_prefix("libnvrtc.so")?;
    if rest.is_empty() {
        return Some(Vec::new());
    }
    rest.strip_prefix('.')?.split('.').map(|number| number.parse().ok()).collect()
}

/// The names in a folder in alphabetical order; none if it cannot be read.
fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The folder with CUDA's own headers (`cuda_fp16.h` and the like) that belong to a library, if they are installed:
/// beside the library in a toolkit and in the 13 wheels, in the package of the runtime for the 12 wheels.
pub fn header_folder(library: &Path) -> Option<PathBuf> {
    let real = fs::canonicalize(library).ok()?;
    let home = real.parent()?.parent()?;
    let named = |folder: &Path, name: &str| folder.file_name().is_some_and(|found| found == name);
    let above = home.parent()?;
    let mut folders = vec![home.join("include")];
    if named(home, "cuda_nvrtc") {
        folders.push(above.join("cuda_runtime").join("include"));
    }
    // Toolkits keep the library in targets/<platform>/lib and may have the headers two folders up.
    if named(above, "targets") {
        folders.extend(above.parent().map(|toolkit| toolkit.join("include")));
    }
    folders.into_iter().find(|folder| folder.join("cuda_fp16.h").is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    /// An environment with both wheels, a toolkit, and what the search makes of them, relative to the folder.
    fn found(places: impl Fn(&Path) -> SearchPlaces, driver: Option<u32>) -> (Vec<String>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let packages = root.join("env/lib/python3.11/site-packages/nvidia");
        touch(&packages.join("cuda_nvrtc/lib/libnvrtc.so.12"));
        touch(&packages.join("cuda_nvrtc/lib/libnvrtc.alt.so.12"));
        touch(&packages.join("cuda_nvrtc/lib/libnvrtc-builtins.so.12.9"));
        touch(&packages.join("cuda_nvrtc/lib/libnvrtc-builtins.alt.so.12.9"));
        touch(&packages.join("cuda_runtime/include/cuda_fp16.h"));
        touch(&packages.join("cu13/lib/libnvrtc.so.13"));
        touch(&packages.join("cu13/lib/libnvrtc-builtins.so.13.0"));
        touch(&root.join("toolkit/lib64/libnvrtc.so.12.4.127"));
        std::os::unix::fs::symlink("libnvrtc.so.12.4.127", root.join("toolkit/lib64/libnvrtc.so.12")).unwrap();
        std::os::unix::fs::symlink("libnvrtc.so.12", root.join("toolkit/lib64/libnvrtc.so")).unwrap();
        touch(&root.join("toolkit/include/cuda_fp16.h"));
        let relative = |text: String| text.replace(&format!("{}/", root.display()), "");
        let search = search(&places(&root), driver);
        let candidates = search.candidates.iter().map(|candidate| {
            let builtins: Vec<_> =
                candidate.builtins.iter().map(|path| path.file_name().unwrap().to_string_lossy()).collect();
            let headers = if header_folder(&candidate.path).is_some() { " headers" } else { "" };
            relative(format!("{} [{}]{headers}", candidate.path.display(), builtins.join(" ")))
        });
        (candidates.collect(), search.searched.iter().cloned().map(relative).collect())
    }

    fn everywhere(root: &Path) -> SearchPlaces {
        SearchPlaces {
            explicit: None,
            environments: vec![root.join("env"), root.join("missing")],
            toolkits: vec![root.join("toolkit")],
        }
    }

    #[test]
    fn environments_come_before_toolkits_before_the_loader() {
        let (candidates, searched) = found(everywhere, None);
        assert_eq!(
            candidates,
            [
                "env/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13 [libnvrtc-builtins.so.13.0]",
                "env/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12 [libnvrtc-builtins.so.12.9] headers",
                "toolkit/lib64/libnvrtc.so.12.4.127 [] headers",
                "libnvrtc.so.13 []",
                "libnvrtc.so.12 []",
            ]
        );
        assert_eq!(
            searched,
            [
                "Python packages of env",
                "Python packages of missing",
                "toolkit/lib64",
                "libnvrtc.so.13 on the loader's path",
                "libnvrtc.so.12 on the loader's path",
            ]
        );
    }

    #[test]
    fn what_is_newer_than_the_driver_comes_last() {
        let (candidates, _) = found(everywhere, Some(12));
        let majors: Vec<_> = candidates.iter().map(|text| text.contains("libnvrtc.so.13")).collect();
        assert_eq!(majors, [false, false, false, true, true]);
    }

    #[test]
    fn the_setting_is_the_only_place() {
        let with = |path: &'static str| {
            found(move |root| SearchPlaces { explicit: Some(root.join(path)), ..everywhere(root) }, None)
        };
        let (candidates, searched) = with("toolkit/lib64");
        assert_eq!(candidates, ["toolkit/lib64/libnvrtc.so.12.4.127 [] headers"]);
        assert_eq!(searched, ["SHAPEWRIGHT_NVRTC=toolkit/lib64"]);
        assert_eq!(with("toolkit/lib64/libnvrtc.so").0, ["toolkit/lib64/libnvrtc.so [] headers"]);
        assert!(with("nowhere").0.is_empty());
    }
}
