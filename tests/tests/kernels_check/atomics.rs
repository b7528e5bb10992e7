//! Atomic accesses: where threads may meet, and where they still may not.

use super::{gives, says};
use crate::support::check;

/// A kernel of 16 blocks of 64 threads over `x`, `h` and a shared array `s`.
fn kernel(body: &str) -> String {
    format!(
        "dim N where N >= 1;\nkernel k(x: i32[N], v: f32[N], h: mut i32[64], f: mut f32[64], w: mut u64[64], c: mut i32[1]) block(64) {{
            for b in grid(16) {{
                shared s : i32[64];
                {body}
            }}
        }}\n"
    )
}

const EACH: &str = "for t in threads(64, cuda_thread)";

#[track_caller]
fn accepted(body: &str) {
    let checked = check(&kernel(body));
    assert!(checked.errors().is_empty(), "{body}\n{}", checked.report());
}

#[track_caller]
fn refused(body: &str, code: &str, words: &[&str]) {
    let checked = check(&kernel(body));
    assert_eq!(checked.errors(), [code], "{body}\n{}", checked.report());
    says(&checked, code, words);
}

#[test]
fn threads_meet_in_atomic_accesses() {
    for access in [
        "atomic_add(h[0], 1);",
        "atomic_add(f[0], 1.5);",
        "atomic_add(w[t % 3], u64(t));",
        "atomic_min(h[0], x[0]); atomic_max(h[0], 3);",
        "atomic_max(f[0], v[0]);",
        "atomic_and(h[1], 7); atomic_or(h[1], 8); atomic_xor(h[2], 1);",
        "atomic_store(h[0], 1);",
        "let before = atomic_exchange(h[0], i32(t)); atomic_add(h[1], before);",
        "let before = atomic_compare_exchange(h[0], 0, 1); if before == 0 { atomic_add(h[1], 1); }",
        "let seen = atomic_load(h[0]); if seen > 3 { atomic_add(h[1], seen); }",
        "let mut seen = atomic_add(c[0], 1); seen = seen + 1; atomic_add(h[1], seen);",
        "let place : i32 = atomic_add(c[0], 1); if place >= 0 && place < 64 { atomic_store(h[place], 1); }",
        "atomic_add(h[0], 1, order: acq_rel, scope: system);",
        "let seen = atomic_load(h[0], order: acquire); atomic_store(h[1], seen, order: release);",
        "atomic_add(s[t % 8], 1, scope: block);",
    ] {
        accepted(&format!("{EACH} {{ {access} }}"));
    }
}

#[test]
fn a_barrier_stands_between_atomic_and_other_accesses_of_a_shared_array() {
    let body = format!("{EACH} {{ atomic_add(s[t % 8], 1); }}\n{EACH} {{ atomic_add(h[t], s[63 - t]); }}");
    let checked = check(&kernel(&body));
    assert!(checked.errors().is_empty(), "{}", checked.report());
    assert!(checked.kernel().unwrap().has_barriers());
    // None is needed between atomic accesses.
    let body = format!("{EACH} {{ atomic_add(s[t % 8], 1); }}\n{EACH} {{ atomic_add(s[63 - t], 1); }}");
    assert!(!check(&kernel(&body)).kernel().unwrap().has_barriers());
}

#[test]
fn an_atomic_access_beside_a_plain_one_is_a_race() {
    refused(
        &format!("{EACH} {{ atomic_add(h[0], 1); if t == 0 && b == 0 {{ f[1] = f32(h[0]); }} }}"),
        "race-read",
        &["h"],
    );
    refused(&format!("{EACH} {{ atomic_add(h[t % 8], 1); h[t] = 3; }}"), "race", &["h"]);
    refused(&format!("{EACH} {{ if t < 3 {{ s[t] = 1; atomic_add(s[(t + 1) % 3], 1); }} }}"), "shared-race", &["`s`"]);
    // One thread alone, or each with elements of its own, has nobody to meet.
    accepted(&format!("{EACH} {{ if b == 0 {{ atomic_add(h[t], 1); h[t] = h[t] + 1; }} }}"));
}

