//! What lists hold at every kind of place.

use super::*;
use crate::fixture::Fixture;

mod tiles;

fn list(text: &str) -> Vec<Completion> {
    let Fixture { db, file, offset } = Fixture::new(text);
    completions(&db, file, offset).items
}

/// The labels of what is made for the place, and of the kernel's own names.
fn near(text: &str) -> Vec<String> {
    let near = |item: &Completion| item.sort.starts_with("0 ") || item.sort.starts_with("1 ");
    list(text).into_iter().filter(near).map(|item| item.label).collect()
}

fn labels(text: &str) -> Vec<String> {
    list(text).into_iter().map(|item| item.label).collect()
}

#[track_caller]
fn has(text: &str, wanted: &[&str], unwanted: &[&str]) {
    let labels = labels(text);
    for wanted in wanted {
        assert!(labels.iter().any(|label| label == wanted), "{wanted} is missing from {labels:?} at {text}");
    }
    for unwanted in unwanted {
        assert!(!labels.iter().any(|label| label == unwanted), "{unwanted} is among {labels:?} at {text}");
    }
}

/// What is inserted for a label.
#[track_caller]
fn snippet(text: &str, label: &str) -> String {
    let found = list(text).into_iter().find(|item| item.label == label);
    found.unwrap_or_else(|| panic!("{label} is missing at {text}")).insert.to_string()
}

const KERNEL: &str = "dim N;\nkernel saxpy(a: f32, x: f32[N], y: mut f32[N]) {";

fn in_kernel(body: &str) -> String {
    format!("{KERNEL} {body}\n}}\nconst later = 1;")
}

fn in_run(rest: &str) -> String {
    format!("{KERNEL} for i in grid(N) {{ y[i] = a * x[i]; }} }}\nrun {rest}")
}

#[test]
fn items_begin_with_words() {
    has("$0", &["dim", "map", "kernel", "run", "assert"], &["via", "f32"]);
    has("a : [1];\n$0", &["kernel", "a"], &[]);
    has("a : [1]\nke$0", &["kernel"], &[]);
    has("ke$0\nb : [1];", &["kernel", "b"], &[]);
    has("const $0", &[], &["kernel", "cdiv"]);
}

#[test]
fn a_value_is_not_made_of_itself() {
    has("map m = li$0;\nmap n = linear(2);", &["linear", "n"], &["m"]);
    has("s : [$0];\nt : [1];", &["t"], &["s"]);
    has("dim N where $0", &["N"], &[]);
}

#[test]
fn of_very_many_names_those_that_fit_and_are_near_are_listed() {
    let names = |count: usize| -> String { (0..count).map(|number| format!("const c{number} = 1;\n")).collect() };
    let ask = |text: &str| {
        let Fixture { db, file, offset } = Fixture::new(text);
        let found = completions(&db, file, offset);
        let names = found.items.iter().filter(|item| item.sort.starts_with("2 "));
        (names.map(|item| item.label.clone()).collect::<Vec<_>>(), found.complete)
    };
    let (few, complete) = ask(&format!("{}const zebra = 2;\ns : [c1$0]", names(100)));
    assert_eq!((few.len(), complete), (101, true), "the editor filters");
    let (near, complete) = ask(&format!("{}s : [$0]\n{}", names(500), names(600)));
    assert_eq!((near.len(), complete), (200, false));
    assert!(near.contains(&"c499".to_owned()) && !near.contains(&"c10".to_owned()), "{near:?}");
    let (fitting, complete) = ask(&format!("const C_4 = 1;\n{}s : [c4$0]", names(500)));
    assert!(!complete);
    assert!(fitting.contains(&"C_4".to_owned()) && fitting.contains(&"c42".to_owned()), "{fitting:?}");
    assert!(!fitting.contains(&"c12".to_owned()), "{fitting:?}");
}

