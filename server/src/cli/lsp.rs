//! `shapewright lsp`

use clap::Args;

use super::status::{Failure, Outcome, Status};

/// The language server, for editors
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Speaks on standard input and output, which it does anyway; editors like to say so
    #[arg(long)]
    stdio: bool,
}

pub(super) fn run(_: &Arguments) -> Outcome {
    let orderly = crate::lsp::serve_standard().map_err(Failure::Machine)?;
    Ok(Status::wrong_if(!orderly))
}
