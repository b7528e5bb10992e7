//! The search for the NVRTC library.

mod places;
mod python;

pub use places::SearchPlaces;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The setting that names the NVRTC library, a file or its folder. If it is set, nothing else is tried.
pub const NVRTC_SETTING: &str = "SHAPEWRIGHT_NVRTC";

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
    /// The places that were searched, a line for each kind, for the message if nothing is found.
    pub searched: Vec<String>,
}

/// Searches for NVRTC: in the explicit setting alone if there is one; otherwise in Python environments, those of the
/// PATH's Python, of the user and of the system, then in toolkits, and on the loader's path.
pub fn search(places: &SearchPlaces) -> Search {
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
    let (prefixes, packages) = python::prefixes_and_packages(places);
    for prefix in &prefixes {
        // Conda installs the toolkit's parts into the environment itself, the wheels are among its packages.
        let own = library_folders(prefix).into_iter();
        let packaged = python::packages_of(prefix).into_iter().flat_map(|packages| wheel_folders(&packages));
        search.candidates.extend(own.chain(packaged).flat_map(|folder| libraries_in(&folder)));
    }
    for packages in &packages {
        search.candidates.extend(wheel_folders(packages).iter().flat_map(|folder| libraries_in(folder)));
    }
    let toolkits = places.all_toolkits();
    for toolkit in &toolkits {
        search.candidates.extend(library_folders(toolkit).iter().flat_map(|folder| libraries_in(folder)));
    }
    let names = if places.loader { &loader_names()[..] } else { &[] };
    for (name, major) in names {
        search.candidates.push(Candidate { path: PathBuf::from(name), major: Some(*major), builtins: Vec::new() });
    }
    // One file may be reached in several ways: its first name counts.
    let mut seen = HashSet::new();
    search.candidates.retain(|candidate| seen.insert(real(&candidate.path)));
    let packages: Vec<PathBuf> = prefixes.into_iter().chain(packages).collect();
    search.tell("Python packages of ", packages.iter().map(|path| path.display().to_string()));
    search.tell("CUDA toolkits: ", toolkits.iter().map(|path| path.display().to_string()));
    search.tell("the loader's path: ", names.iter().map(|(name, _)| (*name).to_string()));
    search
}

impl Search {
    /// Adds a line on places of one kind.
    fn tell(&mut self, kind: &str, places: impl Iterator<Item = String>) {
        let places: Vec<String> = places.collect();
        if !places.is_empty() {
            self.searched.push(format!("{kind}{}", places.join(", ")));
        }
    }
}

/// The file behind links, or the path itself if there is none.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The folders of a toolkit, or of a conda environment, that may have the library. Those of `targets` are for one
/// platform each: this machine's come first.
fn library_folders(toolkit: &Path) -> Vec<PathBuf> {
    if cfg!(windows) {
        return vec![toolkit.join("bin"), toolkit.join("Library").join("bin")];
    }
    let targets = toolkit.join("targets");
    let mut platforms = names_in(&targets);
    let ours: &[&str] = if cfg!(target_arch = "aarch64") { &["sbsa", "aarch64"] } else { &["x86_64"] };
    platforms.sort_by_key(|platform| !ours.iter().any(|name| platform.starts_with(name)));
    let of_targets = platforms.into_iter().map(|platform| targets.join(platform).join("lib"));
    [toolkit.join("lib64"), toolkit.join("lib")].into_iter().chain(of_targets).collect()
}

/// The library names for the loader, with their major versions.
fn loader_names() -> [(&'static str, u32); 2] {
    if cfg!(windows) {
        [("nvrtc64_130_0.dll", 13), ("nvrtc64_120_0.dll", 12)]
    } else {
        [("libnvrtc.so.13", 13), ("libnvrtc.so.12", 12)]
    }
}

/// The folders where wheels put the library: `cu13` (and whatever follows it) before the older layout, and torch's own,
/// which has a copy in some of its wheels.
fn wheel_folders(packages: &Path) -> Vec<PathBuf> {
    let nvidia = packages.join("nvidia");
    let library_folder = if cfg!(windows) { "bin" } else { "lib" };
    let number = |name: &String| name.strip_prefix("cu").and_then(|rest| rest.parse::<u32>().ok());
    let mut toolkits = names_in(&nvidia);
    toolkits.retain(|name| number(name).is_some());
    toolkits.sort_by_key(|name| std::cmp::Reverse(number(name)));
    toolkits.push("cuda_nvrtc".to_string());
    let torch = packages.join("torch").join("lib");
    toolkits.into_iter().map(|name| nvidia.join(name).join(library_folder)).chain([torch]).collect()
}

/// The NVRTC libraries in a folder, the newest first, one for each file behind the links.
fn libraries_in(folder: &Path) -> Vec<Candidate> {
    let mut names: Vec<(Vec<u32>, String)> =
        names_in(folder).into_iter().filter_map(|name| Some((library_version(&name)?, name))).collect();
    names.sort_by(|left, right| right.cmp(left));
    let mut seen = HashSet::new();
    names.into_iter().map(|(_, name)| folder.join(name)).filter(|path| seen.insert(real(path))).map(candidate).collect()
}

fn candidate(path: PathBuf) -> Candidate {
    let file_name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let major_of = |path: &Path| library_version(&file_name(path)?)?.first().copied();
    let file = real(&path);
    let major = major_of(&path).or_else(|| major_of(&file));
    let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
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
    let rest = name.strip_prefix("libnvrtc")?;
    // The wheels of torch have a hash in the name: libnvrtc-672ee683.so.12.
    let hash = rest.strip_prefix('-').and_then(|rest| rest.split('.').next());
    let hash = hash.filter(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let rest = hash.map_or(rest, |hash| &rest[1 + hash.len()..]).strip_prefix(".so")?;
    if rest.is_empty() {
        return Some(Vec::new());
    }
    rest.strip_prefix('.')?.split('.').map(|number| number.parse().ok()).collect()
}

/// The names in a folder in alphabetical order; none if it cannot be read.
pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

#[cfg(all(test, unix))]
mod tests;