#[test]
fn expressions_hold_names_and_functions() {
    let file = "dim M, N;\nconst B = 4;\nkernel k(x: f32[4]) { }\n";
    has(&format!("{file}x : [M, $0"), &["M", "N", "B", "cdiv", "reshape_map"], &["k", "kernel", "exp"]);
    has(&format!("{file}x : [M, $0];\ny : [1];"), &["N", "y"], &["kernel"]);
    has(&format!("{file}x : [M $0];"), &[], &["N", "cdiv"]);
    has(&format!("{file}assert $0"), &["M", "rank"], &["assert"]);
    assert_eq!(near("s : [8, 4];\nt : s [$0"), ["(0)", "(1)"]);
    assert_eq!(near("map m = linear($0"), ["width", "threads"]);
    assert_eq!(near("map m = linear(2, $0"), ["width", "threads"]);
    assert_eq!(near("map m = chain((linear(2), warp), $0"), ["threads"]);
}

#[test]
fn a_word_is_replaced_as_a_whole() {
    let Fixture { db, file, offset } = Fixture::new("dim Many;\na : [Ma$0ny];");
    let found = completions(&db, file, offset).items;
    let many = found.iter().find(|item| item.label == "Many").unwrap();
    assert_eq!(&file.text(&db)[many.replace.start as usize..many.replace.end as usize], "Many");
    assert_eq!((many.kind, many.insert.has_stops()), (CompletionKind::Symbol, false));
    let Fixture { db, file, offset } = Fixture::new("a : [$0");
    assert!(completions(&db, file, offset).items.iter().all(|item| item.replace == (5..5)));
}

#[test]
fn nothing_is_offered_in_comments_strings_and_numbers() {
    for text in
        ["// $0", "/* $0 */", "show \"$0\";", "a : [1]; // $0", "a : [12$0];", "/// $0\na : [1];", "a : [ /* x $0"]
    {
        assert_eq!(labels(text), [""; 0], "{text}");
    }
    assert!(!labels("// x\n$0").is_empty());
}

#[test]
fn members_are_those_of_the_value() {
    assert_eq!(near("a : [1, 2];\nshow a.$0"), ["rank", "size"]);
    assert_eq!(near("a : [1, 2];\nshow (a + 1).r$0"), ["rank", "size"]);
    has("map m = linear(2, 4);\nassert m.$0", &["owners", "race_free", "covers", "inverse"], &["rank"]);
    has("map m = linear(2, 4);\nassert !m.race$0;", &["race_free"], &["rank"]);
    assert_eq!(labels("const a = 1;\nshow a.$0"), [""; 0]);
    has(&in_run("saxpy(a: 1.0, x: ones, y: ones) with N = 4 expect x.$0"), &["sum", "permute"], &["owners"]);
}

#[test]
fn a_pipeline_goes_on_with_transforms_maps_and_groups() {
    let before = "tile : [8, 64];\nmap m = row_major(tile);\n";
    has(&format!("{before}map n = m |> $0"), &["{ … }", "m", "merge", "xor", "pad"], &["tile", "cdiv", "_"]);
    has(&format!("{before}map n = m |> me$0"), &["merge"], &["cdiv"]);
    has(&format!("{before}map n = m |> {{ 0: $0"), &["_", "m", "merge"], &["tile", "{ … }"]);
    assert_eq!(snippet(&format!("{before}map n = m |> $0"), "{ … }"), "{ 0: «_», 1: «_» }");
    assert_eq!(snippet(&format!("{before}map n = m |> merge |> $0"), "{ … }"), "{ 0: «_» }");
    let windows = "map n = m |> { 0: _, 1: embed((3, 62), (1, 1)) } |> ";
    assert_eq!(snippet(&format!("{before}{windows}$0"), "{ … }"), "{ 0: «_», 1: «_», 2: «_» }");
    assert_eq!(snippet(&format!("{before}map n = m |> $0"), "pad"), "pad(«left», «right»)");
    assert_eq!(snippet(&format!("{before}map n = m |> $0"), "merge"), "merge");
    assert_eq!(snippet(&format!("{before}map n = m |> $0"), "unmerge"), "unmerge(«length»)");
}

