//! The result of a compilation: machine code, the log, and the resources reported in it.

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
    /// The compiler's output, including warnings.
    pub log: String,
    /// The resources of each kernel, in the order of the log. Empty for PTX, which has no register allocation.
    pub kernels: Vec<KernelResources>,
}

/// The resources of one kernel, as the assembler reports them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelResources {
    /// The kernel's name in the code.
    pub name: String,
    /// Registers for each thread.
    pub registers: u32,
    /// Bytes of spill stores for each thread.
    pub spill_store_bytes: u32,
    /// Bytes of spill loads for each thread.
    pub spill_load_bytes: u32,
    /// Bytes of stack for each thread.
    pub stack_bytes: u32,
    /// Bytes of statically allocated shared memory for each block.
    pub shared_bytes: u32,
}

impl Compiled {
    /// The most registers of a thread of any kernel; `None` if the log has none.
    pub fn registers(&self) -> Option<u32> {
        self.kernels.iter().map(|kernel| kernel.registers).max()
    }

    /// The most bytes of spill stores and loads of a thread of any kernel; `None` if the log has none.
    pub fn spill_bytes(&self) -> Option<u32> {
        self.kernels.iter().map(|kernel| kernel.spill_store_bytes.saturating_add(kernel.spill_load_bytes)).max()
    }
}

/// Parses the assembler's report (`--ptxas-options=-v`) in a log.
pub(super) fn resources(log: &str) -> Vec<KernelResources> {
    let mut kernels: Vec<KernelResources> = Vec::new();
    for line in log.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            let name = rest.split('\'').next().unwrap_or_default().to_string();
            kernels.push(KernelResources { name, ..KernelResources::default() });
        }
        // Ignores lines before the first kernel, and those of functions that are not kernels.
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

/// The number directly before `words`.
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
