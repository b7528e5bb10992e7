//! Round trips, the exact bytes, and every kind of bad file.

use super::super::{ElementType, Initial, Scalar, Tensor};
use super::*;
use std::fs;
use std::path::{Path, PathBuf};

fn expected(element: ElementType) -> Expected<'static> {
    Expected { parameter: "x", element, shape: None }
}

/// A folder that is removed at the end of the test, and a path in it.
fn scratch() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    (folder, path)
}

/// A file with this header text (padding left out, which is allowed) and body.
fn file_with(path: &Path, header: &str, body: &[u8]) {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(body);
    fs::write(path, bytes).unwrap();
}

/// The error of reading the file, with the file's own path replaced by `x.npy`.
fn error(path: &Path, expected: &Expected<'_>) -> String {
    let from_body = read_npy(path, expected).unwrap_err();
    let from_header = read_npy_header(path, expected).unwrap_err();
    assert_eq!(from_body.to_string(), from_header.to_string());
    from_body.to_string().replace(&path.display().to_string(), "x.npy")
}

#[test]
fn every_type_and_rank_round_trips() {
    let shapes: [&[u64]; 7] = [&[], &[5], &[2, 3], &[2, 3, 4], &[2, 1, 3, 2], &[0], &[3, 0, 2]];
    let (_folder, path) = scratch();
    for element in ElementType::ALL {
        for shape in shapes {
            let tensor = Tensor::initial(element, shape, Initial::Random(9)).unwrap();
            write_npy(&path, "y", &tensor).unwrap();
            let dimensions: Vec<Option<u64>> = shape.iter().copied().map(Some).collect();
            let wanted = Expected { parameter: "x", element, shape: Some(&dimensions) };
            let loaded = read_npy(&path, &wanted).unwrap();
            assert_eq!(loaded.note, None);
            assert_eq!((loaded.tensor.element(), loaded.tensor.shape()), (element, shape));
            assert_eq!(loaded.tensor.bytes(), tensor.bytes());
            let header = read_npy_header(&path, &wanted).unwrap();
            assert_eq!((header.element, header.shape.as_slice(), header.body_offset % 64), (element, shape, 0));
        }
    }
}

#[test]
fn the_bytes_are_those_numpy_writes() {
    let header = |element, shape: &[u64]| super::header::write(element, shape);
    let numpy = |descr: &str, shape: &str| {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
        [b"\x93NUMPY\x01\x00v\x00", format!("{text:117}\n").as_bytes()].concat()
    };
    assert_eq!(header(ElementType::F32, &[]), numpy("<f4", "()"));
    assert_eq!(header(ElementType::Bool, &[3]), numpy("|b1", "(3,)"));
    assert_eq!(header(ElementType::I8, &[2, 3]), numpy("|i1", "(2, 3)"));
    assert_eq!(header(ElementType::F16, &[2, 3, 4]), numpy("<f2", "(2, 3, 4)"));
    assert_eq!(header(ElementType::Bf16, &[2, 1]), numpy("<V2", "(2, 1)"));
    assert_eq!(header(ElementType::U64, &[0, 12_345_678_901]), numpy("<u8", "(0, 12345678901)"));
    // Rank 6: the text and its growth room end exactly where a block of 64 does, and numpy then adds a whole block.
    for length in 1..40 {
        let bytes = super::header::write(ElementType::F32, &vec![11; length]);
        assert_eq!(bytes.len() % 64, 0);
        assert_eq!(usize::from(u16::from_le_bytes([bytes[8], bytes[9]])) + 10, bytes.len());
    }
    let long = super::header::write(ElementType::F32, &vec![1_000_000_000_000; 5000]);
    assert_eq!((&long[6..8], long.len() % 64), (&[2u8, 0][..], 0));
}

