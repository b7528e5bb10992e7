//! Questions to solvers: to stand-ins that say what a test wants, and to z3 where the test command installed it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::Solver;
use crate::tests::oracle;
use crate::{Budget, Rule, Verdict, equal, in_bounds, injective, race_free};
use dims::{CompareOp, Fact, Facts, Sym};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, UpperAxis};
use random_maps::random_transforms;
use random_maps::{Choices, Flavour, Recipe, for_random_choices, random_recipe, symbol};

/// Answers every script with the same text, and keeps the scripts.
struct Scripted {
    answer: Option<&'static str>,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    fn new(answer: Option<&'static str>) -> Scripted {
        Scripted { answer, asked: Mutex::default() }
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Solver for Scripted {
    fn name(&self) -> &str {
        "stand-in 1.0"
    }

    fn answer(&self, script: &str, _: &dyn Fn() -> bool) -> Option<String> {
        self.asked.lock().unwrap().push(script.to_owned());
        self.answer.map(str::to_owned)
    }
}

fn named(name: &str) -> Sym {
    Sym::symbol(symbol(name))
}

/// `3·i + 5·j` for `i < N`, `j < 3`: injective up to `N = 5`, and no strides nest.
fn crossing() -> IndexMap {
    let facts = Facts::empty();
    let axis = |extent, role| UpperAxis { extent: Some(extent), role };
    let upper = vec![axis(named("N"), AxisRole::Thread), axis(Sym::constant(3), AxisRole::Local)];
    let mut builder = MapBuilder::new(upper, &facts);
    let (i, j) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
    let scaled = |form: &Affine, by| form.checked_scale(&Sym::constant(by)).unwrap();
    let value = scaled(&i, 3).checked_add(&scaled(&j, 5)).unwrap();
    builder.finish(vec![LowerAxis { value, extent: None }]).unwrap()
}

fn at_most(name: &str, most: i64) -> Facts {
    let mut facts = Facts::empty();
    facts.assume(Fact::compare(named(name), CompareOp::Le, Sym::constant(most))).unwrap();
    facts
}

fn with(solver: &dyn Solver) -> Budget<'_> {
    Budget { solver: Some(solver), ..Budget::deep(&|| false) }
}

#[test]
fn an_open_question_is_settled_by_the_answer() {
    let small = at_most("N", 5);
    let proves = Scripted::new(Some("unsat\n"));
    match injective(&crossing(), &small, &with(&proves)) {
        Verdict::Proven { rule } => assert_eq!(rule, Rule::Solver { name: "stand-in 1.0".to_owned() }),
        verdict => panic!("{verdict:?}"),
    }
    let asked = proves.asked.lock().unwrap();
    for part in ["(set-logic QF_NIA)", "(declare-const a0 Int)", "(< b1 3)", "(<= s0 5)", "(>= s0 1)", "(check-sat)"] {
        assert!(asked[0].contains(part), "{}", asked[0]);
    }
}

#[test]
fn what_the_solver_does_not_know_stays_open() {
    let small = at_most("N", 5);
    for answer in [None, Some(""), Some("unknown\n"), Some("(error \"out of memory\")\nunsat\n"), Some("sat\n")] {
        let verdict = injective(&crossing(), &small, &with(&Scripted::new(answer)));
        assert!(matches!(verdict, Verdict::Open { .. }), "{answer:?}: {verdict:?}");
    }
}

#[test]
fn a_model_is_evaluated_before_anybody_sees_it() {
    let small = at_most("N", 5);
    // No collision at all, sizes that the facts exclude, points outside, one point twice, a value left out.
    for model in [
        "sat\n((s0 5) (a0 0) (a1 1) (b0 1) (b1 1))",
        "sat\n((s0 6) (a0 5) (a1 0) (b0 0) (b1 3))",
        "sat\n((s0 9) (a0 5) (a1 0) (b0 0) (b1 3))",
        "sat\n((s0 5) (a0 0) (a1 1) (b0 0) (b1 1))",
        "sat\n((s0 5) (a0 0) (a1 1) (b0 0))",
        "sat\n((s0 (- 5)) (a0 0) (a1 1) (b0 0) (b1 0))",
    ] {
        let verdict = injective(&crossing(), &small, &with(&Scripted::new(Some(model))));
        assert!(matches!(verdict, Verdict::Open { .. }), "{model}: {verdict:?}");
    }
}

#[test]
fn a_confirmed_model_is_a_counterexample_with_sizes() {
    let (none, budget) = (Facts::empty(), Budget { assignments: 0, ..Budget::default() });
    let outside = Scripted::new(Some("sat\n((s0 30) (a0 29) (a1 2))"));
    let verdict = in_bounds(&crossing(), &[Sym::constant(90)], &none, &Budget { solver: Some(&outside), ..budget });
    let Verdict::Refuted { counterexample, .. } = verdict else { panic!("{verdict:?}") };
    assert_eq!(counterexample.sizes, BTreeMap::from([(symbol("N"), 30)]));
}