#[test]
fn layouts_offer_what_they_miss() {
    assert_eq!(near("map m = reshape_map([2] | [4] => layout: [i0, $0"), ["t0"]);
    assert_eq!(near("map m = reshape_map([2] | [4] => layout: [$0"), ["i0", "t0"]);
    assert_eq!(near("map m = reshape_map([2] | [4] => layout: [$0 t0]);"), ["i0"]);
    assert_eq!(near("map m = reshape_map([2, 3] | [(4, 5), 2] => layout: [1, $0, t0]);"), ["i0", "t1"]);
    assert_eq!(labels("map m = reshape_map([2] | [4] => layout: [i0, -$0"), ["t0"]);
    assert_eq!(near("map m = reshape_map([2] | [4] => $0"), ["layout", "offset"]);
    assert_eq!(near("map m = reshape_map([2] | [4] => layout: [i0, t0], $0"), ["offset"]);
    assert_eq!(near("map m = reshape_map([2] | [4] $0"), ["=> layout: […]"]);
    assert_eq!(near("map m = gpu::reshape_map!($0"), ["[…] | […]"]);
    has("dim N;\nmap m = reshape_map([2] | [$0", &["N", "cdiv"], &["i0"]);
}

#[test]
fn facts_follow_where() {
    assert_eq!(near("dim M $0"), ["where"]);
    let forms = near("dim M where $0");
    assert!(forms.contains(&"M % 64 == 0".to_owned()) && forms.contains(&"M <= 65536".to_owned()), "{forms:?}");
    has("dim M, N where M >= 2, $0", &["N % 64 == 0", "N"], &["where"]);
    has("dim M where M % $0", &["M"], &["M % 64 == 0"]);
}

#[test]
fn heads_of_kernels() {
    assert_eq!(near("kernel k(x: $0").first().map(String::as_str), Some("mut"));
    has("kernel k(x: $0", &["f32", "bf16"], &["cdiv"]);
    has("kernel k(x: mut $0) { }", &["f32"], &["mut"]);
    assert_eq!(near("kernel k(x: f32[4] $0"), ["strided"]);
    assert_eq!(near("kernel k(x: f32[4]) $0"), ["where", "grid", "block", "cluster"]);
    assert_eq!(near("kernel k[B = 8](x: f32[4]) $0"), ["where", "tune", "grid", "block", "cluster"]);
    has("kernel k[B = 8, T: f16 | f32](x: $0", &["f32", "T"], &["B"]);
    has("kernel k[B = 8, T: f16 | f32](x: mut $0) { }", &["f32", "T"], &["B"]);
    assert_eq!(near("kernel k(x: f32[4]) grid(1) $0 { }"), ["where", "block", "cluster"]);
    has("dim N;\nkernel k(x: f32[$0", &["N", "cdiv"], &["f32"]);
    assert_eq!(labels("kernel k($0"), [""; 0]);
}

#[test]
fn bodies_of_kernels() {
    has(
        &in_kernel("$0"),
        &["view", "let", "for", "if", "x", "y", "a", "atomic_add", "scatter"],
        &["kernel", "via", "gather"],
    );
    has(&in_kernel("let b = x[0];\n $0"), &["b", "let"], &[]);
    has(&in_kernel("let b = x[0]\n let c = $0"), &["b", "x"], &["c"]);
    has(&in_kernel("let b = $0"), &["a", "x", "exp", "N"], &["b", "view", "linear"]);
    has(&in_kernel("let $0"), &["mut"], &["a"]);
    has(&in_kernel("let b: $0"), &["f32"], &["a"]);
    has(&in_kernel("for i in 0..4 { let c = 1; } y[$0"), &["a", "N"], &["i", "c"]);
    has(&in_kernel("for i in 0..4 { y[$0"), &["i"], &[]);
    has(&in_kernel("for i $0"), &["in"], &["a"]);
    has(&in_kernel("for i in $0"), &["0..n", "grid"], &["in"]);
    assert_eq!(labels(&in_kernel("for i in 0..4 $0")), ["step"]);
    has(&in_kernel("for i in 0..4 step $0"), &["cdiv"], &["step"]);
    has(&in_kernel("$0"), &["while", "break", "continue"], &[]);
    assert_eq!(snippet(&in_kernel("while a > 1.0 $0"), "max"), "max «1000»");
    has(&in_kernel("while a > $0"), &["a", "x"], &["view"]);
    has(&in_kernel("while a > 1.0 max $0"), &["a", "N"], &["view"]);
    has(&in_kernel("if a > 1.0 { a = 1; } $0"), &["else"], &[]);
    has(&in_kernel("y[0] = if a > $0"), &["a", "x"], &["view"]);
    let elements = list(&in_kernel("y[0] = $0"));
    let x = elements.iter().find(|item| item.label == "x").unwrap();
    assert_eq!((x.insert.to_string().as_str(), x.detail.as_str()), ("x[«»]", "x: f32[N]"));
}

