//! Loops: what their iterations leave pending, and what going through them costs.

use super::{checked, waits};

fn found(body: &str) -> Result<Vec<String>, Vec<&'static str>> {
    let head = "dim K;
        kernel k(n: i64, x: f32[256], len: i64[8], y: mut f32[256]) grid(8) block(64)";
    let checked = checked(&format!("{head} {{\nshared s : f32[256];\nfor b in grid(8) {{\n{body}\n}} }}\n"));
    match &checked.kernel {
        Some(kernel) => Ok(waits(kernel)),
        None => Err(checked.diagnostics.iter().map(|found| found.page.code).collect()),
    }
}

/// Neighbours exchange what they have.
const EXCHANGE: &str = "for t in threads(64, cuda_thread) { s[t] = x[t]; }
    let mut next = 0.0; for t in threads(64, cuda_thread) { next = s[63 - t]; }";

#[test]
fn a_loop_whose_end_is_read_at_a_uniform_place_is_one_to_wait_in() {
    assert_eq!(found(&format!("for k in 0..len[b] {{ {EXCHANGE} }}")).unwrap(), ["block", "block"]);
    assert_eq!(found(&format!("for k in 0..K {{ {EXCHANGE} }}")).unwrap(), ["block", "block"]);
    assert_eq!(found(&format!("for k in 0..n {{ {EXCHANGE} }}")).unwrap(), ["block", "block"]);
    let by_thread = "let mut rounds = 0; for t in threads(64, cuda_thread) { rounds = t; }";
    let found = found(&format!("{by_thread} for k in 0..rounds {{ {EXCHANGE} }}"));
    assert!(found.is_err_and(|codes| codes.contains(&"unreached-barrier")));
}

#[test]
fn a_shared_element_decides_for_all_threads() {
    let body = format!("for t in threads(64, cuda_thread) {{ s[64 + t] = x[t]; }} if s[64] > 0.0 {{ {EXCHANGE} }}");
    assert_eq!(found(&body).unwrap(), ["block", "block"]);
}

/// A ring of stages: the next iteration fills another one, so one wait for each iteration is enough, however many there are.
#[test]
fn rings_of_stages_need_one_wait_an_iteration() {
    let ring = |end: &str, stages: i64| {
        format!(
            "shared ring : f32[{stages}, 64];
            for k in 0..{end} {{
                for t in threads(64, cuda_thread) {{ ring[k % {stages}, t] = x[t]; }}
                let mut last = 0.0;
                for t in threads(64, cuda_thread) {{ last = ring[k % {stages}, 63 - t]; }}
            }}"
        )
    };
    for end in ["1000000", "K", "n", "len[b]"] {
        for stages in [2, 3, 5] {
            assert_eq!(found(&ring(end, stages)).unwrap(), ["block"], "{end}, {stages}");
        }
        assert_eq!(found(&ring(end, 1)).unwrap(), ["block", "block"], "{end}");
    }
}

/// What a variable counts is not known, but the same in all threads of an iteration.
#[test]
fn an_offset_that_all_threads_count_together_leaves_them_apart() {
    let counted = |step: &str| {
        format!(
            "let mut offset = 0;
            for k in 0..K {{
                for t in threads(64, cuda_thread) {{ s[bit_and(offset, 63) + t] += x[t]; }}
                offset += {step};
            }}"
        )
    };
    assert_eq!(found(&counted("3")).unwrap(), ["block"]);
    let by_thread = "let mut id = 0; for t in threads(64, cuda_thread) { id = t; }";
    assert!(found(&format!("{by_thread} {}", counted("id"))).is_err());
}

#[test]
fn nests_cost_what_they_are_long() {
    for depth in [12, 50] {
        let open: String = (0..depth).map(|level| format!("for k{level} in 0..2 {{ ")).collect();
        let nest = |body: &str| format!("{open}{body}{}", "}".repeat(depth));
        let own = nest("for t in threads(64, cuda_thread) { s[t] = 1.0; y[t] = s[t]; }");
        // Blocks share `y`, which is another matter.
        assert!(!found(&own).is_err_and(|codes| codes.contains(&"shared-race")), "{depth}");
        assert_eq!(found(&nest(EXCHANGE)).unwrap(), ["block", "block"], "{depth}");
    }
}

