//! `shapewright show`

use std::path::PathBuf;

use check::values::Value;
use clap::Args;
use ide::CompilerDatabase;
use ide::{Facts, ItemFacts, Location, count};
use kernel::run::Run;
use kernel::typed::{Kernel, ParamKind, Statement, StatementKind};
use proofs::{Effort, Verdict};
use serde_json::{Map, Value as Json, json};

use super::format::Format;
use super::output::Output;
use super::status::{Failure, Outcome, Status};
use super::{json, value_json};
use crate::load::Loaded;
use crate::solver;

/// Shows the facts of every item of a file, or of one
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The name of an item; all items where left out
    name: Option<String>,
    /// Lets proofs take seconds
    #[arg(long)]
    deep: bool,
    /// The SMT solver that a deep check may ask where its own rules do not decide: a program, or `off`; z3 or cvc5 from
    /// the PATH where left out
    #[arg(long, value_name = "PROGRAM", requires = "deep")]
    solver: Option<PathBuf>,
    /// How to print the facts
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let (mut db, file) = Loaded::one(&arguments.file).map_err(Failure::Machine)?;
    if arguments.deep {
        db.set_effort(Effort::Deep);
        db.set_solver(solver::find(arguments.solver.as_deref()).map_err(Failure::Machine)?);
    }
    let mut facts = ide::item_facts(&db, file);
    let all: Vec<String> = facts.iter().flat_map(|item| item.names.clone()).collect();
    if let Some(name) = &arguments.name {
        facts.retain(|item| item.is_called(name));
        if facts.is_empty() {
            return Err(unknown(name, &all, file.path(&db)));
        }
    }
    let errors: usize = facts.iter().map(|item| item.errors).sum();
    match arguments.format {
        Format::Human => {
            for item in &facts {
                human(item, output)?;
            }
            if errors > 0 {
                output.finish()?;
                crate::remarks::note(&format!("there are errors in {}, see `shapewright check`", file.path(&db)));
            }
        }
        Format::Json => {
            let items = facts.into_iter().map(|facts| item(&db, file, facts)).collect();
            output.json(&json::Show { items })?;
        }
    }
    Ok(Status::wrong_if(errors > 0))
}

/// The failure for a name that the file does not declare.
pub(super) fn unknown(name: &str, all: &[String], file: &str) -> Failure {
    let nearest = check::spelling::nearest(name, all.iter().map(String::as_str));
    let advice =
        nearest.filter(|near| !near.is_empty()).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Failure::File(format!("{file} declares nothing called `{name}`{advice}"))
}

fn item(db: &CompilerDatabase, file: check::db::SourceFile, facts: ItemFacts) -> json::Item {
    json::Item {
        range: json::range(db, &Location { file, range: facts.range.clone() }),
        name: facts.title(),
        kind: facts.kind,
        display: facts.display,
        expression: facts.expression,
        errors: facts.errors,
        documentation: facts.documentation.as_deref().unwrap_or_default().to_owned(),
        facts: fields(&facts.facts),
    }
}

