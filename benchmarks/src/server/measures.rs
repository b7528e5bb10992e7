//! The measurements of one server.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Client, Introduction};
use super::document::Document;
use super::figures::{Bound, Figure};
use super::peers::{AtOnce, Server};
use crate::sources::{Place, find};

/// The repetitions of fast measurements.
const TIMES: usize = 200;
/// The time for the repetitions of slow measurements, of which there are at least [`FEWEST`].
const LONGEST: Duration = Duration::from_secs(12);
const FEWEST: usize = 10;
/// The number of server starts for measuring the first diagnostics.
const STARTS: usize = 5;
/// The number of edits after which memory should not have grown.
const EDITS: usize = 10_000;
/// The time that a request runs before it is cancelled.
const BEFORE_CANCEL: Duration = Duration::from_millis(5);

const MEMORY: Bound = Bound::Memory(150_000_000);

/// One measurement.
pub(super) struct Line {
    pub(super) what: &'static str,
    pub(super) bound: Bound,
    pub(super) figure: Figure,
}

/// A text for measurements.
pub(super) struct Workload<'a> {
    pub(super) server: &'a Server,
    /// The workspace folder, and the file in it that is edited.
    pub(super) folder: &'a Path,
    pub(super) file: &'a str,
    pub(super) text: &'a str,
    /// The range of group numbers in the file.
    pub(super) groups: std::ops::Range<usize>,
}

/// A running server with the document open.
struct Session {
    client: Client,
    document: Document,
}

/// The measurements of a server. Ours must answer everything; a peer that fails has no figures from there on.
struct Lines<'a> {
    server: &'a Server,
    lines: Vec<Line>,
    gave_up: bool,
}

impl Lines<'_> {
    fn add(
        &mut self,
        what: &'static str,
        bound: Bound,
        measure: impl FnOnce() -> Result<Figure, String>,
    ) -> Result<(), String> {
        let name = self.server.name;
        let figure = match self.gave_up {
            true => Figure::Missing("not measured"),
            false => match measure() {
                Err(problem) if !self.server.is_ours => {
                    println!("note: {name} gave up: {what}: {problem}");
                    self.gave_up = true;
                    Figure::Missing("gave up")
                }
                measured => measured?,
            },
        };
        eprintln!("{name}: {what}: {}", figure.text());
        self.lines.push(Line { what, bound, figure });
        Ok(())
    }
}

/// The measurements of a client that is sent diagnostics.
pub(super) fn sent(workload: &Workload) -> Result<Vec<Line>, String> {
    let mut opened = Vec::new();
    let mut last = None;
    for _ in 0..STARTS {
        let (session, time) = workload.first_diagnostics()?;
        opened.push(time);
        last.replace(session).map_or(Ok(()), |session: Session| session.client.end())?;
    }
    let mut session = last.ok_or("no server was started")?;
    let within = |milliseconds| Bound::Time(Duration::from_millis(milliseconds));
    let mut lines = Lines { server: workload.server, lines: Vec::new(), gave_up: false };
    lines.add("open → first diagnostics", within(300), || Ok(Figure::times(opened)))?;
    lines.add("edit in one place → diagnostics", within(10), || workload.edits(&mut session, |_| 0))?;
    lines.add("edit in another place each time → diagnostics", within(10), || {
        workload.edits(&mut session, |number| number)
    })?;
    lines.add("hover", within(5), || workload.hovers(&mut session))?;
    lines.add("keystroke, completion", within(10), || workload.completions(&mut session))?;
    lines.add("keystroke, semantic tokens delta", within(10), || workload.tokens(&mut session))?;
    lines.add("resident memory, after 10,000 edits more", MEMORY, || workload.growth(&mut session))?;
    if !lines.gave_up {
        session.client.end()?;
    }
    Ok(lines.lines)
}

/// The measurements of a client that requests diagnostics.
pub(super) fn asked(workload: &Workload) -> Result<Vec<Line>, String> {
    let mut session = workload.start(true)?;
    session.document.at_once = workload.server.at_once == AtOnce::Wanted;
    let edits = workload.edits_at_once(&mut session)?;
    let cancels = workload.cancels(&mut session)?;
    session.client.end()?;
    let bound = |milliseconds| Bound::Time(Duration::from_millis(milliseconds));
    Ok(vec![
        Line { what: "edit → diagnostics, asked for at once", bound: bound(10), figure: edits },
        Line { what: "cancel of a long request → its answer", bound: bound(5), figure: cancels },
    ])
}

/// The measurements of a client that requests the diagnostics of all files.
pub(super) fn workspace(workload: &Workload) -> Result<Vec<Line>, String> {
    let mut session = workload.start(true)?;
    let mut lines = Lines { server: workload.server, lines: Vec::new(), gave_up: false };
    lines.add("diagnostics of all files, the first time", Bound::None, || session.all_diagnostics())?;
    lines.add("resident memory after it", MEMORY, || Ok(memory(&session.client)))?;
    if !lines.gave_up {
        session.client.end()?;
    }
    Ok(lines.lines)
}

