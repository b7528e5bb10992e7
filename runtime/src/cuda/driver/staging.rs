//! Large copies between host and device. They go in pieces through a pair of pinned buffers, which the device reads and
//! writes by itself: while it copies one piece, the host copies the next one.
//!
//! The buffers are made for the first large copy and kept as long as the context. Where the system grants no pinned
//! memory, the driver copies from and to pageable memory, which takes longer and gives the same bytes.

use super::{Context, DriverError};
use cudarc::driver::sys::{CUdeviceptr, CUevent};
use std::cell::RefCell;
use std::ffi::c_void;
use std::ops::Range;

/// The bytes of each buffer, and the most of a piece.
const PIECE: usize = 16 << 20;
/// Up to this size the driver copies through pinned memory of its own, in one call.
const SMALL: usize = 64 << 10;
/// An event that only tells whether it has been reached, `CU_EVENT_DISABLE_TIMING`.
const WITHOUT_TIME: u32 = 2;

/// The pinned buffers of a context.
#[derive(Default)]
pub(super) struct Staging(RefCell<State>);

#[derive(Default)]
enum State {
    /// No copy has needed them yet.
    #[default]
    Unused,
    Ready([Pinned; 2]),
    /// The driver's words on why there are none.
    Refused(String),
}

/// A buffer of [`PIECE`] bytes, and the event after its last copy.
struct Pinned {
    start: *mut u8,
    copied: CUevent,
}

