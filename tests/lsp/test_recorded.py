"""What real editors said first, said again: the server sends them nothing that they have not announced.

The recordings hold the parameters of `initialize` as the editors sent them, but for the folder. Emacs and Neovim sent
them to a server; VS Code's were computed by its client library.
"""

import json
import pathlib

import pytest

import samples
from wire import Wire

RECORDED = sorted((pathlib.Path(__file__).parent / "recorded").glob("*.json"))

ANNOUNCED = {
    "client/registerCapability": "workspace.didChangeWatchedFiles.dynamicRegistration",
    "workspace/configuration": "workspace.configuration",
    "window/workDoneProgress/create": "window.workDoneProgress",
    "$/progress": "window.workDoneProgress",
    "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
    "workspace/inlayHint/refresh": "workspace.inlayHint.refreshSupport",
    "workspace/semanticTokens/refresh": "workspace.semanticTokens.refreshSupport",
    "workspace/diagnostic/refresh": "workspace.diagnostics.refreshSupport",
    "textDocument/publishDiagnostics": "textDocument.publishDiagnostics",
}
"""What a client must have announced to be sent a message. Any other message is sent to none."""

QUESTIONS = {
    "hover": "textDocument/hover",
    "completion": "textDocument/completion",
    "signatureHelp": "textDocument/signatureHelp",
    "definition": "textDocument/definition",
    "references": "textDocument/references",
    "documentHighlight": "textDocument/documentHighlight",
    "documentSymbol": "textDocument/documentSymbol",
    "codeAction": "textDocument/codeAction",
    "codeLens": "textDocument/codeLens",
    "formatting": "textDocument/formatting",
    "rename": "textDocument/prepareRename",
    "foldingRange": "textDocument/foldingRange",
    "selectionRange": "textDocument/selectionRange",
    "documentLink": "textDocument/documentLink",
    "semanticTokens": "textDocument/semanticTokens/full",
    "inlayHint": "textDocument/inlayHint",
    "diagnostic": "textDocument/diagnostic",
}
"""The questions of a client, by the capability of `textDocument` that says that it asks them."""


class Editor:
    """A recorded editor with a session."""

    def __init__(self, server: Wire, recording: pathlib.Path):
        self.server = server
        text = recording.read_text().replace('"ROOT_URI"', json.dumps(server.root.as_uri()))
        self.params = json.loads(text.replace('"ROOT_PATH"', json.dumps(str(server.root))))
        self.capabilities = server.request("initialize", self.params)["result"]["capabilities"]
        assert server.others == [], "before it is initialized, a client may not be told anything"
        server.notify("initialized", {})

    def announced(self, path: str):
        """What the editor says under a path such as `textDocument.hover`; `None` where it says nothing."""
        value = self.params["capabilities"]
        for part in path.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value

    def ask(self, what: str, **params):
        answer = self.server.request(QUESTIONS[what], params)
        assert "error" not in answer, answer
        return answer["result"]

    def answer_questions(self) -> None:
        """Answers what the server has asked so far."""
        for message in self.server.others:
            if "method" in message and "id" in message:
                result = [None] if message["method"] == "workspace/configuration" else None
                self.server.send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def finish(self) -> None:
        """Ends the session; looks at every message that the server sent on its own."""
        self.server.is_alive()
        assert self.server.request("shutdown")["result"] is None
        self.server.notify("exit")
        while (message := self.server.next()) is not None:
            self.server.others.append(message)
        assert self.server.process.wait(60) == 0
        for message in self.server.others:
            self.check(message)

    def check(self, message: dict) -> None:
        method = message["method"]
        if method.startswith("shapewright/"):
            assert (self.params.get("initializationOptions") or {}).get("lenses"), message
            return
        assert self.announced(ANNOUNCED[method]), message
        if method == "client/registerCapability":
            assert [it["method"] for it in message["params"]["registrations"]] == ["workspace/didChangeWatchedFiles"]
        if method == "textDocument/publishDiagnostics":
            assert not self.announced("textDocument.diagnostic"), "diagnostics are asked for, not sent"
            for diagnostic in message["params"]["diagnostics"]:
                self.check_diagnostic(diagnostic)

    def check_diagnostic(self, diagnostic: dict) -> None:
        client = self.announced("textDocument.publishDiagnostics") or {}
        for field, capability in [
            ("relatedInformation", "relatedInformation"),
            ("codeDescription", "codeDescriptionSupport"),
            ("tags", "tagSupport"),
            ("data", "dataSupport"),
        ]:
            assert field not in diagnostic or client.get(capability), (field, diagnostic)


@pytest.fixture(params=RECORDED, ids=lambda path: path.stem)
def recorded(request, wire):
    server = wire()
    (server.root / "sizes.shape").write_text(samples.SIZES)
    return Editor(server, request.param)


# A name that is declared twice has related information, and threads without elements a tag.
TWICE = """a : [2];
a : [3];
kernel k(y: mut f32[4]) grid(1) block(8) {
    view ys = y via reshape_map([1] | [4] => layout: [i0, t0]) per block;
    ys[0] = 1.0;
}
"""


def test_at_least_three_editors_were_recorded():
    assert {path.stem.split("-")[0] for path in RECORDED} >= {"neovim", "emacs", "vscode"}