impl Session {
    fn all_diagnostics(&mut self) -> Result<Figure, String> {
        if self.client.abilities["diagnosticProvider"]["workspaceDiagnostics"] != true {
            return Ok(Figure::Missing("not offered"));
        }
        let (report, time) = self.client.timed("workspace/diagnostic", json!({ "previousResultIds": [] }))?;
        let files = report["items"].as_array().map_or(0, Vec::len);
        if files < 1000 {
            return Err(format!("a report on {files} files of more than 1000"));
        }
        Ok(Figure::times(vec![time]))
    }
}

impl Workload<'_> {
    /// Starts a server and opens the document.
    fn start(&self, asks: bool) -> Result<Session, String> {
        let (session, _) = self.open(asks)?;
        Ok(session)
    }

    fn open(&self, asks: bool) -> Result<(Session, Instant), String> {
        let Server { command, arguments, settings, language, .. } = self.server;
        let introduction =
            Introduction { capabilities: capabilities(asks), options: Value::Null, settings: settings.clone() };
        let mut client = Client::start(Command::new(command).args(*arguments), self.folder, introduction)?;
        let (document, start) = Document::open(&mut client, &self.folder.join(self.file), language, self.text)?;
        Ok((Session { client, document }, start))
    }

    /// A newly started server, and the time from opening the document to its first diagnostics.
    fn first_diagnostics(&self) -> Result<(Session, Duration), String> {
        let (mut session, start) = self.open(false)?;
        let message = session.document.published(&mut session.client, 0, false)?;
        Ok((session, message.at - start))
    }

    /// A word in a kernel. Any replacement of it is undeclared.
    fn kernel(&self, number: usize) -> Result<Place, String> {
        let group = self.groups.start + (self.groups.len() / 2 + number) % self.groups.len();
        find(self.text, &format!("+ {group}.0"), "xs").ok_or_else(|| format!("group {group} has no kernel"))
    }

    /// Makes an error and corrects it, in the kernel that `which` gives for each repetition.
    fn edits(&self, session: &mut Session, which: impl Fn(usize) -> usize) -> Result<Figure, String> {
        let Session { client, document } = session;
        let mut times = Vec::new();
        repeat(TIMES / 2, |number| {
            let mut place = self.kernel(which(number))?;
            for (word, wrong) in [("xq", true), ("xs", false)] {
                let start = document.edit(client, &mut place, word)?;
                times.push(document.published(client, place.line, wrong)?.at - start);
            }
            Ok(())
        })?;
        Ok(Figure::times(times))
    }

    /// The same at one place, without the pause in which a server waits for further edits.
    fn edits_at_once(&self, session: &mut Session) -> Result<Figure, String> {
        let Session { client, document } = session;
        let mut place = self.kernel(0)?;
        let mut times = Vec::new();
        repeat(TIMES / 2, |_| {
            for (word, wrong) in [("xq", true), ("xs", false)] {
                let start = document.edit(client, &mut place, word)?;
                times.push(match self.server.at_once {
                    AtOnce::Asked => document.asked(client, place.line, wrong)? - start,
                    AtOnce::Wanted => document.published(client, place.line, wrong)?.at - start,
                });
            }
            Ok(())
        })?;
        Ok(Figure::times(times))
    }

    /// Hovers over the name of a map, a different one each time.
    fn hovers(&self, session: &mut Session) -> Result<Figure, String> {
        let Session { client, document } = session;
        let mut times = Vec::new();
        repeat(TIMES, |number| {
            let group = self.groups.start + number * 7 % self.groups.len();
            let name = format!("m{group}");
            let place = find(self.text, &format!("{name}.injective"), &name).ok_or("a group has no assertion")?;
            let (hover, time) = client.timed("textDocument/hover", document.at(place.line, place.start + 1))?;
            if hover.is_null() {
                return Err(format!("{} has no hover for {name}", self.server.name));
            }
            times.push(time);
            Ok(())
        })?;
        Ok(Figure::times(times))
    }

    /// Deletes a letter and requests completions at once.
    fn completions(&self, session: &mut Session) -> Result<Figure, String> {
        let Session { client, document } = session;
        let mut place = self.kernel(0)?;
        let mut times = Vec::new();
        repeat(TIMES, |_| {
            document.edit(client, &mut place, "x")?;
            let (found, time) = client.timed("textDocument/completion", document.at(place.line, place.end))?;
            if !found.to_string().contains("xs") {
                return Err(format!("{} does not complete `x` to `xs`: {found}", self.server.name));
            }
            times.push(time);
            // A server may send nothing for a text that it has seen before, so the client waits for the diagnostics of
            // each text.
            document.published_any(client)?;
            document.edit(client, &mut place, "xs")?;
            document.published(client, place.line, false)?;
            client.forget();
            Ok(())
        })?;
        Ok(Figure::times(times))
    }

    /// Adds or deletes a letter and requests the changed semantic tokens at once.
    fn tokens(&self, session: &mut Session) -> Result<Figure, String> {
        let Session { client, document } = session;
        if client.abilities["semanticTokensProvider"]["full"]["delta"] != true {
            return Ok(Figure::Missing("not offered"));
        }
        let mut place = self.kernel(0)?;
        let (full, _) = client.timed("textDocument/semanticTokens/full", document.named())?;
        let mut id = full["resultId"].clone();
        let mut times = Vec::new();
        repeat(TIMES / 2, |_| {
            for (word, wrong) in [("xss", true), ("xs", false)] {
                document.edit(client, &mut place, word)?;
                let mut params = document.named();
                params["previousResultId"] = id.clone();
                let (delta, time) = client.timed("textDocument/semanticTokens/full/delta", params)?;
                times.push(time);
                id = delta["resultId"].clone();
                document.published(client, place.line, wrong)?;
                client.forget();
            }
            Ok(())
        })?;
        Ok(Figure::times(times))
    }

    /// The memory before and after many edits.
    fn growth(&self, session: &mut Session) -> Result<Figure, String> {
        let Session { client, document } = session;
        let mut place = self.kernel(0)?;
        let Some(before) = client.resident() else { return Ok(Figure::Missing("the system does not tell")) };
        let start = Instant::now();
        for number in 1..=EDITS {
            let wrong = number % 2 == 1;
            document.edit(client, &mut place, if wrong { "xq" } else { "xs" })?;
            document.published(client, place.line, wrong)?;
            client.forget();
            // A slow peer would take hours.
            if !self.server.is_ours && !wrong && start.elapsed() > LONGEST {
                break;
            }
        }
        let after = client.resident();
        Ok(after.map_or(Figure::Missing("the system does not tell"), |after| Figure::Growth(before, after)))
    }

    /// After an edit on which everything depends, sends a request and cancels it while the server works on it.
    fn cancels(&self, session: &mut Session) -> Result<Figure, String> {
        let Session { client, document } = session;
        let (one, other) = self.server.language.root;
        let Some(mut place) = find(self.text, one, one) else { return Ok(Figure::Missing("not measured")) };
        let method = self.server.long_request;
        let mut times = Vec::new();
        let mut asked = 0;
        repeat(TIMES / 2, |number| {
            document.edit(client, &mut place, if number % 2 == 0 { other } else { one })?;
            let (id, _) = client.ask(method, document.named())?;
            std::thread::sleep(BEFORE_CANCEL);
            let start = client.notify("$/cancelRequest", json!({ "id": id }))?;
            let answer = client.answer(id)?;
            asked += 1;
            if answer.body["error"]["code"] == -32800 {
                times.push(answer.at - start);
            }
            client.request(method, document.named())?;
            client.forget();
            Ok(())
        })?;
        Ok(if times.len() * 2 > asked { Figure::times(times) } else { Figure::Missing("answered all the same") })
    }
}