#[test]
fn views() {
    assert_eq!(labels(&in_kernel("view $0")), [""; 0]);
    assert_eq!(labels(&in_kernel("view xs = $0")), ["x", "y"]);
    assert_eq!(labels(&in_kernel("view xs = x $0")), ["via"]);
    has(
        &format!("map m = linear(1);\n{}", in_kernel("view xs = x via $0")),
        &["m", "reshape_map", "linear"],
        &["N", "a"],
    );
    assert_eq!(labels(&in_kernel("view xs = x via linear(1) $0")), ["per", "masked"]);
    assert_eq!(labels(&in_kernel("view xs = x via linear(1) per $0")), ["cluster", "block", "warp", "thread"]);
    assert_eq!(labels(&in_kernel("view xs = x via linear(1) per block $0")), ["masked"]);
    let known = list(&in_kernel("view xs = x via continuous_linear(4) masked; y[0] = $0;"));
    let xs = known.iter().find(|item| item.label == "xs").unwrap();
    assert_eq!((xs.kind, xs.insert.to_string().as_str()), (CompletionKind::View, "xs[«»]"));
}

#[test]
fn thread_collectives() {
    let threads = snippet(&in_kernel("for w in $0"), "threads");
    assert_eq!(threads, "threads(«8», «cuda_warp»)");
    assert_eq!(snippet(&in_kernel("with $0"), "threads"), "threads(«0»..«1», «cuda_warp»)");
    let in_unit = |body: &str| format!("unit pair = (blockDim; 2);\n{}", in_kernel(body));
    let units = ["pair", "cuda_warp", "cuda_thread", "cuda_warpgroup", "cuda_cta_in_cluster_strided"];
    has(&in_unit("for w in threads(8, $0"), &units, &["N", "x", "blockDim"]);
    has(&in_unit("with threads(0..4, cuda$0"), &units, &["N", "x"]);
    let warp =
        list(&in_unit("for w in threads(8, $0) { }")).into_iter().find(|item| item.label == "cuda_warp").unwrap();
    assert!(warp.documentation.plain().contains("One warp of each block"), "{warp:?}");
    assert_eq!(snippet(&in_kernel("$0"), "shared"), "shared «buffer» : f32[«64»];");
    // The names that a loop declares are visible inside it, and so are shared arrays.
    let inside = in_kernel("shared tile : f32[8, 32]; for w in threads(8, cuda_warp) { tile[w, 0] = $0 }");
    has(&inside, &["w", "tile", "a"], &[]);
    let tile = list(&inside).into_iter().find(|item| item.label == "tile").unwrap();
    assert_eq!((tile.insert.to_string().as_str(), tile.detail.as_str()), ("tile[«»]", "f32[8, 32]"));
}

#[test]
fn runs() {
    assert_eq!(labels(&in_run("$0")), ["saxpy"]);
    has(&in_run("saxpy($0"), &["a", "x", "y", "zeros"], &["N"]);
    has(&in_run("saxpy(a: 1.0, $0)"), &["x", "y"], &["a"]);
    has(&in_run("saxpy(a: 1.0, x: $0"), &["zeros", "arange", "random", "npy"], &["y"]);
    let all = "saxpy(a: 1.0, x: ones, y: zeros)";
    assert_eq!(near(&in_run(&format!("{all} $0"))), ["with", "expect", "save"]);
    assert_eq!(near(&in_run(&format!("{all} with $0"))), ["N"]);
    assert_eq!(near(&in_run(&format!("{all} with N = 4 $0"))), ["expect", "save"]);
    assert_eq!(near(&in_run(&format!("{all} with N = 4 expect $0"))), ["a", "x", "y"]);
    has(&in_run(&format!("{all} expect y == $0")), &["x", "initial", "abs"], &["linear"]);
    assert_eq!(near(&in_run(&format!("{all} expect y == x $0"))), ["with", "within", "save"]);
    assert_eq!(near(&in_run(&format!("{all} expect y == x within 1e-6 $0"))), ["with", "expect", "save"]);
    assert_eq!(near(&in_run(&format!("{all} expect y == x within 0 expect x == x $0"))), ["with", "within", "save"]);
    assert_eq!(near(&in_run(&format!("{all} save $0"))), ["y"]);
    has(&in_run(&format!("{all}\n    ex$0")), &["expect", "kernel"], &[]);
    has(&in_run(&format!("{all};\n$0")), &["kernel"], &["expect"]);
}

