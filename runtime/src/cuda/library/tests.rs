//! What the search makes of machines that are folders here: nothing of the machine under the tests is seen.

use super::*;
use std::os::unix::fs::symlink;

/// A machine in a temporary folder.
struct Machine {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Machine {
    fn new(files: &[&str]) -> Machine {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let machine = Machine { _folder: folder, root };
        files.iter().for_each(|file| machine.write(file, ""));
        machine
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn link(&self, to: &str, from: &str) {
        fs::create_dir_all(self.path(from).parent().unwrap()).unwrap();
        symlink(to, self.path(from)).unwrap();
    }

    /// The files found, relative to the folder.
    fn found(&self, places: &SearchPlaces) -> Vec<String> {
        let found = search(places).candidates.into_iter();
        found.map(|candidate| self.relative(candidate.path.display().to_string())).collect()
    }

    fn relative(&self, text: String) -> String {
        text.replace(&format!("{}/", self.root.display()), "")
    }

    fn environment(&self, name: &str) -> SearchPlaces {
        SearchPlaces { environments: vec![self.path(name)], ..SearchPlaces::default() }
    }

    fn programs(&self, folders: &[&str]) -> SearchPlaces {
        SearchPlaces { path: folders.iter().map(|folder| self.path(folder)).collect(), ..SearchPlaces::default() }
    }
}

const WHEEL: &str = "nvidia/cuda_nvrtc/lib/libnvrtc.so.12";

fn in_packages(packages: &str) -> String {
    format!("{packages}/{WHEEL}")
}

/// An environment with both wheels and a toolkit.
fn common() -> Machine {
    let packages = "env/lib/python3.11/site-packages/nvidia";
    let files = [
        "cuda_nvrtc/lib/libnvrtc.so.12",
        "cuda_nvrtc/lib/libnvrtc.alt.so.12",
        "cuda_nvrtc/lib/libnvrtc-builtins.so.12.9",
        "cuda_nvrtc/lib/libnvrtc-builtins.alt.so.12.9",
        "cu13/lib/libnvrtc.so.13",
        "cu13/lib/libnvrtc-builtins.so.13.0",
    ];
    let machine = Machine::new(&["toolkit/lib64/libnvrtc.so.12.4.127"]);
    files.iter().for_each(|file| machine.write(&format!("{packages}/{file}"), ""));
    machine.link("libnvrtc.so.12.4.127", "toolkit/lib64/libnvrtc.so.12");
    machine.link("libnvrtc.so.12", "toolkit/lib64/libnvrtc.so");
    machine
}

fn everywhere(machine: &Machine) -> SearchPlaces {
    SearchPlaces {
        environments: vec![machine.path("env"), machine.path("missing")],
        toolkits: vec![machine.path("toolkit")],
        loader: true,
        ..SearchPlaces::default()
    }
}

#[test]
fn environments_come_before_toolkits_before_the_loader() {
    let machine = common();
    let search = search(&everywhere(&machine));
    let candidates: Vec<String> = search
        .candidates
        .iter()
        .map(|candidate| {
            let builtins: Vec<_> =
                candidate.builtins.iter().map(|path| path.file_name().unwrap().to_string_lossy()).collect();
            machine.relative(format!("{} [{}]", candidate.path.display(), builtins.join(" ")))
        })
        .collect();
    assert_eq!(
        candidates,
        [
            "env/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13 [libnvrtc-builtins.so.13.0]",
            "env/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12 [libnvrtc-builtins.so.12.9]",
            "toolkit/lib64/libnvrtc.so.12.4.127 []",
            "libnvrtc.so.13 []",
            "libnvrtc.so.12 []",
        ]
    );
    let searched: Vec<String> = search.searched.into_iter().map(|line| machine.relative(line)).collect();
    assert_eq!(
        searched,
        [
            "Python packages of env, missing",
            "CUDA toolkits: toolkit",
            "the loader's path: libnvrtc.so.13, libnvrtc.so.12",
        ]
    );
}

#[test]
fn the_setting_is_the_only_place() {
    let machine = common();
    let with = |path: &str| {
        let places = SearchPlaces { explicit: Some(machine.path(path)), ..everywhere(&machine) };
        let searched: Vec<_> = search(&places).searched.into_iter().map(|line| machine.relative(line)).collect();
        (machine.found(&places), searched)
    };
    let (candidates, searched) = with("toolkit/lib64");
    assert_eq!(candidates, ["toolkit/lib64/libnvrtc.so.12.4.127"]);
    assert_eq!(searched, ["SHAPEWRIGHT_NVRTC=toolkit/lib64"]);
    assert_eq!(with("toolkit/lib64/libnvrtc.so").0, ["toolkit/lib64/libnvrtc.so"]);
    assert!(with("nowhere").0.is_empty());
}

#[test]
fn conda_has_it_in_the_environment_itself_or_among_its_packages() {
    let machine = Machine::new(&[
        "conda/lib/libnvrtc.so.12.6.77",
        "conda/targets/x86_64-linux/lib/libnvrtc.so.12.8.93",
        "conda/targets/sbsa-linux/lib/libnvrtc.so.12.8.93",
        &in_packages("conda/lib/python3.12/site-packages"),
        &in_packages("conda/lib/python3.9/site-packages"),
    ]);
    let mut expected = vec![
        "conda/lib/libnvrtc.so.12.6.77".to_string(),
        "conda/targets/x86_64-linux/lib/libnvrtc.so.12.8.93".to_string(),
        "conda/targets/sbsa-linux/lib/libnvrtc.so.12.8.93".to_string(),
        in_packages("conda/lib/python3.12/site-packages"),
        in_packages("conda/lib/python3.9/site-packages"),
    ];
    if cfg!(target_arch = "aarch64") {
        expected.swap(1, 2);
    }
    assert_eq!(machine.found(&machine.environment("conda")), expected);
}

#[test]
fn torch_has_a_copy_with_a_hash_in_its_name() {
    let torch = "env/lib/python3.10/site-packages/torch/lib";
    let names = ["libnvrtc-672ee683.so.12", "libnvrtc-builtins.so.12.1", "libnvrtc-tools.so.12", "libtorch.so"];
    let machine = Machine::new(&[]);
    names.iter().for_each(|name| machine.write(&format!("{torch}/{name}"), ""));
    let places = machine.environment("env");
    assert_eq!(machine.found(&places), [format!("{torch}/libnvrtc-672ee683.so.12")]);
    let candidate = search(&places).candidates.remove(0);
    assert_eq!(candidate.major, Some(12));
    assert_eq!(candidate.builtins, [machine.path(torch).join("libnvrtc-builtins.so.12.1")]);
}

#[test]
fn the_packages_of_the_user_come_before_those_of_the_system_before_toolkits() {
    let toolkits = [
        "usr/local/cuda/lib64/libnvrtc.so.12.8.93",
        "usr/local/cuda-13.0/targets/x86_64-linux/lib/libnvrtc.so.13.0.48",
        "usr/local/cuda-12.4/lib64/libnvrtc.so.12.4.127",
        "usr/local/cuda-9.2/lib64/libnvrtc.so.9.2",
    ];
    let packages = [
        "home/.local/lib/python3.12/site-packages",
        "usr/local/lib/python3.12/site-packages",
        "usr/local/lib/python3.12/dist-packages",
        "usr/lib/python3.11/site-packages",
        "usr/lib/python3/dist-packages",
        "usr/lib64/python3.12/site-packages",
    ];
    let packages = packages.map(in_packages);
    let files: Vec<&str> = toolkits.into_iter().chain(packages.iter().map(String::as_str)).collect();
    let machine = Machine::new(&files);
    let places = SearchPlaces {
        user: Some(machine.path("home/.local")),
        system: Some(machine.root.clone()),
        ..SearchPlaces::default()
    };
    let mut expected = packages.to_vec();
    expected.extend(toolkits.map(str::to_string));
    assert_eq!(machine.found(&places), expected);
    let searched: Vec<String> = search(&places).searched.into_iter().map(|line| machine.relative(line)).collect();
    assert_eq!(searched.len(), 2, "{searched:?}");
}

#[test]
fn a_virtual_environment_that_sees_the_systems_packages_is_followed_to_them() {
    let base = in_packages("opt/python/lib/python3.11/site-packages");
    let machine = Machine::new(&[&base, "env/bin/python3"]);
    let home = machine.path("opt/python/bin").display().to_string();
    machine.write("env/pyvenv.cfg", &format!("home = {home}\ninclude-system-site-packages = false\n"));
    assert!(machine.found(&machine.environment("env")).is_empty());
    machine.write("env/pyvenv.cfg", &format!("home = {home}\nversion = 3.11.2\ninclude-system-site-packages = True\n"));
    assert_eq!(machine.found(&machine.environment("env")), [&*base]);
    let own = in_packages("env/lib/python3.11/site-packages");
    machine.write(&own, "");
    assert_eq!(machine.found(&machine.environment("env")), [own, base]);
    for broken in ["home\ninclude-system-site-packages = true", "include-system-site-packages = true\nhome ="] {
        machine.write("env/pyvenv.cfg", broken);
        assert_eq!(machine.found(&machine.environment("env")).len(), 1);
    }
}

#[test]
fn the_python_of_the_path_has_packages_whether_or_not_it_is_a_link() {
    let installed = in_packages("opt/python-3.12/lib/python3.12/site-packages");
    let inactive = in_packages("project/env/lib/python3.12/site-packages");
    let machine = Machine::new(&["opt/python-3.12/bin/python3.12", &installed, &inactive, "empty/bin/other"]);
    machine.link("python3.12", "opt/python-3.12/bin/python3");
    assert_eq!(machine.found(&machine.programs(&["empty/bin", "opt/python-3.12/bin"])), [&*installed]);
    // A link in a folder of programs, and a virtual environment that only the path names.
    machine.link("../opt/python-3.12/bin/python3", "links/python3");
    assert_eq!(machine.found(&machine.programs(&["links"])), [&*installed]);
    machine.link("../../../opt/python-3.12/bin/python3", "project/env/bin/python3");
    assert_eq!(machine.found(&machine.programs(&["project/env/bin", "links"])), [inactive, installed]);
    assert!(machine.found(&machine.programs(&["empty/bin", "nowhere"])).is_empty());
}

#[test]
fn the_shims_of_pyenv_stand_for_the_versions_chosen() {
    let [first, second] = ["3.11.7", "3.9.1"].map(|version| {
        let short = version.rsplit_once('.').unwrap().0;
        in_packages(&format!("pyenv/versions/{version}/lib/python{short}/site-packages"))
    });
    let machine = Machine::new(&["pyenv/shims/python3", &first, &second]);
    let places = machine.programs(&["pyenv/shims"]);
    assert!(machine.found(&places).is_empty());
    machine.write("pyenv/version", "3.11.7\n3.4.0\nsystem\n");
    assert_eq!(machine.found(&places), [&*first]);
    machine.write("pyenv/version", "3.9.1 3.11.7");
    assert_eq!(machine.found(&places), [second, first]);
}

#[test]
fn the_order_is_environments_then_the_path_then_the_user_then_the_system() {
    let packages = ["active", "here/.venv", "python", "home/.local"]
        .map(|prefix| in_packages(&format!("{prefix}/lib/python3.12/site-packages")));
    let system = in_packages("usr/lib/python3/dist-packages");
    let toolkit = "cuda/lib64/libnvrtc.so.12.8.93";
    let files: Vec<&str> = packages.iter().rev().map(String::as_str).chain([&*system, toolkit]).collect();
    let machine = Machine::new(&files);
    machine.write("python/bin/python3", "");
    let places = SearchPlaces {
        environments: vec![machine.path("active"), machine.path("here/.venv")],
        user: Some(machine.path("home/.local")),
        system: Some(machine.root.clone()),
        toolkits: vec![machine.path("cuda")],
        loader: true,
        ..machine.programs(&["python/bin"])
    };
    let mut expected = packages.to_vec();
    expected.extend([&*system, toolkit, "libnvrtc.so.13", "libnvrtc.so.12"].map(String::from));
    assert_eq!(machine.found(&places), expected);
    let searched: Vec<String> = search(&places).searched.into_iter().map(|line| machine.relative(line)).collect();
    assert_eq!(
        searched,
        [
            "Python packages of active, here/.venv, python, home/.local/lib/python3.12/site-packages, \
             usr/lib/python3/dist-packages",
            "CUDA toolkits: cuda, usr/local/cuda",
            "the loader's path: libnvrtc.so.13, libnvrtc.so.12",
        ]
    );
}
