//! Properties of devices.

use super::super::peak;
use super::{Driver, DriverError, text_of};
use cudarc::driver::sys::{CUdevice, CUdevice_attribute as Attribute, CUuuid};
use maps::hardware::FIRST_WITH_CLUSTERS;
use std::ffi::{c_char, c_int};

/// A CUDA device.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceProperties {
    /// Its number: this is `cuda:ordinal`.
    pub ordinal: u32,
    /// Its name, such as `NVIDIA H200`.
    pub name: String,
    /// Its compute capability, major and minor: (9, 0) is `sm_90`.
    pub capability: (u32, u32),
    /// Its memory, in bytes.
    pub memory_bytes: u64,
    /// What tells it from all others: `GPU-…`, or `MIG-…` for an instance of a GPU that MIG divides; `None` where the
    /// driver does not tell.
    pub uuid: Option<String>,
    /// The highest clock of its multiprocessors, in kHz; 0 where the driver does not tell.
    pub clock_khz: u32,
    /// The memory's clock, in kHz; 0 where the driver does not tell.
    pub memory_clock_khz: u32,
    /// The width of the memory's bus, in bits.
    pub bus_width_bits: u32,
    /// The peak bandwidth of the memory, in GB/s (10^9 bytes per second).
    pub peak_gb_per_s: Option<f64>,
    /// The second-level cache, in bytes.
    pub l2_bytes: u64,
    /// The number of multiprocessors.
    pub multiprocessors: u32,
    /// The threads of a warp.
    pub warp_size: u32,
    /// The most threads a block may have.
    pub max_threads_per_block: u32,
    /// The most shared memory a block may have when it asks for it, in bytes.
    pub max_shared_bytes_per_block: u32,
}

impl DeviceProperties {
    /// The architecture to compile for, such as `sm_90`.
    pub fn architecture(&self) -> String {
        format!("sm_{}{}", self.capability.0, self.capability.1)
    }

    /// Whether blocks can be launched in clusters.
    pub fn has_clusters(&self) -> bool {
        let (major, minor) = self.capability;
        10 * major + minor >= FIRST_WITH_CLUSTERS
    }
}

pub(super) fn read(driver: &Driver, device: CUdevice, ordinal: u32) -> Result<DeviceProperties, DriverError> {
    let mut name: [c_char; 256] = [0; 256];
    // SAFETY: the buffer has the length that is passed, and the device is one the driver gave.
    let status = unsafe { (driver.functions.device_name)(name.as_mut_ptr(), name.len() as c_int, device) };
    driver.check("cuDeviceGetName", status)?;
    let name = text_of(&name);
    let mut memory_bytes = 0usize;
    // SAFETY: the pointer is valid.
    let status = unsafe { (driver.functions.device_memory)(&mut memory_bytes, device) };
    driver.check("cuDeviceTotalMem", status)?;
    let attribute = |attribute: Attribute| -> Result<u32, DriverError> {
        let mut value = 0;
        // SAFETY: the pointer is valid.
        let status = unsafe { (driver.functions.device_attribute)(&mut value, attribute, device) };
        driver.check("cuDeviceGetAttribute", status)?;
        Ok(u32::try_from(value).unwrap_or_default())
    };
    // These are only told, or for the peak; a driver may no longer report them.
    let clock_khz = attribute(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE).unwrap_or_default();
    let memory_clock_khz = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE).unwrap_or_default();
    let bus_width_bits = attribute(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH).unwrap_or_default();
    Ok(DeviceProperties {
        ordinal,
        capability: (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        memory_bytes: memory_bytes as u64,
        uuid: uuid(driver, device, &name),
        clock_khz,
        memory_clock_khz,
        bus_width_bits,
        peak_gb_per_s: peak::from_clock(memory_clock_khz, bus_width_bits).or_else(|| peak::from_name(&name)),
        l2_bytes: u64::from(attribute(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?),
        multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        warp_size: attribute(Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
        max_threads_per_block: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        max_shared_bytes_per_block: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
        name,
    })
}

/// The UUID as NVIDIA's tools write it. An instance of a GPU that MIG divides has one of its own, and `MIG` in its name.
fn uuid(driver: &Driver, device: CUdevice, name: &str) -> Option<String> {
    let mut uuid = CUuuid { bytes: [0; 16] };
    // SAFETY: the pointer is valid and the device one the driver gave.
    let status = unsafe { (driver.functions.device_uuid?)(&mut uuid, device) };
    let digits: String = uuid.bytes.iter().map(|byte| format!("{:02x}", *byte as u8)).collect();
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]).join("-");
    let kind = if name.contains("MIG") { "MIG" } else { "GPU" };
    (status == 0).then(|| format!("{kind}-{parts}"))
}
