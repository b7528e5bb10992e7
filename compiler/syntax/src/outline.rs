//! Trees as short texts, for tests. They show how the parser grouped the source.

use std::fmt::Write;

use super::tree::*;

/// An item.
pub(super) fn item(item: &Item) -> String {
    match &item.kind {
        ItemKind::Use { path } => format!("use {:?}", path.text),
        ItemKind::Shape { name, rank, value } => {
            let rank = rank.as_ref().map(|rank| format!("<{}>", expr(rank))).unwrap_or_default();
            format!("shape{rank} {} : {}", name.text, expr(value))
        }
        ItemKind::Dim { names, facts } => format!("dim {} where [{}]", words(names), exprs(facts)),
        ItemKind::Const { name, value } => format!("const {} = {}", name.text, expr(value)),
        ItemKind::Map { name, value } => format!("map {} = {}", name.text, expr(value)),
        ItemKind::Unit { name, value } => format!("unit {} = {}", name.text, expr(value)),
        ItemKind::Tiling { name, value } => format!("tiling {} = {}", name.text, expr(value)),
        ItemKind::Kernel(kernel) => self::kernel(kernel),
        ItemKind::Function(function) => {
            let mut text = String::new();
            self::function(&mut text, function, 0);
            text
        }
        ItemKind::Run(run) => self::run(run),
        ItemKind::Assert { value } => format!("assert {}", expr(value)),
        ItemKind::Show { value } => format!("show {}", expr(value)),
        ItemKind::Expr(value) => format!("expression {}", expr(value)),
    }
}