#[test]
fn another_implementation_reads_what_is_written() {
    let (_folder, path) = scratch();
    let tensor = Tensor::initial(ElementType::F64, &[3, 4], Initial::Random(2)).unwrap();
    write_npy(&path, "y", &tensor).unwrap();
    let file = npyz::NpyFile::new(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!(file.shape(), [3, 4]);
    assert_eq!(file.into_vec::<f64>().unwrap(), tensor.as_slice::<f64>().unwrap());

    // And what it writes is read, in each version of the format it can be made to write.
    use npyz::WriterBuilder;
    let mut bytes = Vec::new();
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(&[2, 3]).writer(&mut bytes).begin_nd().unwrap();
    writer.extend([1i32, 2, 3, 4, 5, 6]).unwrap();
    writer.finish().unwrap();
    fs::write(&path, &bytes).unwrap();
    let loaded = read_npy(&path, &expected(ElementType::I32)).unwrap().tensor;
    assert_eq!((loaded.shape(), loaded.as_slice::<i32>().unwrap()), (&[2, 3][..], &[1, 2, 3, 4, 5, 6][..]));
}

#[test]
fn versions_two_and_three_are_read() {
    let (_folder, path) = scratch();
    for version in [2, 3] {
        let header = "{'shape': (2L,), 'fortran_order': True, \"descr\": '|u1'}\n";
        let mut bytes = vec![0x93, b'N', b'U', b'M', b'P', b'Y', version, 0];
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend([7, 8]);
        fs::write(&path, bytes).unwrap();
        let loaded = read_npy(&path, &expected(ElementType::U8)).unwrap();
        assert_eq!(loaded.tensor.as_slice::<u8>().unwrap(), [7, 8]);
    }
}

#[test]
fn strided_tensors_are_written_in_order() {
    let (_folder, path) = scratch();
    let mut columns = Tensor::strided(ElementType::I32, &[2, 3], &[1, 5]).unwrap();
    columns.fill(Initial::Arange).unwrap();
    write_npy(&path, "y", &columns).unwrap();
    let loaded = read_npy(&path, &expected(ElementType::I32)).unwrap().tensor;
    assert_eq!(loaded.as_slice::<i32>().unwrap(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn bf16_comes_as_opaque_bytes_or_as_u16() {
    let (_folder, path) = scratch();
    for descr in ["<V2", "|V2", "<u2"] {
        file_with(&path, &format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (1,)}}"), &[0x80, 0x3f]);
        let loaded = read_npy(&path, &expected(ElementType::Bf16)).unwrap();
        assert_eq!(loaded.tensor.get(&[0]).unwrap().to_f64(), 1.0);
        let note = loaded.note.map(|note| note.replace(&path.display().to_string(), "x.npy"));
        let u16_note = "x.npy holds u16 (`<u2`); its bits are taken as bf16 for the parameter `x`";
        assert_eq!(note.as_deref(), (descr == "<u2").then_some(u16_note));
    }
    // The other way round there is no way to know.
    file_with(&path, "{'descr': '<V2', 'fortran_order': False, 'shape': (1,)}", &[0, 0]);
    assert_eq!(
        error(&path, &expected(ElementType::U16)),
        "cannot read x.npy for the parameter `x`: its elements are bf16 (`<V2`), expected u16; convert them with \
         x.astype('<u2')"
    );
}

#[test]
fn bools_are_normalised() {
    let (_folder, path) = scratch();
    file_with(&path, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", &[0, 1, 255]);
    let loaded = read_npy(&path, &expected(ElementType::Bool)).unwrap().tensor;
    assert_eq!(loaded.as_slice::<bool>().unwrap(), [false, true, true]);
    assert_eq!(loaded.get(&[2]).unwrap(), Scalar::Bool(true));
}

#[test]
fn files_that_are_not_there_or_not_files() {
    let (folder, path) = scratch();
    let here = std::env::current_dir().unwrap();
    let wanted = expected(ElementType::F32);
    assert_eq!(
        error(&path, &wanted),
        format!(
            "cannot read x.npy for the parameter `x`: there is no such file; check the path, which is relative to {}",
            here.display()
        )
    );
    assert_eq!(
        error(folder.path(), &wanted),
        "cannot read x.npy for the parameter `x`: it is a directory; name a .npy file in it"
    );
    #[cfg(unix)]
    assert_eq!(
        error(Path::new("/dev/null"), &wanted),
        "cannot read x.npy for the parameter `x`: it is not a regular file, whose length can be known before it is \
         read; save the array to a file first"
    );
}

#[test]
fn files_that_are_something_else() {
    let (_folder, path) = scratch();
    let wanted = expected(ElementType::F32);
    let text = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        error(&path, &wanted)
    };
    assert_eq!(
        text(b""),
        "cannot read x.npy for the parameter `x`: it is not a .npy file: it starts with nothing (it is empty), expected \
         \\x93NUMPY; write it with numpy.save(path, x)"
    );
    assert_eq!(
        text(b"PK\x03\x04 and so on"),
        "cannot read x.npy for the parameter `x`: it is not a .npy file: it starts with PK\\x03\\x04 and, expected \
         \\x93NUMPY; write it with numpy.save(path, x) (this is an archive: numpy.savez was used)"
    );
    assert!(text(b"\x93NUMP").contains("it is not a .npy file"));
    assert_eq!(
        text(b"\x93NUMPY\x04\x00\x00\x00"),
        "cannot read x.npy for the parameter `x`: its format version is 4.0, expected 1.0, 2.0 or 3.0; write it with \
         numpy.save(path, x)"
    );
    assert_eq!(
        text(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}"),
        "cannot read x.npy for the parameter `x`: its header claims 4294967295 bytes, but no header is longer than \
         65536; the file is damaged, write it again with numpy.save(path, x)"
    );
    assert_eq!(
        text(b"\x93NUMPY\x01\x00\x40\x00{}"),
        "cannot read x.npy for the parameter `x`: its header claims 64 bytes, but only 2 follow; the file is damaged, \
         write it again with numpy.save(path, x)"
    );
    assert!(text(b"\x93NUMPY\x01\x00\x01").contains("its header claims 1 bytes, but only 0 follow"));
}

#[test]
fn headers_that_cannot_be_read() {
    let (_folder, path) = scratch();
    let why = |header: &str| {
        file_with(&path, header, &[]);
        let text = error(&path, &expected(ElementType::F32));
        let text = text.strip_prefix("cannot read x.npy for the parameter `x`: its header cannot be read: ").unwrap();
        text.strip_suffix("; the file is damaged, write it again with numpy.save(path, x)").unwrap().to_string()
    };
    assert_eq!(why(""), "it ends in the middle");
    assert_eq!(why("[1, 2]"), "it is not a Python dictionary");
    assert_eq!(why("{}"), "the key 'shape' is missing");
    assert_eq!(why("{'shape': (), 'fortran_order': False}"), "the key 'descr' is missing");
    assert_eq!(why("{'shape': 3}"), "'shape' is not a tuple");
    assert_eq!(why("{'shape': (-1,)}"), "a dimension is negative or larger than 64 bits");
    assert_eq!(why("{'shape': (18446744073709551616,)}"), "a dimension is negative or larger than 64 bits");
    assert_eq!(why("{'shape': ('3',)}"), "a dimension is not an integer");
    assert_eq!(why("{'shape': (), 'fortran_order': 0}"), "'fortran_order' is neither True nor False");
    assert_eq!(why("{'shape': (), 'fortran_order': False, 'descr': 4}"), "'descr' is not a string");
    assert_eq!(why("{'shape': ()} x"), "something follows the dictionary at byte 14");
    assert_eq!(why("{'shape"), "a string does not end");
    assert_eq!(why("{'a\\'b': 1}"), "a string has an escape sequence");
    assert_eq!(why("{'shape' (1,)}"), "a colon is missing at byte 9");
    assert_eq!(why("{'shape': (1 2)}"), "a comma is missing at byte 13");
    assert_eq!(why("{'a': 1 'b': 2}"), "a comma is missing at byte 8");
    assert_eq!(why("{1: 2}"), "a key is not a string");
    assert_eq!(why("{'a': None}"), "byte 6 starts no value");
    assert_eq!(why(&"(".repeat(60_000)), "it nests deeper than 16 levels");
}

#[test]
fn elements_of_another_type() {
    let (_folder, path) = scratch();
    let why = |descr: &str, element| {
        file_with(&path, &format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (2,)}}"), &[0; 16]);
        let text = error(&path, &expected(element));
        text.strip_prefix("cannot read x.npy for the parameter `x`: ").unwrap().to_string()
    };
    assert_eq!(
        why("'<f8'", ElementType::F32),
        "its elements are f64 (`<f8`), expected f32; convert them with x.astype('<f4')"
    );
    assert_eq!(
        why("'<f4'", ElementType::Bf16),
        "its elements are f32 (`<f4`), expected bf16; convert them with x.astype(ml_dtypes.bfloat16)"
    );
    assert_eq!(
        why("'>f8'", ElementType::F64),
        "its elements are big-endian (`>f8`), expected little-endian; convert them with x.astype('<f8')"
    );
    assert_eq!(
        why("'<c16'", ElementType::F64),
        "its elements are `<c16`, which no element type of the language is, expected f64; convert them with \
         x.astype('<f8')"
    );
    assert_eq!(
        why("[('a', '<f4'), ('b', '<i4')]", ElementType::F64),
        "its elements are structured (a record of fields), which no element type of the language is, expected f64; \
         convert them with x.astype('<f8')"
    );
    for odd in ["''", "'<'", "'é'", "'|O'", "'<U3'", "'<f3'", "'|V16'"] {
        assert!(why(odd, ElementType::F64).contains("which no element type of the language is"), "{odd}");
    }
}

#[test]
fn other_orders_and_shapes() {
    let (_folder, path) = scratch();
    let fortran = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}";
    file_with(&path, fortran, &[0; 16]);
    assert_eq!(
        error(&path, &expected(ElementType::F32)),
        "cannot read x.npy for the parameter `x`: its elements are in Fortran order (the first dimension runs fastest), \
         expected C order; convert them with np.ascontiguousarray(x)"
    );
    file_with(&path, "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 4, 1)}", &[0; 16]);
    assert!(read_npy(&path, &expected(ElementType::F32)).is_ok());

    file_with(&path, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}", &[0; 16]);
    let with_shape = |shape: &[Option<u64>]| {
        error(&path, &Expected { parameter: "x", element: ElementType::F32, shape: Some(shape) })
    };
    assert_eq!(
        with_shape(&[None]),
        "cannot read x.npy for the parameter `x`: its rank is 2 (shape [2, 2]), expected rank 1 (shape [_])"
    );
    assert_eq!(
        with_shape(&[None, Some(3)]),
        "cannot read x.npy for the parameter `x`: dimension 1 is 2 (shape [2, 2]), expected 3 (shape [_, 3])"
    );
}

#[test]
fn sizes_that_lie() {
    let (_folder, path) = scratch();
    let why = |shape: &str, body: &[u8]| {
        file_with(&path, &format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}"), body);
        let text = error(&path, &expected(ElementType::F32));
        text.strip_prefix("cannot read x.npy for the parameter `x`: ").unwrap().to_string()
    };
    assert_eq!(
        why("(2, 2)", &[0; 15]),
        "it is truncated: f32[2, 2] needs 16 bytes after the header, found 15; write it again with numpy.save(path, x)"
    );
    assert_eq!(
        why("(2, 2)", &[0; 18]),
        "2 bytes follow the last element: f32[2, 2] needs 16 bytes after the header, found 18; the header and the \
         elements do not belong together, write it again with numpy.save(path, x)"
    );
    // A tebibyte is refused by the file's length, before anything is allocated.
    assert!(why("(1099511627776,)", &[0; 16]).starts_with("it is truncated: f32[1099511627776] needs 4398046511104"));
    assert_eq!(
        why("(4294967296, 4294967296)", &[]),
        "its header claims the shape [4294967296, 4294967296], whose f32 elements no file can hold; the file is damaged"
    );
    assert!(why("(4611686018427387904,)", &[]).contains("no file can hold"));
    // Nothing is nothing, however large the other dimensions.
    file_with(&path, "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 18446744073709551615, 9)}", &[]);
    assert!(read_npy(&path, &expected(ElementType::F32)).unwrap().tensor.is_empty());
}

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

proptest::proptest! {
    /// No header, however damaged, does anything but give a header or an error.
    #[test]
    fn damaged_headers_never_panic(text in "[{}()\\[\\],:'\"0-9a-zTF \\-<>|L\\\\]{0,80}", cut in 0usize..100) {
        let good = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
        let mut mixed = good.to_string();
        let at = cut.min(good.len());
        mixed.replace_range(at..(at + text.len() / 4).min(good.len()), &text);
        for header in [text.as_bytes(), mixed.as_bytes()] {
            let _ = super::header::parse(header, 10, ElementType::F32);
        }
    }
}
