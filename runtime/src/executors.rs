//! The table of executors, and the names of their devices.

use std::cmp::Reverse;

use crate::cpu::Cpu;
use crate::cuda::Cuda;
use crate::execute::executor::short;
use crate::execute::{Device, DeviceInfo, ExecuteError, Executor, SizedKernel};
use crate::interpreter::Interpreter;

/// Every executor, in the order in which their devices are listed. A new one is a folder and a line here.
static ALL: [&dyn Executor; 3] = [&Cpu::DEFAULT, &Interpreter, &Cuda];

/// The name for the fastest available device.
const AUTO: &str = "auto";

/// An open device and its name.
pub struct Opened {
    /// Its full name: `cuda:0`.
    pub name: String,
    /// The device.
    pub device: Box<dyn Device>,
    /// A sentence for each faster device that `auto` passed over although it is here, with the reason.
    pub notes: Vec<String>,
    /// Whether `auto` passed over a faster device, which may be available the next time.
    pub passed_over: bool,
}

/// A table of executors.
#[derive(Clone, Copy)]
pub struct Executors<'t>(&'t [&'t dyn Executor]);

impl Default for Executors<'_> {
    /// All executors.
    fn default() -> Self {
        Self(&ALL)
    }
}

impl<'t> Executors<'t> {
    /// Only these executors.
    pub fn new(executors: &'t [&'t dyn Executor]) -> Self {
        Self(executors)
    }

    /// Every device, with what is missing for unavailable ones.
    pub fn devices(self) -> Vec<DeviceInfo> {
        self.0.iter().flat_map(|executor| executor.devices()).collect()
    }

    /// The devices of each executor, one after the other, as a library may not answer.
    pub fn devices_of_each(self) -> impl Iterator<Item = Vec<DeviceInfo>> {
        self.0.iter().map(|executor| executor.devices())
    }

    /// The name of the first device of each executor, and a sentence on it.
    pub fn first_devices(self) -> impl Iterator<Item = (String, &'static str)> {
        self.0.iter().map(|executor| (full_name(*executor, 0), executor.about()))
    }

    /// The choices for a setting: `auto`, and the first device of each executor, with a sentence on each.
    pub fn choices(self) -> Vec<(String, &'static str)> {
        let of_executors = self.0.iter().map(|executor| (full_name(*executor, 0), executor.about()));
        let auto = (AUTO.to_owned(), "The fastest device that is there.");
        let mut choices: Vec<(String, &str)> = std::iter::once(auto).chain(of_executors).collect();
        choices.sort_unstable();
        choices
    }

    /// The valid names, as text: `auto, cpu, cuda:N or interp`.
    pub fn names(self) -> String {
        let numbered = |executor: &&dyn Executor| if executor.is_numbered() { ":N" } else { "" };
        let mut names: Vec<String> =
            self.0.iter().map(|executor| format!("{}{}", executor.name(), numbered(executor))).collect();
        names.push(AUTO.to_owned());
        names.sort_unstable();
        let last = names.pop().unwrap_or_default();
        if names.is_empty() { last } else { format!("{} or {last}", names.join(", ")) }
    }

    /// The full name of a requested device, whether or not it exists: `cuda:0` for `cuda`.
    ///
    /// # Errors
    /// [`ExecuteError::UnknownDevice`] if no device can have the name.
    pub fn full_name(self, name: &str) -> Result<String, ExecuteError> {
        if name == AUTO {
            return Ok(name.to_owned());
        }
        self.find(name).map(|(executor, number)| full_name(executor, number))
    }

    /// Opens the device of a name. `auto` opens the one of the highest rank that is available, and notes which of those
    /// above it is here but cannot be used.
    ///
    /// # Errors
    /// [`ExecuteError::UnknownDevice`] if no device can have the name, or the error of [`Executor::open`].
    pub fn open(self, name: &str) -> Result<Opened, ExecuteError> {
        self.opened(name, &|executor, number| executor.open(number))
    }

    /// Opens the device of a name, on which this kernel is prepared next; see [`Executor::open_for`].
    ///
    /// # Errors
    /// As of [`Executors::open`].
    pub fn open_for(self, name: &str, kernel: &SizedKernel<'_>) -> Result<Opened, ExecuteError> {
        self.opened(name, &|executor, number| executor.open_for(number, kernel))
    }

    /// Opens a device that is faster than the one that was opened for `auto`, if there is one by now: what was passed over
    /// may be available. Otherwise the device stays open, with new notes.
    ///
    /// # Errors
    /// As of [`Executors::open`].
    pub fn open_faster(self, opened: &mut Opened, kernel: &SizedKernel<'_>) -> Result<(), ExecuteError> {
        match self.automatic(Some(&opened.name), &|executor, number| executor.open_for(number, kernel))? {
            (Some(faster), _) => *opened = faster,
            (None, passed) => opened.notes = passed.notes,
        }
        Ok(())
    }

    /// Forgets why devices could not be opened. Returns whether this process can find out again; a new one can.
    pub fn forget_failures(self) -> bool {
        // Each of them, also after one that cannot.
        let unable = self.0.iter().filter(|executor| !executor.forget_failures()).count();
        unable == 0
    }

    /// Begins in the background what opening the device of a name would wait for first.
    pub fn begin(self, name: &str) {
        let first = match name {
            AUTO => self.ranked().first().copied(),
            _ => self.find(name).ok().map(|(executor, _)| executor),
        };
        if let Some(executor) = first {
            executor.begin();
        }
    }

    fn opened(self, name: &str, open: &Open<'_>) -> Result<Opened, ExecuteError> {
        if name != AUTO {
            let (executor, number) = self.find(name)?;
            let device = open(executor, number)?;
            return Ok(Opened { name: full_name(executor, number), device, notes: Vec::new(), passed_over: false });
        }
        let (opened, passed) = self.automatic(None, open)?;
        opened.ok_or_else(|| passed.last.unwrap_or_else(|| self.unknown(name)))
    }

    /// The fastest device that can be opened, or that is faster than the one of this name, and what was passed over.
    fn automatic(self, than: Option<&str>, open: &Open<'_>) -> Result<(Option<Opened>, Passed), ExecuteError> {
        let mut passed = Passed { notes: Vec::new(), last: None };
        // Devices of one executor that have the same reason are told together.
        let told = |refused: Vec<(Vec<String>, String)>| {
            refused.into_iter().map(|(devices, reason)| {
                let (devices, were) = (devices.join(", "), if devices.len() > 1 { "were" } else { "was" });
                format!("{devices} {were} not used: {reason}")
            })
        };
        for executor in self.ranked() {
            let mut refused: Vec<(Vec<String>, String)> = Vec::new();
            let mut number = 0;
            // How many there are is known once the first was tried.
            while number == 0 || number < executor.count() {
                let name = full_name(executor, number);
                if than == Some(&name) {
                    passed.notes.extend(told(refused));
                    return Ok((None, passed));
                }
                match open(executor, number) {
                    Ok(device) => {
                        let passed_over = passed.last.is_some();
                        let notes = std::mem::take(&mut passed.notes).into_iter().chain(told(refused)).collect();
                        return Ok((Some(Opened { name, device, notes, passed_over }), passed));
                    }
                    Err(error @ ExecuteError::Absent { .. }) => {
                        passed.last = Some(error);
                        break;
                    }
                    Err(error) => {
                        let ExecuteError::Unavailable { device, missing } = &error else { return Err(error) };
                        let reason = short(&missing.to_string());
                        match refused.iter_mut().find(|(_, known)| *known == reason) {
                            Some((devices, _)) => devices.push(device.clone()),
                            None => refused.push((vec![device.clone()], reason)),
                        }
                        passed.last = Some(error);
                    }
                }
                number += 1;
            }
            passed.notes.extend(told(refused));
        }
        Ok((None, passed))
    }

    /// The executors, the one of the highest rank first.
    fn ranked(self) -> Vec<&'t dyn Executor> {
        let mut ranked = self.0.to_vec();
        ranked.sort_by_key(|executor| Reverse(executor.rank()));
        ranked
    }

    fn find(self, name: &str) -> Result<(&'t dyn Executor, u32), ExecuteError> {
        let (word, number) = name.split_once(':').map_or((name, None), |(word, number)| (word, Some(number)));
        let executor = self.0.iter().find(|executor| executor.name() == word);
        let number = match (executor, number) {
            (_, None) => Some(0),
            (Some(executor), Some(number)) if executor.is_numbered() => number.parse().ok(),
            _ => None,
        };
        executor.copied().zip(number).ok_or_else(|| self.unknown(name))
    }

    fn unknown(self, name: &str) -> ExecuteError {
        ExecuteError::UnknownDevice { name: name.to_owned(), expected: self.names() }
    }
}