#[test]
fn bounds_hold_for_atomic_accesses_too() {
    refused(&format!("{EACH} {{ atomic_add(h[t + 1], 1); }}"), "out-of-bounds", &["64"]);
    refused(&format!("{EACH} {{ atomic_add(h[x[0]], 1); }}"), "out-of-bounds", &["depends on data"]);
    // What another thread may have changed bounds nothing.
    refused(
        &format!("{EACH} {{ let place = atomic_add(c[0], 1); atomic_store(h[place], 1); }}"),
        "out-of-bounds",
        &["depends on data"],
    );
}

#[test]
fn what_cannot_be_atomic_says_what_to_write() {
    let each = |body: &str| format!("{EACH} {{ {body} }}");
    refused(&each("atomic_and(f[0], 1.0);"), "wrong-atomic", &["`f32`", "u32"]);
    refused(&each("atomic_compare_exchange(f[0], 0.0, 1.0);"), "wrong-atomic", &["`f32`"]);
    refused(&each("atomic_add(h, 1);"), "wrong-atomic", &["`h[i]`"]);
    refused(&each("let place = 1 + atomic_add(c[0], 1);"), "wrong-atomic", &["let before = "]);
    refused(&each("let a = atomic_store(h[0], 1);"), "wrong-atomic", &["gives no value"]);
    refused(&each("atomic_load(h[0], order: release);"), "wrong-atomic", &["relaxed", "acquire"]);
    refused(&each("atomic_store(h[0], 1, order: acquire);"), "wrong-atomic", &["release"]);
    refused(&each("atomic_add(h[0], 1, scope: warp);"), "wrong-atomic", &["block", "device", "system"]);
    refused(&each("atomic_add(h[0], 1, scope: block);"), "wrong-atomic", &["other blocks"]);
    refused(&each("atomic_add(h[0]);"), "argument-count", &["element"]);
    refused(&each("atomic_add();"), "argument-count", &["element"]);
    refused(&each("atomic_add(h[0], 1, memory: 3);"), "unknown-argument", &["order"]);
    refused(&each("atomic_add(x[0], 1);"), "read-only", &["x"]);
    refused(&each("atomic_add(h[0], 1.5);"), "type-mismatch", &["i32"]);
    for element in ["i8", "u16", "f16", "bf16", "bool"] {
        let value = if element == "bool" { "true" } else { "1" };
        let with = |access: &str| format!("kernel k(y: mut {element}[4]) {{ for i in grid(8) {{ {access} }} }}\n");
        gives(&with(&format!("atomic_add(y[i % 4], {value});")), &["wrong-atomic"]);
        gives(&with(&format!("atomic_exchange(y[i % 4], {value});")), &["wrong-atomic"]);
        // Any element is read and written in one step.
        gives(&with(&format!("atomic_store(y[i % 4], {value}); let before = atomic_load(y[i % 4]);")), &[]);
    }
}

#[test]
fn an_output_of_atomic_accesses_is_not_called_unwritten() {
    let checked = gives(
        "dim N;\nkernel k(x: u8[N], h: mut u32[256]) { for i in grid(N) { atomic_add(h[i64(x[i])], 1); } }\n",
        &[],
    );
    assert!(checked.findings.is_empty(), "{}", checked.report());
}

/// A kernel of tiles over `x`, `y` of [M, N] and `z` of [64].
fn tiles(body: &str) -> String {
    format!(
        "dim M, N;\nkernel k(x: i32[M, N], h: f16[M, N], y: mut i32[M, N], z: mut i32[64], e: mut f16[64]) {{
            view px = partition(x, [8, 64]);
            view py = partition(y, [8, 64]);
            view pz = partition(z, [64]);
            view pe = partition(e, [64]);
            for (i, j) in grid(px.index_space) {{ {body} }}
        }}\n"
    )
}

