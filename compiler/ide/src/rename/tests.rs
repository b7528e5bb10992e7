use super::super::findings::{Finding, diagnostics};
use super::super::fixture::Fixture;
use super::super::names::Access;
use super::super::references::references;
use super::*;
use crate::CompilerDatabase;
use check::db::Workspace;

/// The findings of every file, with the new name written as the old one.
fn findings(db: &CompilerDatabase, old: &str, new: &str) -> Vec<(String, &'static str, String)> {
    let named = |finding: Finding| {
        let path = finding.location.file.path(db).to_owned();
        (path, finding.code, finding.message.replace(new, old))
    };
    Workspace::get(db).files(db).values().flat_map(|file| diagnostics(db, *file)).map(named).collect()
}

/// How many places mean what the name at the place means, by what is done there.
fn count(db: &CompilerDatabase, file: SourceFile, offset: u32) -> [usize; 3] {
    let all = references(db, file, offset, true);
    [Access::Declare, Access::Read, Access::Write]
        .map(|access| all.iter().filter(|reference| reference.access == access).count())
}

/// The texts of the files after a rename, one after the other; checks that nothing but the name changes.
fn renamed(text: &str, new: &str) -> Result<String, String> {
    let Fixture { db, file, offset } = Fixture::new(text);
    let prepared = prepare_rename(&db, file, offset)?;
    let edits = rename(&db, file, offset, new)?;
    let mut after = CompilerDatabase::default();
    let mut all = String::new();
    for (path, source) in Workspace::get(&db).files(&db) {
        let mut text = source.text(&db).to_owned();
        let mut here: Vec<&Edit> = edits.iter().filter(|edit| edit.location.file == *source).collect();
        here.sort_by_key(|edit| std::cmp::Reverse(edit.location.range.start));
        for edit in here {
            text.replace_range(edit.location.range.start as usize..edit.location.range.end as usize, &edit.text);
        }
        after.set_text(path, &text);
        all.push_str(&text);
    }
    let old = prepared.placeholder.as_str();
    assert_eq!(findings(&db, old, old), findings(&after, old, new), "{all}");
    // The name is found again where the first edit put it.
    let declared = references(&db, file, offset, true).into_iter().find(|found| found.access == Access::Declare);
    let home = declared.unwrap().location;
    let new_home = after.file(home.file.path(&db)).unwrap();
    let moved: i64 = edits
        .iter()
        .filter(|edit| edit.location.file == home.file && edit.location.range.start < home.range.start)
        .map(|edit| edit.text.len() as i64 - edit.location.range.len() as i64)
        .sum();
    let place = (i64::from(home.range.start) + moved) as u32;
    assert_eq!(count(&db, file, offset), count(&after, new_home, place), "{all}");
    Ok(all)
}

fn refused(text: &str, new: &str) -> String {
    renamed(text, new).expect_err("it should be refused")
}

#[test]
fn a_name_is_renamed_wherever_it_means_the_same() {
    assert_eq!(
        renamed(
            "dim M, N;\na : [$0M, 2 * M];\nkernel k(M: f32[N], y: f32[M]) { view v = M via linear(1); }\nM2 : [M]",
            "rows"
        )
        .unwrap(),
        "dim rows, N;\na : [rows, 2 * rows];\nkernel k(M: f32[N], y: f32[rows]) { view v = M via linear(1); }\nM2 : [rows]"
    );
    assert_eq!(
        renamed("a : [1];\nb : $0a [(0) + 1, a];\nshow a.rank + a(0);", "new-shape0").unwrap(),
        "new-shape0 : [1];\nb : new-shape0 [(0) + 1, new-shape0];\nshow new-shape0.rank + new-shape0(0);"
    );
}

