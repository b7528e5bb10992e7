//! Inside expressions: names, functions, members, the parts of maps.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::context::{Context, open_brackets};
use super::insertion::Insertion;
use super::list::CompletionKind::{
    self, Constant, Function, Map, Member, Parameter, Shape, Snippet, Symbol, Value as ValueKind,
};
use super::list::{List, Rank};
use super::{arguments, collectives, groups};
use crate::describe;
use crate::documentation::{Entry, Subject, find, of_subject};
use crate::receiver::{pipeline_before, value_before};
use check::db::Item;
use check::evaluate;
use check::kernels::{self, Meaning, OVER, PartitionMember};
use check::names;
use check::transforms;
use check::values::Value;
use syntax::items::ItemTokens;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::ItemKind;

/// The most names in one list.
const MOST_NAMES: usize = 200;

/// The kind of place of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Outside kernels.
    File,
    /// In the body of a kernel.
    Kernel,
    /// After `expect`.
    Expectation,
}

/// Whether an operand may start after the tokens so far: not where one has just ended.
pub(super) fn expects_operand(tokens: &ItemTokens, end: usize) -> bool {
    let Some(last) = end.checked_sub(1).and_then(|last| tokens.kind(last)) else { return true };
    let clause = matches!(
        last,
        TokenKind::Where
            | TokenKind::Expect
            | TokenKind::Within
            | TokenKind::With
            | TokenKind::In
            | TokenKind::If
            | TokenKind::While
            | TokenKind::Via
            | TokenKind::Assert
            | TokenKind::Show
    );
    // Behind an operator, `step` is the name of a variable.
    let before = end.checked_sub(2).and_then(|before| tokens.kind(before));
    let is_step =
        last == TokenKind::Step && before.is_some_and(|before| before.ends_operand() && before != TokenKind::In);
    // The `max` before the bound of a `while`, where a function would stand behind an operator.
    let is_bound = tokens.text(end - 1) == "max"
        && before.is_some_and(|before| before.ends_operand() && !before.is_word() || before == TokenKind::Name);
    clause || is_step || is_bound || !last.ends_operand()
}

/// Completions where an operand is expected.
pub(super) fn expression(context: &Context<'_>, list: &mut List, scope: Scope) {
    let Some(tokens) = context.tokens() else { return };
    if !expects_operand(tokens, context.end) {
        return;
    }
    if is_stage(tokens, context.end) {
        return stages(context, list, tokens);
    }
    if collectives::collectives(context, list, tokens) || groups::dimensions(context, list, tokens) {
        return;
    }
    dimensions(context, list, tokens);
    named_arguments(context, list, tokens);
    element_types(context, list, tokens);
    names(context, list, scope);
    functions(list, scope);
    let words = [("true", "true"), ("false", "false"), ("if", "if «» { «» } else { «» }")];
    list.words(Rank::Word, Subject::Expression, &words);
}

/// The declared names with values. If there are too many, only the nearest ones that match the typed text are listed.
pub(super) fn names(context: &Context<'_>, list: &mut List, scope: Scope) {
    let named = names::visible(context.db, context.file).into_iter().filter_map(|(name, item)| {
        let kind = kind_of(&item.tree(context.db).item.as_ref()?.kind)?;
        // A value must not use itself; the facts of a size may use the size.
        let is_itself = context.item == Some(item) && !context.starts_item && kind != Symbol;
        (!is_itself && (kind != Map || scope != Scope::Expectation)).then_some((name, item, kind))
    });
    let mut named: Vec<(SmolStr, Item, CompletionKind)> = named.collect();
    if named.len() > MOST_NAMES {
        list.complete = false;
        nearest(context, &mut named);
    }
    for (name, item, kind) in named {
        let added = list.add(Rank::Name, kind, &name, &*name);
        added.detail = describe::detail(context.db, item, &name);
        added.documentation = item.documentation(context.db).as_deref().unwrap_or_default().into();
    }
}

