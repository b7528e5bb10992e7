//! What can be tested without a GPU: what a missing driver says, and every call against a stand-in for the driver.

use super::*;
use crate::tensors::{ElementType, Scalar, Tensor};
use testing::gpu;

#[test]
fn a_missing_driver_is_said() {
    let error = Driver::open(&[Path::new("libcuda-that-is-not-there.so.1")]).unwrap_err();
    assert_eq!(error.to_string(), "libcuda-that-is-not-there.so.1 not found; install the NVIDIA driver");
}

#[test]
fn the_shared_driver_is_an_answer_and_not_a_panic() {
    match Driver::shared() {
        Ok(driver) => {
            assert!(driver.device_count() > 0 && driver.context(driver.device_count()).is_err())
        }
        Err(error) => {
            assert!(
                matches!(
                    error,
                    DriverError::NotFound { .. }
                        | DriverError::Broken { .. }
                        | DriverError::Explained { .. }
                        | DriverError::NoDevice
                        | DriverError::Call { .. }
                ),
                "{error}"
            )
        }
    }
}

/// Runs `test` with a stand-in as the driver, which is made by `make` at a path.
fn with_driver(make: impl FnOnce(&Path) -> PathBuf, test: impl FnOnce(Result<Driver, DriverError>, &Path)) {
    if cfg!(target_os = "linux") {
        let folder = tempfile::tempdir().unwrap();
        let library = make(&folder.path().join("libcuda.so.1"));
        test(Driver::open(&[&library]), &library);
    }
}

/// Runs `test` with a stand-in of these settings as the driver.
fn with_stand_in(settings: &str, test: impl FnOnce(Result<Driver, DriverError>, &Path)) {
    with_driver(|library| gpu::driver(library, settings), test);
}

/// What the last launch was, by the stand-in's own record.
fn last_launch(library: &Path) -> [u32; 10] {
    // SAFETY: the stand-in is open already, and the function gives an array of ten integers that is not written
    // concurrently.
    unsafe {
        let library = Library::new(library).unwrap();
        let last_launch = library.get::<unsafe extern "C" fn() -> *const [u32; 10]>("stand_in_last_launch").unwrap();
        *last_launch()
    }
}

/// How many things of the stand-in are allocated or loaded.
fn live(library: &Path) -> i32 {
    // SAFETY: the stand-in is open already, and the functions take nothing.
    unsafe {
        let library = Library::new(library).unwrap();
        let count = |name: &str| library.get::<unsafe extern "C" fn() -> i32>(name).unwrap()();
        count("stand_in_live") + count("stand_in_modules")
    }
}

const SHAPE: LaunchShape = LaunchShape { grid: [4, 2, 1], block: [64, 1, 1], cluster: None, dynamic_shared_bytes: 0 };

#[test]
fn a_kernel_runs_and_everything_is_given_back() {
    with_stand_in("", |driver, library| {
        let driver = driver.unwrap();
        assert_eq!((driver.cuda_version(), driver.device_count()), ((12, 8), 1));
        {
            let context = driver.context(0).unwrap();
            let properties = context.properties();
            assert_eq!((properties.name.as_str(), properties.architecture().as_str()), ("NVIDIA Stand-in", "sm_90"));
            assert_eq!(properties.peak_gb_per_s, Some(3352.32));
            assert_eq!((properties.multiprocessors, properties.l2_bytes), (132, 4096));

            let mut tensor = Tensor::from_slice(&[3], &[1f32, 2.0, 3.0]).unwrap();
            let mut buffer = context.allocate(tensor.bytes().len()).unwrap();
            buffer.upload(tensor.bytes()).unwrap();
            let module = context.load(gpu::scale()).unwrap();
            let function = module.function("scale").unwrap();
            assert_eq!((function.registers().unwrap(), function.max_threads_per_block().unwrap()), (24, 1024));
            let arguments = [
                Argument::Buffer(&buffer),
                Argument::Scalar(Scalar::F32(2.0)),
                Argument::Scalar(Scalar::U32(3)),
                Argument::Scalar(Scalar::I8(-1)),
            ];
            // SAFETY: the stand-in's kernel takes these four parameters.
            unsafe { function.launch(&SHAPE, &arguments) }.unwrap();
            context.synchronize().unwrap();
            buffer.download(tensor.bytes_mut()).unwrap();
            assert_eq!(tensor.as_slice::<f32>().unwrap(), [1.0, 3.0, 5.0]);
            assert_eq!(last_launch(library), [4, 2, 1, 64, 1, 1, 0, 0, 0, 0]);

            let cluster = LaunchShape { cluster: Some([2, 1, 1]), dynamic_shared_bytes: 100_000, ..SHAPE };
            // SAFETY: as above.
            unsafe { function.launch(&cluster, &arguments) }.unwrap();
            assert_eq!(last_launch(library), [4, 2, 1, 64, 1, 1, 2, 1, 1, 100_000]);

            let time = context.time(|| {
                // SAFETY: as above.
                unsafe { function.launch(&SHAPE, &arguments) }
            });
            assert_eq!(time.unwrap(), std::time::Duration::from_micros(500));
            buffer.fill(0).unwrap();
            buffer.download(tensor.bytes_mut()).unwrap();
            assert_eq!(tensor.as_slice::<f32>().unwrap(), [0.0; 3]);
            let mut empty = context.allocate(0).unwrap();
            empty.upload(&[]).unwrap();
            empty.download(&mut []).unwrap();
        }
        assert_eq!(live(library), 0);
    });
}