#[test]
fn iterators_of_collectives_and_shared_arrays_are_renamed() {
    let text = "kernel k(y: mut f32[2, 32]) grid(1) block(64) { shared s : f32[2, 32]; for w in threads(2, cuda_warp) { for t \
                in threads(32, cuda_thread) { s[w, t] = 1.0; } } for w in threads(2, cuda_warp) { for t in threads(32, \
                cuda_thread) { y[w, t] = s[w, 31 - t]; } } }";
    let with_cursor = |at: usize| format!("{}$0{}", &text[..at], &text[at..]);
    let shared = text.find("s : f32").unwrap();
    let after = text.replace(" s :", " tile :").replace(" s[", " tile[").replace("= s[", "= tile[");
    assert_eq!(renamed(&with_cursor(shared), "tile").unwrap(), after);
    let warp = text.find("w, t] = 1.0").unwrap();
    let first = text.replacen("for w in", "for warp in", 1).replacen("s[w, t] = 1.0", "s[warp, t] = 1.0", 1);
    assert_eq!(renamed(&with_cursor(warp), "warp").unwrap(), first);
}

#[test]
fn names_inside_a_kernel_are_renamed_in_their_scope() {
    let text = "kernel k(x: f32[4], y: mut f32[4]) { for i in 0..4 { let v = x[$0i]; y[i] = v; } for j in 0..4 { } }\n\
                run k(x: arange, y: zeros) expect y == x";
    assert_eq!(renamed(text, "j").unwrap(), text.replace("$0", "").replace("for i", "for j").replace("[i]", "[j]"));
    let text = text.replace("$0", "").replace("let v", "let $0v");
    assert!(refused(&text, "x").contains("`x` is already declared in line 1"));
    assert!(refused(&text, "i").contains("would then mean"), "{}", refused(&text, "i"));
}

#[test]
fn a_parameter_is_renamed_in_the_runs_of_other_files() {
    let files = "//- a.shape\nkernel k(x: f32[4], $0y: mut f32[4]) { for i in grid(4) { y[i] = x[i]; } }\n\
                 //- b.shape\nuse \"a.shape\";\nrun k(x: arange, y: zeros) expect y == x save y: \"y.npy\"\n";
    assert_eq!(
        renamed(files, "out").unwrap(),
        "kernel k(x: f32[4], out: mut f32[4]) { for i in grid(4) { out[i] = x[i]; } }\n\
         use \"a.shape\";\nrun k(x: arange, out: zeros) expect out == x save out: \"y.npy\"\n"
    );
    assert_eq!(refused(files, "x"), "`x` is already declared in line 1");
    let captured = files.replace("expect y == x", "expect y == x + N").replace("run k", "const N = 0;\nrun k");
    assert_eq!(refused(&captured, "N"), "`N` in line 3 of b.shape would then mean what is declared in line 1");
}

#[test]
fn a_symbol_is_renamed_in_the_sizes_of_runs() {
    let files = "//- a.shape\ndim $0N;\n//- b.shape\nuse \"a.shape\";\nkernel k(x: f32[N]) { }\n\
                 //- c.shape\nuse \"b.shape\";\nrun k(x: zeros) with N = 4\n";
    let expected = files.replace("$0", "").replace('N', "count");
    let lines: Vec<&str> = expected.lines().filter(|line| !line.starts_with("//-")).collect();
    assert_eq!(renamed(files, "count").unwrap(), lines.join("\n") + "\n");
}

#[test]
fn a_name_that_is_taken_is_refused_with_the_place() {
    assert_eq!(refused("dim $0M;\na : [M];\nconst b = 1;", "b"), "`b` is already declared in line 3");
    assert_eq!(refused("dim $0M, N;", "N"), "`N` is already declared in line 1");
    let used = "//- a.shape\nuse \"b.shape\";\ndim $0M;\n//- b.shape\n\nconst b = 1;\n";
    assert_eq!(refused(used, "b"), "`b` is already declared in line 2 of b.shape");
    let reader = "//- a.shape\ndim $0M;\n//- b.shape\nuse \"a.shape\";\nconst b = 1;\nc : [M];\n";
    assert!(refused(reader, "b").starts_with("`b` in line 3 of b.shape would then mean the declaration of line 2"));
    let later =
        "//- a.shape\ndim $0M;\n//- b.shape\nconst b = 1;\n//- c.shape\nuse \"a.shape\";\nuse \"b.shape\";\nc : [b];\n";
    assert_eq!(refused(later, "b"), "`b` in line 3 of c.shape would then mean what is declared in line 1");
    let local = "const $0B = 4;\nkernel k(y: mut f32[4]) {\n let v = B;\n y[v] = 1;\n}";
    assert_eq!(refused(local, "y"), "`y` in line 3 would then mean the parameter of line 2 of main.shape");
}

