//! Why a job cannot be done.

use shapewright_runtime::execute::ExecuteError;
use shapewright_runtime::tensors::TensorError;
use shapewright_runtime::tensors::npy::NpyError;

use super::protocol::FailureKind;

/// A sentence, and whose fault it is.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) kind: FailureKind,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn file(message: impl Into<String>) -> Self {
        Self { kind: FailureKind::File, message: message.into() }
    }

    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self { kind: FailureKind::Usage, message: message.into() }
    }

    pub(super) fn machine(message: impl Into<String>) -> Self {
        Self { kind: FailureKind::Machine, message: message.into() }
    }
}

impl From<ExecuteError> for Failure {
    fn from(error: ExecuteError) -> Self {
        match error {
            ExecuteError::Tensor(error) => error.into(),
            error => Self::file(error.to_string()),
        }
    }
}

impl From<TensorError> for Failure {
    fn from(error: TensorError) -> Self {
        match error {
            TensorError::OutOfMemory { .. } => Self::machine(error.to_string()),
            error => Self::file(error.to_string()),
        }
    }
}

impl From<NpyError> for Failure {
    fn from(error: NpyError) -> Self {
        Self::machine(error.to_string())
    }
}
