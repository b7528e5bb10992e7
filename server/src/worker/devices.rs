//! The devices of this machine, as a worker finds them: drivers keep memory, may end their process, and may hang.

use shapewright_runtime::execute::DeviceInfo;

use super::client::{self, Client, Ending};
use super::protocol::{Event, Task};
use super::workers::Workers;

/// The devices that were found, and why others are not known, as a sentence.
pub(crate) fn devices() -> (Vec<DeviceInfo>, Option<String>) {
    let mut found = Vec::new();
    // A process of its own, which ends at once.
    let client = match Client::start(&Task::Devices, &Workers::none()) {
        Ok(client) => client,
        Err(error) => return (found, Some(format!("a process that looks for devices could not be started: {error}"))),
    };
    let limit = client::patience();
    let Ok(ending) = client.wait(Some(limit), |event| {
        if let Event::Devices { devices } = event {
            found.extend(devices);
        }
        Ok::<(), std::convert::Infallible>(())
    });
    let problem = match ending {
        Ending::Done => None,
        Ending::Died(reason) | Ending::Unanswered(reason) => Some(reason),
        Ending::TimeLimit => Some(format!("a driver did not answer within {} s", limit.as_secs_f64())),
        Ending::Interrupted => Some("no answer came".to_owned()),
    };
    (found, problem)
}