#[test]
fn a_name_that_would_hide_or_declare_something_is_refused() {
    assert!(refused("const $0a = 1;\nshow cdiv(4, 2);", "cdiv").contains("line 2 would then mean"));
    assert!(refused("const $0a = 1;\nshow unknown;", "unknown").contains("would then mean"));
    assert!(refused("const $0a = 1;\nkernel k(x: f32) { }\nrun k(x: a)", "zeros").contains("would then mean"));
    assert!(refused("dim $0a, M, N;\nb : [M-N];", "M-N").contains("line 2 would then mean"));
    let word = "const b = 1\n$0a\nconst a = 2";
    assert!(refused(word, "expect").starts_with("with the name `expect` the text in line 1 would read differently"));
}

#[test]
fn a_difference_in_one_word_stays_a_difference() {
    assert_eq!(
        renamed("dim $0M, N where M > N;\na : [2 * M-N];", "rows").unwrap(),
        "dim rows, N where rows > N;\na : [2 * rows-N];"
    );
    assert_eq!(
        renamed("dim M, N where M > N;\na : [M-$0N];", "_n").unwrap(),
        "dim M, _n where M > _n;\na : [(M - _n)];"
    );
    assert_eq!(
        renamed("dim $0M, N where M > N;\na : [2 * M-N, M-M + 1];", "n-rows").unwrap(),
        "dim n-rows, N where n-rows > N;\na : [2 * (n-rows - N), (n-rows - n-rows) + 1];"
    );
    assert_eq!(
        renamed("dim $0M, N where M > N;\nb-N : [M-N];", "b").unwrap(),
        "dim b, N where b > N;\nb-N : [(b - N)];"
    );
    assert_eq!(
        refused("dim $0M, N where M > N;\na : [4, 4] [(M-N)];", "n-rows"),
        "`M-N` in line 2 stands for a difference and could not do so with `n-rows`; write it with spaces around the `-` first"
    );
    let kernel = "kernel k(n: i64, y: mut f32[4]) { for i in 0..4 { if $0n-i > 0 { y[i] = 1; } } }";
    assert_eq!(renamed(kernel, "last").unwrap(), kernel.replace("$0n-i", "last-i").replace("n: i64", "last: i64"));
}

#[test]
fn what_is_no_name_of_the_file_says_why() {
    let why = |text: &str| {
        let Fixture { db, file, offset } = Fixture::new(text);
        prepare_rename(&db, file, offset).expect_err("it should be refused")
    };
    assert_eq!(why("d$0im M"), "`dim` is a word of the language");
    assert_eq!(why("a : [1]; show a.$0rank"), "`rank` is a member, which the language names");
    assert_eq!(why("show $0x"), "nothing declares `x`");
    assert_eq!(why("show $0cdiv(1, 2)"), "`cdiv` belongs to the language");
    assert_eq!(why("kernel k(x: f$032) { }"), "`f32` stands for an element type, which the language names");
    assert_eq!(why("a : [1$02]"), "there is no name here");
    assert_eq!(why("// $0dim"), "there is no name here");
    assert_eq!(
        why("map m = reshape_map([3] | [4] => layout: [$0i0, t0])"),
        "`i0` names a dimension of the map by its side and its number, which are not chosen"
    );
    assert_eq!(
        why("kernel k(x: f32[4]) { view v = x via linear(1) per $0block; }"),
        "`block` is a collective, which the language names"
    );
}

