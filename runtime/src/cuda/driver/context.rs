//! An opened device: its memory, the code loaded on it, launches and their times.

use super::{DeviceProperties, Driver, DriverError};
use crate::tensors::Scalar;
use cudarc::driver::sys::{
    CUcontext, CUdevice, CUdeviceptr, CUevent, CUfunction, CUfunction_attribute, CUlaunchAttribute,
    CUlaunchAttributeID, CUlaunchAttributeValue, CUlaunchAttributeValue_union__bindgen_ty_1,
    CUlaunchConfig, CUmodule,
};
use std::ffi::{CString, c_int, c_void};

/// A device in use. Everything on it happens in one order (the default stream), and nothing made from it outlives it.
pub struct Context<'d> {
    driver: &'d Driver,
    device: CUdevice,
    raw: CUcontext,
    properties: DeviceProperties,
}

impl<'d> Context<'d> {
    pub(super) fn open(driver: &'d Driver, ordinal: u32) -> Result<Context<'d>, DriverError> {
        let device = driver.device(ordinal)?;
        let properties = super::properties::read(driver, device, ordinal)?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is valid and the device one the driver gave.
        let status = unsafe { (driver.functions.context_retain)(&mut raw, device) };
        driver.check("cuDevicePrimaryCtxRetain", status)?;
        Ok(Context {
            driver,
            device,
            raw,
            properties,
        })
    }

    /// What the device is and can do.
    pub fn properties(&self) -> &DeviceProperties {
        &self.properties
    }

    /// Makes this the context of the calling thread, as every function below needs it.
    fn enter(&self) -> Result<(), DriverError> {
        // SAFETY: the context is retained until `self` is dropped.
        let status = unsafe { (self.driver.functions.context_set_current)(self.raw) };
        self.driver.check("cuCtxSetCurrent", status)
    }

    /// Allocates device memory, whose content is whatever was there. Of 0 bytes nothing is allocated.
    pub fn allocate(&self, bytes: usize) -> Result<Buffer<'_>, DriverError> {
        self.enter()?;
        let mut address = 0;
        if bytes > 0 {
            // SAFETY: the pointer is valid.
            let status = unsafe { (self.driver.functions.memory_allocate)(&mut address, bytes) };
            if status == 2 {
                let (mut free, mut total) = (0, 0);
                // SAFETY: both pointers are valid. Should even this fail, the message says 0.
                unsafe { (self.driver.functions.memory_info)(&mut free, &mut total) };
                return Err(DriverError::OutOfMemory {
                    ordinal: self.properties.ordinal,
                    bytes: bytes as u64,
                    free: free as u64,
                    total: total as u64,
                });
            }
            self.driver.check("cuMemAlloc", status)?;
        }
        Ok(Buffer {
            context: self,
            address,
            bytes,
        })
    }

    /// Loads machine code that was compiled for the device's architecture.
    pub fn load(&self, cubin: &[u8]) -> Result<Module<'_>, DriverError> {
        self.enter()?;
        // PTX is text that must end with a zero byte; for machine code the extra byte changes nothing.
        let mut image = cubin.to_vec();
        image.push(0);
        let mut raw = std::ptr::null_mut();
        // SAFETY: the image is complete and terminated; the driver reads it during the call only.
        let status =
            unsafe { (self.driver.functions.module_load)(&mut raw, image.as_ptr().cast()) };
        match self.driver.check("cuModuleLoadData", status) {
            Ok(()) => Ok(Module { context: self, raw }),
            // No image for the device, no code it could run, PTX newer than the driver.
            Err(DriverError::Call {
                code: 200 | 209 | 218 | 222,
                name,
                text,
                ..
            }) => {
                let DeviceProperties { name: device, .. } = &self.properties;
                let device = format!("{device} ({})", self.properties.architecture());
                Err(DriverError::WrongCode { device, name, text })
            }
            Err(error) => Err(error),
        }
    }

    /// Waits until everything that was launched has ended, and reports what went wrong in it.
    pub fn synchronize(&self) -> Result<(), DriverError> {
        self.enter()?;
        // SAFETY: the context is current.
        let status = unsafe { (self.driver.functions.context_synchronize)() };
        self.driver.check("cuCtxSynchronize", status)
    }

    /// A point in time on the device.
    pub fn event(&self) -> Result<Event<'_>, DriverError> {
        self.enter()?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the pointer is valid; 0 asks for an event that keeps the time.
        let status = unsafe { (self.driver.functions.event_create)(&mut raw, 0) };
        self.driver.check("cuEventCreate", status)?;
        Ok(Event { context: self, raw })
    }

    /// Runs `launch` some times and gives the time each took on the device, in microseconds.
    ///
    /// The events exist before the first launch. With `flush`, a buffer of twice the second-level cache is overwritten
    /// before each repetition, so that every one starts with the tensors in memory and not in the cache.
    pub fn time(
        &self,
        repetitions: usize,
        flush: bool,
        mut launch: impl FnMut() -> Result<(), DriverError>,
    ) -> Result<Vec<f64>, DriverError> {
        let flush_bytes = if flush {
            usize::try_from(self.properties.l2_bytes)
                .unwrap_or(0)
                .saturating_mul(2)
        } else {
            0
        };
        let scratch = self.allocate(flush_bytes)?;
        let events = (0..repetitions)
            .map(|_| Ok((self.event()?, self.event()?)))
            .collect::<Result<Vec<_>, DriverError>>()?;
        for (start, end) in &events {
            scratch.fill(0)?;
            start.record()?;
            launch()?;
            end.record()?;
        }
        self.synchronize()?;
        events
            .iter()
            .map(|(start, end)| start.microseconds_until(end))
            .collect()
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: retained once in `open`; everything made from the context borrowed it and is gone.
        unsafe { (self.driver.functions.context_release)(self.device) };
    }
}

