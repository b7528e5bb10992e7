//! `shapewright table`

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use dims::{Sym, Symbol};
use maps::row_major;
use maps::{IndexMap, Point};

use super::format::Format;
use super::output::Output;
use super::status::{Failure, Outcome, Status};
use super::{define, json, show};
use crate::load::Loaded;
use crate::remarks;

/// The most rows of a table or a JSON document, which is held in memory.
const MOST_ROWS: u64 = 1 << 20;
/// The most rows with `--csv`, some hundred megabytes; more are rarely intended.
const MOST_CSV_ROWS: u64 = 1 << 24;

/// Prints an index map, or the threads of a tiling, point by point
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The name of the map or the tiling
    name: String,
    /// A size for a symbol of the map, such as `-D N=1000`
    #[arg(short = 'D', value_name = "NAME=INTEGER", value_parser = define::parse)]
    define: Vec<(String, i64)>,
    /// Comma-separated values, any number of rows
    #[arg(long, conflicts_with = "format")]
    csv: bool,
    /// Prints the first rows only, at most so many
    #[arg(long, value_name = "ROWS", value_parser = rows)]
    limit: Option<u64>,
    /// How to print the table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let (db, file) = Loaded::one(&arguments.file).map_err(Failure::Machine)?;
    let facts = ide::item_facts(&db, file);
    let all: Vec<String> = facts.iter().flat_map(|item| item.names.clone()).collect();
    let Some(item) = facts.into_iter().find(|item| item.is_called(&arguments.name)) else {
        return Err(show::unknown(&arguments.name, &all, file.path(&db)));
    };
    let Some((map, _)) = item.facts.as_map() else {
        let problem = if item.kind == "map" || item.kind == "tiling" {
            "has errors, see `shapewright check`".to_owned()
        } else {
            format!("is a {}, not a map", item.kind)
        };
        return Err(Failure::File(format!("`{}` {problem}", arguments.name)));
    };
    let points = Points::new(&map, &arguments.name, &define::table(&arguments.define)?)?;
    let rows = rows_to_print(arguments, points.count())?;
    match (arguments.csv, arguments.format) {
        (true, _) => csv(&points, rows, output)?,
        (false, Format::Json) => output.json(&document(&points, rows)?)?,
        (false, Format::Human) => human(&points, rows, output)?,
    }
    let left = points.count().saturating_sub(rows.into());
    if left > 0 && arguments.format == Format::Human {
        output.finish()?;
        remarks::note(&format!("`{}` has {left} more points", arguments.name));
    }
    Ok(Status::Fine)
}

/// `1_000`, as clap reads it.
fn rows(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) | Err(_) => Err("expected a positive number of rows".to_owned()),
        Ok(rows) => Ok(rows),
    }
}

/// How many of `points` become rows; an error if there are too many.
fn rows_to_print(arguments: &Arguments, points: u128) -> Result<u64, Failure> {
    let most = if arguments.csv { MOST_CSV_ROWS } else { MOST_ROWS };
    let wanted = arguments.limit.map_or(points, |limit| points.min(limit.into()));
    let is_fine = wanted <= most.into() || arguments.csv && arguments.limit.is_some();
    match u64::try_from(wanted) {
        Ok(rows) if is_fine => Ok(rows),
        _ => {
            let name = &arguments.name;
            let points = if points == u128::MAX { format!("at least {points}") } else { points.to_string() };
            let advice = if arguments.csv { "" } else { ", and print more than that with --csv" };
            Err(Failure::Usage(format!(
                "`{name}` has {points} points, more than the {most} rows that are printed at once; print \
                 the first ones with --limit ROWS{advice}"
            )))
        }
    }
}

/// The points of a map, in its order: the last coordinate runs fastest.
struct Points<'map> {
    map: &'map IndexMap,
    sizes: BTreeMap<Symbol, i64>,
    upper_shape: Vec<i64>,
    lower_shape: Vec<Option<i64>>,
}

