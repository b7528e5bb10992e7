//! What an expectation compares: the tensors of a run, and the files beside them.

use std::collections::BTreeMap;

use kernel::typed::{Kernel, ParamId, ParamKind};

use crate::execute::Argument;
use crate::tensors::Tensor;

/// The tensors of a run.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// The kernel's parameters after the run.
    pub finals: &'a [Argument],
    /// The parameters before the run that [`initials_needed`](super::initials_needed) names.
    pub initials: &'a BTreeMap<ParamId, Argument>,
    /// The files that [`files_needed`](super::files_needed) names.
    pub files: &'a BTreeMap<String, Tensor>,
}

/// Whether the kernel may write a parameter.
pub(super) fn is_written(kernel: &Kernel, id: ParamId) -> bool {
    let param = kernel.params.get(id);
    param.is_some_and(|param| matches!(param.kind, ParamKind::Tensor { mutable: true, .. }))
}
