//! Maps as CuTe layouts, in CuTe's notation: `((2,2),3):((1,6),2)`.
//!
//! A layout is colexicographic: its first mode is the fastest. The upper coordinates become modes in their order, and
//! the digits of a coordinate become parts of its mode. A layout has no validity and no offset; the offset is added to
//! the pointer, or stands between a swizzle and its layout.

use super::emitted::{Emitted, NoForm};
use super::header;
use super::strided::{Strided, strided};
use super::swizzle::{self, Swizzled};
use dims::{Facts, Sym};
use maps::{IndexMap, Term};
use proofs::Budget;

/// Emits the map as a layout, or as a swizzle of one.
pub(super) fn emit(name: &str, map: &IndexMap, facts: &Facts, budget: &Budget<'_>) -> Result<Emitted, NoForm> {
    let has_xor = map.terms.iter().any(|term| matches!(term, Term::Xor(..)));
    let (layout, offset, mut notes) = if has_xor {
        let Swizzled { bits, strided } = swizzle::swizzled(map, facts, budget)?;
        let (count, base, shift) = (bits.count, bits.base(), bits.shift());
        let layout = format!("Swizzle<{count},{base},{shift}> o {} o {}", size(&strided.constant), text(&strided));
        (layout, String::new(), notes(&strided))
    } else {
        let strided =
            strided(map, facts).map_err(|NoForm(reason)| NoForm(format!("no layout is this map: {reason}")))?;
        let offset = if strided.constant.is_zero() { String::new() } else { size(&strided.constant) };
        (text(&strided), offset, notes(&strided))
    };
    let mut lines = header::lines(name, map, facts);
    if !offset.is_empty() {
        lines.push(format!("Offset: {offset}, which is to be added to the pointer."));
    }
    lines.append(&mut notes);
    let source = format!("{}{layout}\n", header::commented("//", &lines));
    Ok(Emitted { source, functions: Vec::new(), layout: Some(layout), offset })
}

/// Comments on properties of the map that the layout does not state.
fn notes(strided: &Strided) -> Vec<String> {
    let is_negative = |stride: &Sym| stride.as_constant().is_some_and(|stride| stride < 0);
    let has_negative = strided.axes.iter().flatten().any(|digit| is_negative(&digit.stride));
    let note = "A negative stride is right for the offset of a coordinate; CuTe's cosize, complement and inverses \
                expect strides that are not negative.";
    has_negative.then(|| note.to_owned()).into_iter().collect()
}

/// `((2,2),3):((1,6),2)`
fn text(strided: &Strided) -> String {
    let of = |part: fn(&super::strided::Digit) -> &Sym, single: &str| {
        let modes = strided.axes.iter().map(|digits| match digits.as_slice() {
            [] => single.to_owned(),
            [digit] => size(part(digit)),
            digits => {
                let parts: Vec<String> = digits.iter().map(|digit| size(part(digit))).collect();
                format!("({})", parts.join(","))
            }
        });
        let modes: Vec<String> = modes.collect();
        format!("({})", modes.join(","))
    };
    format!("{}:{}", of(|digit| &digit.extent, "1"), of(|digit| &digit.stride, "0"))
}

/// A size in CuTe's notation, without spaces.
fn size(size: &Sym) -> String {
    format!("{size:#}").replace(' ', "").replace("cdiv(", "ceil_div(")
}