fn memory(client: &Client) -> Figure {
    client.resident().map_or(Figure::Missing("the system does not tell"), Figure::Memory)
}

/// Repeats a measurement, at most `times` times.
fn repeat(times: usize, mut once: impl FnMut(usize) -> Result<(), String>) -> Result<(), String> {
    let start = Instant::now();
    for number in 0..times {
        if number >= FEWEST && start.elapsed() > LONGEST {
            break;
        }
        once(number)?;
    }
    Ok(())
}

/// The client's capabilities, the same for every server. `asks` is whether it requests diagnostics.
fn capabilities(asks: bool) -> Value {
    let mut capabilities = json!({
        "general": { "positionEncodings": ["utf-8", "utf-16"] },
        "textDocument": {
            "synchronization": { "didSave": true },
            "publishDiagnostics": { "relatedInformation": true, "versionSupport": true },
            "hover": { "contentFormat": ["markdown", "plaintext"] },
            "completion": {
                "completionItem": { "snippetSupport": true, "documentationFormat": ["markdown", "plaintext"] },
            },
            "semanticTokens": {
                "requests": { "range": true, "full": { "delta": true } },
                "tokenTypes": [
                    "namespace", "type", "class", "enum", "interface", "struct", "typeParameter", "parameter",
                    "variable", "property", "enumMember", "function", "method", "macro", "keyword", "modifier",
                    "comment", "string", "number", "operator", "decorator",
                ],
                "tokenModifiers": ["declaration", "definition", "readonly", "static", "modification", "defaultLibrary"],
                "formats": ["relative"],
            },
        },
        "workspace": { "configuration": true, "workspaceFolders": true },
    });
    if asks {
        capabilities["textDocument"]["diagnostic"] = json!({});
    }
    capabilities
}