#[test]
fn what_a_kernel_does_outside_its_memory_ends_every_later_call() {
    with_stand_in("", |driver, library| {
        let driver = driver.unwrap();
        {
            let context = driver.context(0).unwrap();
            let mut buffer = context.allocate(8).unwrap();
            let module = context.load(gpu::scale()).unwrap();
            let function = module.function("scale").unwrap();
            let scalars = [Scalar::F32(0.0), Scalar::U32(777), Scalar::I8(0)].map(Argument::Scalar);
            let arguments = [&[Argument::Buffer(&buffer)][..], &scalars].concat();
            // SAFETY: the stand-in's kernel takes these four parameters; what it does with 777 is found out.
            unsafe { function.launch(&SHAPE, &arguments) }.unwrap();
            let illegal = context.synchronize().unwrap_err();
            assert!(matches!(illegal, DriverError::Call { code: 700, .. }), "{illegal}");
            let later = buffer.upload(&[0; 8]).unwrap_err();
            assert!(matches!(later, DriverError::Call { code: 700, .. }), "{later}");
        }
        // What was lost with the context cannot be given back.
        assert!(live(library) > 0);
    });
}

#[test]
fn refusals_are_sentences() {
    let old = |library: &Path| gpu::driver_without(library, "WITHOUT_CLUSTERS", "fail=cuLaunchKernel:12345@1");
    with_driver(old, |driver, _| {
        let driver = driver.unwrap();
        assert_eq!(
            driver.context(3).err().unwrap().to_string(),
            "there is no device cuda:3: the NVIDIA driver has 1, cuda:0 to cuda:0"
        );
        let context = driver.context(0).unwrap();
        assert_eq!(
            context.allocate(1 << 40).err().unwrap().to_string(),
            "not enough memory on cuda:0: 1099511627776 bytes could not be allocated, 1073741824 of 1073741824 bytes are free; \
             use smaller tensors or free the device"
        );
        let mut buffer = context.allocate(8).unwrap();
        assert_eq!(
            buffer.upload(&[0; 4]).unwrap_err().to_string(),
            "a copy of 4 bytes does not fit a device buffer of 8 bytes: the two must have the same size"
        );
        let module = context.load(gpu::scale()).unwrap();
        for name in ["scales", "sca\0le"] {
            assert_eq!(
                module.function(name).err().unwrap().to_string(),
                format!(
                    "the machine code has no kernel `{name}`: the name in the code must be the one in the source \
                     (extern \"C\")"
                )
            );
        }
        let function = module.function("scale").unwrap();
        let launch = |shape: LaunchShape, n: u32| {
            let zero = Scalar::zero(ElementType::F32);
            let rest = [Argument::Scalar(zero), Argument::Scalar(Scalar::U32(n)), Argument::Scalar(Scalar::I8(0))];
            let arguments = [&[Argument::Buffer(&buffer)][..], &rest].concat();
            // SAFETY: the stand-in's kernel takes these four parameters.
            unsafe { function.launch(&shape, &arguments) }.unwrap_err().to_string()
        };
        // A code that no list of errors has.
        assert_eq!(launch(SHAPE, 1), "cuLaunchKernel failed: the driver gives no reason (an unknown error, 12345)");
        let impossible = |shape: LaunchShape| launch(shape, 1).split(" is impossible: ").nth(1).unwrap().to_string();
        assert_eq!(impossible(LaunchShape { grid: [1, 0, 1], ..SHAPE }), "every dimension must be at least 1");
        assert_eq!(
            impossible(LaunchShape { block: [64, 32, 1], ..SHAPE }),
            "a block of NVIDIA Stand-in has at most 1024 threads"
        );
        assert_eq!(
            impossible(LaunchShape { block: [u32::MAX; 3], ..SHAPE }),
            "a block has at most 1024 x 1024 x 64 threads"
        );
        assert_eq!(
            impossible(LaunchShape { grid: [1, 65_536, 1], ..SHAPE }),
            "a grid has at most 2147483647 x 65535 x 65535 blocks"
        );
        assert_eq!(
            impossible(LaunchShape { cluster: Some([3, 1, 1]), ..SHAPE }),
            "the grid must be a multiple of the cluster in every dimension"
        );
        assert_eq!(
            impossible(LaunchShape { dynamic_shared_bytes: 300_000, ..SHAPE }),
            "a block of NVIDIA Stand-in has at most 232448 bytes of shared memory, 300000 are asked for"
        );
        assert_eq!(
            launch(LaunchShape { cluster: Some([2, 1, 1]), ..SHAPE }, 1),
            "the NVIDIA driver is too old: it has no cuLaunchKernelEx; install one for CUDA 11.8 or newer"
        );
    });
}

