use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::fixture::Fixture;
use super::*;
use crate::CompilerDatabase;

/// Each token as `text:colour`, with a letter for each modifier.
fn written(text: &str, tokens: &[SemanticToken]) -> String {
    let token = |token: &SemanticToken| {
        let Modifiers { declaration, readonly, modification, default_library } = token.modifiers;
        let marks = [(declaration, 'd'), (readonly, 'r'), (modification, 'm'), (default_library, 'l')];
        let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
        let text = &text[token.range.start as usize..token.range.end as usize];
        format!("{text}:{:?}{}{marks}", token.colour, if marks.is_empty() { "" } else { "." })
    };
    tokens.iter().map(token).collect::<Vec<_>>().join(" ")
}

fn all(text: &str) -> String {
    let Fixture { db, file, .. } = Fixture::new(text);
    written(file.text(&db), &semantic_tokens(&db, file, None))
}

#[test]
fn items_are_coloured_by_what_their_names_mean() {
    assert_eq!(
        all("dim M, N where M > 1;\na : [M, a-b];"),
        "dim:Keyword M:Type.d N:Type.d where:Keyword M:Type >:Operator 1:Number a:Variable.dr M:Type"
    );
    assert_eq!(
        all("map : [M-N, cdiv(2, 1)]; dim M, N; const c = map.rank;"),
        "map:Variable.dr M:Type -:Operator N:Type cdiv:Function.l 2:Number 1:Number \
         dim:Keyword M:Type.d N:Type.d const:Keyword c:Variable.dr =:Operator map:Variable.r rank:Property"
    );
    assert_eq!(
        all("map m = reshape_map([3] | [4] => layout: [-t0, 0]);\nshow m.owners(12) == _"),
        "map:Keyword m:Function.d =:Operator reshape_map:Function.l 3:Number |:Operator 4:Number =>:Operator \
         layout:Keyword -:Operator t0:EnumMember 0:Number show:Keyword m:Function owners:Function.l 12:Number \
         ==:Operator _:Keyword"
    );
}

#[test]
fn thread_collectives_are_coloured() {
    assert_eq!(
        all(
            "unit pair = (blockDim; 2);\nkernel k(y: mut f32[4]) cluster(1) { shared s : f32[4] |> xor; with threads(0..2, \
             cuda_warp) { for w in threads(4, 2 * pair) { s[w] = y[w]; } } }"
        ),
        "unit:Keyword pair:Type.d =:Operator blockDim:Variable.rl 2:Number kernel:Keyword k:Function.d y:Parameter.d \
         mut:Keyword f32:Type.l 4:Number cluster:Keyword 1:Number shared:Keyword s:Variable.d f32:Type.l 4:Number \
         |>:Operator xor:Function.l with:Keyword threads:Keyword 0:Number ..:Operator 2:Number cuda_warp:EnumMember.l \
         for:Keyword w:Variable.dr in:Keyword threads:Keyword 4:Number 2:Number *:Operator pair:Type s:Variable.m \
         w:Variable.r =:Operator y:Parameter w:Variable.r"
    );
}

#[test]
fn methods_and_the_words_that_parameters_take_are_coloured() {
    let text = "kernel k(x: f32[4], y: mut f32[4]) { view px = partition(x, [2]); for i in grid(px.index_space) { y[i] = \
                px.load_masked(i, pad: nan).max(0); } }";
    let found = all(text);
    for part in
        ["index_space:Property", "load_masked:Function.l", "pad:Parameter", "nan:EnumMember.l", "max:Function.l"]
    {
        assert!(found.contains(part), "{part} is missing from {found}");
    }
}

