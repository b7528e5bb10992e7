//! Machine code on a device, and launches of its kernels.

use super::modules::Loaded;
use super::{Buffer, Context, DriverError};
use crate::tensors::Scalar;
use cudarc::driver::sys::{
    CUfunction, CUfunction_attribute, CUlaunchAttribute, CUlaunchAttributeID, CUlaunchAttributeValue,
    CUlaunchAttributeValue_union__bindgen_ty_1, CUlaunchConfig,
};
use maps::hardware::{FIRST_WITH_CLUSTERS, MOST_BLOCK_SIDES, MOST_GRID_SIDES, STATIC_SHARED_BYTES};
use std::ffi::{CString, c_int, c_void};
use std::rc::Rc;

/// Machine code on a device. The context keeps it when this is dropped.
pub struct Module<'c> {
    pub(super) context: &'c Context<'c>,
    pub(super) loaded: Rc<Loaded>,
}

impl Module<'_> {
    /// A kernel by its name in the code.
    pub fn function(&self, name: &str) -> Result<Function<'_>, DriverError> {
        let no_kernel = || DriverError::NoKernel { name: name.to_string() };
        let symbol = CString::new(name).map_err(|_| no_kernel())?;
        self.context.enter()?;
        let mut raw = std::ptr::null_mut();
        let functions = &self.context.driver.functions;
        // SAFETY: the pointer is valid, the module loaded, the name terminated.
        match unsafe { (functions.module_function)(&mut raw, self.loaded.raw, symbol.as_ptr()) } {
            500 => Err(no_kernel()),
            status => {
                self.context.driver.check("cuModuleGetFunction", status)?;
                Ok(Function { module: self, raw })
            }
        }
    }
}

/// The shape of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchShape {
    /// Blocks in x, y, z, each at least 1.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z, each at least 1.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y, z, for devices of capability 9 and up; the grid must be a multiple of it. `None`
    /// if the code declares its clusters itself, or has none.
    pub cluster: Option<[u32; 3]>,
    /// Dynamic shared memory of each block, in bytes.
    pub dynamic_shared_bytes: u32,
}

