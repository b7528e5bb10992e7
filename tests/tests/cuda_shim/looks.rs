//! What generated CUDA looks like: loops, conditions and assignments as a programmer writes them.

use emit::{IndexWidth, Options, cuda_with};

use super::check::{Case, check};
use super::source;

/// Every `run` of the file beside this one.
pub fn cases() -> Vec<Case> {
    source::runs("looks.shape", include_str!("looks.shape"))
}

#[test]
fn loops_and_conditions_are_what_a_programmer_writes() {
    let options = Options { width: IndexWidth::Checked, guarded: false };
    let mut bodies: Vec<String> = Vec::new();
    for Case { kernel, .. } in cases() {
        let text = cuda_with(&kernel, options, &|| {}).source;
        let (_, body) = text.split_once("\n{\n").expect("a function");
        let body = format!("{}\n{{\n{body}", kernel.name);
        // The runs of a kernel have one text.
        if !bodies.contains(&body) {
            bodies.push(body);
        }
    }
    insta::assert_snapshot!(bodies.join("\n"));
}

#[test]
fn what_looks_well_computes_the_same() {
    check(&cases(), &["-O2"]);
}
