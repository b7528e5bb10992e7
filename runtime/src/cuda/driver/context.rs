//! An open device: its memory, loaded code, launches and timing.

use super::modules::Modules;
use super::staging::Staging;
use super::{DeviceProperties, Driver, DriverError};
use cudarc::driver::sys::{CUcontext, CUdevice, CUdeviceptr, CUevent};
use std::time::{Duration, Instant};

/// An open device. All work is in order on the default stream, and nothing made from it outlives it.
pub struct Context<'d> {
    pub(super) driver: &'d Driver,
    device: CUdevice,
    raw: CUcontext,
    properties: DeviceProperties,
    /// The code that is loaded.
    pub(super) modules: Modules,
    /// The pinned memory of large copies.
    pub(super) staging: Staging,
}

impl<'d> Context<'d> {
    pub(super) fn open(driver: &'d Driver, ordinal: u32) -> Result<Context<'d>, DriverError> {
        let device = driver.device(ordinal)?;
        let properties = super::properties::read(driver, device, ordinal)?;
        let mut raw = std::ptr::null_mut();
        let _asked = super::opening("the NVIDIA driver (cuDevicePrimaryCtxRetain)").begin();
        // SAFETY: the pointer is valid and the device one the driver gave.
        let status = unsafe { (driver.functions.context_retain)(&mut raw, device) };
        driver.check("cuDevicePrimaryCtxRetain", status)?;
        Ok(Context { driver, device, raw, properties, modules: Modules::default(), staging: Staging::default() })
    }

    /// The properties of the device.
    pub fn properties(&self) -> &DeviceProperties {
        &self.properties
    }

    /// Makes this the context of the calling thread, as every function below needs it.
    pub(super) fn enter(&self) -> Result<(), DriverError> {
        // SAFETY: the context is retained until `self` is dropped.
        let status = unsafe { (self.driver.functions.context_set_current)(self.raw) };
        self.driver.check("cuCtxSetCurrent", status)
    }

    /// Allocates uninitialised device memory. For 0 bytes nothing is allocated.
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
        Ok(Buffer { context: self, address, bytes })
    }

    /// Waits until all launches have ended, and reports their errors.
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

    /// The time of a launch, and why the device did not tell it: then it is the host's. Waits until it has ended.
    pub fn time_or_wait(
        &self,
        launch: impl FnOnce() -> Result<(), DriverError>,
    ) -> Result<(Duration, Option<DriverError>), DriverError> {
        let events = self.event().and_then(|start| Ok((start, self.event()?)));
        let events = events.and_then(|(start, end)| start.record().map(|()| (start, end)));
        let begin = Instant::now();
        launch()?;
        let events = events.and_then(|(start, end)| end.record().map(|()| (start, end)));
        self.synchronize()?;
        let elapsed = begin.elapsed();
        Ok(match events.and_then(|(start, end)| start.microseconds_until(&end)) {
            Ok(microseconds) => (Duration::try_from_secs_f64(microseconds / 1e6).unwrap_or_default(), None),
            Err(error) => (elapsed, Some(error)),
        })
    }

    /// The time of a launch on the device. Waits until it has ended.
    pub fn time(&self, launch: impl FnOnce() -> Result<(), DriverError>) -> Result<Duration, DriverError> {
        let (start, end) = (self.event()?, self.event()?);
        start.record()?;
        launch()?;
        end.record()?;
        self.synchronize()?;
        // An invalid time from the driver counts as zero.
        Ok(Duration::try_from_secs_f64(start.microseconds_until(&end)? / 1e6).unwrap_or_default())
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        self.free_staging();
        self.unload_all();
        // SAFETY: retained once in `open`; everything made from the context borrowed it and is gone.
        unsafe { (self.driver.functions.context_release)(self.device) };
    }
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
        if source.is_empty() { Ok(()) } else { self.context.copy_to_device(self.address, source) }
    }

    /// Copies all bytes from the device, after everything launched before; returns when they are there.
    pub fn download(&self, target: &mut [u8]) -> Result<(), DriverError> {
        self.check_size(target.len())?;
        if target.is_empty() { Ok(()) } else { self.context.copy_to_host(target, self.address) }
    }

    /// Sets every byte, after everything launched before.
    pub fn fill(&self, byte: u8) -> Result<(), DriverError> {
        if self.bytes == 0 {
            return Ok(());
        }
        self.context.enter()?;
        let functions = &self.context.driver.functions;
        // SAFETY: the buffer has `bytes` bytes; the null stream is the default one.
        let status = unsafe { (functions.memory_set)(self.address, byte, self.bytes, std::ptr::null_mut()) };
        self.context.driver.check("cuMemsetD8Async", status)
    }

    fn check_size(&self, found: usize) -> Result<(), DriverError> {
        if found == self.bytes {
            return Ok(());
        }
        Err(DriverError::CopySize { expected: self.bytes as u64, found: found as u64 })
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
        let status = unsafe { (driver.functions.event_elapsed)(&mut milliseconds, self.raw, end.raw) };
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