impl Context<'_> {
    /// Copies bytes to an address on the device, behind everything launched before; returns when `source` may change
    /// again.
    pub(super) fn copy_to_device(&self, to: CUdeviceptr, source: &[u8]) -> Result<(), DriverError> {
        self.enter()?;
        if source.len() > SMALL {
            self.make_staging()?;
            if let State::Ready(pair) = &mut *self.staging.0.borrow_mut() {
                return self.stage_to_device(pair, to, source);
            }
        }
        // SAFETY: the caller's buffer has `source.len()` bytes from `to` on, and the call returns when the source has
        // been read.
        let status = unsafe { (self.driver.functions.copy_to_device)(to, source.as_ptr().cast(), source.len()) };
        self.driver.check("cuMemcpyHtoD", status)
    }

    /// Copies bytes from an address on the device, after everything launched before; returns when they are there.
    pub(super) fn copy_to_host(&self, target: &mut [u8], from: CUdeviceptr) -> Result<(), DriverError> {
        self.enter()?;
        if target.len() > SMALL {
            self.make_staging()?;
            if let State::Ready(pair) = &mut *self.staging.0.borrow_mut() {
                return self.stage_to_host(pair, target, from);
            }
        }
        // SAFETY: the caller's buffer has `target.len()` bytes from `from` on, and the call returns when the target has
        // been written.
        let status = unsafe { (self.driver.functions.copy_to_host)(target.as_mut_ptr().cast(), from, target.len()) };
        self.driver.check("cuMemcpyDtoH", status)
    }

    /// What the user should know of the copies so far.
    pub fn note_on_copies(&self) -> Option<String> {
        let State::Refused(reason) = &*self.staging.0.borrow() else { return None };
        Some(format!("large copies take longer than they could: the system grants no pinned memory ({reason})"))
    }

    /// Frees the buffers; no copy can use them afterwards.
    pub(super) fn free_staging(&self) {
        if let State::Ready(pair) = self.staging.0.take() {
            pair.iter().for_each(|pinned| self.free_pinned(pinned));
        }
    }

    fn stage_to_device(&self, pair: &mut [Pinned; 2], to: CUdeviceptr, source: &[u8]) -> Result<(), DriverError> {
        for (number, piece) in pieces(source.len()).enumerate() {
            let pinned = &mut pair[number % 2];
            self.wait_for(pinned)?;
            pinned.bytes(piece.len()).copy_from_slice(&source[piece.clone()]);
            let (to, from) = (to + piece.start as u64, pinned.start.cast::<c_void>());
            let copy = self.driver.functions.copy_to_device_async;
            // SAFETY: the piece lies in the caller's buffer; the pinned one has as many bytes, which nobody changes
            // before the event that is recorded next. The null stream is the default one.
            let status = unsafe { copy(to, from, piece.len(), std::ptr::null_mut()) };
            self.driver.check("cuMemcpyHtoDAsync", status)?;
            self.record(pinned)?;
        }
        Ok(())
    }

    fn stage_to_host(&self, pair: &mut [Pinned; 2], target: &mut [u8], from: CUdeviceptr) -> Result<(), DriverError> {
        let mut begun: Option<(usize, Range<usize>)> = None;
        for (number, piece) in pieces(target.len()).enumerate() {
            self.begin_to_host(&pair[number % 2], from + piece.start as u64, piece.len())?;
            if let Some((earlier, piece)) = begun.replace((number, piece)) {
                self.finish_to_host(&mut pair[earlier % 2], &mut target[piece])?;
            }
        }
        begun.map_or(Ok(()), |(last, piece)| self.finish_to_host(&mut pair[last % 2], &mut target[piece]))
    }

    fn begin_to_host(&self, pinned: &Pinned, from: CUdeviceptr, bytes: usize) -> Result<(), DriverError> {
        let copy = self.driver.functions.copy_to_host_async;
        // SAFETY: the piece lies in the caller's buffer; the pinned one has as many bytes, which nobody reads before the
        // event that is recorded next, and earlier copies from it are before this one in the default stream.
        let status = unsafe { copy(pinned.start.cast(), from, bytes, std::ptr::null_mut()) };
        self.driver.check("cuMemcpyDtoHAsync", status)?;
        self.record(pinned)
    }

    fn finish_to_host(&self, pinned: &mut Pinned, target: &mut [u8]) -> Result<(), DriverError> {
        self.wait_for(pinned)?;
        target.copy_from_slice(pinned.bytes(target.len()));
        Ok(())
    }

    /// Marks the end of the copy that was just begun.
    fn record(&self, pinned: &Pinned) -> Result<(), DriverError> {
        // SAFETY: the event is not destroyed; the null stream is the default one.
        let status = unsafe { (self.driver.functions.event_record)(pinned.copied, std::ptr::null_mut()) };
        self.driver.check("cuEventRecord", status)
    }

    /// Waits for the last copy of a buffer, if there was one.
    fn wait_for(&self, pinned: &Pinned) -> Result<(), DriverError> {
        // SAFETY: the event is not destroyed.
        let status = unsafe { (self.driver.functions.event_synchronize)(pinned.copied) };
        self.driver.check("cuEventSynchronize", status)
    }

    /// Makes the buffers if no copy has needed them yet.
    fn make_staging(&self) -> Result<(), DriverError> {
        let mut state = self.staging.0.borrow_mut();
        if !matches!(*state, State::Unused) {
            return Ok(());
        }
        let pair = self.allocate_pinned().and_then(|first| match self.allocate_pinned() {
            Ok(second) => Ok([first, second]),
            Err(error) => {
                self.free_pinned(&first);
                Err(error)
            }
        });
        *state = match pair {
            Ok(pair) => State::Ready(pair),
            // Memory is short, the operating system refuses, the user may not, the device cannot.
            Err(DriverError::Call { code: 2 | 304 | 800 | 801, text, .. }) => State::Refused(text),
            Err(error) => return Err(error),
        };
        Ok(())
    }

    fn allocate_pinned(&self) -> Result<Pinned, DriverError> {
        let functions = &self.driver.functions;
        let mut start = std::ptr::null_mut();
        // SAFETY: the pointer is valid, and the context current.
        let status = unsafe { (functions.host_allocate)(&mut start, PIECE) };
        self.driver.check("cuMemAllocHost", status)?;
        let mut pinned = Pinned { start: start.cast(), copied: std::ptr::null_mut() };
        // SAFETY: the pointer is valid.
        let status = unsafe { (functions.event_create)(&mut pinned.copied, WITHOUT_TIME) };
        let made = self.driver.check("cuEventCreate", status);
        made.inspect_err(|_| self.free_pinned(&pinned))?;
        Ok(pinned)
    }

    fn free_pinned(&self, pinned: &Pinned) {
        let functions = &self.driver.functions;
        if self.enter().is_err() {
            return;
        }
        if !pinned.copied.is_null() {
            // The device must not copy into memory that belongs to nobody. After an error that stays it copies nothing.
            let _: Result<(), DriverError> = self.wait_for(pinned);
            // SAFETY: created in `allocate_pinned` and destroyed once.
            unsafe { (functions.event_destroy)(pinned.copied) };
        }
        // SAFETY: allocated in `allocate_pinned` and freed once; its last copy has ended.
        unsafe { (functions.host_free)(pinned.start.cast()) };
    }
}

impl Pinned {
    /// Its first bytes. The caller has waited for the last copy.
    fn bytes(&mut self, count: usize) -> &mut [u8] {
        // SAFETY: the buffer has PIECE bytes, which `self` owns and the device does not use, and no piece has more.
        unsafe { std::slice::from_raw_parts_mut(self.start, count.min(PIECE)) }
    }
}

/// The pieces of a copy of so many bytes, in order.
fn pieces(bytes: usize) -> impl Iterator<Item = Range<usize>> {
    (0..bytes).step_by(PIECE).map(move |start| start..bytes.min(start.saturating_add(PIECE)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
