//! The arrays of a block on a processor. Code is made for one launch, so their lengths are numbers. The threads of a block are
//! iterations of loops here, so of an array that each thread holds, a block has one for all of them.
//!
//! The elements of one place stand next to each other, those of neighbouring threads in neighbouring places, so that they are
//! loaded together where threads are lanes.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

use dims::{Facts, Sym};
use kernel::typed::{Access, BinaryOp, Expr, Kernel, Residence, SharedArray, Statement};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, UpperAxis};

use crate::execute::error::ExecuteError;

/// The kernel with arrays of so many elements, and with an array of the block, of so many threads, in the place of each array that
/// the threads hold.
pub fn of_block<'k>(kernel: Cow<'k, Kernel>, lengths: &[i64], threads: i64) -> Result<Cow<'k, Kernel>, ExecuteError> {
    let is_final = |array: &SharedArray| array.held == Residence::Shared && array.known_length().is_some();
    if kernel.shared.iter().all(is_final) {
        return Ok(kernel);
    }
    let mut changed = Kernel::clone(&kernel);
    let too_large = || ExecuteError::BlockMemory { kernel: kernel.name.to_string(), bytes: usize::MAX };
    let threads = threads.max(1);
    for (array, length) in changed.shared.iter_mut().zip(lengths) {
        let parts = if array.held == Residence::Registers { threads } else { 1 };
        array.length = Sym::constant(length.checked_mul(parts).ok_or_else(too_large)?);
        array.held = Residence::Shared;
    }
    // A single thread has the whole block.
    if threads > 1 {
        let problem = Cell::new(None);
        Statement::change_accesses(&mut changed.body, &|access| {
            if !kernel.is_held_by_thread(access.memory) {
                return access;
            }
            own(access.clone(), threads, &kernel.facts).unwrap_or_else(|error| {
                problem.set(Some(error));
                access
            })
        });
        if let Some(error) = problem.take() {
            let (kernel, reason) = (kernel.name.to_string(), format!("{error:?}"));
            return Err(ExecuteError::Codegen { kernel, reason });
        }
    }
    Ok(Cow::Owned(changed))
}

/// The access of an element in the part of the own thread.
fn own(access: Access, threads: i64, facts: &Facts) -> Result<Access, MapError> {
    let map = Arc::new(of_thread(&access.map, threads, facts)?);
    let mut coordinates = access.coordinates;
    coordinates.push(Expr::thread_id());
    let before = Expr::binary(BinaryOp::Multiply, access.offset, Expr::int(threads));
    let offset = Expr::binary(BinaryOp::Add, before, Expr::thread_id());
    Ok(Access { map, coordinates, offset, ..access })
}

/// The map from the coordinates of an access and the thread to the element.
fn of_thread(map: &IndexMap, threads: i64, facts: &Facts) -> Result<IndexMap, MapError> {
    let threads = Sym::constant(threads);
    let mut upper = map.upper.clone();
    upper.push(UpperAxis { extent: Some(threads.clone()), role: AxisRole::Local });
    let mut builder = MapBuilder::new(upper, facts);
    let mut coordinates = builder.coordinates()?;
    let thread = coordinates.pop().unwrap_or_else(|| Affine::constant(Sym::zero()));
    let [place] = builder.apply(map, &coordinates)?.try_into().map_err(|_| MapError::Malformed)?;
    let value = place.value.checked_scale(&threads)?.checked_add(&thread)?;
    let extent = place.extent.map(|extent| extent.checked_mul(&threads)).transpose()?;
    builder.finish(vec![LowerAxis { value, extent }])
}
