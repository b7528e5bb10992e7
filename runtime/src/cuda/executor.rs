//! GPUs as an executor: the driver's devices, with NVRTC and the compile cache.

use emit::Emitted;

use super::compiler::Compiler;
use super::driver::{Context, Driver, DriverError};
use super::found;
use super::launch::{LaunchError, LoadedKernel};
use super::{FromCache, Nvrtc, NvrtcError, Target};
use crate::execute::{Device, DeviceInfo, Executable, ExecuteError, Executor, SizedKernel};

/// The GPUs that NVIDIA's driver sees.
#[derive(Clone, Copy, Debug)]
pub struct Cuda;

impl Executor for Cuda {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn about(&self) -> &'static str {
        "The first NVIDIA GPU."
    }

    fn is_numbered(&self) -> bool {
        true
    }

    fn rank(&self) -> u32 {
        2
    }

    fn count(&self) -> u32 {
        Driver::shared().map_or(1, Driver::device_count)
    }

    /// Without a GPU there is a `cuda:0` that is not available and says why.
    fn devices(&self) -> Vec<DeviceInfo> {
        found::devices(Driver::shared(), Nvrtc::for_device)
    }

    fn open(&self, number: u32) -> Result<Box<dyn Device>, ExecuteError> {
        open(number, None)
    }

    fn open_for(&self, number: u32, kernel: &SizedKernel<'_>) -> Result<Box<dyn Device>, ExecuteError> {
        open(number, Some(kernel))
    }

    /// The driver's and the compiler's libraries take tenths of a second to open. Without a driver, no compiler is needed.
    fn begin(&self) {
        let opening = std::thread::Builder::new().spawn(|| {
            let first = Driver::shared().and_then(|driver| driver.properties(0));
            first.is_ok_and(|first| Nvrtc::for_device(first.capability).is_ok())
        });
        // Without a thread they are opened when they are needed.
        drop(opening);
    }

    fn forget_failures(&self) -> bool {
        Nvrtc::forget_failure();
        Driver::forget_failure()
    }
}

/// Opens a device. The compiler is opened, and compiles the first kernel, while the driver makes the context: each takes
/// tenths of a second, and neither needs the other.
fn open(number: u32, first: Option<&SizedKernel<'_>>) -> Result<Box<dyn Device>, ExecuteError> {
    let driver = Driver::shared().map_err(|error| found::refusal(number, error))?;
    let unavailable = |missing| ExecuteError::Unavailable { device: found::described(driver, number), missing };
    let capability = driver.properties(number).map_err(|error| unavailable(error.into()))?.capability;
    if Nvrtc::was_missing() {
        // A context takes long to make, and is of no use without a compiler.
        Nvrtc::for_device(capability).map_err(|error| unavailable(error.into()))?;
    }
    let (compiler, context) = std::thread::scope(|scope| {
        let compiler = scope.spawn(|| Compiler::open(capability, first));
        let context = driver.context(number);
        (compiler.join().unwrap_or_else(|_| Compiler::open(capability, None)), context)
    });
    let compiler = compiler.map_err(|error| unavailable(error.into()))?;
    let context = context.map_err(|error| unavailable(error.into()))?;
    let target = compiler.target.clone();
    let compile = move |emitted: &Emitted, arch: &str| compiler.compile(emitted, arch);
    Ok(Box::new(Gpu { target, ..Gpu::new(context, Box::new(compile)) }))
}

/// Compiles an emitted kernel for an architecture such as `sm_90`, or to PTX for one such as `compute_90`.
pub type Compile<'d> = dyn Fn(&Emitted, &str) -> Result<FromCache, NvrtcError> + 'd;

/// A GPU in use, and a compiler for it.
pub struct Gpu<'d> {
    context: Context<'d>,
    compile: Box<Compile<'d>>,
    target: Target,
}

impl<'d> Gpu<'d> {
    /// An open device with the given compiler, which knows the device's architecture.
    pub fn new(context: Context<'d>, compile: Box<Compile<'d>>) -> Self {
        let target = Target::own(context.properties().capability);
        Self { context, compile, target }
    }
}