#[test]
fn names_say_what_they_are() {
    let found = list("/// Rows.\ndim M where M % 4 == 0;\ns : [M / 4, 2];\nx : [$0");
    let of = |label: &str| found.iter().find(|item| item.label == label).unwrap();
    assert_eq!((of("M").detail.as_str(), of("M").documentation.plain().as_str()), ("M % 4 == 0", "Rows."));
    assert_eq!(of("s").detail, "[M / 4, 2]");
    assert_eq!(of("cdiv").insert.to_string(), "cdiv(«a», «b»)");
    assert_eq!(of("linear").insert.to_string(), "linear(«width»)");
    assert!(of("cdiv").documentation.plain().contains("rounded up"));
}

#[test]
fn a_use_names_the_files_that_are_known() {
    let files = |use_: &str| {
        format!("//- a/main.shape\nconst first = 1;\n{use_}\n//- a/tiles.shape\n//- a/b/maps.shape\n//- sizes.shape\n")
    };
    let wanted = ["b/maps.shape", "tiles.shape", "../sizes.shape"];
    for use_ in ["use \"$0\";", "use \"ti$0\";", "use \"$0", "use \"ti$0les.shape\";"] {
        let mut found = labels(&files(use_));
        found.retain(|path| !path.starts_with("std/"));
        found.sort_by_key(|path| wanted.iter().position(|wanted| wanted == path));
        assert_eq!(found, wanted, "{use_}");
    }
    for use_ in ["use $0\"\";", "use \"\"$0;", "use $0", "show \"$0\";"] {
        has(&files(use_), &[], &wanted);
    }
}

#[test]
fn the_path_of_a_use_is_replaced() {
    for (text, replaced) in [("use \"ti$0les\"; a : [1];", "tiles"), ("use \"ti$0 ; a", "ti"), ("use \"$0\"", "")] {
        let text = format!("//- main.shape\n{text}\n//- other.shape\n");
        let Fixture { db, file, offset } = Fixture::new(&text);
        let items = completions(&db, file, offset).items;
        let [item] = items.iter().filter(|item| !item.label.starts_with("std/")).collect::<Vec<_>>()[..] else {
            panic!("{items:?} at {text}")
        };
        assert_eq!(&file.text(&db)[item.replace.start as usize..item.replace.end as usize], replaced, "{text}");
    }
}

#[test]
fn questions_about_memory_take_element_types() {
    let map = "map m = reshape_map([4] | [32] => layout: [i0, t0]);\n";
    has(&format!("{map}show m.$0"), &["vector_width", "bank_conflicts", "sectors"], &["rank"]);
    has(&format!("{map}show m.sectors($0)"), &["f32", "bf16", "lanes"], &[]);
    has(&format!("{map}show m.sectors(f32, $0)"), &["lanes"], &["bf16"]);
    has(&format!("{map}show m($0)"), &[], &["f32"]);
}

#[test]
fn units_and_tilings_are_made_of_what_fits() {
    let text =
        |rest: &str| format!("unit pair = (blockDim; 2);\ntiling work = block(64) |> tile(w: 2, cuda_warp);\n{rest}");
    has(
        &text("unit u = $0"),
        &["pair", "cuda_warp", "cuda_threads_strided", "(domain; box)"],
        &["work", "cdiv", "blockDim"],
    );
    has(&text("unit u = 2 * $0"), &["pair", "cuda_warp"], &["work"]);
    has(&text("unit u = ($0"), &["blockDim", "clusterDim"], &["cuda_warp"]);
    has(&text("tiling t = $0"), &["work", "block", "cluster"], &["pair", "tile"]);
    has(&text("tiling t = work |> $0"), &["tile", "specialize"], &["xor", "pair"]);
    has(&text("tiling t = cluster(1) block(64) |> tile(v: 2, cuda_warp) |> $0"), &["tile", "specialize"], &["xor"]);
    has(&text("tiling t = work |> tile(v: 2, $0)"), &["pair", "cuda_warp"], &["work"]);
    has(&text("tiling t = work |> specialize(0..1, $0)"), &["pair", "cuda_warp"], &["work"]);
    has(&text("assert work.$0"), &["matches", "domain", "pitch"], &["injective", "rank"]);
    has(&text("assert pair.$0"), &["domain", "box"], &["matches"]);
    has(&text("assert work.matches($0)"), &["pair", "cuda_warp"], &["work"]);
    has(&text("assert work.pitch($0)"), &["w"], &["pair"]);
    has(&text("assert work($0)"), &["w"], &[]);
    assert_eq!(snippet(&text("assert work($0)"), "w"), "w: «0»");
    assert_eq!(snippet(&text("tiling t = work |> $0"), "tile"), "tile(«i»: «8», «cuda_warp»)");
    has("const a = $0", &["cdiv"], &["tile", "block", "cuda_threads_strided"]);
}

