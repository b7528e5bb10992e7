//! Runs with the values that `tune` found to be the fastest.

use std::collections::BTreeMap;
use std::path::Path;

use check::db::SourceFile;
use shapewright_runtime::execute::SizedKernel;

use super::super::failure::Failure;
use super::super::protocol::Job;
use super::super::target::{Target, targets};
use super::super::{arguments, sizes};
use super::{OpenDevices, Session, generics};
use crate::tuned::Place;

/// A target with the values that are kept for it.
pub(super) struct Chosen {
    /// The target with these values.
    pub(super) target: Target,
    /// What the user is told of it.
    pub(super) note: String,
}

impl Session<'_> {
    /// A target with the values that are kept for it, this device and sizes of this class; `None` if there are none, or if the
    /// job or the source gives values itself.
    pub(super) fn chosen(
        &mut self,
        (target, number): (&Target, usize),
        (job, root): (&Job, SourceFile),
        folder: &Path,
    ) -> Result<Option<Chosen>, Failure> {
        if target.candidates.is_empty() || job.tunes || !job.generics.is_empty() {
            return Ok(None);
        }
        let Some(values) = kept(target, job, &mut self.devices, folder)? else { return Ok(None) };
        let listed: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let note = format!("runs with {}, the fastest when `shapewright tune` measured it", listed.join(", "));
        // The kernel with these values is another one, of which everything is found anew.
        let with_values = Job { generics: values, ..job.clone() };
        self.db.set_generics(generics(&with_values)?);
        let target = targets(&self.db, root, &with_values)?.into_iter().nth(number);
        Ok(target.map(|target| Chosen { target, note }))
    }
}

fn kept(
    target: &Target,
    job: &Job,
    devices: &mut OpenDevices<'_>,
    folder: &Path,
) -> Result<Option<BTreeMap<String, String>>, Failure> {
    let sources = arguments::sources(target, &job.inputs, folder)?;
    let sizes = sizes::bind(target, &job.definitions, &sources)?;
    let opened = devices.get(&job.device, &SizedKernel::at_launch(&target.kernel, &sizes)?)?;
    let device = opened.device.identity().unwrap_or_else(|| opened.name.clone());
    let named = sizes.iter().map(|(symbol, value)| (symbol.name().to_owned(), *value)).collect();
    Ok(Place::new((&target.kernel, &target.candidates), &named, &device).values())
}
