"""Frames by hand, for what no well-behaved client sends."""

from __future__ import annotations

import json
import os
import pathlib
import queue
import subprocess
import threading
from typing import Any

LIMIT = 60
"""Seconds after which a server counts as hanging."""


def frame(message: Any) -> bytes:
    """A message with its header."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Wire:
    """A server process; every message that it sends is kept in order."""

    def __init__(
        self, binary: str, root: pathlib.Path, user: int | None = None, variables: dict[str, str] | None = None
    ):
        """Starts a server, as another user where one is given, with further variables of its environment."""
        self.root = root
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        environment = {**os.environ, **(variables or {})}
        own = {} if user is None else {"user": user}
        self.process = subprocess.Popen([binary, "lsp", "--stdio"], **pipes, env=environment, **own)
        self.arrived: queue.Queue = queue.Queue()
        self.others: list[dict] = []
        self.errors: list[bytes] = []
        self.next_id = 0
        for read in (self._read, self._read_errors):
            threading.Thread(target=read, daemon=True).start()

    def _read(self):
        output = self.process.stdout
        while True:
            length = None
            while line := output.readline():
                if line == b"\r\n":
                    break
                name, _, value = line.partition(b":")
                if name.strip().lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.arrived.put(None)
                return
            body = output.read(length)
            if len(body) < length:
                # The process was killed in the middle of a message.
                self.arrived.put(None)
                return
            self.arrived.put(json.loads(body))

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line)

    def send_bytes(self, content: bytes) -> None:
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        self.send_bytes(frame(message))

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def ask(self, method: str, params: Any = None) -> int:
        """Sends a request; gives its id."""
        self.next_id += 1
        message = {"jsonrpc": "2.0", "id": self.next_id, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return self.next_id

    def next(self) -> dict | None:
        """The next message of the server; `None` where it has ended."""
        return self.arrived.get(timeout=LIMIT)

    def response(self, id: Any) -> dict:
        """The response to a request; what arrives before it is kept in `others`."""
        for message in self.others:
            if "method" not in message and message.get("id") == id:
                self.others.remove(message)
                return message
        while True:
            message = self.next()
            assert message is not None, f"the server ended: {b''.join(self.errors).decode(errors='replace')}"
            if "method" not in message and message.get("id") == id:
                return message
            self.others.append(message)

    def request(self, method: str, params: Any = None) -> dict:
        return self.response(self.ask(method, params))

    def initialize(self, capabilities: dict | None = None, **params: Any) -> dict:
        """Begins a session."""
        answer = self.request(
            "initialize",
            {"processId": None, "rootUri": self.root.as_uri(), "capabilities": capabilities or {}, **params},
        )
        self.notify("initialized", {})
        return answer["result"]

    def uri(self, name: str = "main.shape") -> str:
        return (self.root / name).as_uri()

    def open(self, text: str, name: str = "main.shape", version: int = 1) -> None:
        item = {"uri": self.uri(name), "languageId": "shapewright", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, version: int, *changes: dict, name: str = "main.shape") -> None:
        identifier = {"uri": self.uri(name), "version": version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": list(changes)})

    def place(self, line: int, character: int, name: str = "main.shape") -> dict:
        return {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}}

    def diagnostics(self, version: int, name: str = "main.shape") -> list[dict]:
        """The diagnostics of a version of a document, which must be sent."""
        uri = self.uri(name)

        def wanted(message):
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            return message["params"]["uri"] == uri and message["params"].get("version") == version

        for message in self.others:
            if wanted(message):
                return message["params"]["diagnostics"]
        while True:
            message = self.next()
            assert message is not None, "the server ended"
            self.others.append(message)
            if wanted(message):
                return message["params"]["diagnostics"]

    def is_alive(self) -> None:
        """The server answers, and correctly."""
        formatting = {"textDocument": {"uri": self.uri("alive.shape")}, "options": {"tabSize": 4, "insertSpaces": True}}
        self.open("a:[1]", "alive.shape")
        answer = self.request("textDocument/formatting", formatting)
        assert "".join(edit["newText"] for edit in answer["result"]), answer
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri("alive.shape")}})

    def shut_down(self) -> int:
        """Ends the session as the protocol says; gives the exit code."""
        assert self.request("shutdown")["result"] is None
        self.notify("exit")
        return self.process.wait(LIMIT)

    def end(self) -> None:
        """Ends the process, whatever state it is in."""
        self.process.kill()
        self.process.wait()
