//! Phrases of other languages that have no part here: what is said of each, one line of a table for a new one.

use crate::token::TokenKind;

/// A phrase of another language.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Phrase {
    /// What is wrong, without the text that was found.
    pub(crate) message: &'static str,
    /// What to write.
    pub(crate) help: &'static str,
    /// What the edits do, where there are some.
    pub(crate) title: &'static str,
}

/// The phrase of these texts.
const fn phrase(message: &'static str, help: &'static str, title: &'static str) -> Phrase {
    Phrase { message, help, title }
}

/// `def f(x):` and the like.
static FUNCTION: Phrase = phrase(
    "a function is declared by `fn`",
    "write `fn f(x) = 2.0 * x`, or with steps `fn f(x) { let a = 2.0 * x; a + 1.0 }`; what stores to tensors is a `kernel`",
    "write `fn`",
);

/// `__global__ void f(float *x)` and the like.
static KERNEL: Phrase = phrase(
    "a kernel is declared by `kernel`, and the type of a parameter stands behind its name",
    "write `kernel f(x: f32[N], y: mut f32[N]) { for i in grid(N) { y[i] = x[i]; } }`, with its sizes declared before: `dim N;`",
    "write `kernel`",
);

/// `import numpy as np` and the like.
static IMPORT: Phrase = phrase(
    "there are no modules to take in",
    "leave it out: all functions are there by their names; `use \"other.shape\";` takes in a file of this language",
    "leave it out",
);

/// `@triton.jit`
static DECORATOR: Phrase = phrase(
    "nothing stands above a declaration to say what it is",
    "leave it out: the word `kernel` or `fn` says it",
    "leave it out",
);

/// `#include <cuda.h>`, `#pragma once`
static PREPROCESSOR: Phrase = phrase(
    "there is no preprocessor",
    "leave it out; `use \"other.shape\";` takes in a file of this language",
    "leave it out",
);

/// `#define A 4`, `constexpr int A = 4;`
static CONSTANT: Phrase = phrase(
    "a number that is known everywhere is defined by `const`",
    "write `const A = 64;`, or `dim N;` for a size that a run gives",
    "write `const`",
);

/// `struct pair { … };`
static STRUCT: Phrase = phrase(
    "there are no types of one's own",
    "numbers that belong together are several parameters or variables; many of them are a tensor, `x: f32[N, 2]`",
    "",
);

/// `f<<<blocks, threads>>>(x, y);`
static LAUNCH: Phrase = phrase(
    "a kernel is started by an item `run`, and knows its own blocks and threads",
    "write `run f(x: arange, y: zeros) with N = 1000;`",
    "",
);

/// `__device__ float f(float x) { … }`
static DEVICE: Phrase = phrase(
    "a function that kernels call is declared by `fn`, and its value is its last expression",
    "write `fn f(x: f32) -> f32 { x * x }`, or `fn f(x) = x * x`",
    "write `fn`",
);

/// First words of items of other languages, and what is said of them.
static ITEMS: &[(&[&str], &Phrase)] = &[
    (&["def", "func", "function", "fun", "lambda"], &FUNCTION),
    (&["inline", "__device__", "__forceinline__", "template"], &DEVICE),
    (&["__global__", "void"], &KERNEL),
    (&["import", "from", "using", "include", "require"], &IMPORT),
    (&["constexpr", "static", "auto"], &CONSTANT),
    (&["struct", "class", "typedef", "enum", "type"], &STRUCT),
];

/// What is said of an item that begins with these tokens; nothing if it may be one of this language.
pub(crate) fn of_item(texts: [&str; 3], kinds: [Option<TokenKind>; 3]) -> Option<&'static Phrase> {
    let named = kinds[1].is_some_and(TokenKind::is_word);
    let is = |words: &[&str]| words.contains(&texts[0]);
    match (texts[0], kinds[1]) {
        ("@", _) if named => Some(&DECORATOR),
        ("#", _) if texts[1] == "define" => Some(&CONSTANT),
        ("#", _) if named => Some(&PREPROCESSOR),
        ("template", Some(TokenKind::Less)) => Some(&DEVICE),
        (_, Some(TokenKind::ShiftLeft)) if kinds[2] == Some(TokenKind::Less) => Some(&LAUNCH),
        _ if named && kinds[0] == Some(TokenKind::Name) => {
            ITEMS.iter().find(|(words, _)| is(words)).map(|(_, phrase)| *phrase)
        }
        _ => None,
    }
}