#[test]
fn drivers_that_cannot_be_used() {
    let text_of = |make: &dyn Fn(&Path) -> PathBuf| {
        let mut text = String::new();
        with_driver(make, |driver, _| text = driver.unwrap_err().to_string());
        text
    };
    let text = |settings: &str| text_of(&|library| gpu::driver(library, settings));
    if !cfg!(target_os = "linux") {
        return;
    }
    let no_gpu = "the NVIDIA driver sees no GPU; check nvidia-smi and CUDA_VISIBLE_DEVICES, which names an instance \
                  where MIG is on";
    assert_eq!(text("fail=cuInit:100"), no_gpu);
    assert_eq!(text("devices=0"), no_gpu);
    assert_eq!(
        text("fail=cuInit:34"),
        "cuInit failed: CUDA driver is a stub library (CUDA_ERROR_STUB_LIBRARY, 34); this is the toolkit's stub, not a \
         driver: take its folder (lib64/stubs) out of LD_LIBRARY_PATH"
    );
    assert_eq!(
        text_of(&|library| gpu::driver_without(library, "OLD", "")),
        "the NVIDIA driver is too old: it has no cuEventDestroy_v2; install one for CUDA 11.4 or newer"
    );
}

#[test]
fn a_broken_driver_is_not_a_missing_one() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("libcuda.so.1");
    std::fs::write(&broken, "not a library").unwrap();
    let missing = folder.path().join("libcuda.so");
    let error = Driver::open(&[&missing, &broken]).unwrap_err();
    let (path, text) = (broken.display().to_string(), error.to_string());
    assert!(!error.is_absent());
    assert_eq!(
        text.replace(&path, "LIBRARY"),
        "the NVIDIA driver is there but LIBRARY cannot be opened: LIBRARY: file too short; reinstall the NVIDIA driver"
    );
    // A working one after it is used.
    with_stand_in("", |_, library| {
        let driver = Driver::open(&[&broken, library]).unwrap();
        assert_eq!(driver.path(), library.canonicalize().unwrap());
    });
}

#[test]
fn a_device_that_may_not_be_used_says_so() {
    with_stand_in("fail=cuDevicePrimaryCtxRetain:46", |driver, _| {
        let driver = driver.unwrap();
        let refused = driver.context(0).err().unwrap().to_string();
        assert!(refused.starts_with("cuDevicePrimaryCtxRetain failed: ") && refused.contains(", 46); "), "{refused}");
        assert!(refused.ends_with("set the mode with `nvidia-smi -c DEFAULT`"), "{refused}");
    });
}

#[test]
fn refused_code_says_why_and_what_the_drivers_compiler_says() {
    let refusal_by = |make: &dyn Fn(&Path) -> PathBuf, code: &[u8]| {
        let mut text = String::new();
        with_driver(make, |driver, _| {
            let driver = driver.unwrap();
            let context = driver.context(0).unwrap();
            text = context.load(code).err().unwrap().to_string();
        });
        text
    };
    let refusal = |settings: &str, code: &[u8]| refusal_by(&|library| gpu::driver(library, settings), code);
    if !cfg!(target_os = "linux") {
        return;
    }
    let log = "; the driver's log:\nptxas fatal : the stand-in does not load it";
    assert_eq!(
        refusal("capability=8.0", gpu::scale()),
        format!(
            "the machine code does not run on NVIDIA Stand-in (sm_80): no kernel image is available for execution on the \
             device (CUDA_ERROR_NO_BINARY_FOR_GPU); compile it for that device's architecture{log}"
        )
    );
    let ptx = b".version 9.9";
    let newer = refusal("", ptx);
    let advice = "unsupported toolchain (CUDA_ERROR_UNSUPPORTED_PTX_VERSION); NVRTC is newer than the driver, which is for \
                  CUDA 12.8: update the driver, or install an NVRTC of that version or older";
    assert!(newer.contains(advice) && newer.ends_with(log), "{newer}");
    let without_log = refusal_by(&|library| gpu::driver_without(library, "WITHOUT_LOG", ""), ptx);
    assert_eq!(format!("{without_log}{log}"), newer);
    let missing = refusal("fail=cuModuleLoadDataEx:221", ptx);
    assert!(missing.starts_with("cuModuleLoadDataEx failed: ") && missing.contains("libnvidia-ptxjitcompiler"));
    assert!(missing.ends_with(log), "{missing}");
}
