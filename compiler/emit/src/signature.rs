//! The parts around a kernel's body: the comment above it, its parameters, the ids.

use super::emitted::Parameter;
use super::emitter::Emitter;
use super::helper::Helper;
use super::{helpers, types};
use dims::{Facts, Sym};
use elements::ElementType;
use kernel::typed::{Param, ParamKind};
use maps::hardware::{MOST_BLOCK_THREADS, STATIC_SHARED_BYTES};
use maps::row_major;

/// The whole text.
pub(super) fn assemble(emitter: &Emitter<'_>, entry: &str, parameters: &[Parameter], declarations: &str) -> String {
    let kernel = emitter.kernel;
    let has_vectors = emitter.helpers.contains(&Helper::CopyVector);
    let dynamic = emitter.dynamic.as_ref().map(|(_, layout)| &layout.bytes);
    let mut text = header(emitter, dynamic, has_vectors);
    if emitter.is_meaningless {
        text.push_str("#error this kernel was not checked: it reads a value where it has none\n");
    }
    text.push_str(&helpers::print(&emitter.helpers));
    let bounds = match kernel.launch.threads.as_constant() {
        Some(threads) if (1..=MOST_BLOCK_THREADS).contains(&threads) => format!("__launch_bounds__({threads}) "),
        _ => String::new(),
    };
    let clusters = match kernel.launch.cluster {
        1 => String::new(),
        blocks => format!("__cluster_dims__({blocks}, 1, 1) "),
    };
    text.push_str(&format!("\nextern \"C\" __global__ void {clusters}{bounds}{entry}("));
    text.push_str(&parameter_list(emitter, parameters));
    text.push_str(")\n{\n");
    let ids = [(&emitter.block, "blockIdx.x"), (&emitter.thread, "threadIdx.x")];
    let used = ids.iter().filter(|(id, _)| id.is_used);
    let ids: String = used.map(|(id, source)| format!("    const int {} = {source};\n", id.name)).collect();
    let before = format!("{declarations}{ids}");
    text.push_str(&before);
    if !before.is_empty() && !emitter.body.is_empty() {
        text.push('\n');
    }
    text.push_str(&emitter.body);
    text.push_str("}\n");
    text
}

fn header(emitter: &Emitter<'_>, dynamic: Option<&Sym>, has_vectors: bool) -> String {
    let kernel = emitter.kernel;
    let params: Vec<String> =
        kernel.params.iter().map(|param| format!("{}: {}", param.name, described(param, &kernel.facts))).collect();
    let mut lines = vec![format!("kernel {}({})", kernel.name, params.join(", "))];
    let facts: Vec<String> = kernel.facts.iter().map(ToString::to_string).collect();
    if !facts.is_empty() {
        lines.push(format!("where {}", facts.join(", ")));
    }
    let counted = |count: &Sym, one: &str| match count.as_constant() {
        Some(1) => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    let (blocks, threads) = (counted(&kernel.launch.blocks, "block"), counted(&kernel.launch.threads, "thread"));
    let clusters = match kernel.launch.cluster {
        1 => String::new(),
        blocks => format!(", in clusters of {blocks} blocks"),
    };
    lines.push(format!("Launch: {blocks} of {threads}{clusters}."));
    if let Some(bytes) = dynamic {
        let beyond = match bytes.as_constant() {
            Some(_) => String::new(),
            None => format!(" where they are more than {STATIC_SHARED_BYTES}"),
        };
        lines.push(format!(
            "Launch it with {bytes} bytes of dynamic shared memory, after the function was allowed so many{beyond}."
        ));
    }
    if !emitter.obligations().is_empty() {
        lines.push("Only for sizes with which every index fits in an int, which is checked at launch.".to_string());
    }
    if emitter.has_narrow_form() {
        lines.push(
            "For all sizes. Where every index fits in an int, a launch takes a text with 32-bit indices.".to_string(),
        );
    }
    if has_vectors {
        lines.push(
            "The address of every tensor is a multiple of 16 bytes: elements are loaded and stored as vectors."
                .to_string(),
        );
    }
    lines.push("Compile with --fmad=false: a product is rounded before something is added to it.".to_string());
    lines.iter().map(|line| format!("// {line}\n")).collect()
}

fn parameter_list(emitter: &Emitter<'_>, parameters: &[Parameter]) -> String {
    let written: Vec<(String, String)> = parameters.iter().map(|parameter| declaration(emitter, parameter)).collect();
    let width = written.iter().map(|(code, _)| code.len()).max().unwrap_or_default() + 1;
    let last = written.len().saturating_sub(1);
    let mut text = String::new();
    for (position, (code, comment)) in written.iter().enumerate() {
        let code = format!("{code}{}", if position < last { "," } else { "" });
        let line = if comment.is_empty() { code } else { format!("{code:width$}  // {comment}") };
        text.push_str(&format!("\n    {line}"));
    }
    // A comment ends with its line, so the parenthesis needs a line of its own.
    if !written.is_empty() {
        text.push('\n');
    }
    text
}

/// The declaration of a parameter, and its comment.
fn declaration(emitter: &Emitter<'_>, parameter: &Parameter) -> (String, String) {
    match parameter {
        Parameter::Size { symbol, wide } => {
            let type_name = if *wide { types::name(ElementType::I64) } else { types::name(ElementType::I32) };
            (format!("{type_name} {}", emitter.symbol_name(symbol)), String::new())
        }
        Parameter::Length(tensor) => {
            let name = emitter.lengths.get(tensor).cloned().unwrap_or_default();
            (format!("long long {name}"), String::new())
        }
        Parameter::Faults => ("Faults *__restrict__ faults".to_owned(), String::new()),
        Parameter::Param(id) => {
            let name = emitter.param(*id);
            let Some(param) = emitter.kernel.params.get(*id) else {
                return (name, String::new());
            };
            let type_name = types::name(param.element);
            let code = match &param.kind {
                ParamKind::Scalar => format!("{type_name} {name}"),
                // Other threads write the elements that this thread reads after a barrier through other pointers. With
                // `__restrict__`, C++ could ignore the barrier.
                ParamKind::Tensor { mutable: true, .. } if emitter.is_exchanged(*id) => {
                    format!("{type_name} *{name}")
                }
                ParamKind::Tensor { mutable: true, .. } => {
                    format!("{type_name} *__restrict__ {name}")
                }
                ParamKind::Tensor { mutable: false, .. } => {
                    format!("const {type_name} *__restrict__ {name}")
                }
            };
            let comment = match param.kind {
                ParamKind::Scalar => String::new(),
                ParamKind::Tensor { .. } => described(param, &emitter.kernel.facts),
            };
            (code, comment)
        }
    }
}

/// The type of a parameter in the source.
fn described(param: &Param, facts: &Facts) -> String {
    let ParamKind::Tensor { mutable, shape, strides } = &param.kind else {
        return param.element.to_string();
    };
    let mutable = if *mutable { "mut " } else { "" };
    let strided =
        if is_row_major(shape, strides, facts) { String::new() } else { format!(" strided {}", list(strides)) };
    format!("{mutable}{}{}{strided}", param.element, list(shape))
}

fn list(sizes: &[Sym]) -> String {
    let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    format!("[{}]", sizes.join(", "))
}

/// Whether the strides are the default ones.
fn is_row_major(shape: &[Sym], strides: &[Sym], facts: &Facts) -> bool {
    row_major::are_strides(shape, strides, |expected, stride| {
        expected == stride || expected.simplify(facts).is_ok_and(|simplified| simplified == *stride)
    })
}