#[test]
fn nobody_is_asked_what_the_rules_decide() {
    let (solver, none) = (Scripted::new(Some("unsat\n")), Facts::empty());
    assert!(in_bounds(&crossing(), &[Sym::constant(9)], &none, &with(&solver)).is_refuted());
    assert!(race_free(&crossing(), &at_most("N", 1), &with(&solver)).is_proven());
    assert_eq!(solver.asked(), 0);
}

/// The real one, for tests only: a process for each question.
struct Z3(PathBuf);

impl Solver for Z3 {
    fn name(&self) -> &str {
        "z3"
    }

    fn answer(&self, script: &str, _: &dyn Fn() -> bool) -> Option<String> {
        let mut command = Command::new(&self.0);
        command.args(["-in", "-smt2", "rlimit=20000000"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        process.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let output = process.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        // Only the values after `unsat` may be an error: the script itself must be understood.
        assert!(!printed.starts_with("(error"), "{printed}\n{script}");
        Some(printed)
    }
}

/// z3 from the environment that the test command makes. Without it the test says so and ends, except where `CI` is
/// set: there it fails.
fn z3() -> Option<Z3> {
    let inside = if cfg!(windows) { "Scripts/z3.exe" } else { "bin/z3" };
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let environment = std::env::var_os("VIRTUAL_ENV").map_or_else(|| root.join(".venv"), PathBuf::from);
    let program = environment.join(inside);
    assert!(program.is_file() || std::env::var_os("CI").is_none(), "z3 is missing in {}", environment.display());
    if !program.is_file() {
        eprintln!("z3 is not installed: run `cargo xtask test`");
        return None;
    }
    Some(Z3(program))
}

/// Nothing but the solver may answer.
fn solver_only(solver: &dyn Solver) -> Budget<'_> {
    Budget { points: 0, steps: 0, assignments: 0, solver: Some(solver), ..Budget::default() }
}

fn any_recipe(choices: &mut Choices, symbols: bool) -> Recipe {
    if symbols || choices.chance(5) {
        random_transforms(choices, symbols)
    } else {
        let flavour = choices.pick(&[Flavour::Any, Flavour::Powers]);
        random_recipe(choices, flavour)
    }
}

#[test]
fn z3_agrees_with_brute_force() {
    let Some(z3) = z3() else { return };
    let (facts, sizes, budget) = (Facts::empty(), BTreeMap::new(), solver_only(&z3));
    let decided = Cell::new(0);
    for_random_choices(60, |choices| {
        let recipe = any_recipe(choices, false);
        let (map, table) = (recipe.raw(&facts).unwrap(), recipe.table(&sizes));
        let bounds: Vec<i64> = recipe.lower.iter().map(|_| choices.pick(&[4, 12, 40])).collect();
        let syms: Vec<Sym> = bounds.iter().map(|bound| Sym::constant(*bound)).collect();
        let (verdict, truth) = match choices.below(3) {
            0 => (injective(&map, &facts, &budget), oracle::collision_free(&recipe, &table, false)),
            1 => (race_free(&map, &facts, &budget), oracle::collision_free(&recipe, &table, true)),
            _ => (in_bounds(&map, &syms, &facts, &budget), oracle::in_bounds(&table, &bounds)),
        };
        oracle::confirm(&verdict, truth, &recipe, &sizes);
        decided.set(decided.get() + i32::from(!matches!(verdict, Verdict::Open { .. })));
        let built = recipe.built(&facts).unwrap();
        let verdict = equal(&built, &map, &facts, &budget);
        assert!(!verdict.is_refuted(), "the builder changed the map: {verdict:?}\n{recipe:?}");
    });
    assert!(decided.get() > 40, "z3 decided only {} of 60", decided.get());
}

#[test]
fn what_z3_says_of_symbolic_maps_holds_for_their_instances() {
    let Some(z3) = z3() else { return };
    let (facts, budget) = (Facts::empty(), solver_only(&z3));
    for_random_choices(40, |choices| {
        let recipe = any_recipe(choices, true);
        let Ok(map) = recipe.raw(&facts) else { return };
        let race = choices.chance(5);
        let verdict = if race { race_free(&map, &facts, &budget) } else { injective(&map, &facts, &budget) };
        if let Verdict::Refuted { counterexample, .. } = &verdict {
            let at = |name: &str| counterexample.sizes.get(&symbol(name)).copied().unwrap_or(1);
            let sizes = BTreeMap::from([("N", at("N")), ("M", at("M"))]);
            if recipe.points(&sizes) <= 10_000 {
                oracle::confirm(&verdict, false, &recipe, &sizes);
            }
        }
        for (n, m) in [(1, 1), (2, 3), (4, 1), (3, 4)] {
            let sizes = BTreeMap::from([("N", n), ("M", m)]);
            if verdict.is_proven() && recipe.points(&sizes) <= 300 {
                let truth = oracle::collision_free(&recipe, &recipe.table(&sizes), race);
                assert!(truth, "{verdict:?} at {sizes:?}\n{recipe:?}");
            }
        }
    });
}

#[test]
fn z3_decides_what_no_rule_is_about() {
    let Some(z3) = z3() else { return };
    let verdict = injective(&crossing(), &at_most("N", 5), &with(&z3));
    assert!(matches!(&verdict, Verdict::Proven { rule: Rule::Solver { .. } }), "{verdict:?}");
}
