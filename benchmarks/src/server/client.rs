//! A client of a language server: a process, and messages over its standard input and output.
//!
//! The time of an answer is when its last byte was read, before it is parsed, so that the client's own work is not
//! measured.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A server without any message for this long is considered hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server.
pub(super) struct Client {
    process: Child,
    input: Arc<Mutex<ChildStdin>>,
    messages: Receiver<Message>,
    /// Messages that arrived while another one was awaited.
    unread: VecDeque<Message>,
    next: u64,
    /// The server's capabilities.
    pub(super) abilities: Value,
}

/// A message of the server, and the time of its arrival.
pub(super) struct Message {
    pub(super) at: Instant,
    pub(super) body: Value,
}

/// What a client says of itself.
#[derive(Default)]
pub(super) struct Introduction {
    pub(super) capabilities: Value,
    /// `initializationOptions`; null is the same as none.
    pub(super) options: Value,
    /// The answer to the server's request for settings.
    pub(super) settings: Value,
}

impl Client {
    /// Starts a server in a folder and begins a session.
    pub(super) fn start(command: &mut Command, folder: &Path, introduction: Introduction) -> Result<Client, String> {
        command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command
            .spawn()
            .map_err(|error| format!("{} could not be started: {error}", command.get_program().display()))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("a started process has no standard input or output".to_owned());
        };
        let input = Arc::new(Mutex::new(input));
        let (sender, messages) = channel();
        let answers = input.clone();
        let Introduction { capabilities, options, settings } = introduction;
        std::thread::spawn(move || receive(BufReader::new(output), &sender, &answers, &settings));
        let mut client = Client { process, input, messages, unread: VecDeque::new(), next: 0, abilities: Value::Null };
        let uri = uri(folder);
        let result = client.request(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": uri,
                "workspaceFolders": [{ "uri": uri, "name": "measured" }],
                "capabilities": capabilities,
                "initializationOptions": options,
            }),
        )?;
        client.abilities = result.body["result"]["capabilities"].clone();
        client.notify("initialized", json!({}))?;
        Ok(client)
    }

    /// Sends a notification; returns the time just before.
    pub(super) fn notify(&mut self, method: &str, params: Value) -> Result<Instant, String> {
        send(&self.input, &json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Sends a request without waiting; returns its id and the time just before.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Result<(u64, Instant), String> {
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
        Ok((self.next, send(&self.input, &request)?))
    }

    /// The response to a request.
    pub(super) fn answer(&mut self, id: u64) -> Result<Message, String> {
        self.find(|body| body["id"] == id && body.get("method").is_none())
    }

    /// Sends a request and waits for the response, which must not be an error.
    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<Message, String> {
        let (id, _) = self.ask(method, params)?;
        let answer = self.answer(id)?;
        match answer.body.get("error") {
            Some(error) => Err(format!("{method} failed: {error}")),
            None => Ok(answer),
        }
    }

    /// Sends a request and waits; returns the result and the time that it took.
    pub(super) fn timed(&mut self, method: &str, params: Value) -> Result<(Value, Duration), String> {
        let (id, start) = self.ask(method, params)?;
        let mut answer = self.answer(id)?;
        match answer.body.get("error") {
            Some(error) => Err(format!("{method} failed: {error}")),
            None => Ok((answer.body["result"].take(), answer.at - start)),
        }
    }

    /// The next message that `wanted` accepts; earlier ones are kept.
    pub(super) fn find(&mut self, wanted: impl Fn(&Value) -> bool) -> Result<Message, String> {
        if let Some(position) = self.unread.iter().position(|message| wanted(&message.body)) {
            return self.unread.remove(position).ok_or_else(|| "a message is gone".to_owned());
        }
        let until = Instant::now() + PATIENCE;
        loop {
            match self.messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(message) if wanted(&message.body) => return Ok(message),
                Ok(message) => self.unread.push_back(message),
                Err(RecvTimeoutError::Timeout) => {
                    let last = self.unread.back().map(|message| message.body.to_string()).unwrap_or_default();
                    let last: String = last.chars().take(400).collect();
                    return Err(format!("the server did not answer for {PATIENCE:?}; its last message was {last}"));
                }
                Err(RecvTimeoutError::Disconnected) => return Err("the server ended".to_owned()),
            }
        }
    }

    /// Whether an unread message that `wanted` accepts has arrived.
    pub(super) fn has_unread(&self, wanted: impl Fn(&Value) -> bool) -> bool {
        self.unread.iter().any(|message| wanted(&message.body))
    }

    /// Drops all unread messages.
    pub(super) fn forget(&mut self) {
        self.unread.clear();
        while self.messages.try_recv().is_ok() {}
    }

    /// The resident memory of the server, in bytes, if the system reports it.
    pub(super) fn resident(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        resident_of(&status)
    }

    /// Ends the session.
    pub(super) fn end(mut self) -> Result<(), String> {
        self.request("shutdown", Value::Null)?;
        self.notify("exit", Value::Null)?;
        self.process.wait().map_err(|error| error.to_string())?;
        Ok(())
    }
}