#[test]
fn a_histogram_by_comparison_is_read_by_all() {
    let body = "for t in threads(64, cuda_thread) { for i in 0..4 { s[64 * i + t] = x[64 * i + t]; } }
        let mut count = 0.0;
        for k in 0..K {
            for t in threads(64, cuda_thread) { for i in 0..256 { if s[i] > f32(t) { count += 1.0; } } }
        }";
    assert_eq!(found(body).unwrap(), ["block"]);
}

/// More accesses than the prover is asked about: a superfluous barrier is placed, and nothing is refused.
#[test]
fn hundreds_of_accesses_come_to_an_end() {
    let stores: String =
        (0..600).map(|number| format!("s[(t * {} + {number}) % 256] = x[t];\n", 2 * number + 1)).collect();
    let apart = "for t in threads(64, cuda_thread) { s[t] = x[t]; }\n".repeat(600);
    assert!(found(&format!("for t in threads(64, cuda_thread) {{ {stores} }}")).is_err());
    assert_eq!(found(&apart).unwrap(), [""; 0]);
    let turned = "for t in threads(64, cuda_thread) { s[t] = x[t]; }
        for t in threads(64, cuda_thread) { s[63 - t] = x[t]; }\n"
        .repeat(150);
    assert_eq!(found(&turned).unwrap().len(), 299);
}

/// Hundreds of conditions around accesses of one element, and hundreds of loops over one tile, are one question.
#[test]
fn what_a_thread_does_to_its_own_element_costs_one_question() {
    let under_conditions: String = (0..300)
        .map(|shift| format!("if x[(k + {shift}) % 256] > s[t] {{ s[t] = x[(k + {shift}) % 256]; }}\n"))
        .collect();
    let body = format!("for k in 0..K {{ for t in threads(64, cuda_thread) {{ {under_conditions} }} }}");
    assert_eq!(found(&body).unwrap(), [""; 0]);
    let others = body.replace("s[t] {", "s[63 - t] {");
    assert!(found(&others).is_err_and(|codes| codes.contains(&"shared-race")));
    for step in ["for z in 0..N { a += 1.0; }", "if k[i % N] > 0 { a = a * 2.0; for z in 0..N { a += 1.0; } }"] {
        let text = format!(
            "dim N;
            kernel f(x: f32[N], k: i32[N], y: mut f32[N]) {{
                view p = partition(x, [128]); view q = partition(y, [128]);
                for i in grid(cdiv(N, 128)) {{
                    let mut a = p.load_masked(i);
                    {}
                    q.store_masked(a, i);
                }}
            }}\n",
            step.repeat(160)
        );
        let checked = checked(&text);
        let codes: Vec<&str> = checked.diagnostics.iter().map(|found| found.page.code).collect();
        assert_eq!(codes, [""; 0], "{step}");
        assert_eq!(waits(&checked.kernel.unwrap()), [""; 0], "{step}");
    }
}

/// Where the steps run out and no barrier can stand, the message says that they ran out, once.
#[test]
fn a_kernel_with_too_many_questions_is_told_so() {
    let store = |number: i32| format!("s[300 * t + {number}] = s[300 * t + {}] + x[t];\n", number * 7 % 300);
    let stores: String = (0..300).map(store).collect();
    let body = format!("for t in threads(64, cuda_thread) {{ {stores} y[t] = s[300 * t]; }}");
    let head = "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(64)";
    let refused = checked(&format!("{head} {{ shared s : f32[19200]; {body} }}\n"));
    let said: Vec<&str> = refused.diagnostics.iter().map(|found| found.message.as_str()).collect();
    let start = "the checks of this kernel ended before it was known whether two threads access";
    assert!(matches!(said.as_slice(), [message] if message.starts_with(start)), "{said:?}");
}
