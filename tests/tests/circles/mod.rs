//! No large circle of files: what a file uses can be read before it.
//!
//! A file uses another one if it names something that the other one declares; what a file only passes on (`pub use`) it does not
//! use. Methods are not counted, which a trait or a type makes known, nor what macros make.

mod modules;

use std::path::Path;

use modules::{Module, Modules};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

/// The crates, each with the most files that may be in one circle.
const LIMITS: &[(&str, usize)] = &[
    ("math", 4),
    ("compiler/elements", 4),
    ("compiler/dims", 4),
    ("compiler/syntax", 5),
    ("compiler/maps", 4),
    ("compiler/proofs", 4),
    ("compiler/kernel", 5),
    ("compiler/check", 4),
    ("compiler/emit", 4),
    ("compiler/pictures", 4),
    ("compiler/ide", 5),
    ("runtime", 6),
    ("server", 5),
    ("testing", 4),
    ("benchmarks", 4),
];

/// The circles of files of a crate, the largest first.
fn circles(modules: &Modules) -> Vec<Vec<&Module>> {
    let mut graph = DiGraphMap::<&Module, ()>::new();
    for (user, used) in modules.uses() {
        graph.add_edge(user, used, ());
    }
    let mut circles = tarjan_scc(&graph);
    circles.retain(|circle| circle.len() > 1);
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

#[test]
fn files_do_not_lean_on_each_other_in_large_circles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut wrong = Vec::new();
    for (name, most) in LIMITS {
        let modules = Modules::read(&root.join(name).join("src"));
        let circles = circles(&modules);
        let largest = circles.first().map_or(0, Vec::len);
        if largest > *most {
            wrong.push(format!("{name}: {largest} files in a circle, at most {most} may be: {:?}", circles[0]));
        }
        println!("{name}: {:?}", circles.iter().map(Vec::len).collect::<Vec<_>>());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Three files in a circle, of which one names the next through what a fourth passes on.
#[test]
fn a_circle_through_a_name_that_is_passed_on_is_found() {
    let modules = Modules::of_texts(&[
        ("", "mod a; mod b; mod c; pub use a::A;"),
        ("a", "use crate::b::B; pub struct A(B);"),
        ("b", "use super::c; pub struct B(c::C);"),
        ("c", "pub struct C; fn f() { crate::A; }"),
        ("d", "use crate::A; fn g(_: A) {}"),
    ]);
    let circles = circles(&modules);
    let mut names: Vec<String> = circles[0].iter().map(|module| module.join("::")).collect();
    names.sort();
    assert_eq!((circles.len(), names), (1, vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]));
}
