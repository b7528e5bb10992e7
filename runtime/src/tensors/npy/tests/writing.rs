//! Where files are written, and where they cannot be: as every output of the program (`crate::files`).

use super::*;

#[test]
fn writing_replaces_whole_files_only() {
    let (folder, path) = scratch();
    let tensor = Tensor::initial(ElementType::F32, &[4], Initial::Ones).unwrap();
    fs::write(&path, "old").unwrap();
    write_npy(&path, "y", &tensor).unwrap();
    assert_eq!(read_npy(&path, &expected(ElementType::F32)).unwrap().tensor.bytes(), tensor.bytes());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn places_that_cannot_be_written() {
    let (folder, _) = scratch();
    let tensor = Tensor::zeros(ElementType::F32, &[4]).unwrap();
    let why = |path: &Path| {
        let text = write_npy(path, "y", &tensor).unwrap_err().to_string();
        text.replace(&folder.path().display().to_string(), "FOLDER")
    };
    assert_eq!(
        why(&folder.path().join("missing/y.npy")),
        "cannot write FOLDER/missing/y.npy for the parameter `y`: the folder FOLDER/missing does not exist; create it first"
    );
    assert_eq!(why(folder.path()), "cannot write FOLDER for the parameter `y`: it is a directory; name a file in it");
    #[cfg(target_os = "linux")]
    assert!(why(Path::new("/dev/full")).starts_with("cannot write /dev/full for the parameter `y`: No space left"));
}
