//! Large copies, against the stand-in for the driver, which begins asynchronous ones as late as it may.

use super::*;
use crate::cuda::driver::Driver;
use testing::gpu;

/// Runs `test` with an open stand-in of these settings; everything must be given back.
fn with_context(settings: &str, test: impl FnOnce(&Context<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    let library = gpu::driver(&folder.path().join("libcuda.so.1"), settings);
    let driver = Driver::open(&[&library]).unwrap();
    test(&driver.context(0).unwrap());
}

/// Bytes of which no two pieces have the same.
fn pattern(count: usize) -> Vec<u8> {
    (0..count).map(|place| (place ^ (place / PIECE) ^ (place >> 9)) as u8).collect()
}

/// Copies to the device and back, twice, so that the buffers are used again.
fn is_copied(context: &Context<'_>, count: usize) {
    let mut buffer = context.allocate(count).unwrap();
    for shift in 0..2 {
        let source = pattern(count + shift).split_off(shift);
        buffer.upload(&source).unwrap();
        let mut target = vec![0; count];
        buffer.download(&mut target).unwrap();
        assert!(target == source, "{count}");
    }
}

#[test]
fn pieces_follow_each_other_to_the_end_of_any_size() {
    for bytes in [0, 1, PIECE - 1, PIECE, PIECE + 1, (5 << 30) + 3, usize::MAX / 2] {
        let mut end = 0;
        for piece in pieces(bytes).take(1000) {
            assert_eq!(piece.start, end);
            assert!(!piece.is_empty() && piece.len() <= PIECE);
            assert!(piece.len() == PIECE || piece.end == bytes);
            end = piece.end;
        }
        assert!(end == bytes || end == 1000 * PIECE, "{bytes}");
    }
}

#[test]
fn copies_of_every_size_arrive_whole() {
    with_context("", |context| {
        for count in [1, SMALL, SMALL + 1, PIECE, PIECE + 1, 3 * PIECE + 5] {
            is_copied(context, count);
        }
        assert_eq!(context.note_on_copies(), None);
    });
}

#[test]
fn addresses_beyond_4_gib_are_reached() {
    with_context("memory=6442450944", |context| {
        let buffer = context.allocate(5 << 30).unwrap();
        let (place, source) = (buffer.address() + (4 << 30) + 4096, pattern(PIECE + 777));
        context.copy_to_device(place, &source).unwrap();
        let mut target = vec![0; source.len()];
        context.copy_to_host(&mut target, place).unwrap();
        assert!(target == source);
        // What is 4 GiB before it has not been written.
        let mut before = vec![0; SMALL + 1];
        context.copy_to_host(&mut before, place - (4 << 30)).unwrap();
        assert_ne!(before[..SMALL], source[..SMALL]);
    });
}

#[test]
fn without_pinned_memory_nothing_is_lost() {
    for settings in ["fail=cuMemAllocHost_v2:2", "fail=cuMemAllocHost_v2:801@2", "fail=cuMemAllocHost_v2:304@1"] {
        with_context(settings, |context| {
            is_copied(context, PIECE + 1);
            let note = context.note_on_copies().unwrap();
            assert!(note.starts_with("large copies take longer than they could: "), "{note}");
        });
    }
}

#[test]
fn errors_of_copies_are_told() {
    for (settings, call) in [
        ("fail=cuMemAllocHost_v2:999", "cuMemAllocHost"),
        ("fail=cuMemcpyHtoDAsync_v2:1@2", "cuMemcpyHtoDAsync"),
        ("fail=cuMemcpyDtoHAsync_v2:1@2", "cuMemcpyDtoHAsync"),
        ("fail=cuEventSynchronize:1@3", "cuEventSynchronize"),
        ("fail=cuEventRecord:1@2", "cuEventRecord"),
        ("fail=cuEventCreate:999@2", "cuEventCreate"),
    ] {
        with_context(settings, |context| {
            let mut bytes = pattern(2 * PIECE + 1);
            let mut buffer = context.allocate(bytes.len()).unwrap();
            let failed = buffer.upload(&bytes).and_then(|()| buffer.download(&mut bytes)).unwrap_err().to_string();
            assert!(failed.starts_with(&format!("{call} failed: ")), "{failed}");
        });
    }
}
