"""An editor for tests: a client of somebody else's making, with documents and what the server said about them."""

from __future__ import annotations

import asyncio
import pathlib
from dataclasses import dataclass, field
from typing import Any

import pytest_lsp
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features

import text as texts

LIMIT = 60
"""Seconds after which a server counts as hanging."""


async def within(answer):
    """An answer, or a failure where the server hangs."""
    return await asyncio.wait_for(answer, LIMIT)


@dataclass
class Document:
    """An open document."""

    uri: str
    text: str
    encoding: str
    version: int = 1

    def at(self, marked: str) -> types.Position:
        """The place of `|` in a part of the text: `at("re|shape")`."""
        start = self.text.index(marked.replace("|", "", 1))
        return texts.to_position(self.text, start + marked.index("|"), self.encoding)

    def index(self, at: int) -> types.Position:
        """The place of a character."""
        return texts.to_position(self.text, at, self.encoding)

    def range(self, part: str, number: int = 0) -> types.Range:
        """The range of a part of the text."""
        start = -1
        for _ in range(number + 1):
            start = self.text.index(part, start + 1)
        return types.Range(
            texts.to_position(self.text, start, self.encoding),
            texts.to_position(self.text, start + len(part), self.encoding),
        )

    def whole(self) -> types.Range:
        """All of the text."""
        return types.Range(types.Position(0, 0), texts.to_position(self.text, len(self.text), self.encoding))

    def slice(self, where: types.Range) -> str:
        """The text in a range."""
        return texts.slice_of(self.text, where, self.encoding)

    @property
    def id(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)


@dataclass
class Editor:
    """A client with a session."""

    client: LanguageClient
    root: pathlib.Path
    answer: types.InitializeResult
    published: dict[str, list[types.PublishDiagnosticsParams]]
    news: list[tuple[str, Any]]
    changed: asyncio.Event
    documents: dict[str, Document] = field(default_factory=dict)

    @property
    def encoding(self) -> str:
        encoding = self.answer.capabilities.position_encoding or "utf-16"
        return encoding.value if hasattr(encoding, "value") else encoding

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def write(self, name: str, content: str) -> str:
        """Writes a file to the disk, all at once: the server reads the folder meanwhile, and would not be told of the
        rest by this client, which watches no files."""
        part = self.root / f"{name}.part"
        part.write_text(content, newline="")
        part.replace(self.root / name)
        return self.uri(name)

    def open(self, name: str, content: str) -> Document:
        """Opens a document, which need not be on the disk."""
        document = Document(self.uri(name), content, self.encoding)
        self.documents[document.uri] = document
        item = types.TextDocumentItem(document.uri, "shapewright", document.version, content)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return document

    def change(self, document: Document, *edits: tuple[types.Range | None, str]) -> None:
        """Edits a document; each edit speaks of the text after the one before."""
        changes = []
        for where, new in edits:
            if where is None:
                document.text = new
                changes.append(types.TextDocumentContentChangeWholeDocument(new))
            else:
                edit = types.TextEdit(where, new)
                document.text = texts.applied(document.text, [edit], document.encoding)
                changes.append(types.TextDocumentContentChangePartial(range=where, text=new))
        document.version += 1
        identifier = types.VersionedTextDocumentIdentifier(document.version, document.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))

    def replace(self, document: Document, old: str, new: str) -> None:
        """Replaces the first occurrence of a part."""
        self.change(document, (document.range(old), new))

    def save(self, document: Document) -> None:
        """Writes a document to the disk and says so."""
        path = pathlib.Path(document.uri.removeprefix("file://"))
        path.write_text(document.text, newline="")
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document.id))

    def close(self, document: Document) -> None:
        del self.documents[document.uri]
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document.id))

    async def until(self, holds) -> Any:
        """Waits until something holds of what the server has sent."""

        async def wait():
            while not (found := holds()):
                self.changed.clear()
                await self.changed.wait()
            return found

        return await within(wait())

    @property
    def pulls(self) -> bool:
        """Whether diagnostics are asked for."""
        return self.answer.capabilities.diagnostic_provider is not None

    async def problems(self, document: Document) -> list[types.Diagnostic]:
        """The diagnostics of a document as it is now."""
        if self.pulls:
            answer = await within(
                self.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document.id))
            )
            return list(answer.items)
        found = await self.until(lambda: [p for p in self.published.get(document.uri, []) if p.version == document.version])
        return list(found[-1].diagnostics)

    async def codes(self, document: Document) -> list[str]:
        """The codes of the diagnostics of a document, sorted."""
        return sorted(str(problem.code) for problem in await self.problems(document))

    def applied(self, document: Document, edits) -> str:
        return texts.applied(document.text, edits, document.encoding)

    async def command(self, command: str, *arguments: Any, token: str | None = None) -> Any:
        """Executes a command of the server."""
        params = types.ExecuteCommandParams(command, list(arguments), token)
        return await within(self.client.workspace_execute_command_async(params))


