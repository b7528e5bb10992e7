//! Arguments for any kernel.

use std::collections::BTreeMap;

use dims::{Sym, Symbol};
use kernel::typed::{Kernel, Param, ParamKind};

use seeds::Draw;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{ElementType, Scalar, Tensor, Wide, random_value};

/// An argument for each parameter, with a few special numbers among random ones; `None` if a size has no value or a
/// tensor cannot be allocated.
pub fn arguments(kernel: &Kernel, sizes: &BTreeMap<Symbol, i64>, seed: u64) -> Option<Vec<Argument>> {
    let mut draw = Draw::new(seed ^ 0x5eed);
    kernel.params.iter().map(|param| argument(param, sizes, &mut draw)).collect()
}

fn argument(param: &Param, sizes: &BTreeMap<Symbol, i64>, draw: &mut Draw) -> Option<Argument> {
    let element = ElementType::from_name(param.element.name())?;
    let ParamKind::Tensor { shape, strides, .. } = &param.kind else {
        return Some(Argument::Scalar(value(element, draw)));
    };
    let known = |size: &Sym| u64::try_from(size.evaluate(&|symbol| sizes.get(symbol).copied()).ok()?).ok();
    let shape = shape.iter().map(known).collect::<Option<Vec<u64>>>()?;
    let strides = strides.iter().map(known).collect::<Option<Vec<u64>>>()?;
    let mut tensor = Tensor::strided(element, &shape, &strides).ok()?;
    for place in 0..tensor.storage_len() {
        tensor.set_at(place, value(element, draw)).ok()?;
    }
    Some(Argument::Tensor(tensor))
}

/// Mostly small numbers, which are valid as indices; some of any size, and some special floats.
fn value(element: ElementType, draw: &mut Draw) -> Scalar {
    let any = random_value(element, draw.bits(), 0);
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e-40, 70000.0];
    let (percent, small) = (draw.below(100), draw.between(-3, 12));
    let chosen = match percent {
        0..=5 if element.is_float() => Ok(Scalar::narrow(element, Wide::Float(draw.pick(&special)))),
        0..=5 => Scalar::from_f64(element, draw.pick(&special)),
        6..=15 if element != ElementType::Bool => Ok(Scalar::from_bytes(element, draw.bits().to_le_bytes())),
        16..=70 => Scalar::from_i128(element, i128::from(small)),
        _ => Ok(any),
    };
    chosen.unwrap_or(any)
}
