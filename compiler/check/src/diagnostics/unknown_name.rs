//! An undeclared name.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use syntax::span::Span;

/// The documentation of `unknown-name`.
pub static PAGE: Page = Page {
    code: "unknown-name",
    severity: Severity::Error,
    title: "a name is not declared",
    explanation: "Neither this file nor a file that it takes in by `use` declares this name, and it is not a function of the language.

Names may be used before they are declared, so the order of the items does not matter. A hyphen inside a word belongs to
the name, `new-shape0`; a subtraction of names is best written with spaces, `M - N`.",
    wrong: "shape : [128, 64];
half : shpae / 2;
",
    right: "shape : [128, 64];
half : shape / 2;
",
};

/// An undeclared name in an `expect`, where names are first those of the kernel's parameters: `parameters`.
pub(crate) fn unknown_in_expect(span: Span, name: &str, nearest: Option<&str>, parameters: &[&str]) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("`{name}` is not declared")).label("no parameter of the kernel");
    let diagnostic = words::suggest(diagnostic, span, nearest);
    if let (None, Some(help)) = (nearest, of_another_tool(name)) {
        return diagnostic.help(help);
    }
    match parameters {
        [] => diagnostic,
        [_] => diagnostic.help(format!("the kernel's parameter is {}", words::list(parameters))),
        _ => diagnostic.help(format!("the kernel's parameters are {}", words::list(parameters))),
    }
}

/// `nearest` is the declared name that was probably meant.
pub(crate) fn unknown_name(span: Span, name: &str, nearest: Option<&str>) -> Diagnostic {
    let diagnostic = PAGE.at(span, message(name)).label("not declared");
    match nearest {
        Some(_) => words::suggest(diagnostic, span, nearest),
        None => match of_another_tool(name) {
            Some(help) => diagnostic.help(help),
            // A number of CuTe.
            None if name.strip_prefix('_').is_some_and(|rest| rest.parse::<u32>().is_ok()) => {
                diagnostic.fix("write the number", span, name.trim_start_matches('_'))
            }
            None => {
                let start = Span::new(0, 0);
                diagnostic.fix(
                    format!("declare it as a size that is known at launch: `dim {name};`"),
                    start,
                    format!("dim {name};\n\n"),
                )
            }
        },
    }
}

/// Whether a diagnostic says that this name is not declared.
pub(crate) fn is_unknown_name(found: &Diagnostic, name: &str) -> bool {
    found.page == &PAGE && found.message == message(name)
}

fn message(name: &str) -> String {
    format!("`{name}` is not declared")
}

/// An undeclared function.
pub(crate) fn unknown_callee(span: Span, name: &str, nearest: Option<&str>) -> Diagnostic {
    match (nearest, of_another_tool(name)) {
        (None, help) => {
            let help = help.unwrap_or("no function, layout or transform has this name, and no map or shape");
            PAGE.at(span, format!("`{name}` is not declared")).label("not declared").help(help)
        }
        _ => unknown_name(span, name, nearest),
    }
}

/// The counterpart of a word of CUDA, numpy, CuTe or Triton.
fn of_another_tool(name: &str) -> Option<&'static str> {
    Some(match name {
        "transpose" | "swapaxes" | "moveaxis" => "`m.permute(1, 0)` exchanges the coordinates of a map",
        "reshape" | "split" => "`unmerge` makes several dimensions of one, and `merge` one of several",
        "flatten" | "ravel" | "coalesce" => "`merge` makes one dimension of several",
        "swizzle" | "Swizzle" => "`xor` exchanges the columns of each row with one another",
        "roll" => "`cyclic_shift` turns each row by its number",
        "tile" | "local_tile" | "logical_divide" | "zipped_divide" => "`partition` cuts a shape into tiles",
        "broadcast" | "broadcast_to" | "expand" | "repeat" => {
            "`replicate` makes dimensions that lead to nothing, in a group: `{ (): replicate(4), 0: _ }`"
        }
        "warp" | "warps" => "the unit is called `cuda_warp`",
        "thread" => "the unit is called `cuda_thread`",
        "warpgroup" => "the unit is called `cuda_warpgroup`",
        "cta" | "CTA" => "the unit is called `cuda_cta_in_cluster`",
        "__global__" | "__device__" | "void" => "a kernel is written `kernel name(x: f32[N], y: mut f32[N]) { … }`",
        "layout" | "Layout" | "make_layout" => "`strided(shape, strides)` is a layout",
        "blocked_product" | "raked_product" | "logical_product" | "tile_to_shape" => {
            "a product has tiles above one number of memory, and their elements above the other: \
             `row_major([12, 10]) |> { 0: tiler => (0, 2), 1: tile => (1, 3) } |> { (0, 1): merge => 0, (2, 3): merge => 1 }`"
        }
        "local_partition" | "make_tiled_copy" | "partition_S" | "partition_D" => {
            "`unmerge` splits a dimension among threads, in a group, and `view v = x via m` gives each thread its elements"
        }
        "rearrange" | "einops" | "einsum" => {
            "`unmerge` splits a dimension, `merge` joins several, and the numbers behind `=>` are their new order: \
             `{ 0: _ => 0, 1: _ => 2, 2: unmerge(4, 16) => (1, 3) }`"
        }
        "Shape" | "make_shape" | "Stride" | "make_stride" => {
            "a shape is written `[4, 8]`, and strides stand beside it: `strided([4, 8], [8, 1])`"
        }
        "composition" | "compose" => "`f |> g` is `f` asked at what `g` gives",
        "right_inverse" | "left_inverse" | "inverse" => "`m.inverse` is the map back",
        "np" | "numpy" | "jnp" | "cp" | "cupy" | "torch" | "math" | "tl" | "cute" => {
            "functions of this language belong to no module: leave the word and its point out, as in `exp(x)`"
        }
        "full" | "full_like" => "in a run, a number fills all of a tensor: `y: 1.0`",
        "load" | "loadtxt" | "from_numpy" | "fromfile" => "a run reads a file of `numpy.save` by `npy(\"x.npy\")`",
        "crd2idx" => "`m(u, …)` is where a coordinate leads",
        "idx2crd" => "`m.upper(slot)` is the coordinate that leads to a slot",
        "cosize" => "`size(m.lower_shape)` is the number of slots of a map",
        _ => return None,
    })
}
