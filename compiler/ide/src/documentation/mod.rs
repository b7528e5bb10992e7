//! One entry for every word of the language, for hover, completion and signature help.
//!
//! An example is a whole file that checks without errors, so it can be pasted.

mod atomics;
mod choices;
mod clauses;
mod collectives;
mod entry;
mod exchanges;
mod expressions;
mod functions;
mod items;
mod kernel_functions;
mod maps;
mod members;
mod runs;
mod statements;
#[cfg(test)]
mod tests;
mod tiles;
mod transforms;
mod types;

pub use entry::{Entry, Form, Subject};

/// Every entry, by subject.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let parts: [&'static [Entry]; 15] = [
        atomics::ENTRIES,
        exchanges::ENTRIES,
        items::ENTRIES,
        clauses::ENTRIES,
        statements::ENTRIES,
        expressions::ENTRIES,
        functions::ENTRIES,
        &kernel_functions::ENTRIES,
        &types::CONVERSIONS,
        maps::ENTRIES,
        members::ENTRIES,
        &types::TYPES,
        runs::ENTRIES,
        collectives::ENTRIES,
        &tiles::ENTRIES,
    ];
    parts.into_iter().flatten().chain(transforms::entries())
}

/// The entries of one subject.
pub fn of_subject(subject: Subject) -> impl Iterator<Item = &'static Entry> {
    entries().filter(move |entry| entry.subject == subject)
}

/// The entry of a word, by the first subject that has one.
pub fn find(word: &str, subjects: &[Subject]) -> Option<&'static Entry> {
    subjects.iter().find_map(|subject| of_subject(*subject).find(|entry| entry.word == word))
}

/// Whether a parameter of this name takes the word.
pub fn is_choice(parameter: &str, word: &str) -> bool {
    let all = entries().flat_map(Entry::parameters);
    all.filter(|known| known.name == parameter).any(|known| known.choices.iter().any(|choice| choice.word == word))
}