/// Keeps as many names as are listed: those that begin with the typed text, then those that contain it as a
/// subsequence; in each group, those declared nearest in the file come first.
fn nearest(context: &Context<'_>, named: &mut Vec<(SmolStr, Item, CompletionKind)>) {
    let typed = &context.file.text(context.db)[context.typed()];
    named.retain(|(name, ..)| holds_letters(name, typed));
    let items = context.file.items(context.db);
    let positions: FxHashMap<Item, usize> = items.iter().copied().zip(0..).collect();
    let here = context.item.and_then(|item| positions.get(&item).copied()).unwrap_or_default();
    named.sort_by_cached_key(|(name, item, _)| {
        let distance = positions.get(item).map_or(usize::MAX, |position| position.abs_diff(here));
        (!name.starts_with(typed), distance)
    });
    named.truncate(MOST_NAMES);
}

/// Whether a name contains the letters of a word as a subsequence, ignoring case, as editors match.
fn holds_letters(name: &str, word: &str) -> bool {
    let mut letters = name.chars();
    word.chars().all(|wanted| letters.any(|letter| letter.eq_ignore_ascii_case(&wanted)))
}

fn kind_of(kind: &ItemKind) -> Option<CompletionKind> {
    match kind {
        ItemKind::Shape { .. } => Some(Shape),
        ItemKind::Dim { .. } => Some(Symbol),
        ItemKind::Const { .. } => Some(Constant),
        ItemKind::Map { .. } => Some(Map),
        ItemKind::Function(_) => Some(Function),
        ItemKind::Unit { .. } | ItemKind::Tiling { .. } => Some(ValueKind),
        _ => None,
    }
}

/// The functions of a scope.
pub(super) fn functions(list: &mut List, scope: Scope) {
    let subjects: &[Subject] = match scope {
        Scope::File => &[Subject::Function],
        Scope::Kernel => &[Subject::KernelFunction, Subject::TileFunction, Subject::Function],
        Scope::Expectation => &[Subject::ExpectFunction, Subject::KernelFunction],
    };
    for subject in subjects {
        for entry in of_subject(*subject) {
            // Maps would flood the list in a kernel; words of thread collectives are completed elsewhere.
            let shown = match (scope, subject) {
                (Scope::Kernel, Subject::Function) => matches!(entry.word, "rank" | "size"),
                (_, Subject::Function) => !evaluate::is_of_collectives(entry.word),
                _ => true,
            };
            if shown {
                list.entry(Rank::Function, Function, entry, call(entry));
            }
        }
    }
}

/// The functions whose calls are statements.
pub(super) fn statement_functions(list: &mut List) {
    let is_statement = |entry: &&Entry| ["atomic_", "scatter"].iter().any(|begin| entry.word.starts_with(begin));
    for subject in [Subject::KernelFunction, Subject::TileFunction] {
        for entry in of_subject(subject).filter(is_statement) {
            list.entry(Rank::Function, Function, entry, call(entry));
        }
    }
}

/// The call of a function, with a stop for each required argument.
fn call(entry: &Entry) -> Insertion {
    match entry.word {
        "reshape_map" => return Insertion::template("reshape_map([«4»] | [«32»] => layout: [«i0, t0»])"),
        "chain" => return Insertion::template("chain((«», «warp»), («», «thread»))"),
        _ => {}
    }
    if let Some(over) = entry.parameters().iter().find(|parameter| parameter.name == OVER) {
        return Insertion::template(&format!("{}(«», {}: «warp»)", entry.word, over.name));
    }
    let required = entry.parameters().iter().filter(|parameter| !parameter.is_optional);
    let stops: Vec<&str> = required.map(|parameter| parameter.name).collect();
    if stops.is_empty() { entry.word.into() } else { Insertion::call(entry.word, stops) }
}

