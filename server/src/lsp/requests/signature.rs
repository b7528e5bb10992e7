//! Signature help.

use tower_lsp::ls_types::{
    ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams, SignatureInformation,
};

use super::documentation;
use crate::lsp::snapshot::Snapshot;

/// The signature of the call around a place.
pub(in crate::lsp) fn help(snapshot: &Snapshot, params: &SignatureHelpParams) -> Option<SignatureHelp> {
    let (file, offset) = snapshot.at(&params.text_document_position_params)?;
    let found = ide::signature_help(&snapshot.db, file, offset)?;
    let (kind, places) = (snapshot.session.signature_markup(), snapshot.session.parameter_places());
    let label = found.label;
    // Positions in a label are always in UTF-16 units.
    let units = |bytes: u32| label[..bytes as usize].encode_utf16().count() as u32;
    let parameters = found.parameters.into_iter().map(|parameter| ParameterInformation {
        label: match places {
            true => ParameterLabel::LabelOffsets([units(parameter.label.start), units(parameter.label.end)]),
            false => {
                ParameterLabel::Simple(label[parameter.label.start as usize..parameter.label.end as usize].to_owned())
            }
        },
        documentation: documentation(&parameter.documentation, kind.clone()),
    });
    let active_parameter = found.active.map(|active| active as u32);
    let parameters = Some(parameters.collect());
    Some(SignatureHelp {
        signatures: vec![SignatureInformation {
            documentation: documentation(&found.documentation, kind.clone()),
            parameters,
            active_parameter,
            label,
        }],
        active_signature: Some(0),
        active_parameter,
    })
}
