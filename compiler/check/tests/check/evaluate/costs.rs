//! What accesses with symbolic strides cost.

use super::{findings, only};

#[test]
fn strides_that_are_known_modulo_a_sector_say_where_rows_begin() {
    let text = "dim M, N where M % 128 == 0, N % 64 == 0;\n\
                map tiles = row_major([M, N]) |> partition([128, 64])\n\
                \x20   |> { 0: _, 1: _, 2: partition([32]) => (2, 4), 3: partition([32]) => (3, 5) }\n\
                \x20   |> { 0: _, 1: _, (2, 3): merge, 4: _, 5: _ };\n\
                assert tiles.sectors(f32) == 4;\nassert tiles.sectors(f32, lanes: 3) == 32;\n";
    assert_eq!(findings(text), []);
    // Where rows may begin in the middle of a sector, one more is touched.
    let odd =
        "dim M, N where N % 4 == 0;\nmap m = row_major([M, N]) |> partition([1, 32]);\nassert m.sectors(f32) == 5;\n";
    assert_eq!(findings(odd), []);
}

#[test]
fn odd_strides_have_no_bank_conflicts_however_large() {
    let text = "dim N where N % 4 == 0;\nmap padded = strided([N, 32], [N + 1, 1]);\n\
                assert padded.bank_conflicts(f32, lanes: 0) == 1;\nassert padded.bank_conflicts(f32, lanes: 1) == 1;\n";
    assert_eq!(findings(text), []);
    // A stride of which little is known may be a multiple of all banks, but lanes at one word are no conflict.
    let any = "dim N;\nmap m = strided([32, 4], [N, 0]);\nassert m.bank_conflicts(f32, lanes: 0) == 32;\n\
               assert m.bank_conflicts(f32, lanes: 1) == 1;\n";
    assert_eq!(findings(any), []);
    let even =
        "dim N where N % 4 == 2;\nmap m = strided([N, 32], [N, 1]);\nassert m.bank_conflicts(f32, lanes: 0) == 2;\n";
    assert_eq!(findings(even), []);
    let wrong = only(
        "dim N where N % 4 == 2;\nmap m = strided([N, 32], [N, 1]);\nassert m.bank_conflicts(f32, lanes: 0) == 1;\n",
    );
    assert_eq!(wrong.code, "assertion-failed");
}
