"""Requests that make no sense, and documents that are not there."""

import os
import pathlib
import tempfile

import pytest

import samples
from wire import Wire

POSITION_REQUESTS = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
]
DOCUMENT_REQUESTS = [
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/codeLens",
    "textDocument/foldingRange",
    "textDocument/documentLink",
]


def everything(server: Wire, uri: str, line: int, character: int) -> list[tuple[str, dict]]:
    """Every request about a place."""
    document, place = {"uri": uri}, {"line": line, "character": character}
    where = {"start": place, "end": {"line": line + 1, "character": character}}
    options = {"tabSize": 4, "insertSpaces": True}
    asked = [(method, {"textDocument": document, "position": place}) for method in POSITION_REQUESTS]
    asked += [(method, {"textDocument": document}) for method in DOCUMENT_REQUESTS]
    asked += [
        ("textDocument/references", {"textDocument": document, "position": place, "context": {"includeDeclaration": True}}),
        ("textDocument/rename", {"textDocument": document, "position": place, "newName": "renamed"}),
        ("textDocument/selectionRange", {"textDocument": document, "positions": [place, place]}),
        ("textDocument/semanticTokens/range", {"textDocument": document, "range": where}),
        ("textDocument/semanticTokens/full/delta", {"textDocument": document, "previousResultId": "1"}),
        ("textDocument/inlayHint", {"textDocument": document, "range": where}),
        ("textDocument/codeAction", {"textDocument": document, "range": where, "context": {"diagnostics": []}}),
        ("textDocument/formatting", {"textDocument": document, "options": options}),
        ("textDocument/rangeFormatting", {"textDocument": document, "range": where, "options": options}),
        ("textDocument/diagnostic", {"textDocument": document}),
        ("workspace/symbol", {"query": "\U0001f600"}),
    ]
    return asked


def answered(server: Wire, asked: list[tuple[str, dict]]) -> None:
    """Every request has an answer, and none is a defect of the server."""
    for method, params in asked:
        answer = server.request(method, params)
        error = answer.get("error")
        assert "result" in answer or error, (method, answer)
        assert not error or error["code"] not in (-32603, -32601, -32602), (method, params, answer)


def test_a_document_that_nobody_opened(wire):
    server = wire()
    server.initialize()
    for uri in [server.uri("nowhere.shape"), "untitled:Untitled-1", "git:/x.shape?%7B%7D", "file:///%FF/x.shape"]:
        answered(server, everything(server, uri, 0, 0))
        server.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "a : [1]"}]},
        )
        server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    server.is_alive()
    assert server.shut_down() == 0


def test_a_document_without_a_file_is_checked(wire):
    server = wire()
    server.initialize()
    uri = "untitled:Untitled-1"
    item = {"uri": uri, "languageId": "shapewright", "version": 1, "text": "a : [missing];\n"}
    server.notify("textDocument/didOpen", {"textDocument": item})
    while True:
        message = server.next()
        if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]:
            assert message["params"]["uri"] == uri
            break
    answered(server, everything(server, uri, 0, 5))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_places_that_are_none(wire, encoding):
    server = wire()
    server.initialize({"general": {"positionEncodings": [encoding]}})
    text = samples.WRONG + "last : [😀"
    server.open(text)
    for line, character in [(0, 4), (0, 5), (1, 4), (1, 10**6), (10**6, 0), (2**31 - 1, 2**31 - 1), (4, 10)]:
        answered(server, everything(server, server.uri(), line, character))
    # Edits at such places are clamped, and the session goes on.
    version = 1
    for start, end in [((0, 4), (0, 5)), ((0, 10**6), (10**6, 0)), ((1, 5), (0, 0)), ((2**31 - 1, 7), (2**31 - 1, 9))]:
        version += 1
        place = lambda place: {"line": place[0], "character": place[1]}
        server.change(version, {"range": {"start": place(start), "end": place(end)}, "text": "ü"})
    server.change(version + 1, {"text": "a : [missing];\n"})
    assert [problem["code"] for problem in server.diagnostics(version + 1)] == ["unknown-name"]
    assert server.shut_down() == 0


def test_a_file_that_is_deleted_while_it_is_open(wire):
    server = wire()
    (server.root / "main.shape").write_text("a : [missing];\n")
    server.initialize()
    server.open("a : [missing];\n")
    server.diagnostics(1)
    (server.root / "main.shape").unlink()
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": server.uri(), "type": 3}]})
    answered(server, everything(server, server.uri(), 0, 6))
    server.change(2, {"text": "a : [gone];\n"})
    [problem] = server.diagnostics(2)
    assert "gone" in problem["message"]
    assert server.shut_down() == 0


