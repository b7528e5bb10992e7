//! Parts of the surface of tiles with rules of their own: bit casts.

use super::{gives, says};

#[test]
fn bits_are_taken_for_types_of_the_same_size() {
    let pairs = [
        ("f32", "u32"),
        ("f32", "i32"),
        ("f64", "u64"),
        ("f64", "i64"),
        ("f16", "u16"),
        ("f16", "i16"),
        ("bf16", "u16"),
        ("bf16", "i16"),
        ("f16", "bf16"),
        ("i8", "u8"),
        ("i32", "i32"),
    ];
    for (one, other) in pairs.into_iter().chain(pairs.map(|(one, other)| (other, one))) {
        gives(
            &format!(
                "kernel k(x: {one}[8], y: mut {other}[8], z: mut {other}[8]) {{
                    view px = partition(x, [4]); view py = partition(y, [4]);
                    for i in grid(2) {{ py.store(bitcast({other}, px.load(i)), i); z[4 * i] = bitcast({other}, x[i]);
                        z[4 * i + 1] = z[4 * i]; z[4 * i + 2] = z[4 * i]; z[4 * i + 3] = z[4 * i]; }} }}"
            ),
            &[],
        );
    }
    let widths = [
        ("f64", "u32", ["`f64` has 64 bits, but `u32` has 32 bits", "`i64` and `u64`"]),
        ("f32", "u16", ["`f32` has 32 bits, but `u16` has 16 bits", "`i32` and `u32`"]),
        ("u16", "f32", ["`u16` has 16 bits, but `f32` has 32 bits", "`i16`, `f16` and `bf16`"]),
        ("bool", "u8", ["not every byte is a `bool`", "`bool(x)`"]),
    ];
    for (from, to, parts) in widths {
        for access in ["y[i] = bitcast(TO, x[i]);", "py.store(bitcast(TO, px.load(i)), i);"] {
            let statement = access.replace("TO", to);
            let found = gives(
                &format!(
                    "kernel k(x: {from}[8], y: mut {to}[8]) {{
                        view px = partition(x, [1]); view py = partition(y, [1]); for i in grid(8) {{ {statement} }} }}"
                ),
                &["bit-cast"],
            );
            says(&found, "bit-cast", &parts);
        }
    }
}

#[test]
fn a_bit_cast_says_the_type_first() {
    let with = |value: &str| format!("kernel k(x: f32[8], y: mut u32[8]) {{ for i in grid(8) {{ y[i] = {value}; }} }}");
    let swapped = gives(&with("bitcast(x[i], u32)"), &["bit-cast"]);
    says(&swapped, "bit-cast", &["the type stands before the value"]);
    gives(&with("bitcast(x[i], x[i])"), &["bit-cast"]);
    gives(&with("bitcast(u33, x[i])"), &["unknown-element-type"]);
    gives(&with("bitcast(u32)"), &["argument-count"]);
    gives(&with("bitcast(u32, value: x[i])"), &["unknown-argument"]);
    let foreign = gives(&with("__float_as_uint(x[i])"), &["unknown-function"]);
    says(&foreign, "unknown-function", &["`bitcast(u32, x)`"]);
    // A literal has the size that it is taken for.
    gives(&with("bitcast(u32, 1.0) + bitcast(u32, -1) + bitcast(u32, bitcast(f32, 0x7fc00000))"), &[]);
    // What the bits of a float say is as unknown as what a float says.
    gives(
        "kernel k(x: f32[8], y: mut f32[8]) { for i in grid(8) { y[i] = x[bitcast(u32, x[i])]; } }",
        &["out-of-bounds"],
    );
}
