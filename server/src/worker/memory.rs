//! Refuses runs that do not fit in memory, before the system runs out of it.

use kernel::typed::{Kernel, ParamKind};

use super::failure::Failure;
use super::sizes::Sizes;

/// Fails if the tensors of a kernel need more memory than is available.
pub(super) fn check(kernel: &Kernel, sizes: &Sizes) -> Result<(), Failure> {
    let needed: u128 = kernel.params.iter().map(|param| bytes(&param.kind, param.element.size_bytes(), sizes)).sum();
    match available() {
        Some(available) if needed > u128::from(available) => Err(Failure::machine(format!(
            "the tensors of the kernel {} need {}, but only {} of memory are free",
            kernel.name,
            gigabytes(needed),
            gigabytes(u128::from(available))
        ))),
        _ => Ok(()),
    }
}

fn bytes(kind: &ParamKind, element: usize, sizes: &Sizes) -> u128 {
    let ParamKind::Tensor { shape, .. } = kind else { return 0 };
    let dims = shape.iter().map(|dim| dim.evaluate(&|symbol| sizes.get(symbol).copied()).unwrap_or(0));
    let elements = dims.fold(1u128, |product, dim| product.saturating_mul(u128::try_from(dim).unwrap_or(0)));
    elements.saturating_mul(element as u128)
}

fn gigabytes(bytes: u128) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

/// The bytes of available memory, if the system reports them.
fn available() -> Option<u64> {
    let information = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = information.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
