//! Names of other languages that stand in kernels, and their counterparts.

use elements::ElementType;

/// What is said of a name of another language.
pub(super) struct ForeignName {
    /// What to write.
    pub(super) advice: &'static str,
    /// The word that may stand in its place.
    pub(super) ours: Option<&'static str>,
}

/// Names elsewhere, with the advice for them.
type Line = (&'static [&'static str], &'static str);

/// Names elsewhere, with the word that stands in their place.
const WORDS: &[(&[&str], &str)] = &[
    (
        &[
            "INFINITY",
            "Infinity",
            "HUGE_VAL",
            "HUGE_VALF",
            "CUDART_INF",
            "CUDART_INF_F",
            "Inf",
            "infinity",
            "INF",
            "FLT_INF",
        ],
        "inf",
    ),
    (&["NAN", "NaN", "CUDART_NAN", "CUDART_NAN_F"], "nan"),
    (&["True", "TRUE", "YES"], "true"),
    (&["False", "FALSE", "NO"], "false"),
];

/// Names without a word in their place.
const ADVICE: &[Line] = &[
    (
        &["None", "null", "nullptr", "NULL", "nil", "undefined"],
        "nothing is empty here: a variable begins with a value, `let mut a = 0.0;`; `t.insert(0)` adds a dimension to a tile",
    ),
    (&["newaxis"], "`t.insert(0)` adds a dimension to a tile"),
    (
        &["FLT_MAX", "FLOAT_MAX"],
        "the largest `f32` is `3.4028235e38`; a maximum begins with `-inf`, and a minimum with `inf`",
    ),
    (&["FLT_MIN"], "the smallest normal `f32` is `1.1754944e-38`; a maximum begins with `-inf`"),
    (&["FLT_EPSILON"], "the distance from 1 to the next `f32` is `1.1920929e-7`"),
    (&["DBL_MAX"], "the largest `f64` is `1.7976931348623157e308`; a maximum begins with `-inf`"),
    (&["INT_MAX", "INT32_MAX"], "the largest `i32` is `2147483647`"),
    (&["INT_MIN", "INT32_MIN"], "the smallest `i32` is `-2147483648`"),
    (&["UINT_MAX", "UINT32_MAX"], "the largest `u32` is `4294967295`"),
    (&["M_PI", "PI", "pi"], "write the number: `3.141592653589793`"),
    (&["M_E"], "write the number: `2.718281828459045`"),
    (&["auto", "var", "const"], NAMED),
    (&["while", "loop", "do"], "every loop is bounded: `for i in lo..hi { … }`, or `while c max n { … }`"),
    (&["break", "continue"], "write it as a statement of its own, `break;`, in a loop one step at a time"),
    (&["return"], "nothing leaves a kernel early: put the rest under an `if`"),
];

/// How values and variables are declared.
const NAMED: &str = "a value is named by `let NAME = …;`, and a variable by `let mut NAME = …;`";

/// What is said of a name of another language.
pub(super) fn foreign_name(name: &str) -> Option<ForeignName> {
    if let Some(ours) = word(name) {
        return Some(ForeignName { advice: "", ours: Some(ours) });
    }
    let advice = ADVICE.iter().find(|(names, _)| names.contains(&name)).map(|(_, advice)| *advice);
    let advice = advice.or_else(|| ElementType::from_elsewhere(name).map(|_| NAMED))?;
    Some(ForeignName { advice, ours: None })
}

/// The word that stands here for a name of another language.
pub(super) fn word(name: &str) -> Option<&'static str> {
    WORDS.iter().find(|(names, _)| names.contains(&name)).map(|(_, ours)| *ours)
}

/// Whether other languages use a name for an id or for the number of blocks or threads.
pub(super) fn is_id(name: &str) -> bool {
    IDS_ELSEWHERE.contains(&name)
}

/// Names of ids and of numbers of blocks and threads.
const IDS_ELSEWHERE: &[&str] = &[
    "thread",
    "thread_id",
    "threadIdx",
    "tid",
    "block",
    "block_id",
    "blockIdx",
    "blockDim",
    "gridDim",
    "program_id",
    "warp",
    "warp_id",
    "warpSize",
    "lane",
    "lane_id",
    "laneid",
];

/// Modules of other languages with functions for kernels.
const MODULES: &[&str] =
    &["tl", "triton", "cuda", "ti", "wp", "np", "numpy", "torch", "math", "std", "jnp", "cp", "cupy", "F"];

/// Whether a name is that of a module of other languages with functions for kernels.
pub(super) fn is_module(name: &str) -> bool {
    MODULES.contains(&name)
}

/// What is said of a module without what is taken from it.
pub(super) const OF_MODULES: &str = "there are no modules: a function is called by its name alone, `exp(x[i])`, and what a kernel loads and stores are \
     elements, `y[i] = x[i];`";

/// The constant that a member of a module means: `math.inf`.
pub(super) fn constant(member: &str) -> Option<&'static str> {
    ["inf", "nan"].into_iter().find(|name| *name == member).or_else(|| word(member))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_name_has_two_lines() {
        let mut seen = HashSet::new();
        let names = WORDS.iter().flat_map(|(names, _)| *names).chain(ADVICE.iter().flat_map(|(names, _)| *names));
        for name in names {
            assert!(seen.insert(name), "{name}");
        }
    }
}
