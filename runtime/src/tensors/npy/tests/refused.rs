//! Every kind of bad file.

use super::*;

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
        "its elements are `<c16`, which no element type of the language is, expected f64; they are complex: save the \
         part that is meant, x.real.astype('<f8')"
    );
    assert_eq!(
        why("[('a', '<f4'), ('b', '<i4')]", ElementType::F64),
        "its elements are structured (a record of fields), which no element type of the language is, expected f64; \
         save one of its fields, x['name']"
    );
    for (odd, advice) in [
        ("'|O'", "they are Python objects: where all of them are numbers, convert them with x.astype('<f8')"),
        ("'<U3'", "they are text: where all of it is numbers, convert them with x.astype('<f8')"),
        ("'|S3'", "they are text: where all of it is numbers, convert them with x.astype('<f8')"),
        ("'<M8[ns]'", "they are times: save their counts, x.astype('<i8').astype('<f8')"),
    ] {
        assert!(why(odd, ElementType::F64).ends_with(advice), "{odd}: {}", why(odd, ElementType::F64));
    }
    for odd in ["''", "'<'", "'é'", "'|O'", "'<U3'", "'<f3'", "'|V16'"] {
        assert!(why(odd, ElementType::F64).contains("which no element type of the language is"), "{odd}");
    }
}

#[test]
fn other_shapes() {
    let (_folder, path) = scratch();
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

proptest::proptest! {
    #![proptest_config(seeds::config(256))]

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