/// Whether a stage of a pipeline is expected: after `|>`, or after the dimensions of an entry of a group.
fn is_stage(tokens: &ItemTokens, end: usize) -> bool {
    match end.checked_sub(1).and_then(|last| tokens.kind(last)) {
        Some(TokenKind::Pipe) => true,
        Some(TokenKind::Colon) => open_brackets(tokens, end).pop().is_some_and(|open| is_group(tokens, open)),
        _ => false,
    }
}

pub(super) fn is_group(tokens: &ItemTokens, open: usize) -> bool {
    let before = open.checked_sub(1).and_then(|before| tokens.kind(before));
    tokens.kind(open) == Some(TokenKind::OpenBrace) && before == Some(TokenKind::Pipe)
}

/// Transforms, maps, and after `|>` a group for the dimensions of the map before it.
fn stages(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let behind_pipe = context.end.checked_sub(1).filter(|last| tokens.kind(*last) == Some(TokenKind::Pipe));
    if let Some(pipe) = behind_pipe {
        let rank = match context.item.and_then(|item| pipeline_before(context.db, item, pipe)) {
            Some(Value::Map(map)) => map.upper.len(),
            Some(Value::Tiling(_)) => return collectives::steps(list),
            _ => 1,
        };
        let entries = (0..rank).map(|dimension| Insertion::from(&*format!("{dimension}: ")).stop("_"));
        let insert = Insertion::from("{ ").followed_by(Insertion::list(entries)).text(" }");
        let group = list.add(Rank::Expected, Snippet, "{ … }", insert);
        group.detail = "a transform for each dimension".to_owned();
    } else {
        list.add(Rank::Expected, Snippet, "_", "_").detail = "leave the dimension as it is".to_owned();
    }
    names(context, list, Scope::File);
    list.found.retain(|item| matches!(item.kind, Map | Snippet));
    for definition in transforms::definitions() {
        if let Some(entry) = find(definition.documentation.word, &[Subject::Function]) {
            list.entry(Rank::Function, Function, entry, call(entry));
        }
    }
    if let Some(entry) = find("reshape_map", &[Subject::Function]) {
        list.entry(Rank::Function, Function, entry, call(entry));
    }
}

/// Completions after `via`: maps and map constructors.
pub(super) fn maps(context: &Context<'_>, list: &mut List) {
    names(context, list, Scope::File);
    list.found.retain(|item| item.kind == Map);
    for word in ["reshape_map", "linear", "continuous_linear", "map2d", "chain", "row_major", "col_major", "strided"] {
        if let Some(entry) = find(word, &[Subject::Function]) {
            list.entry(Rank::Function, Function, entry, call(entry));
        }
    }
}

/// The members of the value before the dot.
pub(super) fn members(context: &Context<'_>, list: &mut List) {
    let (Some(tokens), Some(item)) = (context.tokens(), context.item) else { return };
    let value = value_before(context.db, item, context.end - 1);
    let subject = match value {
        Some(Value::Map(_)) => Subject::MapMember,
        Some(Value::Shape(_)) => Subject::ShapeMember,
        Some(Value::Unit(_)) => Subject::UnitMember,
        Some(Value::Tiling(_)) => Subject::TilingMember,
        _ if tokens.kind(0) == Some(TokenKind::Run) => Subject::TensorMember,
        _ if tokens.kind(0) == Some(TokenKind::Kernel) => match tile_or_partition(context, item, tokens) {
            Some(subject) => subject,
            None => return,
        },
        _ => return,
    };
    for entry in of_subject(subject) {
        let called = match subject {
            Subject::TensorMember | Subject::TileMember => true,
            Subject::PartitionMember => PartitionMember::from_name(entry.word).is_some_and(PartitionMember::is_called),
            Subject::TilingMember => !entry.parameters().is_empty(),
            _ => matches!(entry.word, "lower" | "upper" | "valid" | "fits" | "permute"),
        };
        let insert = match entry.word {
            word if of_element(word) => Insertion::call(word, ["f32"]),
            word if called => Insertion::call(word, [""]),
            word => word.into(),
        };
        // The atomic accesses of a partition are many, and rare.
        let is_atomic = PartitionMember::from_name(entry.word).is_some_and(PartitionMember::is_atomic);
        let rank = if is_atomic { Rank::Function } else { Rank::Expected };
        list.entry(rank, Member, entry, insert);
    }
}

