//! Round trips and the exact bytes.

mod refused;
mod writing;

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
            let said = write_npy(&path, "y", &tensor).unwrap();
            let dimensions: Vec<Option<u64>> = shape.iter().copied().map(Some).collect();
            let wanted = Expected { parameter: "x", element, shape: Some(&dimensions) };
            let loaded = read_npy(&path, &wanted).unwrap();
            assert_eq!(loaded.note.is_some(), said.is_some(), "{element}");
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
    assert_eq!(header(ElementType::E4m3, &[2, 1]), numpy("|u1", "(2, 1)"));
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
fn fortran_order_is_brought_into_c_order() {
    let (_folder, path) = scratch();
    let read = |shape: &str, body: &[u8]| {
        file_with(&path, &format!("{{'descr': '|u1', 'fortran_order': True, 'shape': {shape}}}"), body);
        read_npy(&path, &expected(ElementType::U8)).unwrap().tensor
    };
    // The first index runs fastest: x[i][j] of shape (2, 3) is byte i + 2 * j of the file.
    let matrix = read("(2, 3)", &[0, 3, 1, 4, 2, 5]);
    assert_eq!((matrix.shape(), matrix.is_row_major()), (&[2, 3][..], true));
    assert_eq!(matrix.as_slice::<u8>().unwrap(), [0, 1, 2, 3, 4, 5]);
    // x[i][j][k] of shape (2, 2, 2) is byte i + 2 * j + 4 * k.
    assert_eq!(read("(2, 2, 2)", &[0, 1, 2, 3, 4, 5, 6, 7]).as_slice::<u8>().unwrap(), [0, 4, 2, 6, 1, 5, 3, 7]);
    // Where at most one dimension is larger than 1, the orders are one.
    assert_eq!(read("(1, 4, 1)", &[7, 8, 9, 10]).as_slice::<u8>().unwrap(), [7, 8, 9, 10]);
    assert!(read("(3, 0, 2)", &[]).is_empty());
    assert_eq!(read("()", &[5]).as_slice::<u8>().unwrap(), [5]);
    file_with(&path, "{'descr': '|b1', 'fortran_order': True, 'shape': (2, 2)}", &[0, 1, 255, 0]);
    let truths = read_npy(&path, &expected(ElementType::Bool)).unwrap().tensor;
    assert_eq!(truths.as_slice::<bool>().unwrap(), [false, true, true, false]);
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
fn floats_of_8_bits_are_written_and_read_as_their_bits() {
    let (_folder, path) = scratch();
    for (element, opaque, one) in [(ElementType::E4m3, "<V1", 0x38), (ElementType::E5m2, "<f1", 0x3c)] {
        let mut tensor = Tensor::zeros(element, &[2]).unwrap();
        tensor.fill(Initial::Ones).unwrap();
        let note =
            write_npy(&path, "y", &tensor).unwrap().map(|note| note.replace(&path.display().to_string(), "x.npy"));
        let python = element.definition().npy.python;
        let expected_note = format!(
            "x.npy holds the bits of {element} as u8 (`|u1`), since numpy has no such type; x.view({python}) are the numbers"
        );
        assert_eq!(note, Some(expected_note));
        // A parameter of integers gets the integers, without a note.
        let loaded = read_npy(&path, &expected(ElementType::U8)).unwrap();
        assert_eq!((loaded.tensor.as_slice::<u8>().unwrap(), loaded.note), (&[one, one][..], None));
        let loaded = read_any_npy(&path).unwrap();
        assert_eq!(loaded.element(), ElementType::U8);
        // What `numpy.save` makes of the type of `ml_dtypes`, and opaque bytes, have no other meaning.
        for descr in ["|u1", "|V1", opaque] {
            file_with(&path, &format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (1,)}}"), &[one]);
            let loaded = read_npy(&path, &expected(element)).unwrap();
            assert_eq!(loaded.tensor.get(&[0]).unwrap().to_f64(), 1.0, "{descr}");
            let note = loaded.note.map(|note| note.replace(&path.display().to_string(), "x.npy"));
            let of_u8 = format!("x.npy holds u8 (`|u1`); its bits are taken as {element} for the parameter `x`");
            assert_eq!(note, (descr == "|u1").then_some(of_u8));
        }
        // Numbers of other types are no bits.
        file_with(&path, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", &[0; 4]);
        let message = error(&path, &expected(element));
        let advice = format!("its elements are f32 (`<f4`), expected {element}; convert them with x.astype({python})");
        assert!(message.ends_with(&advice), "{message}");
    }
    // Without a parameter that says which, opaque bytes are of no type.
    file_with(&path, "{'descr': '|V1', 'fortran_order': False, 'shape': (1,)}", &[0]);
    assert!(read_any_npy(&path).is_err());
}

#[test]
fn bools_are_normalised() {
    let (_folder, path) = scratch();
    file_with(&path, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", &[0, 1, 255]);
    let loaded = read_npy(&path, &expected(ElementType::Bool)).unwrap().tensor;
    assert_eq!(loaded.as_slice::<bool>().unwrap(), [false, true, true]);
    assert_eq!(loaded.get(&[2]).unwrap(), Scalar::Bool(true));
}
