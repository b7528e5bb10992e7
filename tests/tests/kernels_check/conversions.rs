//! Numbers that go through two types before they are an index: what is accepted is inside.

use elements::ElementType;

use super::safe::safe;
use crate::support::check;

/// Numbers that types cut off, round, saturate or wrap.
const NUMBERS: [&str; 7] = ["0.5", "-0.25", "1.0", "1.75", "-1.0", "256.0", "clamp(x[0], 0.0, 0.9)"];

#[test]
fn an_index_is_what_the_conversions_make_of_a_number() {
    let mut launches = 0;
    for first in ElementType::ALL {
        for second in ElementType::ALL {
            for number in NUMBERS {
                for extent in [1, 2] {
                    let index = format!("i64({}({}(f64({number}))))", second.name(), first.name());
                    let text = format!(
                        "kernel k(x: f32[1], y: mut f32[{extent}]) grid(1) block(1) {{ y[{index}] = x[0]; }}\n"
                    );
                    launches += safe(&check(&text), &text);
                }
            }
        }
    }
    // Each launch has other data.
    assert!(launches > 1000, "only {launches} launches");
}