/// The argument for one parameter of a launch.
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

    /// The most threads in a block of this kernel, limited by its registers.
    pub fn max_threads_per_block(&self) -> Result<u32, DriverError> {
        self.attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
    }

    /// Allows clusters of more than eight blocks, which not every device with clusters takes.
    pub fn allow_large_clusters(&self) -> Result<(), DriverError> {
        self.set_attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)
    }

    fn set_attribute(&self, attribute: CUfunction_attribute, value: c_int) -> Result<(), DriverError> {
        let context = self.module.context;
        context.enter()?;
        // SAFETY: the function is of a loaded module.
        let status = unsafe { (context.driver.functions.function_set_attribute)(self.raw, attribute, value) };
        context.driver.check("cuFuncSetAttribute", status)
    }

    fn attribute(&self, attribute: CUfunction_attribute) -> Result<u32, DriverError> {
        let driver = self.module.context.driver;
        self.module.context.enter()?;
        let mut value = 0;
        // SAFETY: the pointer is valid and the function of a loaded module.
        let status = unsafe { (driver.functions.function_attribute)(&mut value, attribute, self.raw) };
        driver.check("cuFuncGetAttribute", status)?;
        Ok(u32::try_from(value).unwrap_or_default())
    }

    /// Launches the kernel asynchronously; the next [`Context::synchronize`] or download reports its errors.
    ///
    /// # Safety
    ///
    /// There must be an argument for each parameter of the kernel, of the parameter's size, in its order: the driver
    /// reads as many as the code declares. The kernel must stay within the buffers it is given, which the compiler has
    /// proven or guarded; the buffers must live until the kernel has ended.
    pub unsafe fn launch(&self, shape: &LaunchShape, arguments: &[Argument<'_>]) -> Result<(), DriverError> {
        self.check_shape(shape)?;
        let context = self.module.context;
        let functions = &context.driver.functions;
        context.enter()?;
        if i64::from(shape.dynamic_shared_bytes) > STATIC_SHARED_BYTES {
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            let bytes = c_int::try_from(shape.dynamic_shared_bytes).unwrap_or(c_int::MAX);
            self.set_attribute(attribute, bytes)?;
        }
        // Every argument has at most eight bytes and the alignment of a u64.
        let mut values: Vec<u64> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Buffer(buffer) => buffer.address(),
                Argument::Scalar(value) => u64::from_ne_bytes(value.to_bytes()),
            })
            .collect();
        let mut pointers: Vec<*mut c_void> =
            values.iter_mut().map(|value| std::ptr::from_mut(value).cast::<c_void>()).collect();
        let ([gx, gy, gz], [bx, by, bz]) = (shape.grid, shape.block);
        let Some([x, y, z]) = shape.cluster else {
            // SAFETY: the caller vouches for the arguments; the driver copies them before it returns.
            let status = unsafe {
                let (stream, extra) = (std::ptr::null_mut(), std::ptr::null_mut());
                let (shared, parameters) = (shape.dynamic_shared_bytes, pointers.as_mut_ptr());
                (functions.launch)(self.raw, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra)
            };
            return context.driver.check("cuLaunchKernel", status);
        };
        let launch_ex =
            functions.launch_ex.ok_or(DriverError::TooOld { function: "cuLaunchKernelEx", needs: "11.8" })?;
        let mut attribute = CUlaunchAttribute {
            id: CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
            pad: [0; 4],
            value: CUlaunchAttributeValue { clusterDim: CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z } },
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
        let status = unsafe { launch_ex(&config, self.raw, pointers.as_mut_ptr(), std::ptr::null_mut()) };
        context.driver.check("cuLaunchKernelEx", status)
    }

    /// Checks the shape, for better messages than the driver's "invalid value".
    fn check_shape(&self, shape: &LaunchShape) -> Result<(), DriverError> {
        let LaunchShape { grid, block, cluster, dynamic_shared_bytes } = *shape;
        let properties = &self.module.context.properties();
        let threads = block.iter().fold(1u64, |product, &size| product.saturating_mul(u64::from(size)));
        let reason = if grid.contains(&0) || block.contains(&0) || cluster.is_some_and(|cluster| cluster.contains(&0)) {
            "every dimension must be at least 1".to_string()
        } else if exceeds(grid, MOST_GRID_SIDES) {
            let [x, y, z] = MOST_GRID_SIDES;
            format!("a grid has at most {x} x {y} x {z} blocks")
        } else if exceeds(block, MOST_BLOCK_SIDES) {
            let [x, y, z] = MOST_BLOCK_SIDES;
            format!("a block has at most {x} x {y} x {z} threads")
        } else if threads > u64::from(properties.max_threads_per_block) {
            format!("a block of {} has at most {} threads", properties.name, properties.max_threads_per_block)
        } else if cluster.is_some() && !properties.has_clusters() {
            format!(
                "{} ({}) has no clusters, sm_{FIRST_WITH_CLUSTERS} is the first",
                properties.name,
                properties.architecture()
            )
        } else if cluster.is_some_and(|cluster| (0..3).any(|axis| grid[axis] % cluster[axis] != 0)) {
            "the grid must be a multiple of the cluster in every dimension".to_string()
        } else if dynamic_shared_bytes > properties.max_shared_bytes_per_block {
            format!(
                "a block of {} has at most {} bytes of shared memory, {dynamic_shared_bytes} are asked for",
                properties.name, properties.max_shared_bytes_per_block
            )
        } else {
            return Ok(());
        };
        Err(DriverError::LaunchShape { grid, block, cluster, reason })
    }
}

/// Whether a dimension is larger than its limit.
fn exceeds(sides: [u32; 3], most: [i64; 3]) -> bool {
    sides.into_iter().zip(most).any(|(side, most)| i64::from(side) > most)
}
