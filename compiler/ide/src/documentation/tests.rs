//! Nothing of the language is without an entry, and no entry is wrong.

use std::collections::HashSet;

use super::*;
use crate::CompilerDatabase;
use ::maps::threads::{Parameter, STANDARD_UNITS};
use check::diagnostics::Severity;
use check::evaluate;
use check::kernels::{kernel_functions, parameters};
use check::run_items::{INITIAL_FUNCTIONS, INITIAL_VALUES};
use check::unit_words::UnitWord;
use elements::ElementType;
use syntax::token::TokenKind;

fn missing<'w>(words: impl IntoIterator<Item = &'w str>, subjects: &[Subject]) -> Vec<&'w str> {
    words.into_iter().filter(|word| find(word, subjects).is_none()).collect()
}

/// What has members, with them.
fn members() -> [(Subject, &'static [&'static str]); 4] {
    [
        (Subject::MapMember, evaluate::MAP_MEMBERS),
        (Subject::ShapeMember, evaluate::SHAPE_MEMBERS),
        (Subject::TilingMember, evaluate::TILING_MEMBERS),
        (Subject::UnitMember, evaluate::UNIT_MEMBERS),
    ]
}

#[test]
fn every_word_of_the_language_has_an_entry() {
    use Subject::*;
    let none: [&str; 0] = [];
    let keywords = TokenKind::WORDS.iter().map(|(word, _)| *word);
    assert_eq!(missing(keywords, &[Item, Clause, Statement, ViewClause, Expression, MapPart, Function]), none);
    assert_eq!(missing(kernel_functions(), &[KernelFunction]), none);
    assert_eq!(missing(evaluate::functions(), &[Function]), none);
    for (subject, members) in members() {
        assert_eq!(missing(members.iter().copied(), &[subject]), none);
    }
    assert_eq!(missing(STANDARD_UNITS.iter().map(|unit| unit.name), &[ThreadUnit, Function]), none);
    assert_eq!(missing(Parameter::ALL.map(Parameter::name), &[ThreadUnit]), none);
    assert_eq!(missing(ElementType::ALL.map(ElementType::name), &[Type]), none);
    assert_eq!(missing(UnitWord::ALL.map(UnitWord::name), &[Unit]), none);
    assert_eq!(missing(INITIAL_VALUES.iter().chain(INITIAL_FUNCTIONS).copied(), &[Initial]), none);
}

#[test]
fn no_entry_is_about_a_member_that_is_not_there() {
    for (subject, members) in members() {
        assert!(of_subject(subject).all(|entry| members.contains(&entry.word)), "{subject:?}");
    }
}

#[test]
fn no_entry_is_about_a_function_that_is_not_there() {
    let functions: HashSet<&str> = evaluate::functions().collect();
    assert!(of_subject(Subject::Function).all(|entry| functions.contains(entry.word)));
    let functions: HashSet<&str> = kernel_functions().collect();
    assert!(of_subject(Subject::KernelFunction).all(|entry| functions.contains(entry.word)));
}

#[test]
fn the_entries_of_units_say_what_the_units_are() {
    for unit in STANDARD_UNITS.iter().filter(|unit| unit.parameters.is_empty()) {
        let notation = unit.build(&[]).unwrap().notation();
        let entry = find(unit.name, &[Subject::ThreadUnit]).unwrap();
        assert!(entry.text.contains(&format!("`{notation}`")), "{}: {notation}", entry.text);
    }
}

#[test]
fn every_entry_is_there_once() {
    let mut seen = HashSet::new();
    for entry in entries() {
        assert!(seen.insert((entry.subject, entry.word)), "{entry:?}");
    }
}

#[test]
fn every_example_checks_without_errors() {
    let mut wrong = Vec::new();
    for entry in entries() {
        let mut db = CompilerDatabase::default();
        let file = db.set_text("main.shape", entry.example);
        for finding in crate::diagnostics(&db, file) {
            if finding.severity == Severity::Error {
                wrong.push(format!("{:?} {}: {}", entry.subject, entry.word, finding.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_example_shows_its_word() {
    for entry in entries().filter(|entry| !matches!(entry.word, "use" | "pass_through" | "thread")) {
        assert!(entry.example.contains(entry.word), "{} is not in its example", entry.word);
    }
}

#[test]
fn every_parameter_has_a_name_of_its_own_and_a_sentence() {
    for entry in entries().filter(|entry| entry.word != "reshape_map") {
        let mut seen = HashSet::new();
        for parameter in entry.parameters() {
            assert!(seen.insert(parameter.name) && !parameter.about.is_empty(), "{}: {parameter:?}", entry.word);
        }
    }
}

#[test]
fn what_may_be_left_out_of_a_call_stands_together() {
    for entry in entries() {
        let optional = entry.parameters().iter().map(|parameter| parameter.is_optional);
        let groups = optional.clone().zip(optional.skip(1)).filter(|(this, next)| !this && *next).count();
        assert!(groups <= 1, "{:?}", entry.signature());
    }
}

/// The words that parameters take are those that the compiler takes.
#[test]
fn every_word_that_a_parameter_takes_is_taken() {
    let kernel = |statement: &str| {
        format!(
            "kernel k(x: f32[6], n: i32[6], y: mut f32[6], h: mut i32[6]) {{\n    view px = partition(x, [4]);\n    view py = partition(y, \
             [4]);\n    view pn = partition(n, [4]);\n    shared s : i32[4];\n    for i in grid(px.index_space) {{ {statement} }}\n}}"
        )
    };
    let scattered = "scatter_masked(h, pn.load_masked(i), pn.load_masked(i), atomic: ";
    let shared = |word: &str| if word == "block" { "s[0]" } else { "h[0]" };
    let tables: [(&[kernel::functions::Choice], &str, &str); 5] = [
        (parameters::PAD.choices, "py.store_masked(px.load_masked(i, pad: ", "), i);"),
        (parameters::ATOMIC.choices, scattered, ");"),
        (parameters::ORDER.choices, "atomic_add(h[0], 1, order: ", ");"),
        (parameters::SCOPE.choices, "atomic_add(ELEMENT, 1, scope: ", ");"),
        (choices::THREADS, "for t in threads(128, cuda_thread) { let s = sum(t, over: ", "); }"),
    ];
    for (table, before, behind) in tables {
        for choice in table {
            // Blocks meet in a tensor, and the threads of a block in a shared array.
            let text = kernel(&format!("{before}{}{behind}", choice.word)).replace("ELEMENT", shared(choice.word));
            let mut db = CompilerDatabase::default();
            let file = db.set_text("a.shape", &text);
            let errors: Vec<String> = crate::diagnostics(&db, file)
                .into_iter()
                .filter(|found| found.severity == Severity::Error)
                .map(|found| found.message)
                .collect();
            assert!(errors.is_empty(), "{}: {errors:?}", choice.word);
        }
    }
}