def edits_of(change: types.WorkspaceEdit) -> dict[str, list[types.TextEdit]]:
    """The edits of a workspace edit, in whichever form it has them."""
    found: dict[str, list[types.TextEdit]] = {uri: list(edits) for uri, edits in (change.changes or {}).items()}
    for document in change.document_changes or []:
        found.setdefault(document.text_document.uri, []).extend(document.edits)
    return found


def make_client(published, news, changed) -> LanguageClient:
    """A client that keeps what the server sends and answers what it asks."""
    client = LanguageClient(converter_factory=default_converter)

    def publish(params):
        published.setdefault(params.uri, []).append(params)
        client.diagnostics[params.uri] = params.diagnostics
        changed.set()

    features = dict(DEFAULT_CLIENT_FEATURES)
    features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = publish
    shown = features[types.WINDOW_SHOW_MESSAGE]

    def show(params):
        shown(client, params)
        changed.set()

    features[types.WINDOW_SHOW_MESSAGE] = show
    progress = features[types.PROGRESS]

    def report(params):
        progress(client, params)
        changed.set()

    features[types.PROGRESS] = report

    def answer_nothing(method):
        def answered(params):
            news.append((method, params))
            changed.set()
            return None

        return answered

    for method in [
        types.CLIENT_REGISTER_CAPABILITY,
        types.CLIENT_UNREGISTER_CAPABILITY,
        types.WORKSPACE_CODE_LENS_REFRESH,
        types.WORKSPACE_INLAY_HINT_REFRESH,
        types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
        types.WORKSPACE_DIAGNOSTIC_REFRESH,
        "shapewright/status",
        "shapewright/runFinished",
    ]:
        features[method] = None
        client.feature(method)(answer_nothing(method))
    register_lsp_features(client, {method: feature for method, feature in features.items() if feature})
    return client


async def start(
    binary: str,
    root: pathlib.Path,
    capabilities: types.ClientCapabilities,
    options: Any = None,
    configuration: dict[str, Any] | None = None,
) -> Editor:
    """Starts a server and a session with it."""
    published: dict[str, list[types.PublishDiagnosticsParams]] = {}
    news: list[tuple[str, Any]] = []
    changed = asyncio.Event()
    client = make_client(published, news, changed)
    client.set_configuration(configuration or {})
    await client.start_io(binary, "lsp")
    params = types.InitializeParams(
        capabilities=capabilities,
        root_uri=root.as_uri(),
        workspace_folders=[types.WorkspaceFolder(root.as_uri(), root.name)],
        initialization_options=options,
    )
    answer = await within(client.initialize_session(params))
    return Editor(client, root, answer, published, news, changed)


async def stop(editor: Editor) -> None:
    """Ends the session as the protocol says, and checks that the server ended well."""
    await within(editor.client.shutdown_session())
    assert editor.client.error is None, editor.client.error
    assert editor.client._server.returncode == 0
    await editor.client.stop()


capabilities_of = pytest_lsp.client_capabilities
