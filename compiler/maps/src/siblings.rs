//! The maps that come with `reshape_map`: `linear`, `continuous_linear` and `map2d`.
//!
//! In each the local coordinates come first and the linear thread id of the scope last.

use super::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason, UpperAxis};
use dims::{Facts, Sym};

fn axis(extent: Option<Sym>, role: AxisRole) -> UpperAxis {
    UpperAxis { extent, role }
}

/// `linear(width)` for a number of threads: runs of `width` slots go to the threads in turn, so that the slot of
/// `(index, thread)` is `index % width + (index / width) · width · threads + thread · width`.
///
/// The index is unbounded: a thread's share is as long as the data.
///
/// # Errors
/// A constant width or number of threads below one; a size that overflows 64 bits.
pub fn linear(width: &Sym, threads: &Sym, facts: &Facts) -> Result<IndexMap, MapError> {
    require_positive("the width", width)?;
    require_positive("the number of threads", threads)?;
    let upper = vec![axis(None, AxisRole::Local), axis(Some(threads.clone()), AxisRole::Thread)];
    let mut builder = MapBuilder::new(upper, facts);
    let (index, thread) = (builder.coordinate(0)?, builder.coordinate(1)?);
    let within = builder.remainder(&index, width)?;
    let run = builder.floor_div(&index, width)?.checked_scale(&width.checked_mul(threads)?)?;
    let value = within.checked_add(&run)?.checked_add(&thread.checked_scale(width)?)?;
    builder.finish(vec![LowerAxis { value, extent: None }])
}

/// `continuous_linear(width)`: every thread has `width` slots of its own, `index + thread · width` for indices below
/// the width. Without a number of threads the thread id is unbounded.
///
/// # Errors
/// A constant width below one; a size that overflows 64 bits.
pub fn continuous_linear(width: &Sym, threads: Option<&Sym>, facts: &Facts) -> Result<IndexMap, MapError> {
    require_positive("the width", width)?;
    let upper = vec![axis(Some(width.clone()), AxisRole::Local), axis(threads.cloned(), AxisRole::Thread)];
    let mut builder = MapBuilder::new(upper, facts);
    let (index, thread) = (builder.coordinate(0)?, builder.coordinate(1)?);
    let value = index.checked_add(&thread.checked_scale(width)?)?;
    let extent = threads.map(|threads| threads.checked_mul(width)).transpose()?;
    builder.finish(vec![LowerAxis { value, extent }])
}

/// `map2d(row_length)` for a block of `threads_x` by `threads_y` threads: the block steps over a matrix whose rows
/// have `row_length` slots.
///
/// Upper: the unbounded steps `(ix, iy)` and the linear thread id `idx + threads_x · idy`. With `x = ix · threads_x +
/// idx` and `y = iy · threads_y + idy` the slot is `row_length · y + x`, valid where `x < row_length`.
///
/// # Errors
/// A constant size below one; a size that overflows 64 bits.
pub fn map2d(row_length: &Sym, threads_x: &Sym, threads_y: &Sym, facts: &Facts) -> Result<IndexMap, MapError> {
    require_positive("the row length", row_length)?;
    require_positive("the number of threads", threads_x)?;
    require_positive("the number of threads", threads_y)?;
    let threads = threads_x.checked_mul(threads_y)?;
    let upper = vec![axis(None, AxisRole::Local), axis(None, AxisRole::Local), axis(Some(threads), AxisRole::Thread)];
    let mut builder = MapBuilder::new(upper, facts);
    let (step_x, step_y, thread) = (builder.coordinate(0)?, builder.coordinate(1)?, builder.coordinate(2)?);
    let thread_x = builder.remainder(&thread, threads_x)?;
    let thread_y = builder.floor_div(&thread, threads_x)?;
    let x = step_x.checked_scale(threads_x)?.checked_add(&thread_x)?;
    let y = step_y.checked_scale(threads_y)?.checked_add(&thread_y)?;
    builder.mask(&x, None, Some(row_length), MaskReason::Chunk)?;
    let value: Affine = y.checked_scale(row_length)?.checked_add(&x)?;
    builder.finish(vec![LowerAxis { value, extent: None }])
}

fn require_positive(what: &'static str, value: &Sym) -> Result<(), MapError> {
    match value.as_constant() {
        Some(value) if value <= 0 => Err(MapError::NotPositive { what, value }),
        _ => Ok(()),
    }
}