/// The middle of some times, the lower of the two middles of an even number; `None` of none.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

/// Memory on a device, freed when dropped.
pub struct Buffer<'c> {
    context: &'c Context<'c>,
    address: CUdeviceptr,
    bytes: usize,
}

impl Buffer<'_> {
    /// Its size in bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Its address on the device; 0 for an empty buffer.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Copies all bytes to the device; returns when `source` may change again.
    pub fn upload(&mut self, source: &[u8]) -> Result<(), DriverError> {
        self.check_size(source.len())?;
        if source.is_empty() {
            return Ok(());
        }
        self.context.enter()?;
        let functions = &self.context.driver.functions;
        // SAFETY: both sides have `source.len()` bytes, and the call returns when the source has been read.
        let status = unsafe {
            (functions.copy_to_device)(self.address, source.as_ptr().cast(), source.len())
        };
        self.context.driver.check("cuMemcpyHtoD", status)
    }

    /// Copies all bytes from the device, after everything launched before; returns when they are there.
    pub fn download(&self, target: &mut [u8]) -> Result<(), DriverError> {
        self.check_size(target.len())?;
        if target.is_empty() {
            return Ok(());
        }
        self.context.enter()?;
        let functions = &self.context.driver.functions;
        // SAFETY: both sides have `target.len()` bytes, and the call returns when the target has been written.
        let status = unsafe {
            (functions.copy_to_host)(target.as_mut_ptr().cast(), self.address, target.len())
        };
        self.context.driver.check("cuMemcpyDtoH", status)
    }

    /// Sets every byte, after everything launched before.
    pub fn fill(&self, byte: u8) -> Result<(), DriverError> {
        if self.bytes == 0 {
            return Ok(());
        }
        self.context.enter()?;
        let functions = &self.context.driver.functions;
        // SAFETY: the buffer has `bytes` bytes; the null stream is the default one.
        let status =
            unsafe { (functions.memory_set)(self.address, byte, self.bytes, std::ptr::null_mut()) };
        self.context.driver.check("cuMemsetD8Async", status)
    }

    fn check_size(&self, found: usize) -> Result<(), DriverError> {
        if found == self.bytes {
            return Ok(());
        }
        Err(DriverError::CopySize {
            expected: self.bytes as u64,
            found: found as u64,
        })
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        if self.address != 0 && self.context.enter().is_ok() {
            // SAFETY: allocated in `allocate` and freed once. The driver waits for what still uses it.
            unsafe { (self.context.driver.functions.memory_free)(self.address) };
        }
    }
}

/// Machine code on a device, unloaded when dropped.
pub struct Module<'c> {
    context: &'c Context<'c>,
    raw: CUmodule,
}

