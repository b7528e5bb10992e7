//! What is said to those who write what other tools call things.

use super::{findings, mended, only};

/// The only finding, whose help says something.
#[track_caller]
fn helped(text: &str, help: &str) {
    let found = only(text);
    assert!(found.help.iter().any(|line| line.contains(help)), "{found:#?}");
}

#[test]
fn words_of_other_tools_for_what_a_map_is_asked() {
    let map = "map m = row_major([4, 8]);\nshow ";
    helped(&format!("{map}m.surjective;\n"), "`m.covers`");
    helped(&format!("{map}m.stride;\n"), "strides");
    helped(&format!("{map}m.contiguous;\n"), "`m.vector_width(f32)`");
    helped(&format!("{map}right_inverse(m);\n"), "`m.inverse`");
    // What is only misspelt is still found.
    helped(&format!("{map}m.injectve;\n"), "did you mean `injective`?");
}

#[test]
fn a_unit_is_found_without_its_prefix() {
    let text = "tiling t = block(64) |> tile(w: 2, warp);\n";
    mended(text, &only(text));
}

#[test]
fn an_unknown_entry_of_a_layout_is_replaced_by_one_that_is_missing() {
    let text = "map m = reshape_map([4, 2] | [32] => layout: [i1, t0, i2]);\n";
    mended(text, &only(text));
    // With two that are missing it could be either.
    let either = findings("map m = reshape_map([4, 2] | [32] => layout: [i5, t0, i7]);\n");
    assert!(either.iter().all(|found| found.fixes.is_empty()), "{either:#?}");
}

#[test]
fn the_question_that_needs_a_size_is_named() {
    helped("map m = linear(2, 4);\nassert m.in_bounds;\n", "`m.in_bounds(1024)`");
    helped("map m = linear(2, 4);\nassert m.covers;\n", "`m.covers(1024)`");
}

#[test]
fn a_dimension_of_a_maps_shape_is_selected() {
    let map = "map m = row_major([4, 8]);\n";
    assert_eq!(findings(&format!("{map}assert m.upper_shape(1) == 8 && m.lower_shape(0) == 32;\n")), []);
    assert_eq!(only(&format!("{map}assert m.upper_shape(2) == 8;\n")).code, "dimension-out-of-rank");
}

#[test]
fn a_division_that_is_written_to_round_up_is_named() {
    for (written, mean) in [("(N + 63) / 64", "cdiv(N, 64)"), ("(N + T - 1) / T", "cdiv(N, T)")] {
        let text = format!("dim N, T;\nconst blocks = {written};\n");
        let found = only(&text);
        assert_eq!(found.label, "rounds up", "{found:#?}");
        assert_eq!(found.fixes[0].title, format!("write `{mean}`"));
        mended(&text, &found);
    }
    assert_eq!(only("dim N;\nconst blocks = (N + 62) / 64;\n").label, "may round down");
}

#[test]
fn a_pipeline_binds_tighter_than_a_comparison() {
    let text = "assert row_major([4, 8]) |> merge == pass_through(32);\n\
                assert row_major([32]) == row_major([4, 8]) |> merge && true;\n";
    assert_eq!(findings(text), []);
}
