//! The signature of the call around a cursor, with the active parameter.

mod written;

use std::ops::Range;
use std::sync::Arc;

use crate::document::Document;

use super::called::{called, callee};
use super::completion::{Context, behind_generics, context, open_brackets};
use super::describe;
use super::documentation::Entry;
use check::db::{Db, Item, SourceFile};
use check::names;
use syntax::items::ItemTokens;
use syntax::token::TokenKind;
use syntax::tree::{Function, GenericKind, ItemKind, StatementKind};
use written::Written;

/// The signature of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// All of it: `linear(width[, threads])`.
    pub label: String,
    /// What is called.
    pub documentation: Document,
    /// Its parameters, in their order.
    pub parameters: Vec<Parameter>,
    /// The parameter that is being written; `None` beyond the last.
    pub active: Option<usize>,
}

/// A parameter of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its bytes in the label.
    pub label: Range<u32>,
    /// What it is.
    pub documentation: Document,
}

/// The signature of the innermost call around a byte.
pub fn signature_help(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Signature> {
    let context = context(db, file, offset)?;
    if context.starts_item {
        return None;
    }
    let tokens = context.tokens()?;
    let open = open_brackets(tokens, context.end);
    let of_run = (tokens.kind(0) == Some(TokenKind::Run)).then(|| [2, behind_generics(tokens)]);
    open.iter().rev().find_map(|bracket| of_bracket(&context, tokens, *bracket, of_run))
}

/// The signature of what is called with the arguments in a bracket; `of_run` are the brackets behind the kernel of a run.
fn of_bracket(
    context: &Context<'_>,
    tokens: &ItemTokens,
    bracket: usize,
    of_run: Option<[usize; 2]>,
) -> Option<Signature> {
    // Only of a bracket that has a signature: of a million open ones, none is read to the cursor.
    let written = || Written::read(tokens, bracket, context.end);
    if of_run.is_some_and(|brackets| brackets.contains(&bracket)) {
        let is_generic = tokens.kind(bracket) == Some(TokenKind::OpenBracket);
        return if is_generic { generics(context, tokens, &written()) } else { run(context, tokens, &written()) };
    }
    let name = callee(tokens, bracket)?;
    match (tokens.kind(0), name) {
        // These brackets belong to a declaration.
        (Some(TokenKind::Kernel | TokenKind::Fn), 1) => None,
        _ if let Some(found) = function(context, tokens, name) => Some(of_function(context, &found, &written())),
        _ => {
            let entry = called(context.db, context.file, tokens, name)?;
            let active = match entry.word {
                "reshape_map" => written().part_of_map(),
                _ => written().parameter(entry.parameters(), is_stage(tokens, name)),
            };
            of_entry(entry, active)
        }
    }
}

/// Whether a call is a stage of a pipeline, or in a group of one.
fn is_stage(tokens: &ItemTokens, name: usize) -> bool {
    let before = name.checked_sub(1).and_then(|before| tokens.kind(before));
    matches!(before, Some(TokenKind::Pipe | TokenKind::Colon))
}

fn of_entry(entry: &Entry, active: Option<usize>) -> Option<Signature> {
    let signature = entry.signature()?;
    let parameters = signature.parameters.into_iter().zip(entry.parameters());
    let parameters = parameters.map(|(label, parameter)| Parameter {
        label: label.start as u32..label.end as u32,
        documentation: parameter.about.into(),
    });
    Some(Signature {
        label: signature.text,
        parameters: parameters.collect(),
        documentation: entry.text.into(),
        active,
    })
}

/// A function of the file or of the kernel around a call.
struct DeclaredFunction {
    item: Item,
    function: Arc<Function>,
}

/// The function of the file or of the kernel that a token names.
fn function(context: &Context<'_>, tokens: &ItemTokens, name: usize) -> Option<DeclaredFunction> {
    let (db, word) = (context.db, tokens.text(name));
    let before = name.checked_sub(1).and_then(|before| tokens.kind(before));
    if matches!(before, Some(TokenKind::Dot | TokenKind::Fn)) {
        return None;
    }
    let own = context.item.and_then(|item| {
        let kernel = item.declared_kernel(db)?;
        let function = kernel.body.all_statements().into_iter().rev().find_map(|statement| match &statement.kind {
            StatementKind::Function(function) if function.name.text == word => Some(function.clone()),
            _ => None,
        })?;
        Some(DeclaredFunction { item, function })
    });
    own.or_else(|| {
        let item = names::lookup(db, context.file, word.into())?;
        match item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
            Some(ItemKind::Function(function)) => Some(DeclaredFunction { item, function: function.clone() }),
            _ => None,
        }
    })
}