#[test]
fn kernels_and_runs_are_coloured() {
    assert_eq!(
        all("kernel k(a: f32, y: mut f32[4]) grid(1) { view v = y via linear(1) per thread; let b = f32(a); \
             let mut c = b; c += sqrt(a); for i in grid(4) { v[i] = c; } }"),
        "kernel:Keyword k:Function.d a:Parameter.dr f32:Type.l y:Parameter.d mut:Keyword f32:Type.l 4:Number \
         grid:Keyword 1:Number view:Keyword v:Variable.d =:Operator y:Parameter via:Keyword linear:Function.l \
         1:Number per:Keyword thread:EnumMember.l let:Keyword b:Variable.dr =:Operator f32:Type.l a:Parameter.r \
         let:Keyword mut:Keyword c:Variable.d =:Operator b:Variable.r c:Variable.m +=:Operator sqrt:Function.l \
         a:Parameter.r for:Keyword i:Variable.dr in:Keyword grid:Keyword 4:Number v:Variable.m i:Variable.r \
         =:Operator c:Variable"
    );
    assert_eq!(
        all("run k(y: zeros, 1, npy(\"x\")) expect y == arange;\nkernel k(y: f32[4]) { }"),
        "run:Keyword k:Function y:Parameter.m zeros:Variable.rl 1:Number npy:Function.l \"x\":String expect:Keyword \
         y:Parameter ==:Operator arange:Variable.rl kernel:Keyword k:Function.d y:Parameter.d f32:Type.l 4:Number"
    );
}

#[test]
fn comments_are_cut_at_the_ends_of_lines() {
    assert_eq!(
        all("\u{feff}// one\r\n/* two\r\n\r\n   thr€e */ /// four\na /* five */ : [1] / 2; // six\n/* seven"),
        "// one:Comment /* two:Comment thr€e */:Comment /// four:Comment a:Variable.dr /* five */:Comment 1:Number \
         /:Operator 2:Number // six:Comment /* seven:Comment"
    );
    assert_eq!(all("// alone"), "// alone:Comment");
    assert_eq!(all(" "), "");
}

#[test]
fn a_part_has_what_reaches_into_it() {
    let text = "// zero\nconst one = 1;\nconst two = 2; // end\nconst three = 3;\n";
    let Fixture { db, file, .. } = Fixture::new(text);
    let from = text.find("two").unwrap() as u32;
    let part = from + 1..text.find("end").unwrap() as u32 + 1;
    assert_eq!(
        written(text, &semantic_tokens(&db, file, Some(part.clone()))),
        "two:Variable.dr =:Operator 2:Number // end:Comment"
    );
    let whole = semantic_tokens(&db, file, None);
    let inside: Vec<SemanticToken> =
        whole.into_iter().filter(|token| token.range.end > part.start && token.range.start < part.end).collect();
    assert_eq!(semantic_tokens(&db, file, Some(part)), inside);
    assert_eq!(written(text, &semantic_tokens(&db, file, Some(0..3))), "// zero:Comment");
    assert_eq!(semantic_tokens(&db, file, Some(900..901)), []);
}

#[test]
fn an_edit_colours_one_item_again() {
    let executed = Arc::new(AtomicUsize::new(0));
    let count = executed.clone();
    let mut db = CompilerDatabase::with_observer(Some(Box::new(move |event: salsa::Event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind
            && format!("{database_key:?}").starts_with("colours")
        {
            count.fetch_add(1, Ordering::Relaxed);
        }
    })));
    let text = "dim M where M > 2;\na : [M];\nb : [a, M];\nkernel k(x: f32[M]) { }\nrun k(x: zeros);\n";
    let file = db.set_text("main.shape", text);
    let before = semantic_tokens(&db, file, None);
    assert_eq!(executed.swap(0, Ordering::Relaxed), 5);

    let file = db.set_text("main.shape", &text.replace("a : ", "// a comment\n   a  : "));
    assert_eq!(semantic_tokens(&db, file, None).len(), before.len() + 1);
    assert_eq!(executed.swap(0, Ordering::Relaxed), 0);

    let file = db.set_text("main.shape", &text.replace("M > 2", "M > 2, M < 9"));
    assert_eq!(semantic_tokens(&db, file, None).len(), before.len() + 3);
    // The first edit of an item makes it volatile, which its readers must learn.
    executed.store(0, Ordering::Relaxed);
    let file = db.set_text("main.shape", &text.replace("M > 2", "M > 2, M < 9, M != 4"));
    assert_eq!(semantic_tokens(&db, file, None).len(), before.len() + 6);
    assert_eq!(executed.swap(0, Ordering::Relaxed), 1);
}
