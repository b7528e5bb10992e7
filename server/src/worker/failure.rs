//! Why a job cannot be done.

use kernel::typed::{Param, ParamKind};
use shapewright_runtime::execute::{ExecuteError, Fault};
use shapewright_runtime::tensors::TensorError;
use shapewright_runtime::tensors::npy::{NpyError, NpyProblem};

use super::protocol::FailureKind;
use super::sizes::Sizes;

/// A message and the kind of failure.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) kind: FailureKind,
    pub(super) message: String,
    /// Whether a device failed, and may be lost to this process.
    pub(super) is_of_device: bool,
}

impl Failure {
    pub(super) fn file(message: impl Into<String>) -> Self {
        Self { kind: FailureKind::File, message: message.into(), is_of_device: false }
    }

    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self { kind: FailureKind::Usage, message: message.into(), is_of_device: false }
    }

    pub(super) fn machine(message: impl Into<String>) -> Self {
        Self { kind: FailureKind::Machine, message: message.into(), is_of_device: false }
    }

    /// A file that does not fit the parameter. For a mismatched shape, the message has the declared shape and its
    /// known sizes.
    pub(super) fn npy(error: NpyError, param: &Param, sizes: &Sizes) -> Self {
        let is_about_shape = matches!(error.problem, NpyProblem::Rank { .. } | NpyProblem::Dimension { .. });
        let ParamKind::Tensor { shape, .. } = &param.kind else { return error.into() };
        if !is_about_shape {
            return error.into();
        }
        let dims: Vec<String> = shape.iter().map(ToString::to_string).collect();
        let mut message = format!("{error}; it is declared as `{}[{}]`", param.element, dims.join(", "));
        let symbols: std::collections::BTreeSet<_> = shape.iter().flat_map(|dim| dim.symbols()).collect();
        for symbol in &symbols {
            if let Some(size) = sizes.get(symbol) {
                message.push_str(&format!(", and {symbol} is {size}"));
                if let Some(origin) = sizes.origin(symbol) {
                    message.push_str(&format!(" (from {origin})"));
                }
            }
        }
        Self::machine(message)
    }
}

impl From<ExecuteError> for Failure {
    fn from(error: ExecuteError) -> Self {
        let kind = match error.fault() {
            Fault::File => FailureKind::File,
            Fault::Request => FailureKind::Usage,
            Fault::Machine => FailureKind::Machine,
        };
        Self { kind, message: error.to_string(), is_of_device: matches!(error, ExecuteError::Device(_)) }
    }
}

impl From<TensorError> for Failure {
    fn from(error: TensorError) -> Self {
        ExecuteError::from(error).into()
    }
}

impl From<NpyError> for Failure {
    fn from(error: NpyError) -> Self {
        Self::machine(error.to_string())
    }
}