fn of_function(context: &Context<'_>, found: &DeclaredFunction, written: &Written<'_>) -> Signature {
    let DeclaredFunction { item, function } = found;
    let params = function.params.iter().map(|param| {
        let documentation = match &param.annotation {
            Some(found) if found.shape.is_some() => "a tile of this type and these extents",
            Some(_) => "a number of this type, or a tile of such numbers",
            None => "a number, a size, a tile, a shape or a map",
        };
        (describe::source(context.db, *item, param.span), documentation)
    });
    let (label, parameters) = listed(&function.name.text, ('(', ')'), params);
    let active = match written.name {
        Some(name) => function.params.iter().position(|param| param.name.text == name),
        None => Some(written.position).filter(|position| *position < parameters.len()),
    };
    let documentation = item.documentation(context.db).as_deref().unwrap_or_default().into();
    Signature { label, documentation, parameters, active }
}

/// The parameters of the kernel that a run calls.
fn run(context: &Context<'_>, tokens: &ItemTokens, written: &Written<'_>) -> Option<Signature> {
    let item = names::lookup(context.db, context.file, tokens.text(1).into())?;
    let kernel = item.declared_kernel(context.db)?;
    let params = kernel.params.iter().map(|param| {
        let documentation = match (&param.shape, param.mutable) {
            (None, _) => "a scalar: give it a number",
            (Some(_), true) => "a tensor that the kernel writes: its elements before the run",
            (Some(_), false) => "a tensor that the kernel reads",
        };
        (describe::source(context.db, item, param.span), documentation)
    });
    let (label, parameters) = listed(&kernel.name.text, ('(', ')'), params);
    let active = match written.name {
        Some(name) => kernel.params.iter().position(|param| param.name.text == name),
        None => Some(written.position).filter(|position| *position < parameters.len()),
    };
    let documentation = item.documentation(context.db).as_deref().unwrap_or_default().into();
    Some(Signature { label, documentation, parameters, active })
}

/// The generic parameters of the kernel that a run calls.
fn generics(context: &Context<'_>, tokens: &ItemTokens, written: &Written<'_>) -> Option<Signature> {
    let item = names::lookup(context.db, context.file, tokens.text(1).into())?;
    let kernel = item.declared_kernel(context.db)?;
    let params = kernel.generics.iter().map(|generic| {
        let documentation = match generic.kind {
            GenericKind::Constant { .. } => "an integer, given by its name",
            GenericKind::Element { .. } => "one of these element types, given by its name",
        };
        (describe::source(context.db, item, generic.span), documentation)
    });
    let (label, parameters) = listed(&kernel.name.text, ('[', ']'), params);
    let active = written.name.and_then(|name| kernel.generics.iter().position(|generic| generic.name.text == name));
    Some(Signature { label, documentation: Document::default(), parameters, active })
}

