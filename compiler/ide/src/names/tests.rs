use super::*;
use crate::CompilerDatabase;

/// Each occurrence of the last item: its name, and the item and the number of the token that it leads to.
fn of_last(text: &str) -> Vec<String> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", text);
    let items = file.items(&db);
    let last = *items.last().unwrap();
    let lines = occurrences(&db, last).iter().map(|occurrence| {
        let (item, span) = declaration(&db, &occurrence.target);
        let position = items.iter().position(|other| *other == item).unwrap();
        let mark = match occurrence.access {
            Access::Declare => "+",
            Access::Read => "",
            Access::Write => "=",
        };
        format!("{mark}{}@{}->{position}.{}", occurrence.name, occurrence.span.start, span.start)
    });
    lines.collect()
}

#[test]
fn names_lead_to_the_items_that_declare_them() {
    assert_eq!(of_last("dim M, N\na : [M, N]\nb : a [(0) * c]"), ["+b@0->2.0", "a@2->1.0"]);
    assert_eq!(of_last("dim M, N\na : [N]"), ["+a@0->1.0", "N@3->0.3"]);
}

#[test]
fn names_in_a_kernel_lead_to_the_nearest_declaration() {
    let kernel = "dim N\nkernel k(a: f32, y: mut f32[N]) { let a = a; for i in 0..4 { y[i] = a; } y[i] = 0; }";
    assert_eq!(
        of_last(kernel),
        [
            "+k@1->1.1",
            "+a@3->1.3",
            "+y@7->1.7",
            "N@12->0.1",
            "+a@17->1.17",
            "a@19->1.3",
            "+i@22->1.22",
            "=y@28->1.7",
            "i@30->1.22",
            "a@33->1.17",
            "=y@36->1.7",
        ]
    );
}

#[test]
fn names_in_a_run_lead_to_the_kernel_and_its_parameters() {
    let run = "dim N\nkernel k(x: f32[N], y: mut f32[N]) { }\nrun k(x: iota, y: zeros) with N = 4 expect y == x * N";
    assert_eq!(
        of_last(run),
        ["k@1->1.1", "=x@3->1.3", "=y@7->1.10", "=N@12->0.1", "y@16->1.10", "x@18->1.3", "N@20->0.1"]
    );
}

#[test]
fn a_hyphenated_word_is_the_names_of_its_parts_where_it_is_not_declared() {
    assert_eq!(of_last("dim M, N\na : [M-N]"), ["+a@0->1.0", "M@3->0.1", "N@3->0.3"]);
    assert_eq!(of_last("dim M, N, M-N\na : [M-N]"), ["+a@0->1.0", "M-N@3->0.5"]);
    assert_eq!(of_last("dim M\na : [M-x]"), ["+a@0->1.0"]);
    assert_eq!(of_last("dim M, N\nshow M-N(1)"), [] as [&str; 0]);
}

#[test]
fn words_of_a_run_are_no_names() {
    let text = "const zeros = 1; const npy = 2; const sum = 3; kernel k(x: f32[4]) { }\n\
                run k(x: zeros) expect sum(x) == sum";
    assert_eq!(of_last(text), ["k@1->3.1", "=x@3->3.3", "x@10->3.3", "sum@13->2.1"]);
    assert_eq!(of_last(&text.replace("x: zeros", "x: npy(\"x\")"))[..2], ["k@1->3.1", "=x@3->3.3"]);
}

#[test]
fn a_name_that_is_missing_is_none() {
    assert_eq!(of_last("const = 1; show 1"), [] as [&str; 0]);
    assert_eq!(of_last("kernel k(: f32) { let = 1; }"), ["+k@1->0.1"]);
}
