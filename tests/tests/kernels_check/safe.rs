//! Accepted means safe: every thread of a launch is enumerated.

use std::collections::BTreeMap;

use dims::Symbol;
use kernel::typed::{Kernel, ParamKind};
use kernel::{BoundsChecks, at_launch};
use seeds::Draw;

use crate::support::Checked;
use crate::support::enumerate::{Fault, Launch, enumerate};

/// Values for the symbols of a kernel: small ones, all that fit its facts.
fn sizes(kernel: &Kernel, draw: &mut Draw) -> Vec<BTreeMap<Symbol, i64>> {
    if kernel.symbols.is_empty() {
        return vec![BTreeMap::new()];
    }
    let mut found = Vec::new();
    for _ in 0..40 {
        let value = |draw: &mut Draw| if draw.one_in(4) { draw.between(1, 5) * 8 } else { draw.between(1, 12) };
        let sizes: BTreeMap<Symbol, i64> = kernel.symbols.iter().map(|symbol| (symbol.clone(), value(draw))).collect();
        if kernel.facts.check(&sizes).is_ok() && !found.contains(&sizes) {
            found.push(sizes);
        }
        if found.len() == 4 {
            break;
        }
    }
    found
}

/// Enumerates an accepted kernel for some sizes, scalars and data; the number of launches that were.
#[track_caller]
pub fn safe(checked: &Checked, text: &str) -> usize {
    let Some(kernel) = checked.kernel() else { return 0 };
    let mut draw = Draw::new(text.len() as u64);
    sizes(&kernel, &mut draw).iter().map(|sizes| safe_for(checked, &kernel, sizes, text)).sum()
}

/// Enumerates an accepted kernel for these sizes.
#[track_caller]
pub fn safe_for(checked: &Checked, kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>, text: &str) -> usize {
    const VALUES: &[i64] = &[0, 1, 3, 4, 7, -1, -3, 100, i64::MIN, i64::MAX, 1 << 62, i32::MAX as i64 + 1];
    let guarded = match at_launch(kernel, sizes) {
        Ok(BoundsChecks::Proven) => false,
        Ok(BoundsChecks::Guarded) => true,
        Err(_) => return 0,
    };
    let mut draw = Draw::new(text.len() as u64 ^ sizes.values().sum::<i64>() as u64);
    let mut launches = 0;
    for round in 0..3 {
        let scalars: Vec<i64> = kernel
            .params
            .iter()
            .map(|param| match param.kind {
                ParamKind::Scalar => draw.pick(VALUES),
                ParamKind::Tensor { .. } => 0,
            })
            .collect();
        let launch = Launch { kernel, sizes, scalars: &scalars, data: draw.bits() ^ round, guarded };
        match enumerate(&launch) {
            Ok(_) => launches += 1,
            Err(Fault::GaveUp(_)) => {}
            Err(fault) => panic!("{fault:?}\nsizes {sizes:?}, scalars {scalars:?}\n{text}\n{}", checked.report()),
        }
    }
    launches
}