fn fields(facts: &Facts) -> Map<String, Json> {
    let fields = match facts {
        Facts::Nothing => json!({}),
        Facts::Shape(shape) => {
            let size = shape.size().map_or(Json::Null, |size| value_json::size(&size));
            json!({ "dims": value_json::sizes(&shape.dims), "rank": shape.rank(), "size": size })
        }
        Facts::Dim(known) => json!({ "facts": known }),
        Facts::Value(value) => json!({ "type": value.type_name(), "value": value_json::value(value) }),
        Facts::Map(map) => Json::Object(value_json::map_facts(map)),
        Facts::Kernel(kernel) => kernel_fields(kernel),
        Facts::Run(run) => run_fields(run),
    };
    match fields {
        Json::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn kernel_fields(kernel: &Kernel) -> Json {
    let params = kernel.params.iter().map(|param| match &param.kind {
        ParamKind::Scalar => json!({ "name": param.name.as_str(), "dtype": param.element.name() }),
        ParamKind::Tensor { mutable, shape, strides } => json!({
            "name": param.name.as_str(),
            "dtype": param.element.name(),
            "shape": value_json::sizes(shape),
            "strides": value_json::sizes(strides),
            "mutable": mutable,
        }),
    });
    let params: Vec<Json> = params.collect();
    let symbols: Vec<&str> = kernel.symbols.iter().map(|symbol| symbol.name()).collect();
    json!({
        "params": params,
        "symbols": symbols,
        "barriers": barriers(kernel),
        "launch": {
            "cluster": kernel.launch.cluster,
            "blocks": value_json::size(&kernel.launch.blocks),
            "threads": value_json::size(&kernel.launch.threads),
        },
    })
}

/// The number of barriers in a kernel.
fn barriers(kernel: &Kernel) -> usize {
    let mut count = 0;
    Statement::walk(&kernel.body, &mut |statement| {
        count += usize::from(matches!(statement.kind, StatementKind::Barrier(_)));
    });
    count
}

fn run_fields(run: &Run) -> Json {
    let bindings: Map<String, Json> =
        run.bindings.iter().map(|(symbol, value)| (symbol.name().to_owned(), json!(value))).collect();
    json!({ "kernel": run.kernel.name.as_str(), "bindings": bindings, "expect": run.expect.is_some() })
}

fn human(item: &ItemFacts, output: &mut Output) -> Result<(), Failure> {
    let names = item.title();
    let subject = if names.is_empty() { &item.expression } else { &names };
    let title = if subject.is_empty() { item.kind.to_owned() } else { format!("{} {subject}", item.kind) };
    match (item.display.is_empty(), item.errors) {
        (true, 0) => output.line(&title)?,
        (true, errors) => output.line(format_args!("{title}: {}", count(errors, "error")))?,
        (false, _) => output.line(format_args!("{title}: {}", item.display))?,
    }
    for line in item.documentation.as_deref().unwrap_or_default().lines() {
        output.line(format_args!("    /// {line}"))?;
    }
    match &item.facts {
        Facts::Value(Value::Tiling(tiling)) => {
            let (domain, taken) = (tiling.domain(), tiling.taken());
            output.line(format_args!(
                "    domain {domain:?}, box {taken:?}, {}",
                count(tiling.leaf_threads() as usize, "thread")
            ))?;
            output.line(format_args!("    threads of an iteration: {}", tiling.digits().condition()))?;
            output.line(format_args!("    threads of the first iteration: {}", tiling.first_threads()))
        }
        Facts::Nothing | Facts::Dim(_) | Facts::Value(_) | Facts::Run(_) => Ok(()),
        Facts::Shape(shape) => {
            let size = shape.size().map_or_else(|error| error.to_string(), |size| size.to_string());
            output.line(format_args!("    rank {}, size {size}", shape.rank()))
        }
        Facts::Map(map) => {
            for question in &map.verdicts {
                let name = question.name.replace('_', " ");
                output.line(format_args!("    {name}: {}", verdict(&question.verdict)))?;
            }
            Ok(())
        }
        Facts::Kernel(kernel) => {
            if !kernel.symbols.is_empty() {
                let symbols: Vec<&str> = kernel.symbols.iter().map(|symbol| symbol.name()).collect();
                output.line(format_args!("    known at launch: {}", symbols.join(", ")))?;
            }
            match barriers(kernel) {
                0 => {}
                barriers => output.line(format_args!("    threads wait at {}", count(barriers, "barrier")))?,
            }
            Ok(())
        }
    }
}

fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proven { rule } => format!("proven, {rule}"),
        Verdict::Refuted { counterexample, obligation: Some(fact) } => {
            format!("refuted, {counterexample}; it would hold if `{fact}`")
        }
        Verdict::Refuted { counterexample, obligation: None } => format!("refuted, {counterexample}"),
        Verdict::Open { obligation: Some(fact), .. } => format!("open, it would hold if `{fact}`"),
        Verdict::Open { reason, .. } => format!("open, {reason}"),
    }
}
