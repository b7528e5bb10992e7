//! A client that insists that every message is looked at.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::task::JoinHandle;

/// What takes longer than this never comes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of a server of its own.
pub(super) struct Client {
    to_server: DuplexStream,
    from_server: BufReader<DuplexStream>,
    server: JoinHandle<Result<bool, String>>,
    next: i64,
    /// Messages that came while another one was waited for.
    unread: VecDeque<Value>,
}

/// Runs a test against a server that has been initialized with some capabilities and options.
pub(super) fn with_client<F: Future<Output = Client>>(
    capabilities: Value,
    options: Value,
    test: impl FnOnce(Client) -> F,
) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let client = Client::begin(capabilities, options).await;
        test(client).await.end().await;
    });
    runtime.shutdown_background();
}

impl Client {
    fn start() -> Self {
        let (to_server, input) = tokio::io::duplex(1 << 20);
        let (output, from_server) = tokio::io::duplex(1 << 20);
        let server = tokio::spawn(super::super::serve(input, output));
        Self { to_server, from_server: BufReader::new(from_server), server, next: 0, unread: VecDeque::new() }
    }

    /// A client with a server that has been initialized.
    pub(super) async fn begin(capabilities: Value, options: Value) -> Self {
        let mut client = Client::start();
        let params = json!({
            "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options,
        });
        let result = client.request("initialize", params).await;
        assert_eq!(result["serverInfo"]["name"], "shapewright");
        client.notify("initialized", json!({})).await;
        client
    }

    /// Says goodbye. Nothing may be left that no test looked at.
    async fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null).await, Value::Null);
        self.notify("exit", Value::Null).await;
        while let Some(message) = self.receive().await {
            self.unread.push_back(message);
        }
        assert_eq!(self.unread, VecDeque::<Value>::new(), "messages that nobody looked at");
        assert_eq!(tokio::time::timeout(PATIENCE, self.server).await.unwrap().unwrap(), Ok(true));
    }

    /// Sends a frame with this body, whatever it is.
    pub(super) async fn raw(&mut self, body: &[u8]) {
        self.bytes(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes()).await;
        self.bytes(body).await;
    }

    /// Sends bytes.
    pub(super) async fn bytes(&mut self, bytes: &[u8]) {
        self.to_server.write_all(bytes).await.unwrap();
    }

    pub(super) async fn send(&mut self, message: Value) {
        self.raw(message.to_string().as_bytes()).await;
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    /// Asks, and does not wait for the answer; gives the id.
    pub(super) async fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params })).await;
        self.next
    }

    /// The whole answer to a question.
    pub(super) async fn answer(&mut self, id: i64) -> Value {
        self.find(|message| message["id"] == id && message.get("method").is_none()).await
    }

    /// Asks, and gives the result.
    pub(super) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params).await;
        let answer = self.answer(id).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Asks, and gives the error.
    pub(super) async fn refused(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params).await;
        let answer = self.answer(id).await;
        assert!(answer.get("result").is_none(), "{method}: {answer}");
        answer["error"].clone()
    }

    /// The parameters of the next notification of this kind.
    pub(super) async fn notification(&mut self, method: &str) -> Value {
        self.find(|message| message["method"] == method && message.get("id").is_none()).await["params"].clone()
    }

    /// The next message that `wanted` accepts; earlier ones are kept.
    pub(super) async fn find(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(position) = self.unread.iter().position(&wanted) {
            return self.unread.remove(position).unwrap();
        }
        loop {
            let message = tokio::time::timeout(PATIENCE, self.receive()).await;
            let message = message.expect("the message that is waited for").expect("the server to be there");
            if wanted(&message) {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    /// Whether an unread message that `wanted` accepts has arrived.
    pub(super) fn has_unread(&self, wanted: impl Fn(&Value) -> bool) -> bool {
        self.unread.iter().any(wanted)
    }

    async fn receive(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.from_server.read_line(&mut line).await.unwrap() == 0 {
                return None;
            }
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                Some(other) => panic!("a header that no server sends: {other:?}"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.from_server.read_exact(&mut body).await.unwrap();
        Some(serde_json::from_slice(&body).unwrap())
    }

    /// Opens a document with version 1.
    pub(super) async fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "shapewright", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    }

    /// Replaces the whole text of a document.
    pub(super) async fn replace(&mut self, uri: &str, version: i32, text: &str) {
        self.change(uri, version, json!([{ "text": text }])).await;
    }

    pub(super) async fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let params = json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes });
        self.notify("textDocument/didChange", params).await;
    }

    pub(super) async fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } })).await;
    }

    /// The codes that are published for a version of a document.
    pub(super) async fn published(&mut self, uri: &str, version: i32) -> Vec<String> {
        let wanted = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        };
        codes(&self.find(wanted).await["params"]["diagnostics"])
    }

    /// Looks away from everything that was published about older versions; how much that is depends on time.
    pub(super) fn forget_published(&mut self) {
        self.forget("textDocument/publishDiagnostics");
    }

    /// Looks away from all notifications of a kind that have come.
    pub(super) fn forget(&mut self, method: &str) {
        self.unread.retain(|message| message["method"] != method);
    }
}

/// The codes of some diagnostics.
pub(super) fn codes(diagnostics: &Value) -> Vec<String> {
    let all = diagnostics.as_array().unwrap().iter();
    all.map(|diagnostic| diagnostic["code"].as_str().unwrap().to_owned()).collect()
}
