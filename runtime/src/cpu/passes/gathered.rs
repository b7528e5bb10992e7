//! Tensors in which blocks only count: every core has an array of its own, and what is in these is added up in the end.
//!
//! Cores that add to the elements of one tensor wait for each other's cache lines, and an atomic instruction costs as much as
//! twenty others. Where nothing reads the tensor, nobody sees the difference: integers have the same sum in every order.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Mutex;

use dims::{Sym, Symbol};
use elements::ElementType;
use kernel::BoundsChecks;
use kernel::typed::{
    Access, AtomicOperation, ExprKind, Kernel, Memory, MemoryOrder, ParamId, ParamKind, Residence, SharedArray,
    SharedId, Statement, StatementKind,
};
use syntax::span::Span;

use crate::execute::SizedKernel;

/// The most bytes of an array: a part of a core's second cache.
const MOST_BYTES: i64 = 256 << 10;

/// The fewest threads for each element: every core clears its array, and adds it to the tensor.
const FEWEST_THREADS: i64 = 4;

/// A tensor with an array of each core.
#[derive(Clone, Copy, Debug)]
pub struct Gathered {
    pub param: ParamId,
    pub array: SharedId,
    element: ElementType,
    operation: AtomicOperation,
}

/// The kernel with an array in the place of each tensor in which it only counts. Where accesses are checked, it stays as it
/// is: a fault names the tensor.
pub fn gathered<'k>(kernel: Cow<'k, Kernel>, sized: SizedKernel<'_>) -> (Cow<'k, Kernel>, Vec<Gathered>) {
    let counted = counted(&kernel.body);
    if sized.bounds() != BoundsChecks::Proven || counted.is_empty() {
        return (kernel, Vec::new());
    }
    let threads = sized.extent().blocks.saturating_mul(sized.extent().threads);
    let mut kernel = kernel.into_owned();
    let mut found = Vec::new();
    for (param, operation) in counted {
        let Some(length) = length(&kernel, param, sized.sizes()) else { continue };
        let Some(element) = kernel.element(Memory::Param(param)).filter(|element| has_sums(*element)) else { continue };
        let bytes = length.saturating_mul(element.size_bytes() as i64);
        if length < 1 || bytes > MOST_BYTES || threads / FEWEST_THREADS < length {
            continue;
        }
        let array = kernel.shared.push(SharedArray {
            name: "gathered".into(),
            element,
            shape: vec![Sym::constant(length)],
            length: Sym::constant(length),
            held: Residence::Shared,
            // It is zero when a core begins, and goes on from block to block.
            cleared: false,
            exchanged_by: None,
            span: Span::default(),
        });
        Statement::change_accesses(&mut kernel.body, &|access| match access.memory == Memory::Param(param) {
            true => Access { memory: Memory::Shared(array), ..access },
            false => access,
        });
        found.push(Gathered { param, array, element, operation });
    }
    (Cow::Owned(kernel), found)
}

/// Whether numbers of a type have the same sum in every order, and are as wide as those that atomic instructions change.
fn has_sums(element: ElementType) -> bool {
    !element.is_float() && element.size_bytes() >= 4
}

/// The tensors that are only changed by one operation whose results nobody uses, and which leaves other elements as they are
/// where it begins with zeros.
fn counted(body: &[Statement]) -> BTreeMap<ParamId, AtomicOperation> {
    // `None` for one that is accessed in another way.
    let mut found: BTreeMap<ParamId, Option<AtomicOperation>> = BTreeMap::new();
    let mut has_atomics = false;
    Statement::walk(body, &mut |statement| {
        let changed = match &statement.kind {
            StatementKind::Atomic(atomic) => {
                has_atomics = true;
                let begins_with_zeros =
                    matches!(atomic.operation, AtomicOperation::Add | AtomicOperation::Or | AtomicOperation::Xor);
                let is_counting = begins_with_zeros && atomic.result.is_none() && atomic.order == MemoryOrder::Relaxed;
                Some((atomic.access.memory, is_counting.then_some(atomic.operation)))
            }
            StatementKind::Store { access, .. } => Some((access.memory, None)),
            _ => None,
        };
        if let Some((Memory::Param(param), operation)) = changed {
            let known = found.entry(param).or_insert(operation);
            *known = known.filter(|known| Some(*known) == operation);
        }
    });
    if !has_atomics {
        return BTreeMap::new();
    }
    Statement::walk_expressions(body, &mut |expr| {
        if let ExprKind::Load(access) = &expr.kind
            && let Memory::Param(param) = access.memory
        {
            found.insert(param, None);
        }
    });
    found.into_iter().filter_map(|(param, operation)| Some((param, operation?))).collect()
}

/// The number of elements in a tensor's storage.
fn length(kernel: &Kernel, param: ParamId, sizes: &BTreeMap<Symbol, i64>) -> Option<i64> {
    let ParamKind::Tensor { shape, strides, .. } = &kernel.params.get(param)?.kind else { return None };
    let mut last = 0i64;
    for (extent, stride) in shape.iter().zip(strides) {
        let [extent, stride] = [extent, stride].map(|size| size.evaluate(&|symbol| sizes.get(symbol).copied()).ok());
        let (extent, stride) = (extent?, stride?);
        if extent < 1 {
            return None;
        }
        last = last.checked_add((extent - 1).checked_mul(stride)?)?;
    }
    last.checked_add(1)
}

impl Gathered {
    /// Adds what a core has counted to the tensor; the lock is that of the whole launch.
    ///
    /// # Safety
    /// Both addresses are those of as many elements, of the tensor and of an array of a core that has ended. Nothing else
    /// accesses the tensor but other calls with this lock.
    pub unsafe fn add(self, own: u64, tensor: u64, length: usize, lock: &Mutex<()>) {
        let _guard = lock.lock();
        // SAFETY: the caller guarantees it.
        unsafe {
            match self.element.size_bytes() {
                4 => join::<u32>((own, tensor), length, self.joining(u32::wrapping_add, |l, r| l | r, |l, r| l ^ r)),
                _ => join::<u64>((own, tensor), length, self.joining(u64::wrapping_add, |l, r| l | r, |l, r| l ^ r)),
            }
        }
    }

    fn joining<N>(self, add: fn(N, N) -> N, or: fn(N, N) -> N, xor: fn(N, N) -> N) -> fn(N, N) -> N {
        match self.operation {
            AtomicOperation::Or => or,
            AtomicOperation::Xor => xor,
            _ => add,
        }
    }
}

/// # Safety
/// As for [`Gathered::add`].
unsafe fn join<N: Copy>((own, tensor): (u64, u64), length: usize, join: fn(N, N) -> N) {
    // SAFETY: the caller guarantees it.
    let (own, tensor) = unsafe {
        (std::slice::from_raw_parts(own as *const N, length), std::slice::from_raw_parts_mut(tensor as *mut N, length))
    };
    tensor.iter_mut().zip(own).for_each(|(element, counted)| *element = join(*element, *counted));
}

#[cfg(test)]
mod tests;
