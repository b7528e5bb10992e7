//! `-D M=1000`: values for symbols; `-G B=64`: values for generic parameters.

use std::collections::BTreeMap;

use check::db::Workspace;
use check::generics::GenericValue;
use ide::CompilerDatabase;

use super::status::Failure;

/// `NAME=INTEGER`, as clap reads it.
pub(super) fn parse(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| "expected NAME=INTEGER, such as M=1000".to_owned())?;
    if name.is_empty() {
        return Err("expected a name before `=`".to_owned());
    }
    let digits = value.replace('_', "");
    let value = digits.parse().map_err(|_| format!("`{value}` is not an integer of 64 bits"))?;
    Ok((name.to_owned(), value))
}

/// All definitions; two for one name contradict each other.
pub(super) fn table(definitions: &[(String, i64)]) -> Result<BTreeMap<String, i64>, Failure> {
    let mut table = BTreeMap::new();
    for (name, value) in definitions {
        if let Some(first) = table.insert(name.clone(), *value).filter(|first| first != value) {
            return Err(Failure::Usage(format!("-D gives {name} two values, {first} and {value}")));
        }
    }
    Ok(table)
}

/// `NAME=INTEGER` or `NAME=TYPE`, as clap reads it.
pub(super) fn parse_generic(text: &str) -> Result<(String, GenericValue), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| "expected NAME=VALUE, such as B=64 or T=f16".to_owned())?;
    if name.is_empty() {
        return Err("expected a name before `=`".to_owned());
    }
    Ok((name.to_owned(), value.parse()?))
}

/// Gives the generic parameters of all kernels these values; an error if no kernel has one of this name.
pub(super) fn set_generics(db: &mut CompilerDatabase, chosen: &[(String, GenericValue)]) -> Result<(), Failure> {
    for (index, (name, value)) in chosen.iter().enumerate() {
        let other = chosen.iter().take(index).find(|(known, first)| known == name && first != value);
        if let Some((_, first)) = other {
            return Err(Failure::Usage(format!("-G gives {name} two values, {first} and {value}")));
        }
        if !names_of_generics(db).iter().any(|known| known == name) {
            return Err(Failure::Usage(format!("-G {name}: no kernel has a generic parameter {name}")));
        }
    }
    db.set_generics(chosen.iter().map(|(name, value)| (name.as_str().into(), *value)).collect());
    Ok(())
}

/// The names of the generic parameters of all kernels.
fn names_of_generics(db: &CompilerDatabase) -> Vec<String> {
    let files = Workspace::get(db).files(db);
    let kernels = files.values().flat_map(|file| file.items(db)).filter_map(|item| item.declared_kernel(db));
    kernels
        .flat_map(|kernel| kernel.generics.iter().map(|generic| generic.name.text.to_string()).collect::<Vec<_>>())
        .collect()
}