def test_columns_are_counted_as_the_editor_can(recorded):
    offered = recorded.announced("general.positionEncodings") or ["utf-16"]
    assert recorded.capabilities["positionEncoding"] in offered
    assert ("diagnosticProvider" in recorded.capabilities) == bool(recorded.announced("textDocument.diagnostic"))
    recorded.finish()


def test_every_question_of_the_editor_is_answered_in_its_forms(recorded):
    server = recorded.server
    server.open(samples.MAIN)
    document = {"uri": server.uri()}
    lines = samples.MAIN.split("\n")
    line = next(number for number, line in enumerate(lines) if "via strided" in line)
    column = lines[line].index("strided") + 1
    place = {"line": line, "character": column}
    call = next(number for number, line in enumerate(lines) if "reshape_map(" in line)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    more = {
        "references": {"context": {"includeDeclaration": True}},
        "signatureHelp": {"position": {"line": call, "character": lines[call].index("[3]") + 1}},
        "codeAction": {"range": whole, "context": {"diagnostics": []}},
        "formatting": {"options": {"tabSize": 4, "insertSpaces": True}},
        "selectionRange": {"positions": [place]},
        "inlayHint": {"range": whole},
    }
    asked = [what for what in QUESTIONS if recorded.announced(f"textDocument.{what}") is not None]
    assert {"hover", "completion", "definition", "documentSymbol", "codeAction", "rename"} <= set(asked)
    answers = {what: recorded.ask(what, **{"textDocument": document, "position": place, **more.get(what, {})}) for what in asked}
    may_be_nothing = {"codeAction", "formatting"}
    assert [what for what, answer in answers.items() if not answer and what not in may_be_nothing] == []

    formats = recorded.announced("textDocument.hover.contentFormat") or ["plaintext"]
    assert answers["hover"]["contents"]["kind"] in formats
    links = recorded.announced("textDocument.definition.linkSupport")
    assert isinstance(answers["definition"], list) == bool(links)
    nested = recorded.announced("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport")
    assert ("selectionRange" in answers["documentSymbol"][0]) == bool(nested)
    [signature] = answers["signatureHelp"]["signatures"]
    client = recorded.announced("textDocument.signatureHelp.signatureInformation") or {}
    for parameter in signature["parameters"]:
        offsets = (client.get("parameterInformation") or {}).get("labelOffsetSupport")
        assert isinstance(parameter["label"], list) == bool(offsets)
        check_documentation(parameter, client.get("documentationFormat"))
    check_documentation(signature, client.get("documentationFormat"))
    check_completions(recorded, answers["completion"])
    recorded.finish()


def check_documentation(described: dict, formats) -> None:
    documentation = described.get("documentation")
    kind = documentation["kind"] if isinstance(documentation, dict) else "plaintext"
    assert documentation is None or kind in (formats or ["plaintext"]), described


def check_completions(editor: Editor, answer) -> None:
    client = editor.announced("textDocument.completion.completionItem") or {}
    items = answer["items"] if isinstance(answer, dict) else answer
    assert items
    for item in items:
        assert item.get("insertTextFormat", 1) == 1 or client.get("snippetSupport"), item
        assert "labelDetails" not in item or client.get("labelDetailsSupport"), item
        assert "tags" not in item or client.get("tagSupport"), item
        assert "insert" not in item.get("textEdit", {}) or client.get("insertReplaceSupport"), item
        check_documentation(item, client.get("documentationFormat"))
    if isinstance(answer, dict):
        defaults = editor.announced("textDocument.completion.completionList.itemDefaults") or []
        assert set(answer.get("itemDefaults", {})) <= set(defaults)


def test_diagnostics_have_what_the_editor_shows(recorded):
    recorded.server.open(TWICE)
    if recorded.announced("textDocument.diagnostic"):
        diagnostics = recorded.ask("diagnostic", textDocument={"uri": recorded.server.uri()})["items"]
    else:
        diagnostics = recorded.server.diagnostics(1)
    assert "duplicate-name" in [diagnostic["code"] for diagnostic in diagnostics]
    for diagnostic in diagnostics:
        recorded.check_diagnostic(diagnostic)
    if (recorded.announced("textDocument.publishDiagnostics") or {}).get("relatedInformation"):
        assert any("relatedInformation" in diagnostic for diagnostic in diagnostics)
    recorded.finish()


def test_what_the_server_does_on_its_own_was_announced(recorded):
    """Settings, watched files, a run and a closed document make the server say all that it ever says."""
    server = recorded.server
    server.open(samples.MAIN)
    recorded.answer_questions()
    server.is_alive()
    server.notify("workspace/didChangeConfiguration", {"settings": {"shapewright": {"inlayHints": {"enabled": False}}}})
    (server.root / "sizes.shape").write_text("dim M;\n")
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": server.uri("sizes.shape"), "type": 2}]})
    (server.root / "sizes.shape").write_text(samples.SIZES)
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": server.uri("sizes.shape"), "type": 2}]})
    run = {"command": "shapewright.run", "arguments": [{"uri": server.uri(), "device": "interp"}]}
    answer = server.request("workspace/executeCommand", run)
    assert answer["result"]["runs"][0]["expect"] == "passed", answer
    server.notify("textDocument/didSave", {"textDocument": {"uri": server.uri()}})
    server.notify("textDocument/didClose", {"textDocument": {"uri": server.uri()}})
    recorded.finish()
