//! `shapewright devices`

use clap::Args;
use comfy_table::{Table, presets};
use shapewright_runtime::execute::DeviceInfo;
use shapewright_runtime::executors::Executors;

use super::format::Format;
use super::json;
use super::output::Output;
use super::status::{Outcome, Status};
use crate::worker;

/// Lists what can run here, and for what cannot, what is missing
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// How to print the list
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let devices = found();
    match arguments.format {
        Format::Json => output.json(&json::Devices { devices })?,
        Format::Human => {
            let mut table = Table::new();
            table.load_style(presets::NOTHING);
            table.set_header(["device", "available", "what", "cores", "memory", "bandwidth"]);
            for device in &devices {
                table.add_row(row(device));
            }
            for line in table.lines() {
                output.line(line.trim_end())?;
            }
            for device in &devices {
                if let Some(identity) = device.identity() {
                    output.line(format_args!("\n{}: {identity}", device.name))?;
                }
                if let Some(libraries) = device.libraries() {
                    output.line(format_args!("\n{}: {libraries}", device.name))?;
                }
                if let Some(missing) = &device.missing {
                    output.line(format_args!("\n{}: {missing}", device.name))?;
                }
            }
        }
    }
    Ok(Status::Fine)
}

/// All devices. One that a driver which hangs or crashes tells nothing of is not available.
fn found() -> Vec<DeviceInfo> {
    let (mut devices, problem) = worker::devices();
    for (name, about) in Executors::default().first_devices() {
        if let Some(problem) = problem.as_ref().filter(|_| devices.iter().all(|device| device.name != name)) {
            let (missing, description) = (Some(problem.clone()), about.trim_end_matches('.').to_owned());
            devices.push(DeviceInfo { name, missing, description, ..DeviceInfo::default() });
        }
    }
    devices
}

fn row(device: &DeviceInfo) -> [String; 6] {
    let what = match &device.architecture {
        Some(architecture) => format!("{}, {architecture}", device.description),
        None => device.description.clone(),
    };
    [
        device.name.clone(),
        if device.available { "yes" } else { "no" }.to_owned(),
        what,
        device.cores.map_or_else(String::new, |cores| cores.to_string()),
        device.memory_bytes.map_or_else(String::new, |bytes| format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64)),
        device.peak_gb_per_s.map_or_else(String::new, |peak| format!("{peak:.0} GB/s")),
    ]
}
