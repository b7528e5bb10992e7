//! Kernels of daily work, as people write them who know CUDA: guards, strides, halos, gathers, scans, packed bits. All of
//! them are right, and all of them are accepted.

use super::safe::safe;
use crate::support::check;

const KERNELS: &[(&str, &str)] = &[
    ("guarded copy", "dim N; kernel k(x: f32[N], y: mut f32[N]) grid(cdiv(N, 256)) block(256) {
        for b in grid(cdiv(N, 256)) { for t in threads(256, cuda_thread) {
            let i = b * 256 + t; if i < N { y[i] = 2.0 * x[i]; } } } }"),
    ("guarded copy, size as a parameter", "dim N; kernel k(n: i64, x: f32[N], y: mut f32[N]) grid(cdiv(N, 256)) block(256) {
        for b in grid(cdiv(N, 256)) { for t in threads(256, cuda_thread) {
            let i = b * 256 + t; if i < n && i < N { y[i] = x[i]; } } } }"),
    ("early exit turned round", "dim N; kernel k(x: f32[N], y: mut f32[N]) block(128) {
        for b in grid(cdiv(N, 128)) { for t in threads(128, cuda_thread) {
            let i = b * 128 + t; if i >= N { } else { y[i] = x[i] + 1.0; } } } }"),
    ("grid-stride loop", "dim N; kernel k(x: f32[N], y: mut f32[N]) block(64) {
        for b in grid(8) { for t in threads(64, cuda_thread) { for j in 0..cdiv(N, 512) {
            let i = j * 512 + b * 64 + t; if i < N { y[i] = x[i]; } } } } }"),
    ("block-stride loop over a padded tensor", "dim N; kernel k(p: mut f32[cdiv(N, 128) * 128]) grid(1) block(128) {
        for t in threads(128, cuda_thread) { for j in 0..cdiv(N, 128) { p[j * 128 + t] = 1.0; } } }"),
    ("saxpy", "dim N; kernel k(a: f32, x: f32[N], y: mut f32[N]) block(256) {
        for b in grid(cdiv(N, 256)) { for t in threads(256, cuda_thread) {
            let i = b * 256 + t; if i < N { y[i] = a * x[i] + y[i]; } } } }"),
    ("halo of a stencil", "dim N where N >= 3; kernel k(x: f32[N], y: mut f32[N]) block(128) {
        for b in grid(cdiv(N, 128)) { for t in threads(128, cuda_thread) {
            let i = b * 128 + t;
            if i > 0 && i < N - 1 { y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0; } else if i < N { y[i] = x[i]; } } } }"),
    ("clamped stencil", "dim N; kernel k(x: f32[N], y: mut f32[N]) block(128) {
        for b in grid(cdiv(N, 128)) { for t in threads(128, cuda_thread) {
            let i = b * 128 + t;
            if i < N { y[i] = x[max(i - 1, 0)] + x[min(i + 1, N - 1)]; } } } }"),
    ("five-point stencil", "dim H, W; kernel k(x: f32[H, W], y: mut f32[H, W]) block(256) {
        for (r, b) in grid(H, cdiv(W, 256)) { for t in threads(256, cuda_thread) {
            let c = b * 256 + t;
            if r > 0 && r < H - 1 && c > 0 && c < W - 1 {
                y[r, c] = x[r - 1, c] + x[r + 1, c] + x[r, c - 1] + x[r, c + 1] - 4.0 * x[r, c];
            } else if c < W { y[r, c] = 0.0; } } } }"),
    ("seven-point stencil", "dim D, H, W; kernel k(x: f32[D, H, W], y: mut f32[D, H, W]) block(64) {
        for (d, h, b) in grid(D, H, cdiv(W, 64)) { for t in threads(64, cuda_thread) {
            let w = b * 64 + t;
            if w < W {
                let inside = d > 0 && d < D - 1 && h > 0 && h < H - 1 && w > 0 && w < W - 1;
                if d > 0 && d < D - 1 && h > 0 && h < H - 1 && w > 0 && w < W - 1 {
                    y[d, h, w] = x[d - 1, h, w] + x[d + 1, h, w] + x[d, h - 1, w] + x[d, h + 1, w] + x[d, h, w - 1]
                        + x[d, h, w + 1];
                } else { y[d, h, w] = x[d, h, w]; } } } } }"),
    ("convolution with borders", "dim N; kernel k(x: f32[N], w: f32[5], y: mut f32[N]) block(128) {
        for b in grid(cdiv(N, 128)) { for t in threads(128, cuda_thread) {
            let i = b * 128 + t;
            if i < N {
                let mut sum = 0.0;
                for j in 0..5 { let at = i + j - 2; if at >= 0 && at < N { sum += w[j] * x[at]; } }
                y[i] = sum; } } } }"),
    ("textbook matrix product", "dim M, N, K; kernel k(a: f32[M, K], b: f32[K, N], c: mut f32[M, N]) block(256) {
        for (r, q) in grid(M, cdiv(N, 256)) { for t in threads(256, cuda_thread) {
            let j = q * 256 + t;
            if j < N { let mut sum = 0.0; for k in 0..K { sum += a[r, k] * b[k, j]; } c[r, j] = sum; } } } }"),
    ("matrix product in tiles of threads", "dim M, N, K; kernel k(a: f32[M, K], b: f32[K, N], c: mut f32[M, N]) block(256) {
        for (p, q) in grid(cdiv(M, 16), cdiv(N, 16)) { for t in threads(256, cuda_thread) {
            let i = p * 16 + t / 16; let j = q * 16 + t % 16;
            if i < M && j < N { let mut sum = 0.0; for k in 0..K { sum += a[i, k] * b[k, j]; } c[i, j] = sum; } } } }"),
    ("matrix times vector", "dim M, N; kernel k(a: f32[M, N], x: f32[N], y: mut f32[M]) block(128) {
        for b in grid(cdiv(M, 128)) { for t in threads(128, cuda_thread) {
            let r = b * 128 + t;
            if r < M { let mut sum = 0.0; for j in 0..N { sum += a[r, j] * x[j]; } y[r] = sum; } } } }"),
    ("transpose without shared memory", "dim M, N; kernel k(x: f32[M, N], y: mut f32[N, M]) block(256) {
        for (p, q) in grid(cdiv(M, 16), cdiv(N, 16)) { for t in threads(256, cuda_thread) {
            let i = p * 16 + t / 16; let j = q * 16 + t % 16; if i < M && j < N { y[j, i] = x[i, j]; } } } }"),
    ("softmax of a row by each thread", "dim M, N; kernel k(x: f32[M, N], y: mut f32[M, N]) block(64) {
        for b in grid(cdiv(M, 64)) { for t in threads(64, cuda_thread) {
            let r = b * 64 + t;
            if r < M {
                let mut most = x[r, 0]; for j in 0..N { most = max(most, x[r, j]); }
                let mut sum = 0.0; for j in 0..N { sum += exp(x[r, j] - most); }
                for j in 0..N { y[r, j] = exp(x[r, j] - most) / sum; } } } } }"),
    ("layer norm", "dim M, N; kernel k(x: f32[M, N], g: f32[N], y: mut f32[M, N]) block(64) {
        for b in grid(cdiv(M, 64)) { for t in threads(64, cuda_thread) {
            let r = b * 64 + t;
            if r < M {
                let mut sum = 0.0; let mut squares = 0.0;
                for j in 0..N { sum += x[r, j]; squares += x[r, j] * x[r, j]; }
                let mean = sum / f32(N);
                for j in 0..N { y[r, j] = (x[r, j] - mean) * g[j]; } } } } }"),
    ("rotary halves", "dim S, H; kernel k(x: f32[S, 2 * H], y: mut f32[S, 2 * H]) block(64) {
        for s in grid(S) { for t in threads(64, cuda_thread) { for j in 0..cdiv(H, 64) {
            let i = j * 64 + t;
            if i < H { y[s, i] = x[s, i] - x[s, i + H]; y[s, i + H] = x[s, i + H] + x[s, i]; } } } } }"),
    ("two rows under one guard", "kernel k(y: mut f32[2, 50]) grid(1) block(64) {
        for t in threads(64, cuda_thread) { if t < 50 { y[0, t] = 1.0; y[1, t] = 2.0; } } }"),
    ("causal mask", "dim S; kernel k(x: f32[S, S], y: mut f32[S, S]) block(128) {
        for (r, b) in grid(S, cdiv(S, 128)) { for t in threads(128, cuda_thread) {
            let c = b * 128 + t; if c < S { y[r, c] = if c <= r { x[r, c] } else { 0.0 }; } } } }"),
    ("causal sum", "dim S; kernel k(x: f32[S], y: mut f32[S]) block(64) {
        for b in grid(cdiv(S, 64)) { for t in threads(64, cuda_thread) {
            let r = b * 64 + t;
            if r < S { let mut sum = 0.0; for j in 0..r + 1 { sum += x[j]; } y[r] = sum; } } } }"),
    ("gather with a check", "dim N, M; kernel k(at: i32[N], x: f32[M], y: mut f32[N]) block(128) {
        for b in grid(cdiv(N, 128)) { for t in threads(128, cuda_thread) {
            let i = b * 128 + t;
            if i < N { let j = at[i]; if j >= 0 && j < M { y[i] = x[j]; } else { y[i] = 0.0; } } } } }"),
    ("gather with a check of what is read again", "kernel k(at: i32[64], x: f32[100], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) {
            if at[t] >= 0 && at[t] < 100 { y[t] = x[at[t]]; } else { y[t] = 0.0; } } }"),
    ("gather with a clamp", "kernel k(at: i32[64], x: f32[100], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) { y[t] = x[min(max(at[t], 0), 99)]; } }"),
    ("gather with a clamp by assignments", "kernel k(at: i32[64], x: f32[100], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) {
            let mut i = at[t]; if i < 0 { i = 0; } if i > 99 { i = 99; } y[t] = x[i]; } }"),
    ("embedding", "dim S, V, D; kernel k(token: u32[S], table: f32[V, D], y: mut f32[S, D]) block(64) {
        for (s, b) in grid(S, cdiv(D, 64)) { for t in threads(64, cuda_thread) {
            let d = b * 64 + t; let row = i64(token[s]);
            if d < D { y[s, d] = if row < V { table[row, d] } else { 0.0 }; } } } }"),
    ("rows of a length that is read", "dim B, K; kernel k(len: i32[B], x: f32[B, K], y: mut f32[B]) block(32) {
        for b in grid(cdiv(B, 32)) { for t in threads(32, cuda_thread) {
            let r = b * 32 + t;
            if r < B { let mut sum = 0.0; for j in 0..min(i64(len[r]), K) { sum += x[r, j]; } y[r] = sum; } } } }"),
    ("compressed rows", "dim M, Z; kernel k(start: i32[M + 1], column: i32[Z], value: f32[Z], x: f32[M], y: mut f32[M]) block(64) {
        for b in grid(cdiv(M, 64)) { for t in threads(64, cuda_thread) {
            let r = b * 64 + t;
            if r < M {
                let mut sum = 0.0;
                for j in max(i64(start[r]), 0)..min(i64(start[r + 1]), Z) {
                    let c = column[j]; if c >= 0 && c < M { sum += value[j] * x[c]; } }
                y[r] = sum; } } } }"),
    ("a window that begins at a parameter", "kernel k(first: i32, y: mut f32[1024]) grid(1) block(64) {
        for t in threads(64, cuda_thread) {
            let i = i64(first) + t; if i >= 0 && i < 1024 { y[i] = 1.0; } } }"),
    ("a window that begins at a wide parameter", "kernel k(first: i64, y: mut f32[1024]) grid(1) block(64) {
        for t in threads(64, cuda_thread) {
            let i = first + t; if i >= 0 && i < 1024 { y[i] = y[i] + 1.0; } } }"),
    ("butterfly", "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) { y[t] = x[t] + x[bit_xor(t, 1)] + x[bit_xor(t, 32)]; } }"),
    ("butterfly that is stored", "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) { y[bit_xor(t, 21)] = x[t]; } }"),
    ("lanes by bits", "kernel k(x: f32[256], y: mut f32[256]) grid(1) block(256) {
        for t in threads(256, cuda_thread) {
            let lane = bit_and(t, 31); let warp = shift_right(t, 5); y[warp * 32 + lane] = x[bit_or(shift_left(warp, 5), lane)]; } }"),
    ("packed bits", "dim N; kernel k(x: u8[N], y: mut f32[8 * N]) block(64) {
        for b in grid(cdiv(N, 64)) { for t in threads(64, cuda_thread) {
            let i = b * 64 + t;
            if i < N { for j in 0..8 { y[8 * i + j] = f32(bit_and(shift_right(x[i], u8(j)), 1)); } } } } }"),
    ("packed nibbles", "dim N; kernel k(x: u8[N], y: mut f32[2 * N]) block(64) {
        for b in grid(cdiv(N, 64)) { for t in threads(64, cuda_thread) {
            let i = b * 64 + t;
            if i < N { y[2 * i] = f32(bit_and(x[i], 15)); y[2 * i + 1] = f32(shift_right(x[i], 4)); } } } }"),
    ("lookup by a byte", "kernel k(x: u8[64], table: f32[256], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) { y[t] = table[x[t]]; } }"),
    ("lookup by two bits", "kernel k(x: i32[64], table: f32[4], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) { y[t] = table[bit_and(x[t], 3)]; } }"),
    ("batches with a stride", "dim B, N; kernel k(x: f32[B * N], y: mut f32[B * N]) block(128) {
        for (s, b) in grid(B, cdiv(N, 128)) { for t in threads(128, cuda_thread) {
            let i = b * 128 + t; if i < N { y[s * N + i] = x[s * N + i]; } } } }"),
    ("digits of one index", "kernel k(x: f32[4, 8, 16], y: mut f32[4, 8, 16]) grid(2) block(256) {
        for b in grid(2) { for t in threads(256, cuda_thread) {
            let i = b * 256 + t; y[i / 128, i / 16 % 8, i % 16] = x[i / 128, i / 16 % 8, i % 16]; } } }"),
    ("reversed", "dim N; kernel k(x: f32[N], y: mut f32[N]) block(128) {
        for b in grid(cdiv(N, 128)) { for t in threads(128, cuda_thread) {
            let i = b * 128 + t; if i < N { y[N - 1 - i] = x[i]; } } } }"),
    ("ring", "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) { let mut sum = 0.0; for j in 0..1000 { sum += x[(t + j) % 64]; } y[t] = sum; } }"),
    ("histogram of each thread", "dim N; kernel k(x: u8[N], y: mut i32[64, 256]) grid(1) block(64) {
        for t in threads(64, cuda_thread) {
            for j in 0..256 { y[t, j] = 0; }
            for j in 0..cdiv(N, 64) { let i = j * 64 + t; if i < N { y[t, i64(x[i])] += 1; } } } }"),
    ("prefix sums of rows", "dim M, N; kernel k(x: f32[M, N], y: mut f32[M, N]) block(32) {
        for b in grid(cdiv(M, 32)) { for t in threads(32, cuda_thread) {
            let r = b * 32 + t;
            if r < M { let mut sum = 0.0; for j in 0..N { sum += x[r, j]; y[r, j] = sum; } } } } }"),
    ("position of the largest", "dim M, N; kernel k(x: f32[M, N], at: mut i32[M]) block(32) {
        for b in grid(cdiv(M, 32)) { for t in threads(32, cuda_thread) {
            let r = b * 32 + t;
            if r < M {
                let mut best = 0; let mut most = x[r, 0];
                for j in 0..N { if x[r, j] > most { most = x[r, j]; best = j; } }
                at[r] = i32(best); } } } }"),
    ("half of the threads in each step", "kernel k(x: f32[64], y: mut f32[32]) grid(1) block(64) {
        for t in threads(64, cuda_thread) { if t < 32 { y[t] = x[t] + x[t + 32]; } } }"),
    ("a parameter at the end of its type", "kernel k(s: i64, x: f32[64], y: mut f32[64]) grid(1) block(64) {
        for t in threads(64, cuda_thread) {
            if s != 9223372036854775807 { y[t] = x[t]; } else { y[t] = 0.0; } } }"),
    ("two columns of a row for each thread, with edges", "dim M, N; kernel k(y: mut f32[M, N]) block(32) {
        for (b, c) in grid(M, cdiv(N, 64)) { for t in threads(32, cuda_thread) {
            let i = c * 64 + t * 2;
            if i < N { y[b, i] = 1.0; } if i + 1 < N { y[b, i + 1] = 2.0; } } } }"),
    ("a recurrence along each row", "dim M, N where N >= 1; kernel k(x: f32[M, N], y: mut f32[M, N]) block(1) {
        for i in grid(M) { y[i, 0] = x[i, 0]; for j in 1..N { y[i, j] = y[i, j - 1] + x[i, j]; } } }"),
    ("two tensors side by side", "dim M, A, B; kernel k(a: f32[M, A], b: f32[M, B], y: mut f32[M, A + B]) block(1) {
        for i in grid(M) {
            for j in 0..A { y[i, j] = a[i, j]; }
            for j in 0..B { y[i, A + j] = b[i, j]; } } }"),
    ("two elements through a tile view", "dim N; kernel k(c: mut f32[4, N]) block(4) {
        view v = c via partition([4, N], [1, 8]);
        for (i, j) in grid(4, cdiv(N, 8)) { for t in threads(4, cuda_thread) {
            v[i, j, 0, t * 2] = 1.0; v[i, j, 0, t * 2 + 1] = 1.0; } } }"),
    ("registers of 2 × 2 with edges", "dim M, N; kernel k(c: mut f32[M, N]) block(64) {
        for (r, q) in grid(cdiv(M, 16), cdiv(N, 16)) { for t in threads(64, cuda_thread) {
            let i = r * 16 + t / 8 * 2; let j = q * 16 + t % 8 * 2;
            if i < M && j < N { c[i, j] = 1.0; }
            if i < M && j + 1 < N { c[i, j + 1] = 2.0; }
            if i + 1 < M && j < N { c[i + 1, j] = 3.0; }
            if i + 1 < M && j + 1 < N { c[i + 1, j + 1] = 4.0; } } } }"),
    ("the first element apart, by a difference", "dim H; kernel k(x: f32[H], y: mut f32[H]) block(1) {
        for i in grid(H) { if i != 0 { y[i] = x[i - 1]; } else { y[i] = x[i]; } } }"),
    ("the first element apart, by an equality", "dim H; kernel k(x: f32[H], y: mut f32[H]) block(1) {
        for i in grid(H) { if i == 0 { y[i] = 0.0; } else { y[i] = x[i - 1]; } } }"),
    ("the last element apart", "dim H; kernel k(x: f32[H], y: mut f32[H]) block(1) {
        for i in grid(H) { if i != H - 1 { y[i] = x[i + 1]; } else { y[i] = 0.0; } } }"),
    ("neighbours at the edge by a choice", "kernel k(x: f32[64], y: mut f32[64]) block(1) {
        for i in grid(64) { let l = if i > 0 { i - 1 } else { 0 }; y[i] = x[l] + x[if i < 63 { i + 1 } else { 63 }]; } }"),
    ("neighbours on a ring by a choice", "dim H; kernel k(x: f32[H], y: mut f32[H]) block(1) {
        for i in grid(H) {
            let l = if i == 0 { H - 1 } else { i - 1 }; let r = if i < H - 1 { i + 1 } else { 0 };
            y[i] = x[l] + x[r]; } }"),
    ("a neighbour by a variable", "dim H; kernel k(x: f32[H], y: mut f32[H]) block(1) {
        for i in grid(H) { let mut l = H - 1; if i > 0 { l = i - 1; } y[i] = x[l]; } }"),
    ("a table of narrow data", "dim N; kernel k(q: i8[N], lut: f32[256], y: mut f32[N]) {
        for i in grid(N) { y[i] = lut[i32(q[i]) + 128]; } }"),
    ("half a table of narrow data", "dim N; kernel k(q: i8[N], lut: f32[128], y: mut f32[N]) {
        for i in grid(N) { y[i] = if q[i] >= 0 { lut[q[i]] } else { 0.0 }; } }"),
    ("the next of a clamped index", "dim N; kernel k(at: i64[N], x: f32[N], y: mut f32[N]) {
        for i in grid(N) { let a = clamp(at[i], 0, N - 1); y[i] = x[min(a + 1, N - 1)]; } }"),
    ("own strided elements, counted from the end", "dim N; kernel k(y: mut f32[N]) grid(1) block(128) {
        for t in threads(128, cuda_thread) { for k in 0..(N - t + 127) / 128 { y[t + 128 * k] = 1.0; } } }"),
    ("an index around a ring", "dim N where N >= 1; kernel k(s: i64, x: f32[N], y: mut f32[N]) {
        for i in grid(N) { let from = i + s; y[i] = x[(from % N + N) % N]; } }"),
    ("an index around a ring, by cases", "dim N where N >= 1; kernel k(s: i64, x: f32[N], y: mut f32[N]) {
        for i in grid(N) { let r = (i + s) % N; y[i] = x[if r < 0 { r + N } else { r }]; } }"),
    ("indices without a sign", "dim N; kernel k(at: u64[N], x: f32[N], y: mut f32[N]) {
        for i in grid(N) { let j = at[i]; if j < u64(N) { y[i] = x[j]; } } }"),
    ("own strided elements", "dim N; kernel k(y: mut f32[N]) grid(1) block(128) {
        for t in threads(128, cuda_thread) { for k in 0..(N + 127 - t) / 128 { y[t + 128 * k] = 1.0; } } }"),
];

#[test]
fn kernels_of_daily_work_are_accepted_and_safe() {
    assert!(KERNELS.len() >= 40);
    let mut refused = Vec::new();
    let mut launches = 0;
    for (name, text) in KERNELS {
        let text = text.replacen("; kernel", ";\nkernel", 1) + "\n";
        let checked = check(&text);
        if checked.errors().is_empty() {
            launches += safe(&checked, &text);
        } else {
            refused.push(format!("{name}:\n{}", checked.report()));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(launches > 50, "{launches} launches were gone through");
}