impl Drop for Client {
    /// Ends the server if a failed measurement did not.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The URI of a file or folder.
pub(super) fn uri(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
}

fn send(input: &Mutex<ChildStdin>, message: &Value) -> Result<Instant, String> {
    let frame = framed(message);
    let start = Instant::now();
    let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
    input
        .write_all(&frame)
        .and_then(|()| input.flush())
        .map_err(|error| format!("the server does not read any more: {error}"))?;
    Ok(start)
}

fn framed(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Reads messages until the output ends. Answers the requests of the server.
fn receive(mut output: impl BufRead, messages: &Sender<Message>, input: &Mutex<ChildStdin>, settings: &Value) {
    while let Some((at, body)) = next_frame(&mut output) {
        let Ok(body) = serde_json::from_slice::<Value>(&body) else { return };
        let sent = match answer_to(&body, settings) {
            Some(answer) => send(input, &answer).is_ok(),
            None => messages.send(Message { at, body }).is_ok(),
        };
        if !sent {
            return;
        }
    }
}

/// The response to a server's request: the settings if it asks for them, otherwise null.
fn answer_to(message: &Value, settings: &Value) -> Option<Value> {
    let id = message.get("id")?;
    let result = match message.get("method")?.as_str()? {
        "workspace/configuration" => {
            let count = message["params"]["items"].as_array().map_or(0, Vec::len);
            Value::Array(vec![settings.clone(); count])
        }
        _ => Value::Null,
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

/// The next message, and the time when its last byte arrived; `None` at the end.
fn next_frame(output: &mut impl BufRead) -> Option<(Instant, Vec<u8>)> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some((Instant::now(), body))
}

/// The resident memory in bytes, from Linux's status file of a process.
fn resident_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_they_are_written() {
        let messages = [json!({ "text": "ü\r\n\r\n" }), json!(null)];
        let bytes: Vec<u8> = messages.iter().flat_map(framed).collect();
        let mut output = bytes.as_slice();
        for message in messages {
            let (_, body) = next_frame(&mut output).unwrap();
            assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), message);
        }
        assert!(next_frame(&mut output).is_none());
        let mut other = b"Content-Type: x\r\ncontent-length: 2\r\n\r\n{}".as_slice();
        assert_eq!(next_frame(&mut other).unwrap().1, b"{}");
    }

    #[test]
    fn a_server_that_asks_for_settings_gets_one_for_each_item() {
        let settings = json!({ "a": 1 });
        let question = json!({ "id": 7, "method": "workspace/configuration", "params": { "items": [{}, {}] } });
        assert_eq!(answer_to(&question, &settings).unwrap()["result"], json!([{ "a": 1 }, { "a": 1 }]));
        let question = json!({ "id": "x", "method": "client/registerCapability" });
        assert_eq!(answer_to(&question, &settings).unwrap(), json!({ "jsonrpc": "2.0", "id": "x", "result": null }));
        assert_eq!(answer_to(&json!({ "id": 7, "result": null }), &settings), None);
        assert_eq!(answer_to(&json!({ "method": "window/logMessage" }), &settings), None);
    }

    #[test]
    fn resident_memory_is_read_from_what_the_system_says() {
        assert_eq!(resident_of("Name:\tx\nVmRSS:\t    1234 kB\nThreads: 3\n"), Some(1234 * 1024));
        assert_eq!(resident_of("Name:\tx\n"), None);
    }
}
