//! Message framing: each frame has a header with its length.
//!
//! The protocol library ends the session at the first malformed frame. So every frame is read here first: malformed
//! ones are answered with an error, and the library sees only well-formed messages.

use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;

/// The longest frame.
const LONGEST_FRAME: usize = 256 << 20;
/// The longest header line.
const LONGEST_HEADER: u64 = 8 << 10;

/// The contents of a frame.
enum Frame {
    /// A body of the announced length.
    Body(Vec<u8>),
    /// A malformed header.
    Damaged(&'static str),
}

impl Frame {
    /// The frame with U+FFFD in the place of each half of a character, which editors send where a character beyond 16 bits is cut:
    /// a text has whole characters only, and without the message the server would have another text than the editor.
    fn of_whole_characters(self) -> Frame {
        match self {
            Frame::Body(body) if body.windows(2).any(|pair| pair == b"\\u") => {
                Frame::Body(with_whole_characters(&body))
            }
            frame => frame,
        }
    }
}

/// JSON with U+FFFD in the place of each half of a character.
fn with_whole_characters(body: &[u8]) -> Vec<u8> {
    let escaped = |at: usize| {
        let digits = body.get(at..at + 6).and_then(|escape| escape.strip_prefix(b"\\u"))?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let (mut whole, mut at) = (Vec::with_capacity(body.len()), 0);
    while let Some(byte) = body.get(at) {
        let length = match (escaped(at), escaped(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.extend_from_slice(b"\\ufffd");
                at += 6;
                continue;
            }
            // A backslash that is escaped begins no escape.
            _ if *byte == b'\\' => 2,
            _ => 1,
        };
        whole.extend_from_slice(body.get(at..at + length).unwrap_or(&body[at..]));
        at += length;
    }
    whole
}

/// Reads frames until the input ends; forwards messages and answers malformed ones.
pub(super) async fn pass_messages(
    input: impl AsyncRead + Unpin,
    mut messages: impl AsyncWrite + Unpin,
    answers: UnboundedSender<Vec<u8>>,
) {
    let mut input = BufReader::new(input);
    while let Some(frame) = next_frame(&mut input).await {
        let answer = match frame.of_whole_characters() {
            Frame::Body(body) => match problem(&body) {
                None => {
                    if messages.write_all(&framed(&body)).await.is_err() {
                        return;
                    }
                    continue;
                }
                Some(answer) => answer,
            },
            Frame::Damaged(why) => error(Value::Null, -32700, why),
        };
        if answers.send(answer.to_string().into_bytes()).is_err() {
            return;
        }
    }
}

/// Reads the library's output frame by frame, so that answers from here can go between two of them.
pub(super) async fn collect(output: impl AsyncRead + Unpin, frames: UnboundedSender<Vec<u8>>) {
    let mut output = BufReader::new(output);
    while let Some(Frame::Body(body)) = next_frame(&mut output).await {
        if frames.send(body).is_err() {
            return;
        }
    }
}

/// Writes frames until all senders are gone, or the session is over and all sent frames are written.
pub(super) async fn write(
    mut frames: UnboundedReceiver<Vec<u8>>,
    mut over: oneshot::Receiver<()>,
    mut output: impl AsyncWrite + Unpin,
) {
    loop {
        let next = tokio::select! {
            biased;
            next = frames.recv() => next,
            _ = &mut over => break,
        };
        let Some(body) = next else { return };
        if put(&mut output, &body).await.is_err() {
            return;
        }
    }
    while let Ok(body) = frames.try_recv() {
        if put(&mut output, &body).await.is_err() {
            return;
        }
    }
}

async fn put(output: &mut (impl AsyncWrite + Unpin), body: &[u8]) -> std::io::Result<()> {
    output.write_all(&framed(body)).await?;
    output.flush().await
}

fn framed(body: &[u8]) -> Vec<u8> {
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(body);
    frame
}

/// The next frame; `None` at the end of the input.
async fn next_frame(input: &mut (impl AsyncBufRead + Unpin)) -> Option<Frame> {
    let mut length: Option<Result<usize, &'static str>> = None;
    loop {
        let mut line = Vec::new();
        let read = input.take(LONGEST_HEADER).read_until(b'\n', &mut line).await.ok()?;
        if read == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            match length.take() {
                // Empty lines between frames are ignored.
                None => continue,
                Some(Err(why)) => return Some(Frame::Damaged(why)),
                Some(Ok(length)) => {
                    let mut body = vec![0; length];
                    return input.read_exact(&mut body).await.ok().map(|_| Frame::Body(body));
                }
            }
        }
        match text.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = Some(match value.trim().parse::<usize>() {
                    Ok(length) if length <= LONGEST_FRAME => Ok(length),
                    Ok(_) => Err("the Content-Length of the frame is larger than any message"),
                    Err(_) => Err("the Content-Length of the frame is no number"),
                });
            }
            // Other headers, such as Content-Type, are ignored.
            Some(_) => {}
            // Anything else is skipped up to the next header.
            None if length.is_none() => return Some(Frame::Damaged("a line before the frame is no header")),
            None => {}
        }
    }
}

/// The error answer to a malformed body; `None` for a message.
fn problem(body: &[u8]) -> Option<Value> {
    let Ok(text) = std::str::from_utf8(body) else {
        return Some(error(Value::Null, -32700, "the message is not UTF-8"));
    };
    let message: Value = match serde_json::from_str(text) {
        Ok(message) => message,
        Err(why) => return Some(error(Value::Null, -32700, &format!("the message is not JSON: {why}"))),
    };
    let Value::Object(fields) = &message else {
        return Some(error(Value::Null, -32600, "the message is no object; batches are not supported"));
    };
    let id = fields.get("id").cloned().unwrap_or(Value::Null);
    let known_id = matches!(id, Value::Null | Value::String(_)) || id.as_i64().is_some();
    if !known_id {
        return Some(error(Value::Null, -32600, "the id of the message is neither a whole number nor a string"));
    }
    let is_request = fields.get("method").is_some_and(Value::is_string);
    let is_response = !fields.contains_key("method")
        && fields.contains_key("id")
        && (fields.contains_key("result") || fields.contains_key("error"));
    let parameters =
        fields.get("params").is_none_or(|params| params.is_object() || params.is_array() || params.is_null());
    match (is_request || is_response, parameters) {
        (true, true) if fields.get("jsonrpc").is_some_and(|version| version == "2.0") => None,
        (true, true) => Some(error(id, -32600, "the message does not say `\"jsonrpc\": \"2.0\"`")),
        (true, false) => Some(error(id, -32600, "the parameters are neither an object nor a list")),
        (false, _) => Some(error(id, -32600, "the message is neither a request nor an answer")),
    }
}

fn error(id: Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}
