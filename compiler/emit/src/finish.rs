//! Emits a whole kernel: its body, and what is around it.

use std::collections::BTreeSet;

use super::emitted::{Emitted, Parameter};
use super::emitter::{Emitter, entry};
use super::reads::Name;
use super::signature;
use dims::{Sym, Symbol};

impl Emitter<'_> {
    /// Emits the kernel, and returns the names that can be left out.
    pub fn finish(mut self) -> (Emitted, BTreeSet<Name>) {
        for param in &self.kernel.params {
            self.use_type(param.element);
        }
        for array in &self.kernel.shared {
            self.use_type(array.element);
        }
        self.clear_shared();
        self.write_body();
        let shared = self.shared_declarations();
        let params = self.kernel.params.ids().map(Parameter::Param);
        let used: Vec<Symbol> = self.used_symbols.iter().cloned().collect();
        let sizes: Vec<Parameter> = used
            .into_iter()
            .map(|symbol| {
                let wide = self.symbol(&symbol).wide;
                Parameter::Size { symbol, wide }
            })
            .collect();
        let lengths = self.lengths.keys().map(|tensor| Parameter::Length(*tensor));
        let faults = (!self.lengths.is_empty()).then_some(Parameter::Faults);
        let parameters: Vec<Parameter> = params.chain(sizes).chain(lengths).chain(faults).collect();
        let entry = entry(self.kernel);
        let source = signature::assemble(&self, &entry, &parameters, &shared);
        let dynamic_shared_bytes = self.dynamic.map_or_else(Sym::zero, |(_, layout)| layout.bytes);
        let (obligations, limits) = (self.obligations, self.limits);
        let has_narrow_form = self.has_narrow_form;
        let emitted = Emitted { source, entry, parameters, has_narrow_form, obligations, limits, dynamic_shared_bytes };
        (emitted, self.reads.needless())
    }
}
