//! Ten thousand edits take no more memory than a thousand.

use check::db::SourceFile;
use check::kernels;
use ide::CompilerDatabase;
use shapewright_tests::counting;

/// What 9,000 edits may leave behind. A single byte for each edit would be more.
const MARGIN: isize = 8 << 10;

/// A file such as people write.
const TEXT: &str = "dim M, N where M % 64 == 0, N <= 65536;
const B = 64;
const AT = 0;
matrix : [M, N];
tiles : [cdiv(M, B), cdiv(N, B)];
assert tiles(0) * B == M;
map blocked = reshape_map([64] | [M / 64] => layout: [i0, t0]);
assert blocked.race_free;
kernel scale(a: f32, x: f32[N], y: mut f32[N]) {
    view xs = x via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    for i in 0..4 { ys[i] = a * xs[i]; }
}
run scale(a: 2.0, x: arange, y: zeros) with N = 1000 expect y == 2.0 * x;
";

/// Asks everything that an editor asks after an edit at a place.
fn ask(db: &CompilerDatabase, file: SourceFile, offset: usize) {
    let length = file.text(db).len() as u32;
    ide::diagnostics(db, file);
    ide::semantic_tokens(db, file, None);
    ide::inlay_hints(db, file, 0..length);
    ide::document_symbols(db, file);
    ide::folding_ranges(db, file);
    ide::lenses(db, file);
    let offset = offset as u32;
    ide::hover(db, file, offset);
    ide::completions(db, file, offset);
    ide::signature_help(db, file, offset);
    ide::references(db, file, offset, true);
    ide::assists(db, file, offset..offset);
    for item in file.items(db) {
        kernels::checked_kernel(db, *item);
    }
}

/// One edit of some kind, and everything that an editor asks after it. The words that an edit brings in are new ones.
fn edit(db: &mut CompilerDatabase, file: SourceFile, number: usize) {
    let replaced = |from: &str, to: String| TEXT.replace(from, &to);
    let text = match number % 8 {
        0 => replaced("AT = 0", format!("AT = {number}")),
        1 => replaced("AT = 0", format!("AT = word{number}")),
        2 => replaced("const AT", format!("// {number}\nconst AT")),
        3 => replaced("B", format!("B{number}")),
        4 => replaced("const AT = 0;", "const AT = 0;\n".repeat(number % 7)),
        5 => replaced("ys[i] = a", format!("ys[i] = {number}.0 * a")),
        6 => return open_and_close(db, "other.shape", number),
        _ => return open_and_close(db, &format!("folder/other{number}.shape"), number),
    };
    db.set_text("main.shape", &text);
    ask(db, file, text.find("const AT").unwrap_or(0) + "const AT = ".len());
}

fn open_and_close(db: &mut CompilerDatabase, path: &str, number: usize) {
    let other = db.set_text(path, &format!("other{number} : [{number}];"));
    ask(db, other, 0);
    db.remove(path);
}

#[test]
fn memory_is_flat_over_ten_thousand_edits() {
    let _turn = crate::turn();
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", TEXT);
    let mut live = Vec::with_capacity(10);
    for thousand in 0..10 {
        for number in 0..1000 {
            edit(&mut db, file, 1000 * thousand + number);
        }
        // The same text each time, so that what differs is what was left behind.
        db.set_text("main.shape", TEXT);
        ask(&db, file, 0);
        live.push(counting::live());
    }
    assert!(live[9] > 100_000, "{live:?}: the database alone takes more, so this is not its memory");
    assert!(live[9] - live[0] < MARGIN, "live bytes after each thousand of edits: {live:?}");
}