impl<'map> Points<'map> {
    fn new(map: &'map IndexMap, name: &str, given: &BTreeMap<String, i64>) -> Result<Self, Failure> {
        let mut sizes = BTreeMap::new();
        for symbol in map.symbols() {
            let value = given.get(symbol.name()).ok_or_else(|| {
                Failure::Usage(format!("`{name}` depends on {symbol}; give it a size with -D {symbol}=…"))
            })?;
            if *value < 1 {
                return Err(Failure::Usage(format!("{symbol} is {value}, but a size is at least 1")));
            }
            sizes.insert(symbol, *value);
        }
        let size = |size: &Sym| {
            size.evaluate(&|symbol| sizes.get(symbol).copied())
                .map_err(|error| Failure::File(format!("a size of `{name}` has no value: {error}")))
        };
        let mut upper_shape = Vec::with_capacity(map.upper.len());
        for (position, axis) in map.upper.iter().enumerate() {
            let extent = axis.extent.as_ref().ok_or_else(|| {
                Failure::File(format!("coordinate {position} of `{name}` has no upper end, so its table has none"))
            })?;
            upper_shape.push(size(extent)?);
        }
        let lower_shape = map.lower.iter().map(|axis| axis.extent.as_ref().map(size).transpose());
        let lower_shape = lower_shape.collect::<Result<_, _>>()?;
        Ok(Self { map, sizes, upper_shape, lower_shape })
    }

    fn count(&self) -> u128 {
        self.upper_shape
            .iter()
            .fold(1u128, |product, extent| product.saturating_mul(u128::try_from((*extent).max(0)).unwrap_or(0)))
    }

    fn at(&self, upper: &[i64]) -> Result<Point, Failure> {
        maps::evaluate(self.map, upper, &|symbol| self.sizes.get(symbol).copied())
            .map_err(|error| Failure::File(format!("the map has no value at {}: {error}", coordinate(upper))))
    }

    /// Calls `visit` with the first `rows` points, which must exist.
    fn each(&self, rows: u64, mut visit: impl FnMut(&[i64], Point) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut upper = vec![0i64; self.upper_shape.len()];
        for _ in 0..rows {
            visit(&upper, self.at(&upper)?)?;
            row_major::advance(&mut upper, self.upper_shape.iter().copied());
        }
        Ok(())
    }
}

fn document(points: &Points<'_>, rows: u64) -> Result<json::Table, Failure> {
    let mut listed = Vec::new();
    points.each(rows, |upper, point| {
        listed.push(json::Row { upper: upper.to_vec(), lower: point.lower, valid: point.valid });
        Ok(())
    })?;
    Ok(json::Table { upper_shape: points.upper_shape.clone(), lower_shape: points.lower_shape.clone(), rows: listed })
}

fn csv(points: &Points<'_>, rows: u64, output: &mut Output) -> Result<(), Failure> {
    let upper = (0..points.upper_shape.len()).map(|axis| format!("upper{axis}"));
    let lower = (0..points.lower_shape.len()).map(|axis| format!("lower{axis}"));
    let header: Vec<String> = upper.chain(lower).chain(["valid".to_owned()]).collect();
    output.line(header.join(","))?;
    points.each(rows, |upper, point| {
        let cells: Vec<String> = upper.iter().chain(&point.lower).map(i64::to_string).collect();
        output.line(format_args!("{},{}", cells.join(","), point.valid))
    })
}

fn human(points: &Points<'_>, rows: u64, output: &mut Output) -> Result<(), Failure> {
    points.each(rows, |upper, point| match point.valid {
        true => output.line(format_args!("{} -> {}", coordinate(upper), coordinate(&point.lower))),
        false => output.line(format_args!("{} -> _", coordinate(upper))),
    })
}

/// `(2, 3)`, or just the number for a single coordinate.
fn coordinate(values: &[i64]) -> String {
    let texts: Vec<String> = values.iter().map(i64::to_string).collect();
    if texts.len() == 1 { texts.concat() } else { format!("({})", texts.join(", ")) }
}