/// What stands before the dot in a kernel: a partition, or a tile.
fn tile_or_partition(context: &Context<'_>, item: Item, tokens: &ItemTokens) -> Option<Subject> {
    let before = context.end.checked_sub(2)?;
    let typed = kernels::typed_kernel(context.db, item);
    let has_tiles = typed.record.meanings.iter().any(|(_, meaning)| matches!(meaning, Meaning::Partition(_)));
    // A call or a bracket before the dot can only give a tile.
    if tokens.kind(before)?.is_closing() {
        return has_tiles.then_some(Subject::TileMember);
    }
    let name = tokens.text(before);
    let named = |(span, _): &&(Span, Meaning)| tokens.text(span.start as usize) == name;
    match typed.record.meanings.iter().rev().find(named)? {
        (_, Meaning::Partition(_)) => Some(Subject::PartitionMember),
        (_, Meaning::Tile(..)) => Some(Subject::TileMember),
        _ => None,
    }
}

/// Whether a member of a map takes an element type.
fn of_element(member: &str) -> bool {
    matches!(member, "vector_width" | "bank_conflicts" | "sectors")
}

/// The element types, as arguments of such members.
fn element_types(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let Some(bracket) = open_brackets(tokens, context.end).pop() else { return };
    let member = bracket.checked_sub(1).map(|member| tokens.text(member)).unwrap_or_default();
    let dot = bracket.checked_sub(2).and_then(|dot| tokens.kind(dot));
    if of_element(member) && dot == Some(TokenKind::Dot) && tokens.kind(context.end - 1) == Some(TokenKind::OpenParen) {
        for entry in of_subject(Subject::Type) {
            list.entry(Rank::Expected, CompletionKind::Type, entry, entry.word);
        }
    }
}

/// In a bracket directly after a shape, `(k)` is its dimension k.
fn dimensions(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let Some(bracket) = open_brackets(tokens, context.end).pop() else { return };
    if tokens.kind(bracket) != Some(TokenKind::OpenBracket) {
        return;
    }
    let Some(Value::Shape(shape)) = context.item.and_then(|item| value_before(context.db, item, bracket)) else {
        return;
    };
    for (position, dim) in shape.dims.iter().enumerate() {
        let label = format!("({position})");
        list.add(Rank::Expected, ValueKind, &label, &*label).detail = dim.to_string();
    }
}

/// The parameters of the function around the cursor that may be given by name.
fn named_arguments(context: &Context<'_>, list: &mut List, tokens: &ItemTokens) {
    let Some(bracket) = open_brackets(tokens, context.end).pop() else { return };
    let last = tokens.kind(context.end - 1);
    let function = bracket.checked_sub(1).map(|function| tokens.text(function)).unwrap_or_default();
    if !matches!(last, Some(TokenKind::OpenParen | TokenKind::Comma)) {
        return;
    }
    let parameters: &[&str] = match function {
        "linear" | "continuous_linear" => &["width", "threads"],
        "map2d" => &["row_length", "threads_x", "threads_y"],
        "chain" => &["threads"],
        "bank_conflicts" | "sectors" => &["lanes"],
        _ => return arguments::names(context, list),
    };
    let given = |name: &&&str| !(bracket..context.end).any(|at| tokens.text(at) == **name);
    for name in parameters.iter().filter(given) {
        list.add(Rank::Expected, Parameter, name, Insertion::from(*name).text(": ").stop("")).detail =
            format!("a parameter of `{function}`");
    }
}