#[test]
fn a_new_name_must_be_one() {
    for new in ["", "1a", "a b", "a-1", "-a", "_", "a.b", "ü", "a-", "// a"] {
        assert!(refused("const $0a = 1;", new).contains("is not a name"), "{new}");
    }
    assert_eq!(refused("const $0a = 1;", "true"), "`true` is a truth value");
    assert_eq!(renamed("const $0a = 1;", "a").unwrap(), "const a = 1;");
    assert_eq!(renamed("const $0a = 1; show a;", "shape").unwrap(), "const shape = 1; show shape;");
}

#[test]
fn iterators_of_tilings_are_renamed_with_all_who_ask() {
    let files = "//- a.shape\ntiling a = block(64) |> tile($0w: 2, cuda_warp);\nassert a.pitch(w) == 32 && a(w: 1) == 32..64;\n\
                 //- b.shape\nuse \"a.shape\";\ntiling b = a |> tile(t: 2, 16 * cuda_thread);\ndim w;\nassert b.count(w) == 2;\n\
                 //- c.shape\nuse \"b.shape\";\ntiling c = (b) |> tile(l: 16, cuda_thread);\n\
                 //- d.shape\nuse \"c.shape\";\nassert c(l: 1, w: 0, t: 1) == 17..18;\n";
    let renamed = |text: &str| renamed(text, "warp").unwrap();
    let after = renamed(files);
    for part in ["tile(warp: 2, ", "a.pitch(warp)", "a(warp: 1)", "dim w;", "b.count(warp)", "c(l: 1, warp: 0, t: 1)"] {
        assert!(after.contains(part), "{part}\n{after}");
    }
    // From any of the places it is the same.
    let from_use = files.replace("$0", "").replace("c(l: 1, w: 0", "c(l: 1, $0w: 0");
    assert_eq!(renamed(&from_use), after);
    let taken = "tiling a = block(64) |> tile($0w: 2, cuda_warp) |> tile(t: 2, cuda_thread);";
    assert_eq!(refused(taken, "t"), "`t` is already declared in line 1");
}

#[test]
fn a_generic_parameter_is_renamed_in_its_kernel_and_its_runs() {
    let text = "dim N;
kernel f[B$0 = 8, T: f16 | f32](x: T[N], y: mut T[N]) where N >= B tune(B: [8, 16]) block(B) {
    for i in grid(N) { y[i] = x[i] * T(B); }
}
run f[B: 4, T: f32](x: ones, y: zeros) with N = 20;
";
    assert_eq!(renamed(text, "SIZE").unwrap(), text.replace("B$0", "B").replace('B', "SIZE"));
    let types = text.replace("$0", "").replace("[B = 8, T:", "[B = 8, T$0:");
    let wanted = types.replace("$0", "").replace("T:", "E:").replace("T[", "E[").replace("T(", "E(");
    assert_eq!(renamed(&types, "E").unwrap(), wanted);
}

#[test]
fn a_partition_keeps_its_name_where_it_is_asked_for_its_sizes() {
    let text = "dim N;
kernel k(x: f32[N], y: mut f32[N]) {
    view p$0x = partition(x, [16]);
    view py = partition(y, px.tile);
    for i in grid(cdiv(px.index_space(0), 1)) { py.store_masked(px.load_masked(i), i); }
}";
    let renamed = renamed(text, "rows").unwrap();
    assert_eq!(renamed, text.replace("p$0x", "px").replace("px", "rows"));
}

#[test]
fn functions_and_their_parameters_are_renamed() {
    let text = "fn f$0(v) = v + v;\nconst a = f(1);\nkernel k(y: mut f32[4]) { for i in grid(4) { y[i] = f(1.0); } }\n";
    assert_eq!(renamed(text, "twice").unwrap().matches("twice").count(), 3);
    assert_eq!(renamed("fn f(v$0, w) { let s = v + w; s * v }\n", "x").unwrap().matches('x').count(), 3);
    let own = "kernel k(y: mut f32[4]) { fn g$0(v) = v; for i in grid(4) { y[i] = g(1.0); } }\n";
    assert_eq!(renamed(own, "own").unwrap().matches("own").count(), 2);
}
