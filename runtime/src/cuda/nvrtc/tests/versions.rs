//! Which of several libraries is used, and why the others are not: stand-ins of different versions in a folder.

use super::*;
use testing::gpu;

/// A folder in which every environment is made from nothing.
struct Machine(tempfile::TempDir);

impl Machine {
    fn new() -> Machine {
        Machine(tempfile::tempdir().unwrap())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Puts a stand-in of this version where the wheel of its major version has it.
    fn wheel(&self, environment: &str, (major, minor): (u32, u32)) -> PathBuf {
        let package = if major < 13 { "cuda_nvrtc".to_string() } else { format!("cu{major}") };
        let folder = self.path(&format!("{environment}/lib/python3.12/site-packages/nvidia/{package}/lib"));
        self.library(&folder, &format!("libnvrtc.so.{major}"), (major, minor))
    }

    fn library(&self, folder: &Path, name: &str, (major, minor): (u32, u32)) -> PathBuf {
        gpu::nvrtc(&folder.join(name), &format!("nvrtc={major}.{minor}"))
    }

    /// The version that is used of those in these environments.
    fn find(&self, environments: &[&str], driver: Option<(u32, u32)>) -> Result<(u32, u32), String> {
        let environments = environments.iter().map(|name| self.path(name)).collect();
        self.find_in(&SearchPlaces { environments, ..SearchPlaces::default() }, driver)
    }

    fn find_in(&self, places: &SearchPlaces, driver: Option<(u32, u32)>) -> Result<(u32, u32), String> {
        let found = Nvrtc::find(places, driver).map(|nvrtc| nvrtc.version());
        found.map_err(|error| error.to_string().replace(&format!("{}/", self.0.path().display()), ""))
    }
}

const INSTALL: &str = "install it with `pip install nvidia-cuda-nvrtc-cu12` in the active Python environment, or set \
                       SHAPEWRIGHT_NVRTC to the library or its folder";

#[test]
fn the_first_environment_is_used_whatever_its_version() {
    let machine = Machine::new();
    machine.wheel("active", (12, 4));
    machine.wheel("other", (12, 9));
    assert_eq!(machine.find(&["active", "other"], Some((13, 1))), Ok((12, 4)));
    assert_eq!(machine.find(&["other", "active"], None), Ok((12, 9)));
}

#[test]
fn a_library_newer_than_the_driver_is_passed_over_for_an_older_one() {
    let machine = Machine::new();
    machine.wheel("active", (13, 0));
    machine.wheel("active", (12, 9));
    assert_eq!(machine.find(&["active"], Some((12, 8))), Ok((12, 9)));
    assert_eq!(machine.find(&["active"], Some((13, 0))), Ok((13, 0)));
    assert_eq!(machine.find(&["active"], None), Ok((13, 0)));
}

/// A machine whose environments have libraries of these versions and architectures, and what is found there for a device.
fn for_device(libraries: &[(&str, &str)], driver: (u32, u32), device: (u32, u32)) -> Result<(u32, u32), String> {
    let machine = Machine::new();
    let folders = (0..libraries.len()).map(|number| machine.path(&format!("environment{number}"))).collect::<Vec<_>>();
    for (folder, (version, archs)) in folders.iter().zip(libraries) {
        let library = folder.join("lib").join(format!("libnvrtc.so.{}", version.split('.').next().unwrap()));
        gpu::nvrtc(&library, &format!("nvrtc={version} archs={archs}"));
    }
    let places = SearchPlaces { environments: folders, ..SearchPlaces::default() };
    Nvrtc::find_for(&places, Some(driver), Some(device)).map(|nvrtc| nvrtc.version()).map_err(|error| error.to_string())
}

#[test]
fn the_library_that_serves_the_device_best_is_used() {
    let (new, old) = (("13.0", "75,80,90,100"), ("12.4", "50,70,80,90"));
    // Whichever comes first, the one that makes machine code for the device is taken.
    for libraries in [[new, old], [old, new]] {
        assert_eq!(for_device(&libraries, (13, 0), (7, 0)), Ok((12, 4)));
        assert_eq!(for_device(&libraries, (13, 0), (10, 0)), Ok((13, 0)));
    }
    // Of two that do, the first; else one of the same major version, and one whose PTX can be translated.
    assert_eq!(for_device(&[old, new], (13, 0), (9, 0)), Ok((12, 4)));
    assert_eq!(for_device(&[old, new], (13, 0), (10, 3)), Ok((13, 0)));
    assert_eq!(for_device(&[old, new], (13, 0), (12, 0)), Ok((12, 4)));
    // None that does not serve it at all.
    let refused = for_device(&[new], (13, 0), (7, 0)).unwrap_err();
    assert!(refused.contains("NVRTC 13.0 does not compile for sm_70, its oldest is sm_75"), "{refused}");
    assert!(refused.contains("pip install nvidia-cuda-nvrtc-cu12"), "{refused}");
    let refused = for_device(&[old], (12, 3), (12, 0)).unwrap_err();
    let reason = "NVRTC 12.4 does not know sm_120 yet, and its PTX is too new for this driver, for CUDA 12.3";
    assert!(refused.contains(reason), "{refused}");
}

#[test]
fn a_library_newer_than_the_driver_is_refused_with_both_versions() {
    let machine = Machine::new();
    machine.wheel("active", (13, 0));
    let place = "active/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13";
    let reason =
        |version: &str| format!("{place}: NVRTC {version} makes code that this driver, for CUDA 12.8, does not load");
    let refusal = machine.find(&["active"], Some((12, 8))).unwrap_err();
    assert_eq!(refusal, format!("no NVRTC that is here can be used ({}): {INSTALL}", reason("13")));

    // What the name does not tell, the library does.
    let unnamed = machine.library(&machine.path("mine"), "libnvrtc.so", (13, 1));
    let explicit = SearchPlaces { explicit: Some(unnamed), ..SearchPlaces::default() };
    assert_eq!(
        machine.find_in(&explicit, Some((12, 8))).unwrap_err(),
        "SHAPEWRIGHT_NVRTC names mine/libnvrtc.so, but no usable NVRTC is there: correct or unset it (`pip install \
         nvidia-cuda-nvrtc-cu12` installs one that can be used)\nTried:\n  \
         mine/libnvrtc.so: NVRTC 13.1 makes code that this driver, for CUDA 12.8, does not load"
    );
    let old = machine.find(&["active"], Some((11, 8))).unwrap_err();
    assert!(old.contains("`pip install nvidia-cuda-nvrtc-cu11`"), "{old}");
}

#[test]
fn a_broken_library_is_passed_over_and_told_if_there_is_no_other() {
    let machine = Machine::new();
    let whole = std::fs::read(machine.wheel("good", (12, 9))).unwrap();
    let cut = machine.wheel("bad", (12, 9));
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(machine.find(&["bad", "good"], Some((12, 8))), Ok((12, 9)));

    machine.wheel("bad", (13, 0));
    let told = machine.find(&["bad"], Some((12, 8))).unwrap_err();
    assert!(told.contains(" NVRTC 13 makes code that this driver") && told.contains(INSTALL), "{told}");
    let others = told.split_once("\nAlso tried:\n  ").unwrap().1;
    assert!(others.contains("cuda_nvrtc/lib/libnvrtc.so.12: the file has ") && others.ends_with("cut off"), "{told}");
}

#[test]
fn a_library_that_lacks_a_function_is_told() {
    let machine = Machine::new();
    let library = gpu::nvrtc_with(&machine.path("old/libnvrtc.so.12"), &["-DINCOMPLETE"]);
    let explicit = SearchPlaces { explicit: Some(library), ..SearchPlaces::default() };
    let told = machine.find_in(&explicit, None).unwrap_err();
    assert!(told.contains("undefined symbol: nvrtcGetPTX"), "{told}");
}

#[test]
fn two_of_them_do_not_disturb_each_other() {
    let machine = Machine::new();
    let places = |name: &str| SearchPlaces { environments: vec![machine.path(name)], ..SearchPlaces::default() };
    machine.wheel("first", (12, 4));
    machine.wheel("second", (13, 1));
    let first = Nvrtc::find(&places("first"), None).unwrap();
    let second = Nvrtc::find(&places("second"), None).unwrap();
    assert_eq!((first.version(), second.version()), ((12, 4), (13, 1)));
    let request = Request { source: "", name: "k.cu", arch: "sm_90", options: &[] };
    for nvrtc in [first, second] {
        assert!(nvrtc.compile(&request).unwrap().code.starts_with(b"\x7fELF"));
    }
}
