//! The cookbook: every recipe checks without an error or a warning, is formatted, and runs on both executors; the mistakes
//! that it speaks of give the diagnostics that it links, and what it says is printed is printed.
//!
//! A mistake stands in a comment behind its recipe: `<!-- mistake: ``what is written`` => ``what is written instead`` -->`, with
//! one backtick each.

use crate::program::Folder;

const BOOK: &str = include_str!("../../../docs/cookbook.md");

struct Recipe {
    title: &'static str,
    /// All of it.
    text: &'static str,
    program: &'static str,
}

fn recipes() -> Vec<Recipe> {
    let found: Vec<Recipe> = BOOK.split("\n## ").skip(1).map(recipe).collect();
    assert!(found.len() >= 30, "only {} recipes", found.len());
    found
}

fn recipe(text: &'static str) -> Recipe {
    let title = text.lines().next().unwrap_or_default();
    let [program] = blocks(text, "```shape\n")[..] else { panic!("{title} has not one program") };
    Recipe { title, text, program }
}

/// What stands behind each of these beginnings, up to the end of the block.
fn blocks(text: &'static str, start: &str) -> Vec<&'static str> {
    text.split(start).skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect()
}

#[test]
fn the_contents_list_every_recipe_in_order() {
    let listed: Vec<&str> = BOOK.lines().filter_map(|line| line.split_once(". [")?.1.strip_suffix(')')).collect();
    let expected: Vec<String> =
        recipes().iter().map(|recipe| format!("{}](#{}", recipe.title, anchor(recipe.title))).collect();
    assert_eq!(listed, expected);
}

#[test]
fn every_recipe_checks_is_formatted_and_prints_what_it_says() {
    for Recipe { title, text, program } in recipes() {
        let folder = Folder::new(&[("recipe.shape", program)]);
        let answer = folder.run(&["check", "recipe.shape"]);
        assert_eq!(answer.output, "1 file checked, no errors\n", "{title}: {}", answer.errors);
        let answer = folder.run(&["fmt", "--check", "recipe.shape"]);
        assert_eq!(answer.status, 0, "{title}: {}", answer.output);
        for shown in blocks(text, "```text\n$ shapewright ") {
            let (command, printed) = shown.split_once('\n').unwrap();
            let command = command.replace("FILE", "recipe.shape");
            let answer = folder.run(&command.split(' ').collect::<Vec<_>>());
            assert_eq!(answer.output, printed, "{title}: {command}: {}", answer.errors);
        }
    }
}

#[test]
fn every_recipe_runs_on_the_processor_and_in_the_interpreter() {
    let mut without = Vec::new();
    for Recipe { title, program, .. } in recipes() {
        let runs = program.matches("\nrun ").count();
        if runs == 0 {
            assert!(program.contains("\nassert "), "{title} claims nothing");
            without.push(title);
            continue;
        }
        let folder = Folder::new(&[("recipe.shape", program)]);
        for device in ["cpu", "interp"] {
            let answer = folder.run(&["run", "recipe.shape", "--device", device]);
            assert_eq!(answer.status, 0, "{title} on {device}: {}{}", answer.output, answer.errors);
            assert_eq!(answer.output.matches("✓ ").count(), runs, "{title} on {device}: {}", answer.output);
        }
    }
    assert!(without.len() <= 4, "{without:?} are not run");
}

/// Each run has an answer that does not come from the kernel: an expectation, or a block of numpy, which is executed in another
/// test.
#[test]
fn every_run_is_compared_with_another_answer() {
    for Recipe { title, text, program } in recipes() {
        let mut runs = program.split("\nrun ").skip(1);
        let by_numpy = usize::from(text.contains("```python numpy\n"));
        let compared = runs.by_ref().filter(|run| run.contains("expect ")).count();
        assert!(compared + by_numpy >= program.matches("\nrun ").count(), "{title}");
    }
}

#[test]
fn the_mistakes_that_the_recipes_speak_of_are_found() {
    let mut count = 0;
    for Recipe { title, text, program } in recipes() {
        let mistakes = text.split("<!-- mistake: `").skip(1).map(|rest| rest.split("` -->").next().unwrap());
        let (mut seen, linked) = (Vec::new(), linked(text));
        for mistake in mistakes {
            let (right, wrong) = mistake.split_once("` => `").unwrap_or_else(|| panic!("{title}: {mistake}"));
            assert!(program.contains(right), "{title} does not contain {right}");
            let folder = Folder::new(&[("mistake.shape", &program.replace(right, wrong))]);
            let answer = folder.run(&["check", "mistake.shape"]);
            let found = linked.iter().find(|code| answer.output.contains(&format!("[{code}]: ")));
            seen.push(*found.unwrap_or_else(|| panic!("{title}: {right} => {wrong}: {}", answer.output)));
            count += 1;
        }
        let missing: Vec<_> = linked.iter().filter(|code| !seen.contains(code)).collect();
        assert!(missing.is_empty(), "{title} speaks of {missing:?}, which no mistake of it gives");
    }
    assert!(count >= 40, "only {count} mistakes");
}

/// The diagnostics to whose pages a recipe leads.
fn linked(text: &'static str) -> Vec<&'static str> {
    let mut found: Vec<&str> =
        text.split("(diagnostics/").skip(1).filter_map(|rest| Some(rest.split_once(".md)")?.0)).collect();
    found.sort_unstable();
    found.dedup();
    found
}
