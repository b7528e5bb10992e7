//! Where files are written, and where they cannot be.

use super::*;

#[test]
fn writing_replaces_whole_files_only() {
    let (folder, path) = scratch();
    let tensor = Tensor::initial(ElementType::F32, &[4], Initial::Ones).unwrap();
    fs::write(&path, "old").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write_npy(&path, "y", &tensor).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        // A link stays a link.
        let link = folder.path().join("link.npy");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_npy(&link, "y", &tensor).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
        fs::remove_file(&link).unwrap();
        write_npy(Path::new("/dev/null"), "y", &tensor).unwrap();
    }
    let fresh = folder.path().join("fresh.npy");
    write_npy(&fresh, "y", &tensor).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&fresh), mode(&plain));
        fs::remove_file(&plain).unwrap();
    }
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["fresh.npy", "x.npy"]);
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
    assert_eq!(
        why(folder.path()),
        "cannot write FOLDER for the parameter `y`: it is a directory; name a .npy file in it"
    );
    let read_only = folder.path().join("kept.npy");
    fs::write(&read_only, "kept").unwrap();
    let mut permissions = fs::metadata(&read_only).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&read_only, permissions).unwrap();
    assert_eq!(why(&read_only), "cannot write FOLDER/kept.npy for the parameter `y`: the file exists and is read-only");
    assert_eq!(fs::read(&read_only).unwrap(), b"kept");
    #[cfg(target_os = "linux")]
    assert!(
        why(Path::new("/proc/y.npy"))
            .starts_with("cannot write /proc/y.npy for the parameter `y`: no file can be created in /proc: ")
    );
}