/// The devices that `auto` passed over.
struct Passed {
    /// A sentence for each that is here.
    notes: Vec<String>,
    /// Why the last one was passed over.
    last: Option<ExecuteError>,
}

/// A way to open a device of an executor.
type Open<'o> = dyn Fn(&dyn Executor, u32) -> Result<Box<dyn Device>, ExecuteError> + 'o;

/// The name of a device of an executor.
fn full_name(executor: &dyn Executor, number: u32) -> String {
    let name = executor.name();
    if executor.is_numbered() { format!("{name}:{number}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_and_the_interpreter_are_always_there() {
        let devices = Executors::default().devices();
        let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
        assert_eq!(&names[..3], ["cpu", "interp", "cuda:0"]);
        for device in &devices {
            assert_eq!(device.available, device.missing.is_none(), "{device:?}");
            assert!(!device.description.is_empty());
        }
        assert!(devices[0].available && devices[1].available && devices[0].cores >= Some(1));
    }

    #[test]
    fn every_device_that_is_available_is_opened_by_its_name() {
        for device in Executors::default().devices().into_iter().filter(|device| device.available) {
            assert_eq!(Executors::default().open(&device.name).unwrap().name, device.name);
        }
    }

    #[test]
    fn device_names_are_read() {
        let executors = Executors::default();
        for name in ["auto", "cpu", "interp", "cuda:0", "cuda:13"] {
            assert_eq!(executors.full_name(name).unwrap(), name);
        }
        assert_eq!(executors.full_name("cuda").unwrap(), "cuda:0");
        for name in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:99999999999", "cpu:0", "auto:0"] {
            assert_eq!(
                executors.full_name(name).unwrap_err().to_string(),
                format!("there is no device `{name}`, expected auto, cpu, cuda:N or interp")
            );
        }
    }
}