impl Module<'_> {
    /// A kernel by its name in the code.
    pub fn function(&self, name: &str) -> Result<Function<'_>, DriverError> {
        let no_kernel = || DriverError::NoKernel {
            name: name.to_string(),
        };
        let symbol = CString::new(name).map_err(|_| no_kernel())?;
        self.context.enter()?;
        let mut raw = std::ptr::null_mut();
        let functions = &self.context.driver.functions;
        // SAFETY: the pointer is valid, the module loaded, the name terminated.
        match unsafe { (functions.module_function)(&mut raw, self.raw, symbol.as_ptr()) } {
            500 => Err(no_kernel()),
            status => {
                self.context.driver.check("cuModuleGetFunction", status)?;
                Ok(Function { module: self, raw })
            }
        }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: loaded in `load` and unloaded once; its functions borrowed it and are gone.
            unsafe { (self.context.driver.functions.module_unload)(self.raw) };
        }
    }
}

/// How many threads run a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchShape {
    /// Blocks in x, y, z, each at least 1.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z, each at least 1.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y, z, for devices of capability 9 and up; the grid must be a multiple of it.
    pub cluster: Option<[u32; 3]>,
    /// Shared memory of each block beside what the code has statically, in bytes.
    pub dynamic_shared_bytes: u32,
}

/// What a launch passes for one parameter.
#[derive(Clone, Copy)]
pub enum Argument<'a> {
    /// The address of a buffer.
    Buffer(&'a Buffer<'a>),
    /// A value; `bool` is passed as one byte.
    Scalar(Scalar),
}

/// A kernel that can be launched.
pub struct Function<'m> {
    module: &'m Module<'m>,
    raw: CUfunction,
}

impl Function<'_> {
    /// The registers of each thread.
    pub fn registers(&self) -> Result<u32, DriverError> {
        self.attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)
    }

    /// The most threads a block of this kernel may have, which its registers decide.
    pub fn max_threads_per_block(&self) -> Result<u32, DriverError> {
        self.attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
    }

    fn attribute(&self, attribute: CUfunction_attribute) -> Result<u32, DriverError> {
        let driver = self.module.context.driver;
        self.module.context.enter()?;
        let mut value = 0;
        // SAFETY: the pointer is valid and the function of a loaded module.
        let status =
            unsafe { (driver.functions.function_attribute)(&mut value, attribute, self.raw) };
        driver.check("cuFuncGetAttribute", status)?;
        Ok(u32::try_from(value).unwrap_or_default())
    }

    /// Starts the kernel and returns at once; what goes wrong in it the next [`Context::synchronize`] or download says.
    ///
    /// # Safety
    ///
    /// There must be an argument for each parameter of the kernel, of the parameter's size, in its order: the driver
    /// reads as many as the code declares. The kernel must stay within the buffers it is given, which the compiler has
    /// proven or guarded; the buffers must live until the kernel has ended.
    pub unsafe fn launch(
        &self,
        shape: &LaunchShape,
        arguments: &[Argument<'_>],
    ) -> Result<(), DriverError> {
        self.check_shape(shape)?;
        let context = self.module.context;
        let functions = &context.driver.functions;
        context.enter()?;
        if shape.dynamic_shared_bytes > 48 * 1024 {
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            let bytes = c_int::try_from(shape.dynamic_shared_bytes).unwrap_or(c_int::MAX);
            // SAFETY: the function is of a loaded module.
            let status = unsafe { (functions.function_set_attribute)(self.raw, attribute, bytes) };
            context.driver.check("cuFuncSetAttribute", status)?;
        }
        // Every argument has at most eight bytes and the alignment of a u64.
        let mut values: Vec<u64> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Buffer(buffer) => buffer.address,
                Argument::Scalar(value) => u64::from_ne_bytes(value.to_bytes()),
            })
            .collect();
        let mut pointers: Vec<*mut c_void> = values
            .iter_mut()
            .map(|value| std::ptr::from_mut(value).cast::<c_void>())
            .collect();
        let ([gx, gy, gz], [bx, by, bz]) = (shape.grid, shape.block);
        let Some([x, y, z]) = shape.cluster else {
            // SAFETY: the caller vouches for the arguments; the driver copies them before it returns.
            let status = unsafe {
                let (stream, extra) = (std::ptr::null_mut(), std::ptr::null_mut());
                let (shared, parameters) = (shape.dynamic_shared_bytes, pointers.as_mut_ptr());
                (functions.launch)(
                    self.raw, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra,
                )
            };
            return context.driver.check("cuLaunchKernel", status);
        };
        let launch_ex = functions.launch_ex.ok_or(DriverError::TooOld {
            function: "cuLaunchKernelEx",
            needs: "11.8",
        })?;
        let mut attribute = CUlaunchAttribute {
            id: CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
            pad: [0; 4],
            value: CUlaunchAttributeValue {
                clusterDim: CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z },
            },
        };
        let config = CUlaunchConfig {
            gridDimX: gx,
            gridDimY: gy,
            gridDimZ: gz,
            blockDimX: bx,
            blockDimY: by,
            blockDimZ: bz,
            sharedMemBytes: shape.dynamic_shared_bytes,
            hStream: std::ptr::null_mut(),
            attrs: &mut attribute,
            numAttrs: 1,
        };
        // SAFETY: as above; the configuration and its attribute live until the call returns.
        let status = unsafe {
            launch_ex(
                &config,
                self.raw,
                pointers.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        context.driver.check("cuLaunchKernelEx", status)
    }

    /// Says in words what the driver would only call an invalid value.
    fn check_shape(&self, shape: &LaunchShape) -> Result<(), DriverError> {
        let LaunchShape {
            grid,
            block,
            cluster,
            dynamic_shared_bytes,
        } = *shape;
        let properties = &self.module.context.properties;
        let threads = block.iter().fold(1u64, |product, &size| {
            product.saturating_mul(u64::from(size))
        });
        let reason = if grid.contains(&0)
            || block.contains(&0)
            || cluster.is_some_and(|cluster| cluster.contains(&0))
        {
            "every dimension must be at least 1".to_string()
        } else if grid[0] > i32::MAX as u32 || grid[1] > 65_535 || grid[2] > 65_535 {
            "a grid has at most 2147483647 x 65535 x 65535 blocks".to_string()
        } else if block[0] > 1024 || block[1] > 1024 || block[2] > 64 {
            "a block has at most 1024 x 1024 x 64 threads".to_string()
        } else if threads > u64::from(properties.max_threads_per_block) {
            format!(
                "a block of {} has at most {} threads",
                properties.name, properties.max_threads_per_block
            )
        } else if cluster.is_some() && properties.capability.0 < 9 {
            format!(
                "{} ({}) has no clusters, sm_90 is the first",
                properties.name,
                properties.architecture()
            )
        } else if cluster.is_some_and(|cluster| (0..3).any(|axis| grid[axis] % cluster[axis] != 0))
        {
            "the grid must be a multiple of the cluster in every dimension".to_string()
        } else if dynamic_shared_bytes > properties.max_shared_bytes_per_block {
            format!(
                "a block of {} has at most {} bytes of shared memory, {dynamic_shared_bytes} are asked for",
                properties.name, properties.max_shared_bytes_per_block
            )
        } else {
            return Ok(());
        };
        Err(DriverError::LaunchShape {
            grid,
            block,
            cluster,
            reason,
        })
    }
}

