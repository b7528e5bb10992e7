//! Parameters: element types, shapes, strides.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use smol_str::SmolStr;

use super::bindings::Binding;
use super::checker::Checker;
use super::claims::Subject;
use super::operand::Operand;
use crate::diagnostics::{self, Diagnostic};
use crate::values::Value;
use dims::{Sym, Symbol};
use kernel::Id;
use kernel::typed::{Memory, Param, ParamId, ParamKind};
use maps::row_major;
use maps::shapes::Shape;
use maps::{AxisRole, UpperAxis};
use syntax::span::Span;
use syntax::tree::{self, Expr};

impl Checker<'_> {
    /// Assumes the facts after the kernel's `where`; tells whether the values of its generic parameters exclude them.
    pub(super) fn assume(&mut self, kernel: &tree::Kernel) -> bool {
        let before = self.evaluator.diagnostics.len();
        kernel.facts.iter().for_each(|fact| self.evaluator.fact(fact));
        let contradicts = |found: &Diagnostic| found.is_of(&diagnostics::CONTRADICTION);
        self.evaluator.diagnostics.get(before..).is_some_and(|found| found.iter().any(contradicts))
    }

    /// Checks the parameters and binds their names.
    pub(super) fn signature(&mut self, kernel: &tree::Kernel) {
        for fact in &self.supposed.facts {
            // One that contradicts the text is left out, and settles nothing.
            let _ = self.evaluator.facts.assume(fact.clone());
        }
        let mut first_of: HashMap<&SmolStr, Span> = HashMap::new();
        for param in &kernel.params {
            let element = self.evaluator.element_type(&param.element);
            let kind = self.param_kind(param);
            match first_of.entry(&param.name.text) {
                Entry::Occupied(first) => {
                    let found = diagnostics::duplicate_param(param.name.span, &param.name.text, *first.get());
                    self.evaluator.diagnostics.push(found);
                }
                Entry::Vacant(place) => _ = place.insert(param.name.span),
            }
            let (Some(element), Some(kind)) = (element, kind) else {
                self.bindings.push(param.name.text.clone(), param.name.span, Binding::Broken);
                continue;
            };
            let id = ParamId::next(self.memories.params.as_slice());
            let binding = match kind {
                ParamKind::Scalar if param.mutable => {
                    let found = diagnostics::mutable_number(&param.name.text, param.element.span, element);
                    self.evaluator.diagnostics.push(found);
                    Binding::Broken
                }
                ParamKind::Scalar if self.supposed.sizes.contains(&param.name.text) => {
                    let size = Sym::symbol(supposed_size(&param.name.text));
                    Binding::Given(Operand::Int(size))
                }
                ParamKind::Scalar => Binding::Scalar(id),
                ParamKind::Tensor { .. } => Binding::Memory(Memory::Param(id)),
            };
            if let (Binding::Memory(memory), ParamKind::Tensor { mutable: false, .. }) = (&binding, &kind) {
                self.raiser.add_read_only(*memory);
            }
            self.memories.params.push(Param { name: param.name.text.clone(), element, kind });
            self.found.record.param_spans.push((param.name.span, param.element.span));
            self.bindings.push(param.name.text.clone(), param.name.span, binding);
        }
    }

    fn param_kind(&mut self, param: &tree::Param) -> Option<ParamKind> {
        let Some(dims) = &param.shape else { return Some(ParamKind::Scalar) };
        self.evaluator.fresh_prefix = param.name.text.clone();
        let shape = self.dimensions(dims)?;
        let strides = match &param.strides {
            Some(strides) if strides.len() != shape.rank() => {
                return self.report(diagnostics::wrong_index_count(
                    param.span,
                    &param.name.text,
                    shape.rank(),
                    strides.len(),
                ));
            }
            Some(strides) => {
                let strides: Vec<Option<Sym>> = strides.iter().map(|stride| self.evaluator.map_size(stride)).collect();
                let strides = strides.into_iter().collect::<Option<Vec<_>>>()?;
                if param.mutable {
                    self.check_overlap(&shape, &strides, param)?;
                }
                strides
            }
            None => self.row_major(&shape, param)?,
        };
        Some(ParamKind::Tensor { mutable: param.mutable, shape: shape.dims, strides })
    }

    fn dimensions(&mut self, dims: &[Expr]) -> Option<Shape> {
        let value = self.evaluator.bracket_literal(dims)?;
        let span = dims.first().map_or_else(Default::default, |first| first.span);
        let span = dims.last().map_or(span, |last| span.to(last.span));
        match value {
            Value::Shape(shape) => Some(shape),
            other => {
                let whole = Expr { kind: syntax::tree::ExprKind::List(dims.to_vec()), span };
                self.evaluator.as_shape(other, &whole)
            }
        }
    }

    /// Checks that two elements of a written tensor have different addresses.
    fn check_overlap(&mut self, shape: &Shape, strides: &[Sym], param: &tree::Param) -> Option<()> {
        let axis = |dim: &Sym| UpperAxis { extent: Some(dim.clone()), role: AxisRole::Thread };
        let upper = shape.dims.iter().map(axis).collect();
        let map = super::whole_tensors::identity(upper, &self.evaluator.facts, strides);
        let map = self.built(param.span, map)?;
        let span = param.strides.iter().flatten().map(|stride| stride.span).reduce(Span::to).unwrap_or(param.span);
        let (name, facts) = (param.name.text.clone(), self.evaluator.facts.clone());
        self.found.record.subjects.push(Subject::Strides { name, map, facts, span });
        Some(())
    }

    fn row_major(&mut self, shape: &Shape, param: &tree::Param) -> Option<Vec<Sym>> {
        self.evaluator.settle(param.span, row_major::strides(&shape.dims))
    }
}

/// The size for which a scalar parameter is taken to find what would be proven then.
pub(super) fn supposed_size(parameter: &SmolStr) -> Symbol {
    Symbol::new(parameter.clone(), u32::MAX)
}
