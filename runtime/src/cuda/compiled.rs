//! What a compilation gives: machine code, the log, and the resources the log tells of.

use serde::{Deserialize, Serialize};

/// The form of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Code {
    /// Machine code of one architecture, an ELF file.
    Cubin,
    /// Text in the virtual instruction set, for the driver to translate.
    Ptx,
}

/// A compiled source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// What `code` is.
    pub form: Code,
    /// The machine code or the text.
    pub code: Vec<u8>,
    /// What the compiler said, warnings included.
    pub log: String,
    /// The resources of each kernel, in the order of the log. Empty for PTX, which no registers are allocated for.
    pub kernels: Vec<KernelResources>,
}

/// What one kernel takes of the machine, as the assembler reports it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelResources {
    /// The kernel's name in the code.
    pub name: String,
    /// Registers for each thread.
    pub registers: u32,
    /// Bytes that each thread stores because registers ran out.
    pub spill_store_bytes: u32,
    /// Bytes that each thread loads back.
    pub spill_load_bytes: u32,
    /// Bytes of stack for each thread.
    pub stack_bytes: u32,
    /// Bytes of statically allocated shared memory for each block.
    pub shared_bytes: u32,
}

impl Compiled {
    /// The most registers that a thread of any kernel takes; `None` if the log did not say.
    pub fn registers(&self) -> Option<u32> {
        self.kernels.iter().map(|kernel| kernel.registers).max()
    }

    /// The most bytes that a thread of any kernel spills, stores and loads together; `None` if the log did not say.
    pub fn spill_bytes(&self) -> Option<u32> {
        self.kernels.iter().map(|kernel| kernel.spill_store_bytes.saturating_add(kernel.spill_load_bytes)).max()
    }
}

/// Reads the assembler's report (`--ptxas-options=-v`) out of a log.
pub(super) fn resources(log: &str) -> Vec<KernelResources> {
    let mut kernels: Vec<KernelResources> = Vec::new();
    for line in log.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            let name = rest.split('\'').next().unwrap_or_default().to_string();
            kernels.push(KernelResources { name, ..KernelResources::default() });
        }
        // What comes before the first kernel, or belongs to a function that is not one, is nobody's.
        let Some(kernel) = kernels.last_mut() else {
            continue;
        };
        if line.contains("bytes stack frame") {
            kernel.stack_bytes = number_before(line, " bytes stack frame").unwrap_or_default();
            kernel.spill_store_bytes = number_before(line, " bytes spill stores").unwrap_or_default();
            kernel.spill_load_bytes = number_before(line, " bytes spill loads").unwrap_or_default();
        } else if let Some(registers) = number_before(line, " registers") {
            kernel.registers = registers;
            kernel.shared_bytes = number_before(line, " bytes smem").unwrap_or_default();
        }
    }
    kernels
}

/// The number that ends where `words` begin.
fn number_before(line: &str, words: &str) -> Option<u32> {
    let before = &line[..line.find(words)?];
    let digits = before.len() - before.bytes().rev().take_while(u8::is_ascii_digit).count();
    before[digits..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_read() {
        let log = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'first' for 'sm_90'
ptxas info    : Function properties for first
ptxas         .     8 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 8 bytes cumulative stack size, 4096 bytes smem
ptxas info    : Compile time = 2.569 ms
ptxas info    : Compiling entry function 'second' for 'sm_90'
ptxas info    : Function properties for second
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 360 bytes cmem[0]
";
        let kernels = resources(log);
        assert_eq!(
            kernels,
            [
                KernelResources {
                    name: "first".to_string(),
                    registers: 255,
                    spill_store_bytes: 16,
                    spill_load_bytes: 24,
                    stack_bytes: 8,
                    shared_bytes: 4096,
                },
                KernelResources { name: "second".to_string(), registers: 8, ..KernelResources::default() },
            ]
        );
        let compiled = Compiled { form: Code::Cubin, code: Vec::new(), log: log.to_string(), kernels };
        assert_eq!((compiled.registers(), compiled.spill_bytes()), (Some(255), Some(40)));
        assert!(resources("no report").is_empty());
        assert!(resources("Compiling entry function 'cut").len() == 1);
    }
}
