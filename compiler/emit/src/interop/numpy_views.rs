//! Strided maps in numpy, by `reshape` and `transpose` if possible, otherwise by `as_strided`.

use super::numpy::tuple;
use super::strided::{Digit, Strided, strided};
use super::writer::Writer;
use crate::sizes::IndexArithmetic;
use crate::text::{Level, Text};
use dims::{Facts, Sym};
use maps::IndexMap;
use maps::arithmetic::{self, Sign};

/// The body of a function that returns a view; `None` if the map is not strided, or if the sign of a stride is unknown.
pub(super) fn body(writer: &mut Writer<'_>, map: &IndexMap, facts: &Facts, shape: &[String]) -> Option<Vec<String>> {
    let strided = strided(map, facts).ok()?;
    let mut body = vec!["x = np.asarray(x).reshape(-1)".to_owned()];
    let view = match transposed(writer, &strided, facts) {
        Some(view) => view,
        None => {
            let (checks, view) = by_strides(writer, &strided, facts)?;
            body.extend(checks);
            view
        }
    };
    let is_split = strided.axes.is_empty() || strided.axes.iter().any(|digits| digits.len() != 1);
    let view = match (is_split, shape) {
        (false, _) => view,
        (true, []) => format!("{view}.reshape(())"),
        (true, shape) => format!("{view}.reshape({})", shape.join(", ")),
    };
    body.append(&mut writer.lines);
    body.push(format!("return {view}"));
    Some(body)
}

/// The digits of all coordinates in the order of a row-major result.
fn digits(strided: &Strided) -> Vec<&Digit> {
    strided.axes.iter().flat_map(|digits| digits.iter().rev()).collect()
}

/// `x[0:12].reshape(3, 4).transpose(1, 0)`, if the map reaches each offset of a range exactly once.
fn transposed(writer: &mut Writer<'_>, strided: &Strided, facts: &Facts) -> Option<String> {
    let digits = digits(strided);
    // The positions of the digits, by increasing stride.
    let mut order: Vec<usize> = Vec::with_capacity(digits.len());
    let mut next = Sym::one();
    while order.len() < digits.len() {
        let continues = |(position, digit): &(usize, &&Digit)| {
            !order.contains(position) && arithmetic::equal(&digit.stride, &next, facts)
        };
        let (position, digit) = digits.iter().enumerate().find(continues)?;
        next = next.checked_mul(&digit.extent).ok()?;
        order.push(position);
    }
    order.reverse();
    let end = strided.constant.checked_add(&next).ok()?;
    if !facts.never_negative(&strided.constant) {
        return None;
    }
    let (start, end) = (writer.size(&strided.constant).text.code, writer.size(&end).text.code);
    let start = if strided.constant.is_zero() { String::new() } else { start };
    if digits.is_empty() {
        return Some(format!("x[{start}:{end}]"));
    }
    let sides: Vec<String> = order
        .iter()
        .filter_map(|position| digits.get(*position))
        .map(|digit| writer.size(&digit.extent).text.code)
        .collect();
    let mut view = format!("x[{start}:{end}].reshape({})", sides.join(", "));
    let axes: Vec<String> = (0..digits.len())
        .filter_map(|digit| order.iter().position(|position| *position == digit))
        .map(|axis| axis.to_string())
        .collect();
    if order.iter().enumerate().any(|(axis, position)| axis != *position) {
        view.push_str(&format!(".transpose({})", axes.join(", ")));
    }
    Some(view)
}

/// `as_strided` with strides in bytes, after a check that the array is large enough, which numpy does not make.
fn by_strides(writer: &mut Writer<'_>, strided: &Strided, facts: &Facts) -> Option<(Vec<String>, String)> {
    let digits = digits(strided);
    let (mut least, mut most) = (strided.constant.clone(), strided.constant.clone());
    for digit in &digits {
        let span = digit.extent.checked_sub(&Sym::one()).ok()?.checked_mul(&digit.stride).ok()?;
        match arithmetic::sign(&digit.stride, facts) {
            Some(Sign::Positive) => most = most.checked_add(&span).ok()?,
            Some(Sign::Negative) => least = least.checked_add(&span).ok()?,
            None if digit.stride.is_zero() => {}
            None => return None,
        }
    }
    let has_values = digits.iter().all(|digit| arithmetic::positive(&digit.extent, facts));
    if !facts.never_negative(&least) || !has_values {
        return None;
    }
    let size = writer.size(&most.checked_add(&Sym::one()).ok()?);
    let checks = vec![
        format!("if x.size < {}:", size.text.code),
        "    raise IndexError(\"x has fewer elements than the map reaches\")".to_owned(),
        "step = x.strides[0]".to_owned(),
    ];
    let sides: Vec<String> = digits.iter().map(|digit| writer.size(&digit.extent).text.code).collect();
    let mut strides = Vec::with_capacity(digits.len());
    for digit in &digits {
        let stride = writer.size(&digit.stride);
        strides.push(match digit.stride.as_constant() {
            Some(0) => "0".to_owned(),
            Some(1) => "step".to_owned(),
            _ => Text::infix("*", Level::Product, &stride.text, &Text::primary("step")).code,
        });
    }
    let start = writer.size(&strided.constant).text.code;
    let base = if strided.constant.is_zero() { "x".to_owned() } else { format!("x[{start}:]") };
    let view = format!("np.lib.stride_tricks.as_strided({base}, {}, {})", tuple(&sides), tuple(&strides));
    Some((checks, view))
}