/// A point in time on the device, destroyed when dropped.
pub struct Event<'c> {
    context: &'c Context<'c>,
    raw: CUevent,
}

impl Event<'_> {
    /// Sets it to the end of everything launched before.
    pub fn record(&self) -> Result<(), DriverError> {
        self.context.enter()?;
        let functions = &self.context.driver.functions;
        // SAFETY: the event is not destroyed; the null stream is the default one.
        let status = unsafe { (functions.event_record)(self.raw, std::ptr::null_mut()) };
        self.context.driver.check("cuEventRecord", status)
    }

    /// The time from this event to a later one, in microseconds, after waiting for the later one.
    pub fn microseconds_until(&self, end: &Event<'_>) -> Result<f64, DriverError> {
        self.context.enter()?;
        let driver = self.context.driver;
        // SAFETY: the event is not destroyed.
        let status = unsafe { (driver.functions.event_synchronize)(end.raw) };
        driver.check("cuEventSynchronize", status)?;
        let mut milliseconds = 0f32;
        // SAFETY: the pointer is valid and neither event destroyed.
        let status =
            unsafe { (driver.functions.event_elapsed)(&mut milliseconds, self.raw, end.raw) };
        driver.check("cuEventElapsedTime", status)?;
        Ok(f64::from(milliseconds) * 1000.0)
    }
}

impl Drop for Event<'_> {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: created in `event` and destroyed once.
            unsafe { (self.context.driver.functions.event_destroy)(self.raw) };
        }
    }
}
