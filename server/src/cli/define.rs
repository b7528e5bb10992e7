//! `-D M=1000`: values for symbols.

use std::collections::BTreeMap;

use super::Failure;

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
