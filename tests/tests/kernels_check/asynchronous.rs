//! Asynchronous copies: where they are waited for, and what is refused.

use super::{gives, says};
use crate::support::{Checked, check};

/// A kernel of 128 threads with what stands between its braces.
fn of_threads(body: &str) -> String {
    format!(
        "dim K;\nkernel k(x: f32[K, 128], z: f16[128], n: f32, w: mut f32[128], y: mut f32[128]) grid(1) block(128) {{\n{body}\n}}\n"
    )
}

/// A loop that reads stage `k` and fills one that is `ahead`, of so many.
fn ring(stages: i64, ahead: i64) -> String {
    of_threads(&format!(
        "shared s : f32[{stages}, 128];
        for t in threads(128, cuda_thread) {{ for k in 0..min({ahead}, K) {{ async s[k, t] = x[k, t]; }} }}
        for k in 0..K {{
            for t in threads(128, cuda_thread) {{ y[t] += s[k % {stages}, 127 - t]; }}
            if k + {ahead} < K {{ for t in threads(128, cuda_thread) {{ async s[(k + {ahead}) % {stages}, t] = x[k + {ahead}, t]; }} }}
        }}"
    ))
}

fn schedule(checked: &Checked) -> String {
    checked.kernel().unwrap_or_else(|| panic!("{}", checked.report())).schedule_text()
}

/// The waits, commits and barriers of a kernel, in their order.
fn orders(text: &str) -> Vec<String> {
    let checked = check(text);
    super::safe(&checked, text);
    let schedule = schedule(&checked);
    let is_order = |line: &&str| ["wait for", "commit", "barrier"].iter().any(|word| line.starts_with(word));
    schedule.lines().map(str::trim).filter(is_order).map(str::to_owned).collect()
}

const ALL: &str = "wait for the copies";
const BARRIER: &str = "barrier of the block";
const COMMIT: &str = "commit the copies";

fn but(groups: i64) -> String {
    format!("wait for the copies but those of the last {groups} commits")
}

#[test]
fn a_copy_is_waited_for_before_the_barrier_that_it_needs() {
    let text = of_threads(
        "shared s : f32[128];
        for t in threads(128, cuda_thread) { async s[t] = x[0, t]; }
        for t in threads(128, cuda_thread) { y[t] = s[127 - t]; }",
    );
    assert_eq!(orders(&text), [ALL, BARRIER]);
    assert_eq!(orders(&text.replace("async ", "")), [BARRIER]);
}

/// What a thread copies itself, it waits for without a barrier.
#[test]
fn a_thread_waits_for_its_own_copies() {
    let own = |body: &str| {
        orders(&of_threads(&format!("shared s : f32[2, 128];\nfor t in threads(128, cuda_thread) {{ {body} }}")))
    };
    assert_eq!(own("async s[0, t] = x[0, t]; y[t] = s[0, t];"), [ALL]);
    assert_eq!(own("async s[0, t] = x[0, t]; y[t] = s[1, t];"), [] as [&str; 0]);
    assert_eq!(own("async s[0, t] = x[0, t]; async s[1, t] = x[0, t]; y[t] = s[0, t] + s[1, t];"), [ALL]);
    // A store that comes later must not be overtaken.
    assert_eq!(own("async s[0, t] = x[0, t]; s[0, t] = 1.0; y[t] = s[0, t];"), [ALL]);
    assert_eq!(own("async s[0, t] = x[0, t]; async s[0, t] = x[0, 127 - t]; y[t] = s[0, t];"), [ALL, ALL]);
    assert_eq!(own("if n > 0.0 { async s[0, t] = x[0, t]; } y[t] = s[0, t];"), [ALL]);
    assert_eq!(own("for k in 0..K { y[t] += s[k % 2, t]; async s[(k + 1) % 2, t] = x[k, t]; }"), [ALL]);
}

/// A barrier stands behind the statement that reads a stage, so the copies before it are those of the next stages: all but the first
/// of them may go on.
#[test]
fn a_ring_waits_for_no_more_copies_than_it_has_to() {
    for (stages, ahead, pending) in [(4, 3, 1), (5, 4, 2), (6, 5, 3)] {
        let found = orders(&ring(stages, ahead));
        assert_eq!(found, [ALL, BARRIER, &but(pending), BARRIER, COMMIT, ALL], "{stages} stages, {ahead} ahead");
    }
    // Where no copy goes to the stage that was read last, the barrier stands before what reads the next one.
    assert_eq!(orders(&ring(5, 3)), [ALL, &but(2), BARRIER, COMMIT, ALL]);
    // The copies of one stage are on their way, and it is read next.
    assert_eq!(orders(&ring(3, 2)), [ALL, BARRIER, ALL, BARRIER]);
}

