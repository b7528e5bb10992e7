use proptest::prelude::*;

use super::*;

const FILE: &str = "dim M, N where M % 64 == 0;\nconst q = M // 4;\n/// A shape.\ntiles : [M, 4]; other : [3]\n// A comment.\n\
                    map m = reshape_map([3] | [4] => layout: [i0, t0]);\nassert m.injective;\n\
                    kernel k(y: mut f32[12]) { view ys = y via m; for i in 0..3 { ys[i // 4] = 1.0;\n }\nconst c = 1 // 2;\n}\n\
                    /* over\nlines */ last : [5];\nrun k(y: zeros) expect y == 1.0\n// the end";

/// The layout after an edit, which has to equal that of a complete reading.
fn edited(old: &str, new: &str) -> Replaced {
    let before = FileLayout::new(old);
    let (after, replaced) = before.edited(old, new);
    assert_eq!(after, FileLayout::new(new), "{old:?} -> {new:?}");
    assert_eq!(before.pieces[..replaced.old.start], after.pieces[..replaced.new.start]);
    assert_eq!(before.pieces[replaced.old.end..], after.pieces[replaced.new.end..]);
    replaced
}

#[test]
fn an_edit_replaces_the_pieces_around_it() {
    let long: String = (0..100).map(|number| format!("shape{number} : [{number}, 2];\n")).collect();
    let replaced = edited(&long, &long.replace("[50,", "[7,"));
    assert_eq!((replaced.old.len(), replaced.new.len()), (3, 3));
    assert!(replaced.old.contains(&50));
    let replaced = edited(&long, &long.replace("shape50 :", "fresh : [1]; shape50 :"));
    assert_eq!(replaced.new.len(), replaced.old.len() + 1);
}

/// What is found about comments is kept before an edit and behind it.
#[test]
fn doubtful_comments_are_found_as_in_a_fresh_file() {
    let long: String = (0..100).map(|number| format!("const c{number} = {number} // 4;\n")).collect();
    assert_eq!(FileLayout::new(&long).errors().len(), 100);
    for number in [0, 1, 50, 98, 99] {
        let one = format!("const c{number} = {number} // 4;");
        for other in [one.replace("//", "/"), one.replace("4;", "rows"), format!("{one}\ns : [2 // 2];"), String::new()]
        {
            edited(&long, &long.replace(&one, &other));
            edited(&long.replace(&one, &other), &long);
        }
    }
}

#[test]
fn a_comment_that_is_opened_swallows_what_follows() {
    edited(FILE, &FILE.replace("other", "/* other"));
    edited(&FILE.replace("other", "/* other"), FILE);
    edited(FILE, &FILE.replace("lines */", "lines "));
    edited(&FILE.replace("lines */", "lines "), FILE);
}

#[test]
fn a_byte_order_mark_inside_a_file_is_unknown_after_an_edit_too() {
    for text in ["dim N;\nmap m = row_major([N])\n \u{feff} |> merge;\n", "dim N;\n\u{feff}dim M;\n"] {
        edited(text, &text.replace("m", "mm"));
        edited(text, &text.replace("M;", "M; "));
        edited(&text.replace('\u{feff}', ""), text);
    }
}

#[test]
fn an_edit_may_close_a_body_far_before_it() {
    let items: String = (0..100).map(|number| format!("const c{number} = {number};\n")).collect();
    let open = format!("x : [1];\ny : [2];\nkernel k() {{\n{items}\ny : [2, 3];\nkernel l() {{ }}\n{items}");
    edited(&open, &open.replace("3];", "3]; }"));
    edited(&open.replace("3];", "3]; }"), &open);
    edited(&open, &open.replace("kernel l", "l"));
    edited(&open, &open.replace("l() { }", "l() { } }"));
    edited(&open.replace("kernel l() { }", ""), &open.replace("kernel l() { }", "}"));
}

#[test]
fn every_cut_and_every_insertion_reads_as_a_fresh_file_does() {
    for at in 0..FILE.len() {
        for length in [1, 2, 5, 40] {
            let end = (at + length).min(FILE.len());
            let cut = format!("{}{}", &FILE[..at], &FILE[end..]);
            edited(FILE, &cut);
            edited(&cut, FILE);
        }
        for inserted in ["(", ")", "}", ";", "\n", " ", "x", "-", "/", "*", "/*", "*/", "//", "\"", "\n/// doc\n", "é"]
        {
            edited(FILE, &format!("{}{inserted}{}", &FILE[..at], &FILE[at..]));
        }
    }
}

proptest! {
    #![proptest_config(seeds::config(256))]

    #[test]
    fn any_edit_reads_as_a_fresh_file_does(
        old in "([a-c]( :|:)? |\\[1\\]|;|\n|kernel a\\(|\\{|\\}|/\\*|\\*/|// |// 1;|\"|map b = |\nconst c = |\nkernel b\\(\\)\\{|é|-){0,60}",
        inserted in "([a-c] |:|;|\n|kernel a\\(|\\{|\\}|\\)|/\\*|\\*/|/|\"|é){0,4}",
        at in 0_usize..200,
        removed in 0_usize..30,
    ) {
        let boundary = |at: usize| (0..=at.min(old.len())).rev().find(|at| old.is_char_boundary(*at)).unwrap_or(0);
        let (start, end) = (boundary(at), boundary(at + removed));
        let new = format!("{}{inserted}{}", &old[..start], &old[end.max(start)..]);
        edited(&old, &new);
    }

    #[test]
    fn any_span_has_bytes_in_the_file(source in "[a-z0-9 \n;:=,(){}\\[\\]é/*]{0,40}", start in 0_u32..50, length in 0_u32..50) {
        let layout = FileLayout::new(&source);
        for (position, piece) in layout.pieces().iter().enumerate() {
            let range = piece.ranges().byte_range(crate::span::Span::new(start, start + length));
            let base = layout.start(position);
            prop_assert!(range.start <= range.end && (base + range.end) as usize <= source.len());
            prop_assert!(source.get((base + range.start) as usize..(base + range.end) as usize).is_some());
        }
    }
}