fn words(names: &[Name]) -> String {
    names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn arguments(args: &[Argument]) -> String {
    let argument = |argument: &Argument| match &argument.name {
        Some(name) => format!("{}: {}", name.text, expr(&argument.value)),
        None => expr(&argument.value),
    };
    args.iter().map(argument).collect::<Vec<_>>().join(", ")
}

/// An expression. `<…>` marks the operands that an operator joins; `paren`, `tuple` and `unit` mark what the source
/// encloses.
pub(super) fn expr(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Error => "ERROR".to_owned(),
        ExprKind::Int(Some(value)) => value.to_string(),
        ExprKind::Unsigned(value) => value.to_string(),
        ExprKind::Int(None) => "ERROR-NUMBER".to_owned(),
        ExprKind::Float(value) => format!("{value:?}"),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Str(text) => format!("{text:?}"),
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Underscore => "_".to_owned(),
        ExprKind::Question => "?".to_owned(),
        ExprKind::Paren(inner) => format!("paren({})", expr(inner)),
        ExprKind::Tuple(list) => format!("tuple({})", exprs(list)),
        ExprKind::Unit { domain, box_ } => format!("unit({}; {})", exprs(domain), exprs(box_)),
        ExprKind::List(list) => format!("[{}]", exprs(list)),
        ExprKind::Size(inner) => format!("|{}|", expr(inner)),
        ExprKind::Via(source, map) => format!("<{} via {}>", expr(source), expr(map)),
        ExprKind::Range(low, high) => format!("<{} .. {}>", expr(low), expr(high)),
        ExprKind::Chain { first, rest } => {
            let mut text = format!("<{}", expr(first));
            for link in rest {
                let _ = write!(text, " {} {}", link.op.text(), expr(&link.operand));
            }
            text + ">"
        }
        ExprKind::Prefix { ops, operand } => {
            let sign = |op| match op {
                PrefixOp::Negate => '-',
                PrefixOp::Not => '!',
                PrefixOp::Complement => '~',
            };
            let ops: String = ops.iter().map(|(op, _)| sign(*op)).collect();
            format!("<{ops}{}>", expr(operand))
        }
        ExprKind::Postfix { base, suffixes } => suffixes.iter().fold(expr(base), |text, suffix| match &suffix.kind {
            SuffixKind::Member(name) => format!("{text}.{}", name.text),
            SuffixKind::Call(args) => format!("{text}({})", arguments(args)),
            SuffixKind::Bracket(list) => format!("{text}[{}]", exprs(list)),
        }),
        ExprKind::If { arms, otherwise } => {
            let arm = |arm: &Arm| format!("if {} {{ {} }} else ", expr(&arm.condition), expr(&arm.value));
            format!("{}{{ {} }}", arms.iter().map(arm).collect::<String>(), expr(otherwise))
        }
        ExprKind::Block(block) => {
            let mut text = String::new();
            self::block(&mut text, block, 1);
            format!("{{{text}\n}}")
        }
        ExprKind::ReshapeMap(map) => {
            let mut text = format!("reshape_map([{}] | [{}]", exprs(&map.local), exprs(&map.thread));
            if let Some(layout) = &map.layout {
                let _ = write!(text, " layout: [{}]", exprs(&layout.entries));
            }
            if let Some(offset) = &map.offset {
                let _ = write!(text, " offset: {}", expr(offset));
            }
            text + ")"
        }
        ExprKind::Group(entries) => {
            let entry = |entry: &GroupEntry| {
                let upper = entry.upper.as_ref().map(|upper| format!(" => ({})", exprs(upper))).unwrap_or_default();
                format!("({}): {}{upper}", exprs(&entry.lower), expr(&entry.transform))
            };
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Launch(clauses) => format!("launch({})", launch(clauses)),
    }
}

fn launch(clauses: &[LaunchClause]) -> String {
    let clause = |clause: &LaunchClause| {
        let word = match clause.kind {
            LaunchClauseKind::Cluster => "cluster",
            LaunchClauseKind::Grid => "grid",
            LaunchClauseKind::Block => "block",
        };
        format!("{word}({})", exprs(&clause.args))
    };
    clauses.iter().map(clause).collect::<Vec<_>>().join(" ")
}

fn kernel(kernel: &Kernel) -> String {
    let mut text = format!("kernel {}", kernel.name.text);
    if !kernel.generics.is_empty() {
        let _ = write!(text, "[{}]", kernel.generics.iter().map(generic).collect::<Vec<_>>().join(", "));
    }
    if !kernel.facts.is_empty() {
        let _ = write!(text, " where [{}]", exprs(&kernel.facts));
    }
    if !kernel.tune.is_empty() {
        let _ = write!(text, " tune({})", arguments(&kernel.tune));
    }
    if !kernel.clauses.is_empty() {
        let _ = write!(text, " {}", launch(&kernel.clauses));
    }
    for param in &kernel.params {
        let mutable = if param.mutable { "mut " } else { "" };
        let _ = write!(text, "\n  param {}: {mutable}{}", param.name.text, param.element.text);
        for (word, list) in [("", &param.shape), (" strided ", &param.strides)] {
            if let Some(list) = list {
                let _ = write!(text, "{word}[{}]", exprs(list));
            }
        }
    }
    block(&mut text, &kernel.body, 1);
    text
}

fn function(text: &mut String, function: &Function, depth: usize) {
    let generics: Vec<&str> = function.generics.iter().map(|name| name.text.as_str()).collect();
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| format!("{}{}", param.name.text, annotation(": ", param.annotation.as_ref())))
        .collect();
    let result = annotation(" -> ", function.result.as_ref());
    let _ = write!(text, "fn {}[{}]({}){result}", function.name.text, generics.join(", "), params.join(", "));
    match &function.body.kind {
        ExprKind::Block(body) => block(text, body, depth + 1),
        _ => _ = write!(text, " = {}", expr(&function.body)),
    }
}

/// A type behind a mark.
fn annotation(mark: &str, found: Option<&TypeName>) -> String {
    let shape = |found: &TypeName| found.shape.as_ref().map(|shape| format!("[{}]", exprs(shape))).unwrap_or_default();
    found.map(|found| format!("{mark}{}{}", found.element.text, shape(found))).unwrap_or_default()
}

fn generic(generic: &Generic) -> String {
    match &generic.kind {
        GenericKind::Constant { default } => {
            format!("{} = {}", generic.name.text, default.as_ref().map_or_else(|| "ERROR".to_owned(), expr))
        }
        GenericKind::Element { types, default } => {
            let types: Vec<&str> = types.iter().map(|name| name.text.as_str()).collect();
            let default = default.as_ref().map(|name| format!(" = {}", name.text)).unwrap_or_default();
            format!("{}: {}{default}", generic.name.text, types.join(" | "))
        }
    }
}