/// With two stages, one barrier is enough: the copy of the next stage goes on while this one is read.
#[test]
fn a_double_buffer_lets_the_next_stage_go_on() {
    let text = of_threads(
        "shared s : f32[2, 128];
        for t in threads(128, cuda_thread) { async s[0, t] = x[0, t]; }
        for k in 0..K {
            if k + 1 < K { for t in threads(128, cuda_thread) { async s[(k + 1) % 2, t] = x[k + 1, t]; } }
            for t in threads(128, cuda_thread) { y[t] += s[k % 2, 127 - t]; }
        }",
    );
    assert_eq!(orders(&text), [ALL, BARRIER]);
}

/// Where a copy that is on its way might be used, all copies are waited for.
#[test]
fn no_copy_is_left_on_its_way_where_it_could_be_used() {
    let all = |text: &str| {
        let found = orders(text);
        assert!(found.contains(&BARRIER.to_owned()), "{text}\n{found:?}");
        assert!(!found.contains(&COMMIT.to_owned()), "{text}\n{found:?}");
    };
    let right = ring(4, 3);
    // Data say which stage is read.
    all(&right.replace("s[k % 4, 127 - t]", "s[max(i64(y[t]), 0) % 4, 127 - t]"));
    // A later stage is read, too.
    all(&right.replace("y[t] += s[k % 4, 127 - t]", "y[t] += s[k % 4, 127 - t] + s[(k + 2) % 4, t]"));
    // The array is used after the loop.
    all(&right.replacen("}\n}\n", "}\nfor t in threads(128, cuda_thread) { y[t] += s[0, 127 - t]; }\n}\n", 1));
    // The loop is in another one.
    all(&right.replace("for k in 0..K {", "for again in 0..2 { for k in 0..K {").replacen("}\n}\n", "} }\n}\n", 1));
}

#[test]
fn what_is_no_copy_is_refused() {
    for (wrong, part) in [
        ("async s[t] = 2.0 * x[0, t];", "an element of a tensor, or zero"),
        ("async s[t] = n;", "an element of a tensor, or zero"),
        ("async s[t] = if n > 0.0 { x[0, t] } else { 1.0 };", "an element of a tensor, or zero"),
        ("async s[t] = if n > 0.0 { x[0, t] } else { -0.0 };", "an element of a tensor, or zero"),
        ("async s[t] = s[t];", "`s` may change"),
        ("async s[t] = w[t];", "`w` may change"),
        ("async y[t] = x[0, t];", "goes to an element of a shared array"),
        ("let mut v = 0.0; async v = x[0, t];", "goes to an element of a shared array"),
        ("let mut v: f32[2] = 0.0; async v[0] = x[0, t];", "goes to an element of a shared array"),
        ("async s[t] = f32(z[t]);", "an element of a tensor, or zero"),
    ] {
        let checked =
            check(&of_threads(&format!("shared s : f32[128];\nfor t in threads(128, cuda_thread) {{ {wrong} }}")));
        assert_eq!(checked.errors(), ["wrong-async"], "{wrong}\n{}", checked.report());
        says(&checked, "wrong-async", &[part]);
    }
    let compound =
        check(&of_threads("shared s : f32[128]; for t in threads(128, cuda_thread) { async s[t] += x[0, t]; }"));
    assert_eq!(compound.errors(), ["syntax-error"], "{}", compound.report());
    let race =
        check(&of_threads("shared s : f32[128]; for t in threads(128, cuda_thread) { async s[t / 2] = x[0, t]; }"));
    assert!(race.errors().contains(&"shared-race"), "{}", race.report());
    let outside =
        check(&of_threads("shared s : f32[128]; for t in threads(128, cuda_thread) { async s[t + 1] = x[0, t]; }"));
    assert!(outside.errors().contains(&"out-of-bounds"), "{}", outside.report());
    let word =
        "kernel k(async: f32, y: mut f32[1]) grid(1) block(1) { let mut a = async; a = async + 1.0; y[0] = a; }\n";
    gives(word, &[]);
}
