//! GPUs as an executor: the driver's devices, with NVRTC and the compile cache.

use emit::{COMPILE_OPTIONS, Emitted};

use super::driver::{Context, Driver, DriverError};
use super::launch::{LaunchError, LoadedKernel};
use super::{FromCache, Nvrtc, NvrtcError, Request, compile_cached};
use crate::cache::Cache;
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

    /// Without a GPU there is a `cuda:0` that is not available and says why.
    fn devices(&self) -> Vec<DeviceInfo> {
        match Driver::shared() {
            Ok(driver) => {
                let missing = Nvrtc::shared().err().map(|error| error.to_string());
                (0..driver.device_count()).map(|number| gpu(driver, number, missing.clone())).collect()
            }
            Err(error) => vec![no_gpu(0, error.to_string())],
        }
    }

    fn open(&self, number: u32) -> Result<Box<dyn Device>, ExecuteError> {
        let unavailable = |missing| ExecuteError::Unavailable { device: name(number), missing };
        let driver = Driver::shared().map_err(|error| unavailable(error.into()))?;
        let nvrtc = Nvrtc::shared().map_err(|error| unavailable(error.into()))?;
        let cache = Cache::from_environment();
        let compile = move |emitted: &Emitted, arch: &str| {
            let options = COMPILE_OPTIONS.map(str::to_owned);
            let name = format!("{}.cu", emitted.entry);
            compile_cached(nvrtc, &cache, &Request { source: &emitted.source, name: &name, arch, options: &options })
        };
        Ok(Box::new(Gpu::new(driver.context(number)?, Box::new(compile))))
    }
}

/// Compiles an emitted kernel for an architecture such as `sm_90`.
pub type Compile<'d> = dyn Fn(&Emitted, &str) -> Result<FromCache, NvrtcError> + 'd;

/// A GPU in use, and a compiler for it.
pub struct Gpu<'d> {
    context: Context<'d>,
    compile: Box<Compile<'d>>,
}

impl<'d> Gpu<'d> {
    /// An open device with the given compiler.
    pub fn new(context: Context<'d>, compile: Box<Compile<'d>>) -> Self {
        Self { context, compile }
    }
}

impl Device for Gpu<'_> {
    fn peak_gb_per_s(&self) -> Option<f64> {
        self.context.properties().peak_gb_per_s
    }

    fn prepare<'a>(&'a self, kernel: SizedKernel<'a>) -> Result<Box<dyn Executable + 'a>, ExecuteError> {
        Ok(Box::new(LoadedKernel::new(kernel, &self.context, &*self.compile)?))
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

fn name(number: u32) -> String {
    format!("cuda:{number}")
}

fn gpu(driver: &Driver, number: u32, missing: Option<String>) -> DeviceInfo {
    match driver.properties(number) {
        Ok(properties) => DeviceInfo {
            name: name(number),
            available: missing.is_none(),
            missing,
            description: properties.name.clone(),
            cores: Some(u64::from(properties.multiprocessors)),
            architecture: Some(properties.architecture()),
            memory_bytes: Some(properties.memory_bytes),
            peak_gb_per_s: properties.peak_gb_per_s,
        },
        Err(error) => no_gpu(number, error.to_string()),
    }
}

fn no_gpu(number: u32, missing: String) -> DeviceInfo {
    DeviceInfo {
        name: name(number),
        missing: Some(missing),
        description: "NVIDIA GPU".to_owned(),
        ..DeviceInfo::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_that_is_missing_says_why() {
        let missing = DriverError::NotFound { library: "libcuda.so.1".to_string() };
        assert_eq!(
            serde_json::to_string(&no_gpu(0, missing.to_string())).unwrap(),
            r#"{"name":"cuda:0","available":false,"missing":"libcuda.so.1 not found; install the NVIDIA driver","description":"NVIDIA GPU"}"#
        );
    }

    #[test]
    fn a_machine_without_a_gpu_says_what_is_missing() {
        if Driver::shared().is_ok() {
            return;
        }
        let message = Cuda.open(0).err().unwrap().to_string();
        assert!(message.starts_with("cuda:0 is not available, but --device cpu always is: "), "{message}");
    }
}