impl Device for Gpu<'_> {
    fn identity(&self) -> Option<String> {
        let properties = self.context.properties();
        Some(format!("{}, {}", properties.name, found::info(properties).identity()?))
    }

    fn peak_gb_per_s(&self) -> Option<f64> {
        self.context.properties().peak_gb_per_s
    }

    fn prepare<'a>(&'a self, kernel: SizedKernel<'a>) -> Result<Box<dyn Executable + 'a>, ExecuteError> {
        Ok(Box::new(LoadedKernel::new(kernel, &self.context, &*self.compile, &self.target)?))
    }
}

impl From<DriverError> for ExecuteError {
    fn from(error: DriverError) -> Self {
        Self::Device(error.into())
    }
}

impl From<NvrtcError> for ExecuteError {
    fn from(error: NvrtcError) -> Self {
        Self::Device(error.into())
    }
}

impl From<LaunchError> for ExecuteError {
    fn from(error: LaunchError) -> Self {
        Self::Unsupported(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_a_gpu_says_what_is_missing() {
        if Driver::shared().is_ok() {
            return;
        }
        let message = Cuda.open(0).err().unwrap().to_string();
        assert!(message.starts_with("cuda:0 is not available, but --device cpu always is: "), "{message}");
    }

    /// The notes on a kernel for a stand-in of capability 12.1, and the architecture that was compiled for.
    #[cfg(target_os = "linux")]
    fn notes(known: &[u32], version: &str) -> Result<(Vec<String>, String), String> {
        use super::super::Request;
        use super::super::library::SearchPlaces;
        use crate::execute::BoundsChecks;
        use dims::Sym;
        use std::cell::RefCell;
        use std::collections::BTreeMap;
        use testing::build::KernelBuilder;

        let folder = tempfile::tempdir().unwrap();
        let library = testing::gpu::driver(&folder.path().join("libcuda.so.1"), "capability=12.1");
        let driver = Driver::open(&[&library]).unwrap();
        let archs = known.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let library =
            testing::gpu::nvrtc(&folder.path().join("libnvrtc.so.12"), &format!("nvrtc={version} archs={archs}"));
        let places = SearchPlaces { explicit: Some(library), ..SearchPlaces::default() };
        let nvrtc = Nvrtc::find(&places, Some(driver.cuda_version())).unwrap();
        let asked = RefCell::new(String::new());
        let compile = |emitted: &Emitted, arch: &str| {
            arch.clone_into(&mut asked.borrow_mut());
            let request = Request { source: &emitted.source, name: "k.cu", arch, options: &[] };
            Ok(FromCache::compiled(nvrtc.compile(&request)?))
        };
        let context = driver.context(0).unwrap();
        let target = Target::best(nvrtc.architectures(), context.properties().capability);
        let device = Gpu { target, ..Gpu::new(context, Box::new(compile)) };
        let (kernel, sizes) = (KernelBuilder::new("scale", Sym::one(), Sym::one()).finish(Vec::new()), BTreeMap::new());
        let sized = SizedKernel::new(&kernel, &sizes, BoundsChecks::Proven).unwrap();
        let notes = sized.prepare(&device).map(|prepared| prepared.notes()).map_err(|error| error.to_string())?;
        Ok((notes, asked.borrow().clone()))
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_gpu_that_nvrtc_does_not_know_gets_code_that_it_runs_and_a_note() {
        assert_eq!(notes(&[90, 120, 121], "12.9"), Ok((Vec::new(), "sm_121".to_owned())));
        for (known, arch) in [(&[90, 120], "sm_120"), (&[80, 90], "compute_90")] {
            let (notes, asked) = notes(known, "12.8").unwrap();
            assert_eq!((notes.len(), asked.as_str()), (1, arch));
            assert!(notes[0].starts_with("this NVRTC does not know sm_121 yet: "), "{notes:?}");
            assert!(notes[0].contains(arch), "{notes:?}");
        }
        // The driver is for CUDA 12.8: it loads machine code of a newer minor version, and no PTX of one.
        assert_eq!(notes(&[90, 120], "12.9").unwrap().1, "sm_120");
        let refused = notes(&[80, 90], "12.9").unwrap_err();
        assert!(
            refused.contains("NVRTC is newer than the driver, which is for CUDA 12.8: update the driver"),
            "{refused}"
        );
    }
}
