//! Tests of the tensor itself.

use super::*;

#[test]
fn zeros_are_row_major_and_aligned() {
    let tensor = Tensor::zeros(ElementType::F64, &[2, 3, 4]).unwrap();
    assert_eq!((tensor.strides(), tensor.len(), tensor.storage_len()), (&[12, 4, 1][..], 24, 24));
    assert_eq!(tensor.bytes().as_ptr() as usize % ALIGNMENT, 0);
    assert!(tensor.is_row_major());
    assert_eq!(format!("{tensor:?}"), "f64[2, 3, 4]");
    let scalar = Tensor::zeros(ElementType::I8, &[]).unwrap();
    assert_eq!((scalar.len(), scalar.get(&[]).unwrap()), (1, Scalar::I8(0)));
    let empty = Tensor::zeros(ElementType::I8, &[0, u64::MAX, u64::MAX]).unwrap();
    assert!(empty.is_empty() && empty.bytes().is_empty() && empty.is_row_major());
}

#[test]
fn elements_are_set_and_read() {
    let mut tensor = Tensor::zeros(ElementType::Bf16, &[2, 3]).unwrap();
    let value = Scalar::from_f64(ElementType::Bf16, 2.5).unwrap();
    tensor.set(&[1, 2], value).unwrap();
    assert_eq!(tensor.get(&[1, 2]).unwrap(), value);
    assert_eq!(tensor.as_slice::<half::bf16>().unwrap()[5].to_f32(), 2.5);
    assert_eq!(tensor.index_of(5), [1, 2]);
    assert_eq!(tensor.get(&[2, 0]).unwrap_err().to_string(), "the index [2, 0] is outside a tensor of shape [2, 3]");
    assert_eq!(tensor.get(&[0]).unwrap_err().to_string(), "the index [0] is outside a tensor of shape [2, 3]");
    assert!(tensor.set(&[0, 0], Scalar::F32(1.0)).is_err());
    assert!(tensor.set_at(6, value).is_err() && tensor.get_at(6).is_none() && tensor.get_at(usize::MAX).is_none());
}

#[test]
fn strided_storage_ends_at_the_last_element() {
    let tensor = Tensor::strided(ElementType::F32, &[3, 4], &[10, 2]).unwrap();
    assert_eq!((tensor.len(), tensor.storage_len()), (12, 1 + 2 * 10 + 3 * 2));
    assert!(!tensor.is_row_major());
    assert_eq!(tensor.offset(&[2, 3]), Some(26));
    assert_eq!(tensor.offsets(0, 5).collect::<Vec<_>>(), [0, 2, 4, 6, 10]);
    assert_eq!(tensor.offsets(10, 99).collect::<Vec<_>>(), [24, 26]);
    assert_eq!(tensor.offsets(99, 1).count(), 0);
    // A dimension of 1 may have any stride, and one of 0 makes everything empty.
    let odd = Tensor::strided(ElementType::F32, &[1, 4], &[u64::MAX, 1]).unwrap();
    assert_eq!((odd.storage_len(), odd.offsets(0, 9).count(), odd.is_row_major()), (4, 4, true));
    assert_eq!(Tensor::strided(ElementType::F32, &[0, 4], &[u64::MAX, 1]).unwrap().storage_len(), 0);
    assert_eq!(Tensor::strided(ElementType::F32, &[8, 4], &[0, 1]).unwrap().storage_len(), 4);
}

#[test]
fn sizes_that_overflow_are_errors() {
    let text =
        |shape: &[u64], strides: &[u64]| Tensor::strided(ElementType::F32, shape, strides).unwrap_err().to_string();
    assert_eq!(
        Tensor::zeros(ElementType::F64, &[1 << 40, 1 << 40]).unwrap_err().to_string(),
        "a tensor of f64[1099511627776, 1099511627776] does not fit this machine's address space: its size in bytes \
         does not fit in 63 bits; use smaller dimensions"
    );
    assert_eq!(
        text(&[2, 2], &[u64::MAX, 1]),
        "a tensor of f32[2, 2] does not fit this machine's address space: its size in bytes does not fit in 63 bits; use smaller \
         dimensions or strides"
    );
    assert_eq!(
        text(&[2], &[1, 1]),
        "a tensor of rank 1 has 2 strides, expected one for each dimension: shape [2], strides [1, 1]"
    );
    assert!(matches!(Tensor::strided(ElementType::F32, &[u64::MAX], &[0]), Err(TensorError::TooLarge { .. })));
    // 4 EiB: within 63 bits, but no machine has it.
    assert_eq!(
        Tensor::zeros(ElementType::U8, &[1 << 62]).unwrap_err().to_string(),
        "not enough memory: 4611686018427387904 bytes for a tensor of u8[4611686018427387904] could not be allocated; \
         use smaller dimensions or free memory"
    );
}

#[test]
fn typed_access_is_checked() {
    let mut tensor = Tensor::zeros(ElementType::Bool, &[3]).unwrap();
    assert_eq!(
        tensor.as_slice::<u8>().unwrap_err().to_string(),
        "the tensor holds bool, not u8: read it as bool or convert it"
    );
    tensor.bytes_mut()[1] = 2;
    assert_eq!(
        tensor.as_slice::<bool>().unwrap_err().to_string(),
        "byte 1 of a bool tensor is 2, expected 0 or 1: whatever wrote the tensor did not write bools"
    );
    assert_eq!(tensor.get(&[1]).unwrap(), Scalar::Bool(true));
}

#[test]
fn elements_move_between_strides() {
    let mut columns = Tensor::strided(ElementType::I64, &[2, 3], &[1, 2]).unwrap();
    let rows = Tensor::initial(ElementType::I64, &[2, 3], Initial::Arange).unwrap();
    columns.copy_elements_from(&rows).unwrap();
    assert_eq!(columns.as_slice::<i64>().unwrap(), [0, 3, 1, 4, 2, 5]);
    let mut back = Tensor::zeros(ElementType::I64, &[2, 3]).unwrap();
    back.copy_elements_from(&columns).unwrap();
    assert_eq!(back.bytes(), rows.bytes());
    assert!(back.copy_elements_from(&Tensor::zeros(ElementType::I64, &[3, 2]).unwrap()).is_err());
    assert!(back.copy_elements_from(&Tensor::zeros(ElementType::F64, &[2, 3]).unwrap()).is_err());
}