/// `k(a, b)` with the bytes of each parameter.
fn listed(
    name: &str,
    (open, close): (char, char),
    params: impl Iterator<Item = (String, &'static str)>,
) -> (String, Vec<Parameter>) {
    let mut label = format!("{name}{open}");
    let mut parameters = Vec::new();
    for (position, (text, documentation)) in params.enumerate() {
        label.push_str(if position > 0 { ", " } else { "" });
        let start = label.len();
        label.push_str(&text);
        parameters.push(Parameter { label: start as u32..label.len() as u32, documentation: documentation.into() });
    }
    label.push(close);
    (label, parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    /// The signature with the active parameter in `«»`.
    fn help(text: &str) -> String {
        let Fixture { db, file, offset } = Fixture::new(text);
        let Some(signature) = signature_help(&db, file, offset) else { return "nothing".to_owned() };
        let Some(active) = signature.active.and_then(|active| signature.parameters.get(active)) else {
            return signature.label;
        };
        let (start, end) = (active.label.start as usize, active.label.end as usize);
        let label = &signature.label;
        format!("{}«{}»{}", &label[..start], &label[start..end], &label[end..])
    }

    #[test]
    fn the_argument_at_the_cursor_is_active() {
        assert_eq!(help("const a = cdiv($0"), "cdiv(«a», b)");
        assert_eq!(help("const a = cdiv(1, $0"), "cdiv(a, «b»)");
        assert_eq!(help("const a = cdiv(min(1, 2), $03);"), "cdiv(a, «b»)");
        assert_eq!(help("const a = cdiv(min(1, $02), 3);"), "min(a, «b, …»)");
        assert_eq!(help("const a = min(1, 2, 3, $0"), "min(a, «b, …»)");
        assert_eq!(help("const a = cdiv(1, 2, $0"), "cdiv(a, b)");
        assert_eq!(help("map m = linear($0"), "linear(«width»[, threads])");
        assert_eq!(help("map m = linear(threads: $0"), "linear(width[, «threads»])");
        assert_eq!(help("map m = continuous_linear(4, $0"), "continuous_linear(width[, «threads»])");
        assert_eq!(help("map m = map2d(64, 8, $0)"), "map2d(row_length, threads_x, «threads_y»)");
        assert_eq!(help("map m = chain($0"), "chain(«(map, unit size), …», threads: n)");
        assert_eq!(help("map m = chain((linear(1), warp), $0"), "chain(«(map, unit size), …», threads: n)");
        assert_eq!(help("map m = chain((linear(1), warp), threads: $0"), "chain((map, unit size), …, «threads: n»)");
        assert_eq!(help("tiling t = block(64) |> tile($0"), "tile(«iterator: count», unit)");
        assert_eq!(help("tiling t = block(64) |> tile(w: $0"), "tile(«iterator: count», unit)");
        assert_eq!(help("tiling t = block(64) |> tile(w: 2, $0"), "tile(iterator: count, «unit»)");
        assert_eq!(help("tiling t = block(64) |> specialize(0..1, $0"), "specialize(lo..hi, «unit»)");
        assert_eq!(help("unit u = cuda_threads_strided(4, $0"), "cuda_threads_strided(n, «s»)");
        assert_eq!(help("tiling t = block(64);\nassert t.matches($0)"), "work.matches(«unit»)");
        assert_eq!(help("kernel k(y: mut f32[4]) cluster($0"), "cluster(«c»)");
        assert_eq!(help("kernel k(y: mut f32[4]) { for w in threads($0"), "threads(«count», unit)");
        assert_eq!(help("kernel k(y: mut f32[4]) { with threads(0..4, $0"), "threads(count, «unit»)");
        assert_eq!(help("const a = cdiv(1, 2)$0;"), "nothing");
        assert_eq!(help("s : [1];\nconst a = s($0"), "nothing");
        assert_eq!(help("map m = linear(1);\nassert m.fits($0)"), "m.fits(«bits»)");
    }

    #[test]
    fn functions_of_users_show_their_parameters() {
        let f = "fn f(v: f32, low) = max(v, low);\n";
        assert_eq!(help(&format!("{f}const a = f($0")), "f(«v: f32», low)");
        assert_eq!(help(&format!("{f}const a = f(1.0, $0")), "f(v: f32, «low»)");
        assert_eq!(help(&format!("{f}const a = f(low: $0")), "f(v: f32, «low»)");
        assert_eq!(help(&format!("{f}kernel k(y: mut f32[4]) {{ for i in grid(4) {{ y[i] = f($0")), "f(«v: f32», low)");
        let own = "kernel k(y: mut f32[4]) { fn own(v) = v; for i in grid(4) { y[i] = own($0";
        assert_eq!(help(own), "own(«v»)");
        assert_eq!(help("fn f(v: $0"), "nothing");
    }

    #[test]
    fn a_transform_alone_and_in_a_pipeline() {
        assert_eq!(help("map m = pad($0"), "pad([«length»,] left, right)");
        assert_eq!(help("map m = pad(30, $0"), "pad([length,] «left», right)");
        assert_eq!(help("map m = row_major([8]) |> pad($0"), "pad([length,] «left», right)");
        assert_eq!(help("map m = row_major([8]) |> pad(1, $0"), "pad([length,] left, «right»)");
        assert_eq!(help("map m = row_major([8]) |> pad(8, 1, $0"), "pad([length,] left, «right»)");
        assert_eq!(help("map m = row_major([8, 8]) |> { 0: slice($0"), "slice([length,] «begin», end)");
        assert_eq!(help("map m = row_major([8, 8]) |> { 0: slice(end: $0"), "slice([length,] begin, «end»)");
        assert_eq!(help("map m = merge(4, $0"), "merge([«length, …»])");
        assert_eq!(help("map m = embed((3, 6), $0"), "embed(lengths, «coefficients»)");
    }

    #[test]
    fn the_parts_of_a_reshape_map() {
        let part = |text: &str| help(&format!("dim N;\nmap m = reshape_map({text}"));
        assert_eq!(part("[$0"), "reshape_map(«[D, …]» | [D, …] => layout: [entry, …], offset: e)");
        assert_eq!(part("[3, 4] | [$0"), "reshape_map([D, …] | «[D, …]» => layout: [entry, …], offset: e)");
        let layout = "reshape_map([D, …] | [D, …] => «layout: [entry, …]», offset: e)";
        assert_eq!(part("[3, 4] | [5] => $0"), layout);
        assert_eq!(part("[3, 4] | [5] => layout: [i0, $0"), layout);
        let offset = "reshape_map([D, …] | [D, …] => layout: [entry, …], «offset: e»)";
        assert_eq!(part("[3, 4] | [5] => layout: [i0, i1, t0], $0"), offset);
        assert_eq!(part("[3, 4] | [5] => offset: $0"), offset);
        assert_eq!(help("gpu::reshape_map!([3] | [$0"), part("[3] | [$0"));
        // A call inside of it has its own.
        assert_eq!(part("[cdiv(N, $0"), "cdiv(a, «b»)");
    }

    #[test]
    fn kernels_and_runs() {
        let kernel = "kernel k(a: f32, x: f32[4],\n    y: mut f32[4]) { for i in grid(4) { y[i] = a; } }\n";
        let run = |rest: &str| help(&format!("{kernel}run k({rest}"));
        assert_eq!(run("$0"), "k(«a: f32», x: f32[4], y: mut f32[4])");
        assert_eq!(run("2.0, $0"), "k(a: f32, «x: f32[4]», y: mut f32[4])");
        assert_eq!(run("y: $0"), "k(a: f32, x: f32[4], «y: mut f32[4]»)");
        assert_eq!(run("y: random($0"), "random(«seed»)");
        let generic = "kernel k[B = 64, T: f16 | f32](x: T[B], y: mut T[B]) { }\n";
        let run_of = |rest: &str| help(&format!("{generic}run k{rest}"));
        assert_eq!(run_of("[$0"), "k[B = 64, T: f16 | f32]");
        assert_eq!(run_of("[B: 8, T: $0"), "k[B = 64, «T: f16 | f32»]");
        assert_eq!(run_of("[B: 128](x: arange, y: $0"), "k(x: T[B], «y: mut T[B]»)");
        assert_eq!(run("y: zeros, b: $0"), "k(a: f32, x: f32[4], y: mut f32[4])");
        assert_eq!(run("y: zeros) expect max($0"), "max(«a», b, …)");
        assert_eq!(help("kernel k(x: f32[4]) { let a = fma(x[0], $0"), "fma(a, «b», c)");
        assert_eq!(help("kernel k(x: f32[4]) grid($0"), "grid(«n, …»)");
        assert_eq!(help("kernel k($0"), "nothing");
        let tiles = |rest: &str| help(&format!("kernel k(x: f32[4]) {{ view px = partition(x, [2]); {rest}"));
        assert_eq!(tiles("view q = partition($0"), "partition(«x», tile[, order])");
        assert_eq!(tiles("view q = partition(x, [2], order: $0"), "partition(x, tile[, «order»])");
        assert_eq!(tiles("let t = px.load(0, latency: $0"), "px.load(i, …[, «latency», allow_tma])");
        assert_eq!(tiles("let t = px.mask($0"), "px.mask(«i, …»)");
        assert_eq!(tiles("let t = px.load(0).sum(0, $0keep: true);"), "t.sum([dimension, «keep»])");
        assert_eq!(tiles("let t = bitcast($0"), "bitcast(«type», value)");
    }
}
