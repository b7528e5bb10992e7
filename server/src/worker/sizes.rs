//! The values of a kernel's symbols: from the `run` item, the command line, and the shapes of given tensors.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::path::Path;

use dims::{Solved, Sym, Symbol};
use kernel::run::Init;
use kernel::typed::{Param, ParamKind};
use shapewright_runtime::tensors::npy::{Expected, read_npy_header};

use super::arguments::Source;
use super::failure::Failure;
use super::target::Target;

/// A value for each symbol, and its origin.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    values: BTreeMap<Symbol, i64>,
    origins: BTreeMap<Symbol, String>,
}

impl Deref for Sizes {
    type Target = BTreeMap<Symbol, i64>;

    fn deref(&self) -> &Self::Target {
        &self.values
    }
}

impl Sizes {
    /// The origin of a symbol's value, for a message: `x.npy`, `-D`.
    pub(super) fn origin(&self, symbol: &Symbol) -> Option<&str> {
        self.origins.get(symbol).map(String::as_str)
    }

    /// Adds a value, if there is none yet.
    fn add(&mut self, symbol: &Symbol, value: i64, origin: impl Into<String>) {
        if !self.values.contains_key(symbol) {
            self.values.insert(symbol.clone(), value);
            self.origins.insert(symbol.clone(), origin.into());
        }
    }

    fn add_all(&mut self, values: &BTreeMap<Symbol, i64>, origin: &str) {
        values.iter().for_each(|(symbol, value)| self.add(symbol, *value, origin));
    }
}

/// Finds a value for every symbol of the target's kernel.
pub(super) fn bind(
    target: &Target,
    definitions: &BTreeMap<String, i64>,
    sources: &[Source<'_>],
) -> Result<Sizes, Failure> {
    let kernel = &target.kernel;
    let mut sizes = Sizes::default();
    for symbol in &kernel.symbols_with_facts() {
        if let Some(value) = definitions.get(symbol.name()) {
            sizes.add(symbol, *value, "-D");
        }
    }
    let written = target.run.as_ref().map(|run| run.bindings.clone()).unwrap_or_default();
    // An unmodified `run` item fixes the sizes, and a file that does not fit them is an error. Inputs from the
    // command line determine the sizes themselves.
    if target.is_as_written() {
        sizes.add_all(&written, "the `run` item");
    }
    // What one tensor says may be what another one needs: `f32[N]` for `f32[M + N]`.
    let mut known = None;
    while known != Some(sizes.len()) {
        known = Some(sizes.len());
        for (param, source) in kernel.params.iter().zip(sources) {
            infer(param, source, &mut sizes)?;
        }
    }
    sizes.add_all(&written, "the `run` item");
    let missing: Vec<&str> =
        kernel.symbols.iter().filter(|symbol| !sizes.contains_key(symbol)).map(|symbol| symbol.name()).collect();
    if let Some(first) = missing.first() {
        return Err(Failure::usage(format!(
            "the kernel {} needs a value for {}: write `with {first} = …` in its `run` item, or give -D {first}=…",
            kernel.name,
            missing.join(", ")
        )));
    }
    Ok(sizes)
}

/// Refuses definitions of symbols that no target has.
pub(super) fn refuse_unknown(definitions: &BTreeMap<String, i64>, targets: &[Target]) -> Result<(), Failure> {
    let symbols: BTreeSet<Symbol> = targets.iter().flat_map(|target| target.kernel.symbols_with_facts()).collect();
    let symbols: BTreeSet<&str> = symbols.iter().map(Symbol::name).collect();
    match definitions.keys().find(|name| !symbols.contains(name.as_str())) {
        None => Ok(()),
        Some(name) if symbols.is_empty() => {
            Err(Failure::usage(format!("-D {name}: no kernel that runs has a size to be given")))
        }
        Some(name) => {
            let symbols = Vec::from_iter(symbols).join(", ");
            let why = format!("-D {name}: no kernel that runs has a symbol {name} (there is {symbols})");
            Err(Failure::usage(why))
        }
    }
}

/// Infers sizes from a tensor with a known shape.
fn infer(param: &Param, source: &Source<'_>, sizes: &mut Sizes) -> Result<(), Failure> {
    let ParamKind::Tensor { shape, .. } = &param.kind else { return Ok(()) };
    if shape.iter().flat_map(Sym::symbols).all(|symbol| sizes.contains_key(&symbol)) {
        return Ok(());
    }
    match source {
        Source::File(path) => {
            let header = header(param, shape, path, sizes)?;
            learn(param, &header, &path.display().to_string(), sizes)?;
        }
        Source::Init(Init::Literal(elements)) if shape.len() == 1 => {
            learn(param, &[elements.len() as u64], &format!("the elements of `{}`", param.name), sizes)?;
        }
        _ => {}
    }
    Ok(())
}

/// The shape in a file, checked against the dimensions that are known already.
fn header(param: &Param, shape: &[Sym], path: &Path, sizes: &Sizes) -> Result<Vec<u64>, Failure> {
    let known: Vec<Option<u64>> = shape
        .iter()
        .map(|dim| dim.evaluate(&|symbol| sizes.get(symbol).copied()).ok())
        .map(|dim| dim.and_then(|dim| u64::try_from(dim).ok()))
        .collect();
    let expected = Expected { parameter: param.name.as_str(), element: param.element, shape: Some(known.as_slice()) };
    let header = read_npy_header(path, &expected).map_err(|error| Failure::npy(error, param, sizes))?;
    Ok(header.shape)
}

/// Learns the sizes in a parameter's shape from the extents that were found.
fn learn(param: &Param, found: &[u64], origin: &str, sizes: &mut Sizes) -> Result<(), Failure> {
    let ParamKind::Tensor { shape, .. } = &param.kind else { return Ok(()) };
    for (position, (dim, found)) in shape.iter().zip(found).enumerate() {
        let Ok(extent) = i64::try_from(*found) else { continue };
        let why = match dim.solve(extent, &|symbol| sizes.get(symbol).copied()) {
            Solved::Nothing => continue,
            Solved::Is(symbol, value) => {
                sizes.add(&symbol, value, origin);
                continue;
            }
            Solved::TooSmall(symbol, value) => format!("{symbol} would be {value}, and a size is at least 1"),
            Solved::Never(symbol) => format!("no {symbol} makes it so"),
        };
        return Err(Failure::machine(format!(
            "dimension {position} of `{}` is declared as {dim} and has {extent} elements in {origin}: {why}",
            param.name
        )));
    }
    Ok(())
}
