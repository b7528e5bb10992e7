//! Compiles emitted sources with NVRTC, in a worker: a library may end its process, or keep it from ending.

use emit::{COMPILE_OPTIONS, Emitted};
use shapewright_runtime::cuda::{Nvrtc, Request};

use super::client::{Client, Ending};
use super::protocol::{Event, Task};
use super::workers::Workers;

/// The PTX that NVRTC makes of an emitted kernel for an architecture (`sm_90`).
///
/// # Errors
/// A sentence if there is no NVRTC, or it does not know the architecture.
pub(crate) fn ptx(emitted: &Emitted, target: &str) -> Result<String, String> {
    let (source, entry) = (emitted.source.clone(), emitted.entry.clone());
    let task = Task::Ptx { source, entry, target: target.to_owned() };
    let client = Client::start(&task, &Workers::none())
        .map_err(|error| format!("a process for the compiler could not be started: {error}"))?;
    let mut done = Err("the compiler gave no answer".to_owned());
    let Ok(ending) = client.wait(None, |event| {
        match event {
            Event::Ptx { text } => done = Ok(text),
            Event::Failed { message, .. } => done = Err(message),
            _ => {}
        }
        Ok::<(), std::convert::Infallible>(())
    });
    match ending {
        Ending::Died(reason) | Ending::Unanswered(reason) => done.map_err(|_| reason),
        Ending::Done | Ending::TimeLimit | Ending::Interrupted => done,
    }
}

/// Compiles in this process.
pub(super) fn compile(source: &str, entry: &str, target: &str) -> Result<String, String> {
    let digits: String = target.chars().filter(char::is_ascii_digit).collect();
    let number: u32 = digits.parse().map_err(|_| format!("`{target}` is no architecture, which is like sm_90"))?;
    let nvrtc = Nvrtc::for_any_driver((number / 10, number % 10)).map_err(|error| error.to_string())?;
    let arch = target.replace("sm_", "compute_");
    let name = format!("{entry}.cu");
    let options = COMPILE_OPTIONS.map(str::to_owned);
    let request = Request { source, name: &name, arch: &arch, options: &options };
    let compiled = nvrtc.compile(&request).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&compiled.code);
    Ok(text.trim_end_matches('\0').to_owned())
}