def test_a_folder_that_is_not_there_and_one_without_permission(wire):
    server = wire()
    closed = server.root / "closed"
    closed.mkdir()
    (closed / "x.shape").write_text("a : [1];\n")
    closed.chmod(0)
    try:
        folders = [
            {"uri": closed.as_uri(), "name": "closed"},
            {"uri": server.uri("nowhere"), "name": "nowhere"},
            {"uri": "vscode-vfs://github/x", "name": "virtual"},
        ]
        server.initialize(workspaceFolders=folders)
        server.open('use "closed/x.shape";\nuse "closed";\nb : a;\n')
        assert "unresolved-use" in [problem["code"] for problem in server.diagnostics(1)]
        event = {"added": folders[:1], "removed": folders[1:]}
        server.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        server.is_alive()
        assert server.shut_down() == 0
    finally:
        closed.chmod(0o700)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(wire):
    server = wire()
    os.mkfifo(server.root / "pipe.shape")
    server.initialize()
    server.open('use "pipe.shape";\nuse "/dev/zero";\n')
    problems = server.diagnostics(1)
    assert [problem["code"] for problem in problems] == ["unresolved-use", "unresolved-use"]
    assert "pipe.shape" in problems[0]["message"] and "/dev/zero" in problems[1]["message"], problems
    assert all("not a regular file" in problem["message"] for problem in problems), problems
    server.is_alive()
    assert server.shut_down() == 0


def test_what_may_not_be_read_is_told(binary):
    """The person who runs the tests may read everything where that is root, so the server is somebody else then."""
    nobody = 65534 if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        root.chmod(0o755)
        closed = root / "closed"
        closed.mkdir()
        (closed / "x.shape").write_text("a : [1];\n")
        (root / "secret.shape").write_text("b : [1];\n")
        (root / "secret.shape").chmod(0)
        closed.chmod(0)
        server = Wire(binary, root, user=nobody)
        try:
            server.initialize()
            server.open('use "closed/x.shape";\nuse "secret.shape";\nc : b;\n')
            problems = server.diagnostics(1)
            assert [problem["code"] for problem in problems] == ["unresolved-use", "unresolved-use", "unknown-name"]
            for name, problem in zip(["closed", "secret.shape"], problems):
                assert name in problem["message"] and "denied" in problem["message"], problems
            server.is_alive()
            assert server.shut_down() == 0
        finally:
            closed.chmod(0o700)
            server.end()


@pytest.mark.parametrize(
    "settings, named",
    [
        ({"run": {"onSave": 5}}, "run.onSave"),
        ({"run": {"onSave": "sometimes"}}, "run.onSave"),
        ({"run": {"device": "abacus"}}, "run.device"),
        ({"run": {"timeLimit": "long"}}, "run.timeLimit"),
        ({"run": "fast"}, "run"),
        ({"inlayHints": {"enabled": "yes"}}, "inlayHints.enabled"),
        ({"lens": {"enabled": 1}}, "lens.enabled"),
        ({"check": {"target": "sm_1"}}, "check.target"),
    ],
)
@pytest.mark.parametrize("way", ["initialize", "change"])
def test_a_setting_of_the_wrong_type_is_named(wire, settings, named, way):
    server = wire()
    if way == "initialize":
        server.initialize(initializationOptions={"settings": settings})
    else:
        server.initialize()
        server.notify("workspace/didChangeConfiguration", {"settings": {"shapewright": settings}})
    server.is_alive()
    shown = [message["params"]["message"] for message in server.others if message.get("method") == "window/showMessage"]
    assert any(named in message for message in shown), shown
    assert server.shut_down() == 0


@pytest.mark.parametrize("options", [None, 7, "x", [], {"settings": 7}, {"lenses": "yes", "runAllowed": "no"}])
def test_odd_options_do_not_keep_a_session_from_beginning(wire, options):
    server = wire()
    server.initialize(initializationOptions=options)
    server.is_alive()
    assert server.shut_down() == 0


@pytest.mark.parametrize("params", [None, [], 7, "text", {}, {"textDocument": None}, {"textDocument": {"uri": 3}}])
def test_parameters_of_the_wrong_type_are_refused(wire, params):
    server = wire()
    server.initialize()
    for method in [*POSITION_REQUESTS, *DOCUMENT_REQUESTS]:
        answer = server.request(method, params)
        assert answer["error"]["code"] in (-32602, -32600), (method, answer)
    for method in ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave"]:
        server.notify(method, params)
    # Parameters that are neither a list nor an object make it no request at all.
    assert server.request("no/such/method", params)["error"]["code"] in (-32601, -32600)
    server.notify("$/unknown", params)
    server.notify("$/cancelRequest", params)
    server.is_alive()
    assert server.shut_down() == 0


@pytest.mark.parametrize("order", [1, -1], ids=["what is used stands behind", "what is used stands before"])
def test_a_chain_of_declarations_as_long_as_a_text_allows_is_checked_again(wire, order):
    """The incremental engine goes along the whole chain, one call for each declaration."""
    server = wire()
    server.initialize()
    count = 30_000
    chain = [f"s{number} : s{number + 1} + 1;" for number in range(count)] + [f"s{count} : [1];"]
    server.open(" ".join(chain[::order]))
    assert server.diagnostics(1) == []
    end = {"line": 0, "character": len(" ".join(chain)) - 2}
    place = end if order == 1 else {"line": 0, "character": len(chain[-1]) - 2}
    # The last declaration of the chain gets another value, and the first one is asked for.
    server.change(2, {"range": {"start": place, "end": place}, "text": "0"})
    assert server.diagnostics(2) == []
    first = 0 if order == 1 else 1 + len(" ".join(chain)) - len(chain[0])
    hover = server.request("textDocument/hover", server.place(0, first))
    assert f"[{count + 10}]" in str(hover["result"]).replace("_", ""), hover
    assert server.shut_down() == 0
