//! Values that the threads of a warp pass to each other, in CUDA.

use super::emitter::Emitter;
use super::helper::Helper;
use super::reads::Name;
use super::statements::any_value;
use super::types;
use elements::ElementType;
use kernel::loops::{Shuffle, Step, ValueId};
use kernel::typed::{Lane, Lanes, Taken};

impl Emitter<'_> {
    /// Writes a shuffle, unless nothing needs what it gives: then no lane executes it.
    pub(super) fn shuffle(&mut self, step: &Step, shuffle: &Shuffle) {
        let Shuffle { local, result, value, taken, lanes, .. } = *shuffle;
        let (given, element) = (self.loops.values.element(value), self.loops.values.element(result));
        let of = Name::Constant(step.number);
        self.reads.begin(of);
        let value = self.value(value).text.code;
        let mask = self.mask_of(lanes);
        let call = match taken {
            Taken::Votes => format!("__ballot_sync({mask}, {value})"),
            Taken::Lane { lane, number } => {
                let number = self.value(number).text.code;
                // Other types are those of CUDA's own functions, or become an `int` on the way.
                let function = if is_of_bits(given) {
                    self.helpers.insert(Helper::Shuffle(lane, given));
                    lane.name()
                } else {
                    of_cuda(lane)
                };
                format!("{function}({mask}, {value}, {number})")
            }
        };
        self.reads.end();
        self.use_type(element);
        let source = self.source_name(local);
        let name = self.names.take(&source);
        self.line(&format!("const {} {name} = {call};", types::name(element)));
        self.visible.add(result, any_value(name, element, of));
    }

    /// The mask of the lanes that execute a shuffle.
    fn mask_of(&mut self, lanes: Lanes<ValueId>) -> String {
        if lanes.are_all() {
            return "0xffffffffu".to_owned();
        }
        let first = self.value(lanes.first).text.code;
        format!("{:#x}u << ({first})", lanes.mask)
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
        "__device__ inline {name} {function}(unsigned int mask, {name} value, int number) {{\n    \
         value.bits = {called}(mask, value.bits, number);\n    return value;\n}}\n"
    )
}
