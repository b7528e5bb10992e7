//! The memories of a kernel: tensors and shared arrays.

use smol_str::SmolStr;

use dims::Sym;
use elements::ElementType;
use kernel::Table;
use kernel::typed::{Memory, Param, ParamId, ParamKind, SharedArray, SharedId};

/// The memories of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Memories {
    /// Its parameters, in order.
    pub(super) params: Table<ParamId, Param>,
    /// Its shared arrays, in the order of their declarations.
    pub(super) shared: Table<SharedId, SharedArray>,
}

impl Memories {
    /// The parameter, if the memory is one.
    pub(super) fn param(&self, memory: Memory) -> Option<&Param> {
        self.params.get(memory.param()?)
    }

    /// The shared array, if the memory is one.
    pub(super) fn shared_array(&self, memory: Memory) -> Option<&SharedArray> {
        match memory {
            Memory::Shared(array) => self.shared.get(array),
            Memory::Param(_) => None,
        }
    }

    /// The element type.
    pub(super) fn element_of(&self, memory: Memory) -> Option<ElementType> {
        let param = self.param(memory).map(|param| param.element);
        param.or_else(|| self.shared_array(memory).map(|array| array.element))
    }

    /// Its name in the source.
    pub(super) fn name(&self, memory: Memory) -> SmolStr {
        let param = self.param(memory).map(|param| &param.name);
        let name = param.or_else(|| self.shared_array(memory).map(|array| &array.name));
        name.cloned().unwrap_or_default()
    }

    /// The extents of its indices; none for a scalar.
    pub(super) fn shape(&self, memory: Memory) -> Vec<Sym> {
        match self.param(memory).map(|param| &param.kind) {
            Some(ParamKind::Tensor { shape, .. }) => shape.clone(),
            Some(ParamKind::Scalar) => Vec::new(),
            None => self.shared_array(memory).map(|array| array.shape.clone()).unwrap_or_default(),
        }
    }
}
