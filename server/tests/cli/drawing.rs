//! `draw`.

use serde_json::json;

use super::program::Folder;

const FILE: &str = "dim N where N % 4 == 0;
map blocked = reshape_map([3] | [4] => layout: [i0, t0]);
map strided = reshape_map([3] | [4] => layout: [t0, i0]);
map gaps = reshape_map([(3, 4)] | [4] => layout: [i0, t0]);
map growing = reshape_map([4] | [N / 4] => layout: [i0, t0]);
map wrong = reshape_map([3] | [4] => layout: [i0]);
shape : [3, 4];
kernel k(x: f64[N], y: mut f64[N]) {
    view xs = x via growing;
    view ys = y via reshape_map([4] | [N / 4] => layout: [t0, i0]);
    for i in 0..4 { ys[i] = xs[i]; }
}
kernel tiled(x: f64[3, 4], y: mut f64[3, 4]) grid(1) block(8) {
    view px = partition(x, [3, 4]);
    let t = px.load(0, 0);
    let rows = iota(i32[3, 4]);
    view py = partition(y, [3, 4]);
    py.store(t + f64(rows), 0, 0);
}
";

fn folder() -> Folder {
    Folder::new(&[("a.shape", FILE)])
}

#[test]
fn draw_prints_svg_or_text_or_both_with_the_cells() {
    let folder = folder();
    let answer = folder.run(&["draw", "a.shape", "blocked"]);
    assert_eq!(answer.status, 0, "{}", answer.errors);
    assert!(answer.output.starts_with("<svg xmlns=") && answer.output.ends_with("</svg>\n"), "{}", answer.output);
    let again = folder.run(&["draw", "a.shape", "blocked"]);
    assert_eq!(again.output, answer.output);

    let answer = folder.run(&["draw", "a.shape", "strided", "--text"]);
    assert!(answer.output.contains("   4   t0 i1  t1 i1  t2 i1  t3 i1\n"), "{}", answer.output);

    let (status, document) = folder.json(&["draw", "a.shape", "gaps", "--format", "json"]);
    assert_eq!((status, &document["title"]), (0, &json!("gaps")));
    let cells = document["panels"][0]["grid"]["cells"].as_array().unwrap();
    assert_eq!((cells.len(), &cells[3]["state"], &cells[4]["thread"]), (16, &json!("empty"), &json!(1)));
    assert!(document["svg"].as_str().unwrap().contains("</svg>"));
    assert!(document["text"].as_str().unwrap().contains("nobody reaches it"));
}

#[test]
fn draw_shows_which_thread_has_which_element_of_a_tile() {
    let answer = folder().run(&["draw", "a.shape", "tiled.t", "--text"]);
    assert_eq!(answer.status, 0, "{}", answer.errors);
    assert!(answer.output.starts_with("t : [2, 8] -> [3, 4]: "), "{}", answer.output);
    for row in ["0   t0 i0  t1 i0  t2 i0  t3 i0", "1   t4 i0  t5 i0  t6 i0  t7 i0", "2   t0 i1  t1 i1  t2 i1  t3 i1"] {
        assert!(answer.output.contains(row), "{}", answer.output);
    }
}

#[test]
fn draw_writes_a_file_at_once() {
    let folder = folder();
    folder.write("out.svg", b"old");
    let answer = folder.run(&["draw", "a.shape", "blocked", "-o", "out.svg", "--theme", "dark"]);
    assert_eq!((answer.status, answer.output.as_str()), (0, ""), "{}", answer.errors);
    assert!(folder.read("out.svg").starts_with("<svg"));
    assert_eq!(std::fs::read_dir(folder.path(".")).unwrap().count(), 2, "a temporary file is left");
    let answer = folder.run(&["draw", "a.shape", "blocked", "-o", "none/out.svg"]);
    assert_eq!(answer.status, 3);
    assert!(answer.errors.contains("none/out.svg cannot be written"), "{}", answer.errors);
}

#[test]
fn sizes_elements_colours_and_labels_are_chosen() {
    let folder = folder();
    let text = |more: &[&str]| {
        let answer = folder.run(&[&["draw", "a.shape", "growing", "--text"], more].concat());
        assert_eq!(answer.status, 0, "{}", answer.errors);
        answer.output
    };
    assert!(text(&[]).contains("note: drawn for N = 32"));
    assert!(text(&["-D", "N=8"]).contains("note: drawn for N = 8"));
    assert!(text(&["--by", "bank", "--element", "f64"]).contains("1:b2"));
    assert!(text(&["--label", "coordinate"]).contains("3,7"));
    assert!(text(&["--beside", "strided"]).contains("\nstrided : [3, 4] -> [12]"));
    let answer = folder.run(&["draw", "a.shape", "k", "--text"]);
    assert!(answer.output.contains("xs : ") && answer.output.contains("\nys : "), "{}", answer.output);
    assert!(answer.output.contains("64 bytes from"), "{}", answer.output);
}

#[test]
fn a_counterexample_is_outlined() {
    let folder = folder();
    let answer = folder.run(&["draw", "a.shape", "gaps", "--refute", "covers", "--text"]);
    assert_eq!(answer.status, 0, "{}", answer.errors);
    assert!(answer.output.contains("[·]") && answer.output.contains("counterexample: nothing reaches 3"));
    for (name, question, status, words) in [
        ("gaps", "injective", 1, "`gaps.injective` is proven"),
        ("gaps", "round", 2, "`round` is no question of `gaps`; it has injective, race_free"),
        ("k", "covers", 2, "--refute asks a map"),
    ] {
        let answer = folder.run(&["draw", "a.shape", name, "--refute", question]);
        assert_eq!((answer.status, answer.output.as_str()), (status, ""), "{name} {question}");
        assert!(answer.errors.contains(words), "{}", answer.errors);
    }
}

#[test]
fn what_cannot_be_drawn_says_why() {
    let folder = folder();
    for (arguments, status, words) in [
        (&["blocke"][..], 1, "declares nothing called `blocke`; did you mean `blocked`?"),
        (&["N"], 1, "`N` is a dim, not a map"),
        (&["shape"], 1, "`shape` is a shape, not a map"),
        (&["wrong"], 1, "`wrong` has errors"),
        (&["tiled.rows"], 1, "nothing called `rows` that stands in memory: what can be drawn is px, t, py"),
        (&["k.none"], 1, "nothing called `none` that stands in memory: what can be drawn is xs, ys"),
        (&["none.t"], 1, "declares nothing called `none.t`"),
        (&["growing", "-D", "N=5"], 1, "N % 4 == 0"),
        (&["growing", "-D", "N=0"], 2, "a size is at least 1"),
        (&["growing", "-D", "M=4"], 2, "nothing that is drawn depends on it"),
        (&["blocked", "--element", "f33"], 2, "`f33` is no element type"),
        (&["blocked", "--text", "-o", "x.svg"], 2, "cannot be used with"),
    ] {
        let answer = folder.run(&[&["draw", "a.shape"], arguments].concat());
        assert_eq!((answer.status, answer.output.as_str()), (status, ""), "{arguments:?}: {}", answer.errors);
        assert!(answer.errors.contains(words), "{arguments:?}: {}", answer.errors);
    }
}
