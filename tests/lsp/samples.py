"""Files that the tests open."""

SIZES = "/// Rows.\ndim M where M % 4 == 0;\n"

MAIN = """use "sizes.shape";

/// The matrix.
matrix : [M, 8];
half : matrix [(0) / 4, (1)];

map strided = reshape_map([3] | [4] => layout: [t0, i0]);

/// Scales a vector.
kernel scale(a: f32, x: f32[12], y: mut f32[12]) grid(1) block(4) {
    view xs = x via strided;
    view ys = y via strided;
    for i in 0..3 {
        ys[i] = a * xs[i];
    }
}

run scale(a: 2.0, x: arange, y: zeros) expect y == 2.0 * x;
"""

WRONG = """// 😀 ünïcode before a mistake
/* 😀 */ a : [missing, 2];
map m = reshape_map([3] | [4] => layout: [0, 0]);
"""

ENDLESS = """kernel endless(y: mut f32[1]) grid(1) block(1) {
    let mut total = 0.0;
    for i in 0..1000000000000 { total += 1.0; }
    y[0] = total;
}
run endless(y: zeros);
"""
