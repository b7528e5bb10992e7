//! Shared arrays in CUDA: their declarations and their initialisation.
//!
//! Small arrays are static arrays. If a block needs more shared memory than is available by default, or if the sizes of the launch
//! decide how much it needs, they are one allocation of dynamic shared memory, whose size the launch passes, with a pointer into
//! it for each array. Those that the threads hold are arrays of each thread; loops over their elements are unrolled, so that they
//! stay in registers.

use super::emitter::Emitter;
use super::sizes::IndexArithmetic as _;
use super::text::{Level, Text};
use super::types;
use kernel::typed::{Memory, Residence, SharedArray, SharedId};
use maps::shapes::Shape;

impl Emitter<'_> {
    /// The declarations of the shared arrays.
    pub fn shared_declarations(&mut self) -> String {
        let mut text = match &self.dynamic {
            Some((name, _)) => format!("    extern __shared__ uint4 {name}[];\n"),
            None => String::new(),
        };
        let dynamic = self.dynamic.clone();
        for (id, array) in self.kernel.shared.entries() {
            let (name, type_name) = (self.memory(Memory::Shared(id)), types::name(array.element));
            let code = match &dynamic {
                _ if array.held == Residence::Registers => format!("{type_name} {name}[{}];", array.length),
                Some((memory, layout)) => {
                    let place = match layout.units.get(id.0 as usize).filter(|unit| !unit.is_zero()) {
                        None => memory.clone(),
                        Some(unit) => {
                            let unit = self.size(unit).text;
                            Text::infix("+", Level::Sum, &Text::primary(memory.clone()), &unit).code
                        }
                    };
                    format!("{type_name} *const {name} = reinterpret_cast<{type_name} *>({place});")
                }
                None => {
                    let aligned = if self.aligned.contains(&id) { "alignas(16) " } else { "" };
                    format!("{aligned}__shared__ {type_name} {name}[{}];", array.length)
                }
            };
            text.push_str(&format!("    {code}  // {}\n", described(array)));
        }
        text
    }

    /// Clears the arrays of which an element may be read before it is written.
    pub fn clear_shared(&mut self) {
        let cleared: Vec<(SharedId, &SharedArray)> =
            self.kernel.shared.entries().filter(|(_, array)| array.cleared).collect();
        if cleared.is_empty() {
            return;
        }
        for (id, array) in cleared {
            let zero = self.zero(array.element).text.code;
            let name = self.shared.get(id).cloned().unwrap_or_default();
            let thread = self.thread().text.code;
            let length = self.size(&array.length).text.at_least(Level::Sum).into_owned();
            match (self.kernel.launch.threads.as_constant(), array.known_length()) {
                (Some(threads), Some(known)) if threads == known => self.line(&format!("{name}[{thread}] = {zero};")),
                (Some(threads), Some(known)) if threads > known => {
                    self.line(&format!("if ({thread} < {length}) {{"));
                    self.line(&format!("    {name}[{thread}] = {zero};"));
                    self.line("}");
                }
                (threads, _) => {
                    let threads = threads.map_or_else(|| "(int)blockDim.x".to_owned(), |threads| threads.to_string());
                    let index = self.names.take("i");
                    self.line(&format!("for (int {index} = {thread}; {index} < {length}; {index} += {threads}) {{"));
                    self.line(&format!("    {name}[{index}] = {zero};"));
                    self.line("}");
                    self.names.release(&index);
                }
            }
        }
        self.line("__syncthreads();");
    }
}

/// The declaration of an array in the source.
fn described(array: &SharedArray) -> String {
    let shape = Shape { dims: array.shape.clone() };
    let part = match array.held {
        Residence::Shared => "",
        Residence::Registers => ", of which each thread holds its elements",
    };
    format!("{}{shape}{part}", array.element)
}