#[test]
fn blocks_meet_in_atomic_accesses_of_tiles() {
    for body in [
        "pz.atomic_add(px.load_masked(i, j).sum(0), 0);",
        "py.atomic_max_masked(px.load_masked(i, j), 0, j);",
        "let before = pz.atomic_exchange(px.load_masked(i, j).max(0), 0); pz.atomic_add(before, 0);",
        "pz.atomic_add(pz.atomic_load(0, order: acquire), 0, order: acq_rel, scope: system);",
        "z[0] = 1; z[0] = 2;",
    ] {
        let checked = check(&tiles(body));
        let is_race = body.starts_with("z[0]");
        assert_eq!(checked.errors().contains(&"race"), is_race, "{body}\n{}", checked.report());
        assert!(is_race || checked.errors().is_empty(), "{body}\n{}", checked.report());
    }
    gives(&tiles("pz.atomic_add(px.load_masked(i, j).sum(0), 1);"), &["out-of-bounds"]);
    gives(&tiles("pz.atomic_add(px.load_masked(i, j), 0);"), &["tile-shape"]);
    gives(
        &tiles("pz.store(px.load_masked(i, j).sum(0), 0); pz.atomic_add(px.load_masked(i, j).sum(0), 0);"),
        &["race"],
    );
    gives(&tiles("pz.atomic_load(0);"), &["tile-place"]);
    gives(&tiles("let a = pz.atomic_store(px.load_masked(i, j).sum(0), 0);"), &["wrong-atomic"]);
    gives(&tiles("pe.atomic_add(pe.load(0), 0);"), &["wrong-atomic"]);
    gives(&tiles("let a = atomic_add(z[0], 1);"), &["wrong-atomic"]);
}

/// The order of such accesses shows in what is read, so a barrier stands between them where one can.
#[test]
fn what_shows_the_order_of_atomic_accesses_waits() {
    let phases = |first: &str, second: &str| {
        let checked = check(&kernel(&format!("{EACH} {{ {first} }}\n{EACH} {{ {second} }}")));
        assert!(checked.errors().is_empty(), "{first} {second}\n{}", checked.report());
        checked.kernel().unwrap().has_barriers()
    };
    let look = "let v = atomic_load(s[0]); atomic_max(h[t], v);";
    assert!(phases("atomic_add(s[0], 1);", look));
    assert!(phases("if t == 63 { atomic_store(s[0], 100); }", "atomic_add(s[0], 1);"));
    assert!(phases("atomic_add(s[0], 1);", "atomic_max(s[0], 3);"));
    assert!(!phases("atomic_add(s[0], 1);", "atomic_add(s[63 - t], 1);"));
    // In one thread's code no barrier can stand, and none is missed.
    let body = format!("{EACH} {{ if t < i64(x[0]) {{ atomic_add(s[0], 1); {look} }} }}");
    assert!(!check(&kernel(&body)).kernel().unwrap().has_barriers());
}

#[test]
fn an_atomic_load_writes_nothing() {
    let text = "kernel k(h: i32[8], y: mut i32[8]) { for i in grid(8) { let v = atomic_load(h[i]); y[i] = v; } }\n";
    gives(text, &[]);
    let body = format!("{EACH} {{ let v = atomic_load(h[63 - t]); f[t] = f32(v + h[t]); }}");
    refused(&body, "race", &["`f`"]);
    refused(&format!("{EACH} {{ atomic_add(h[0], 1); if b == 0 {{ f[t] = f32(h[0]); }} }}"), "race-read", &["h"]);
}

/// Where a tensor is read plainly too, a tile that reaches an element twice is no thread's own.
#[test]
fn a_tile_through_a_view_that_repeats_is_all_atomic_or_refused() {
    let kernel = |body: &str| {
        format!(
            "map rep = row_major([32]) |> {{ (): replicate(4), 0: _ }};
             kernel k(x: i32[4, 32], y: mut i32[32], o: mut i32[4, 32]) {{
                view p = partition(x, [4, 32]);
                view r = partition(o, [4, 32]);
                view q = partition(y via rep, [4, 32]);
                for b in grid(1) {{ {body} }}
             }}\n"
        )
    };
    let codes = check(&kernel("q.atomic_add(p.load(0, 0), 0, 0); r.store(q.load(0, 0), 0, 0);")).errors();
    assert_eq!(codes, check(&kernel("q.store(p.load(0, 0), 0, 0); r.store(p.load(0, 0), 0, 0);")).errors());
    assert!(!codes.is_empty());
    gives(&kernel("q.atomic_add(p.load(0, 0), 0, 0); r.store(p.load(0, 0), 0, 0);"), &[]);
}