/// Whether a phrase stands for nothing here, so that it can be left out.
pub(crate) fn is_left_out(phrase: &Phrase) -> bool {
    phrase.title == "leave it out"
}

/// `2.`, `.5`
pub(crate) static POINT: Phrase =
    phrase("a number has digits on both sides of its point", "write `2.0` and `0.5`", "write both digits");

/// `#pragma unroll`
pub(crate) static PRAGMA: Phrase = phrase(
    "nothing is said to the compiler by `#`",
    "leave it out: loops over few iterations are unrolled by themselves",
    "leave it out",
);

/// `#define A 4` in a body.
pub(crate) static DEFINITION: Phrase =
    phrase("a number that is known before the kernel runs is defined by `const`", "write `const A = 64;`", "");

/// `switch (i) { case 0: … }`
pub(crate) static SWITCH: Phrase = phrase(
    "a choice among many is written with `if` and `else`",
    "write `if i == 0 { … } else if i == 1 { … } else { … }`",
    "",
);

/// `v := e;`
pub(crate) static DECLARED_BY_SIGN: Phrase = phrase(
    "a variable is declared by `let`",
    "a value is named by `let NAME = …;`, and a variable that is assigned later by `let mut NAME = …;`",
    "write `let mut`",
);

/// `for j = 0 to 9 { … }`
pub(crate) static COUNTED: Phrase = phrase(
    "a loop runs over a range `lo..hi`",
    "write `for j in 0..10`; the end is not reached",
    "write it as a range",
);

/// `if c: …`, `for i in 0..4: …`
pub(crate) static COLON: Phrase = phrase(
    "the body of an `if` or a loop stands in braces",
    "write `{ … }` around it, in place of the `:`",
    "write `{ … }` around it",
);

/// `elif c { … }`
pub(crate) static ELSE_IF: Phrase =
    phrase("another condition stands behind `else if`", "write `else if`", "write `else if`");

/// `float *x, int n` among the parameters.
pub(crate) static PARAMETER: Phrase = phrase(
    "the type of a parameter stands behind its name",
    "write `x: f32[N]` for a tensor that is read, `y: mut f32[N]` for one that is written, and `n: i32` for a number; `dim N;` before \
     the kernel declares a size",
    "",
);

/// `y: out f32[N]`, `y: f32[N] mut`
pub(crate) static WRITTEN: Phrase = phrase(
    "a tensor that is written has `mut` before its type",
    "write `y: mut f32[N]`",
    "write `mut` before the type",
);

/// `x: Tensor[f32, N]`, `x: tensor<f32, N>`
pub(crate) static TENSOR: Phrase = phrase(
    "the type of a tensor is that of its elements and its shape",
    "write `x: f32[M, N]`",
    "write the type of its elements",
);

/// `fn h(x: f32): f32 { x }`
pub(crate) static RESULT: Phrase =
    phrase("the type of a function's result stands behind `->`", "write `fn f(x: f32) -> f32 { … }`", "write `->`");

/// `t.max(axis=1, keepdims=True)`
pub(crate) static REDUCTION: Phrase = phrase(
    "the dimension of a reduction stands first, without a name, and `keep: true` behind it keeps it",
    "write `t.max(1, keep: true)`",
    "write it as here",
);

/// What stands before the value of an argument of a reduction in numpy.
pub(crate) fn of_reduction(name: &str) -> Option<&'static str> {
    match name {
        "axis" | "axes" | "dim" => Some(""),
        "keepdims" | "keepdim" | "keep_dims" => Some("keep: "),
        _ => None,
    }
}

/// `use std/activations;`
pub(crate) static PATH: Phrase = phrase(
    "the path of a file stands in quotation marks",
    "write `use \"std/activations.shape\";`",
    "write it in quotation marks",
);

/// `expect y == x atol 1e-5`
pub(crate) static TOLERANCE: Phrase =
    phrase("how far two numbers may differ is said by `within`", "write `expect y == x within 1e-5`", "write `within`");

/// `run f(x: ones) assert y == x`
pub(crate) static EXPECTATION: Phrase =
    phrase("what a run shall give is said by `expect`", "write `expect y == 2.0 * x`", "write `expect`");

/// `run f(x: ones) N = 4`, `run f(x: ones) with (N = 4)`
pub(crate) static SIZES: Phrase =
    phrase("the sizes of a run stand behind `with`, without brackets", "write `with M = 100, N = 64`", "write `with`");
