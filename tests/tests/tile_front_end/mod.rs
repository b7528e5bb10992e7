//! NVRTC's front end of CUDA Tile C++ as an oracle: small programs in both notations are accepted and refused alike, except
//! where a rule says that one of them is stricter. What is undefined there is refused here.
//!
//! A program is drawn in a neutral form (`program`, `draw`) and written in both notations (`ours`, `cuda_tile`). `rules`
//! says of each notation why it refuses the program, if it does; the compiler and the front end have to agree with it. So
//! a difference between the two is never an exception for a program, but a rule that says what differs.

mod cuda_tile;
mod draw;
mod front_end;
mod meaning;
mod ours;
mod program;
mod rules;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

use crate::support::check;
use front_end::FrontEnd;
use program::Program;
use rules::{Notation, Reason, reasons};

/// What the two say of programs.
#[derive(Default)]
struct Tally {
    accepted: usize,
    refused: usize,
    /// The rules by which only one of them refuses programs.
    only_ours: BTreeMap<&'static str, usize>,
    only_theirs: BTreeMap<&'static str, usize>,
}

/// Compares what is said of programs with the rules.
fn compare(front_end: &FrontEnd, programs: &[Program]) -> Tally {
    let lines: Vec<String> =
        programs.iter().enumerate().map(|(number, program)| cuda_tile::line(program, number)).collect();
    let accepted = front_end.accepted(&lines);
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for (number, (program, line)) in programs.iter().zip(&lines).enumerate() {
        let of_ours = reasons(program, Notation::Ours);
        let of_theirs = reasons(program, Notation::CudaTile);
        if accepted.contains(&number) != of_theirs.is_empty() {
            wrong.push(format!("CUDA Tile, expected {of_theirs:?}:\n{line}{}", front_end.said(line)));
        }
        if let Err(problem) = agrees(&ours::text(program), &of_ours) {
            wrong.push(problem);
        }
        let what = |reasons: &[Reason]| reasons.iter().map(|reason| reason.what).collect::<BTreeSet<_>>();
        match (of_ours.is_empty(), of_theirs.is_empty()) {
            (true, true) => tally.accepted += 1,
            (false, false) => tally.refused += 1,
            (false, true) => what(&of_ours).into_iter().for_each(|what| *tally.only_ours.entry(what).or_default() += 1),
            (true, false) => {
                what(&of_theirs).into_iter().for_each(|what| *tally.only_theirs.entry(what).or_default() += 1);
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} programs:\n\n{}", wrong.len(), programs.len(), wrong.join("\n\n"));
    tally
}

/// Whether our compiler refuses a text for these reasons, and accepts it if there are none.
fn agrees(text: &str, reasons: &[Reason]) -> Result<(), String> {
    let checked = check(text);
    let codes: BTreeSet<&str> = reasons.iter().map(|reason| reason.code).collect();
    let errors = checked.errors();
    if errors.is_empty() == reasons.is_empty() && errors.iter().all(|error| codes.contains(error)) {
        return Ok(());
    }
    Err(format!("ours, expected {reasons:?}:\n{text}{}", checked.report()))
}

#[test]
fn random_programs_are_accepted_and_refused_as_by_cuda_tile() {
    let Some(front_end) = FrontEnd::new() else { return };
    let programs: Vec<Program> = seeds::range(300).map(draw::program).collect();
    let tally = compare(&front_end, &programs);
    println!("{} accepted, {} refused by both", tally.accepted, tally.refused);
    println!("only by us: {:#?}\nonly by CUDA Tile: {:#?}", tally.only_ours, tally.only_theirs);
    // A generator that makes only right programs, or only wrong ones, would compare nothing.
    let few = programs.len() / 10;
    assert!(tally.accepted > few && tally.refused > few, "{} and {}", tally.accepted, tally.refused);
    assert!(tally.only_ours.len() >= 3 && tally.only_theirs.len() >= 2);
}