#[test]
fn dimensions_that_are_left_in_a_group() {
    let group = |rest: &str| labels(&format!("map m = row_major([4, 6, 8])\n    |> {{ {rest}"));
    assert_eq!(group("$0"), ["0", "1", "2"]);
    assert_eq!(group("1: _, $0 };"), ["0", "2"]);
    assert_eq!(group("(0, $0"), ["1", "2"]);
    assert_eq!(group("0: unmerge(2, 2) => (1, 2), $0, 2: _ };"), ["1"]);
    // Behind the colon stands a transform, in its brackets an expression.
    assert!(group("0: $0").contains(&"merge".to_owned()) && group("0: pad($0").contains(&"cdiv".to_owned()));
    assert_eq!(snippet("map m = row_major([4, 6]) |> { $0", "1"), "1: «_»");
    let found = list("map m = row_major([4, 6]) |> { $0").into_iter().find(|item| item.label == "1").unwrap();
    assert_eq!(found.detail, "a dimension of [6]");
}

#[test]
fn a_run_offers_the_generic_parameters_of_its_kernel() {
    let kernel = "kernel f[B = 64, T: f16 | f32](x: f32[4], y: mut f32[4]) { y[0] = f32(B); }\n";
    assert_eq!(near(&format!("{kernel}run f[$0]")), ["B", "T"]);
    assert_eq!(near(&format!("{kernel}run f[B: 4, $0](x: ones)")), ["T"]);
    has(&format!("{kernel}run f[B: 4]($0"), &["x", "y"], &["B", "T"]);
    has(&format!("{kernel}run f[B: 4](x: ones, y: zeros) $0"), &["expect"], &["B"]);
    has("kernel f[B = 64](y: mut f32[4]) { y[0] = f32($0); }", &["B"], &[]);
}

#[test]
fn a_partition_offers_its_members() {
    let kernel = |rest: &str| {
        format!("kernel k(x: f32[4], y: mut f32[4]) {{\n    view px = partition(x, [2]);\n    {rest}\n}}\n")
    };
    let members = ["load", "load_masked", "mask", "index_space", "tile", "tensor", "mapping"];
    has(&kernel("let t = px.$0;"), &members, &["permute", "sum"]);
    has(&kernel("let t = px.load(0).$0;"), &["permute", "sum"], &["mask", "tensor"]);
    has(&kernel("let t = $0;"), &["bitcast"], &[]);
}

#[test]
fn functions_offer_their_names_and_what_bodies_have() {
    has("f$0", &["fn"], &[]);
    has("fn f(x: $0", &["f32", "i8"], &["x"]);
    has("fn f[T](x: $0", &["f32", "T"], &[]);
    has("fn f(x) -> $0", &["f32"], &[]);
    has("fn f(value, other: f32) = $0", &["value", "other", "exp", "cdiv", "if"], &["let"]);
    has("fn f(value) { $0 }", &["value", "let", "fn", "exp"], &["shared", "for"]);
    has("fn f(value) { let own = value; $0 }", &["own", "value"], &[]);
    has("fn silu(x) = x;\nconst a = $0", &["silu"], &[]);
    has("fn silu(x) = x;\nkernel k(y: mut f32[4]) { for i in grid(4) { y[i] = $0", &["silu"], &[]);
    has("kernel k(y: mut f32[4]) { fn own(x) = x; for i in grid(4) { y[i] = $0", &["own"], &[]);
    has("use \"$0\"", &["std/activations.shape"], &[]);
}
