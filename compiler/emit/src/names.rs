//! Names that C++ accepts, close to those of the source, no two alike where both can be seen.

use std::collections::BTreeSet;

/// What must not be used: words of C++, what CUDA declares, and what the emitted code calls or defines.
const RESERVED: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "final",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "import",
    "inline",
    "int",
    "long",
    "module",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "blockDim",
    "blockIdx",
    "clusterDim",
    "gridDim",
    "threadIdx",
    "warpSize",
    "bf16",
    "faults",
    "Faults",
    "inside",
    "block",
    "copy_vector",
    "f16",
    "host",
    "linux",
    "thread",
    "unix",
    "divide",
    "floor_divide",
    "floor_remainder",
    "truncating_remainder",
    "round_to_odd",
    "shift_left",
    "sync_warps",
    "wrapping_abs",
    "wrapping_add",
    "wrapping_multiply",
    "wrapping_negate",
    "wrapping_subtract",
    "uint1",
    "uint2",
    "uint4",
    "ushort1",
    "to_i16",
    "to_i32",
    "to_i64",
    "to_i8",
    "to_u16",
    "to_u32",
    "to_u64",
    "to_u8",
    "ceil",
    "ceilf",
    "cos",
    "cosf",
    "exp",
    "exp2",
    "exp2f",
    "expf",
    "fabs",
    "fabsf",
    "floor",
    "floorf",
    "fma",
    "fmaf",
    "fmax",
    "fmaxf",
    "fmin",
    "fminf",
    "fmod",
    "fmodf",
    "log",
    "log2",
    "log2f",
    "logf",
    "max",
    "min",
    "pow",
    "powf",
    "rint",
    "rintf",
    "rsqrt",
    "rsqrtf",
    "sin",
    "sinf",
    "sqrt",
    "sqrtf",
    "tanh",
    "tanhf",
];

/// The names that can be seen at one place of the code.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    reserved: &'static [&'static str],
    taken: BTreeSet<String>,
}

impl Default for Names {
    fn default() -> Names {
        Names::avoiding(RESERVED)
    }
}

impl Names {
    /// Names of another language than C++, with what must not be used there.
    pub fn avoiding(reserved: &'static [&'static str]) -> Names {
        Names { reserved, taken: BTreeSet::new() }
    }

    /// A name for what the source calls `source`, taken from here on.
    pub fn take(&mut self, source: &str) -> String {
        let base = identifier(source);
        let is_free = |name: &str| !self.reserved.contains(&name) && !self.taken.contains(name);
        let mut name = base.clone();
        let mut number = 2;
        while !is_free(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }

    /// Ends the visibility of a name.
    pub fn release(&mut self, name: &str) {
        self.taken.remove(name);
    }
}

/// The source's name with nothing in it that C++ does not allow.
pub(crate) fn identifier(source: &str) -> String {
    let name: String =
        source.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect();
    // Names that start with an underscore belong to the compiler.
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphabetic());
    // Two underscores in a row do so too.
    let mut name = if starts_well { name } else { format!("v{name}") };
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_legal() {
        assert_eq!(identifier("new-shape0"), "new_shape0");
        assert_eq!(identifier("_x"), "v_x");
        assert_eq!(identifier("__a--b"), "v_a_b");
        assert_eq!(identifier(""), "v");
        assert_eq!(identifier("7"), "v7");
        assert_eq!(identifier("größe"), "gr_e");
    }

    #[test]
    fn names_stay_apart() {
        let mut names = Names::default();
        assert_eq!(names.take("x-y"), "x_y");
        assert_eq!(names.take("x_y"), "x_y_2");
        assert_eq!(names.take("float"), "float_2");
        assert_eq!(names.take("min"), "min_2");
        names.release("x_y");
        assert_eq!(names.take("x_y"), "x_y");
    }
}