fn block(text: &mut String, body: &Block, depth: usize) {
    for inner in &body.statements {
        let _ = write!(text, "\n{}", "  ".repeat(depth));
        statement(text, inner, depth);
    }
}

fn statement(text: &mut String, statement: &Statement, depth: usize) {
    let _ = match &statement.kind {
        StatementKind::View { name, source, via, per, masked } => {
            let _ = write!(text, "view {} = {}", name.text, expr(source));
            for (word, value) in [("via", via), ("per", per)] {
                if let Some(value) = value {
                    let _ = write!(text, " {word} {}", expr(value));
                }
            }
            text.write_str(if masked.is_some() { " masked" } else { "" })
        }
        StatementKind::Let { name, mutable, element, shape, value } => {
            let mutable = if *mutable { "mut " } else { "" };
            let element = element.as_ref().map(|name| format!(": {}", name.text)).unwrap_or_default();
            let shape = shape.as_ref().map(|shape| format!("[{}]", exprs(shape))).unwrap_or_default();
            write!(text, "let {mutable}{}{element}{shape} = {}", name.text, expr(value))
        }
        StatementKind::Shared { name, element, shape, layout } => {
            write!(text, "shared {} : {}[{}] |> {}", name.text, element.text, exprs(shape), exprs(layout))
        }
        StatementKind::Define { word, name, value } => write!(text, "{} {} = {}", word.text(), name.text, expr(value)),
        StatementKind::Function(function) => {
            self::function(text, function, depth);
            Ok(())
        }
        StatementKind::Assert { value } => write!(text, "assert {}", expr(value)),
        StatementKind::For { iterators, domain, step, body } => {
            let _ = write!(text, "for ({}) in {}", words(iterators), expr(domain));
            if let Some(step) = step {
                let _ = write!(text, " step {}", expr(step));
            }
            block(text, body, depth + 1);
            Ok(())
        }
        StatementKind::While { condition, most, body } => {
            let _ = write!(text, "while {}", expr(condition));
            if let Some(most) = most {
                let _ = write!(text, " max {}", expr(most));
            }
            block(text, body, depth + 1);
            Ok(())
        }
        StatementKind::Leave(word) => write!(text, "{}", word.text()),
        StatementKind::With { domain, body } => {
            let _ = write!(text, "with {}", expr(domain));
            block(text, body, depth + 1);
            Ok(())
        }
        StatementKind::If { arms, otherwise } => {
            for (index, (condition, body)) in arms.iter().enumerate() {
                if index > 0 {
                    let _ = write!(text, "\n{}else ", "  ".repeat(depth));
                }
                let _ = write!(text, "if {}", expr(condition));
                block(text, body, depth + 1);
            }
            if let Some(body) = otherwise {
                let _ = write!(text, "\n{}else", "  ".repeat(depth));
                block(text, body, depth + 1);
            }
            Ok(())
        }
        StatementKind::Assign { target, op, value, word } => {
            let word = word.map_or("", |_| "async ");
            write!(text, "{word}{} {}= {}", expr(target), op.map_or("", BinaryOp::text), expr(value))
        }
        StatementKind::Expr(value) => text.write_str(&expr(value)),
    };
}

fn run(run: &Run) -> String {
    let generics = match run.generics.as_slice() {
        [] => String::new(),
        generics => format!("[{}]", arguments(generics)),
    };
    let mut text = format!("run {}{generics}({})", run.kernel.text, arguments(&run.args));
    for (name, value) in &run.with {
        let _ = write!(text, "\n  with {} = {}", name.text, expr(value));
    }
    for Expectation { condition, within } in &run.expect {
        let _ = write!(text, "\n  expect {}", expr(condition));
        if let Some(within) = within {
            let _ = write!(text, "\n  within {}", expr(within));
        }
    }
    for (name, path) in &run.save {
        let _ = write!(text, "\n  save {}: {:?}", name.text, path.text);
    }
    text
}
