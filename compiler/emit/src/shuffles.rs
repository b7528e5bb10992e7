//! Values that the threads of a warp pass to each other, in CUDA.

use super::emitter::Emitter;
use super::helpers::Helper;
use super::reads::Name;
use super::statements::any_value;
use super::types;
use elements::ElementType;
use kernel::loops::{Shuffle, Step};
use kernel::typed::Lane;

impl Emitter<'_> {
    /// Writes a shuffle, unless nothing needs what it gives: then no lane executes it.
    pub(super) fn shuffle(&mut self, step: &Step, shuffle: &Shuffle) {
        let Shuffle { local, taken, value, lane, number } = *shuffle;
        let element = self.loops.values.element(value);
        let of = Name::Constant(step.number);
        self.reads.begin(of);
        let (value, number) = (self.value(value).text.code, self.value(number).text.code);
        self.reads.end();
        self.use_type(element);
        // Other types are those of CUDA's own functions, or become an `int` on the way.
        let call = if is_of_bits(element) {
            self.helpers.insert(Helper::Shuffle(lane, element));
            format!("{}({value}, {number})", lane.name())
        } else {
            format!("{}(0xffffffffu, {value}, {number})", of_cuda(lane))
        };
        let source = self.source_name(local);
        let name = self.names.take(&source);
        self.line(&format!("const {} {name} = {call};", types::name(element)));
        self.visible.add(taken, any_value(name, element, of));
    }
}

/// Whether CUDA knows the type only as the bits that a struct of ours holds.
fn is_of_bits(element: ElementType) -> bool {
    element.definition().cuda_declaration.is_some()
}

/// CUDA's function.
const fn of_cuda(lane: Lane) -> &'static str {
    match lane {
        Lane::At => "__shfl_sync",
        Lane::Up => "__shfl_up_sync",
        Lane::Down => "__shfl_down_sync",
        Lane::Xor => "__shfl_xor_sync",
    }
}

/// Our function for a type of ours.
pub(super) fn definition(lane: Lane, element: ElementType) -> String {
    let (name, function, called) = (types::name(element), lane.name(), of_cuda(lane));
    format!(
        "__device__ inline {name} {function}({name} value, int number) {{\n    \
         value.bits = {called}(0xffffffffu, value.bits, number);\n    return value;\n}}\n"
    )
}
