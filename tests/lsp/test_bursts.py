"""Exactly one response to each request, whatever happens meanwhile."""

import random

import samples
from test_bad_input import everything
from wire import Wire

# What a client is told of a request that came to nothing: cancelled, the content changed, the server's own wish.
CAME_TO_NOTHING = {-32800, -32801, -32802}
GREEDY = {
    "window": {"workDoneProgress": True},
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
    },
    "textDocument": {"diagnostic": {}, "inlayHint": {}},
}


def responses(server: Wire, asked: set) -> dict:
    """The response to each request; ends the session, and looks that nothing was answered twice until then."""
    found = {}

    def note(message):
        if "method" not in message:
            assert message["id"] not in found, f"two responses to {message['id']}"
            found[message["id"]] = message

    while set(found) != asked:
        message = server.next()
        assert message is not None, "the server ended"
        note(message)
    end = server.ask("shutdown")
    while end not in found:
        note(server.next())
    server.notify("exit")
    while (message := server.next()) is not None:
        note(message)
    assert server.process.wait(60) == 0
    assert set(found) == {*asked, end}
    return found


def burst(server: Wire, rounds: int) -> None:
    chance = random.Random(11)
    server.open(samples.SIZES, "sizes.shape")
    server.open(samples.MAIN)
    asked = {}
    version = 1
    for _ in range(rounds):
        for _ in range(chance.randrange(1, 4)):
            version += 1
            line = chance.randrange(20)
            place = {"line": line, "character": chance.randrange(8)}
            new = chance.choice([" ", "x", "[", "\n", "// 😀\n", "1"])
            server.change(version, {"range": {"start": place, "end": place}, "text": new})
        requests = everything(server, server.uri(), chance.randrange(20), chance.randrange(30))
        for method, params in chance.sample(requests, 8):
            asked[server.ask(method, params)] = method
            if chance.randrange(3) == 0:
                server.notify("$/cancelRequest", {"id": chance.choice(list(asked))})
    server.change(version + 1, {"text": samples.MAIN})
    # A late request is answered for the last text.
    options = {"tabSize": 4, "insertSpaces": True}
    last = server.ask("textDocument/formatting", {"textDocument": {"uri": server.uri()}, "options": options})
    found = responses(server, {*asked, last})
    assert not found[last].get("result"), "the last text is formatted"
    for id, method in asked.items():
        error = found[id].get("error")
        # What has no name cannot be renamed.
        refused = method in ("textDocument/rename", "textDocument/prepareRename")
        assert not error or error["code"] in CAME_TO_NOTHING or refused, (method, error)


def test_each_request_has_one_response(wire):
    server = wire()
    server.initialize()
    burst(server, 60)


def test_a_client_that_never_answers_is_served(wire):
    server = wire()
    server.initialize(GREEDY)
    burst(server, 40)


def test_requests_are_answered_for_the_text_at_their_time(wire):
    """Hover after each edit says what that edit wrote: edits and requests keep their order."""
    server = wire()
    server.initialize({"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
    server.open("a : [0];\n")
    for number in range(1, 300):
        server.change(number + 1, {"text": f"a : [{number}, 7];\n"})
        answer = server.request("textDocument/hover", server.place(0, 0))
        assert f"[{number}, 7]" in str(answer["result"]), answer


def test_a_thousand_edits_at_once_lead_to_the_last_text(wire):
    server = wire()
    server.initialize()
    server.open("")
    place = {"line": 0, "character": 0}
    for number in range(1, 1001):
        server.change(number + 1, {"range": {"start": place, "end": place}, "text": f"a{number} : [missing];\n"})
    assert len(server.diagnostics(1001)) == 1000
    assert server.shut_down() == 0


def test_a_cancelled_request_is_answered_at_once_or_as_cancelled(wire):
    server = wire()
    server.initialize()
    server.open(samples.MAIN)
    for _ in range(50):
        id = server.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": server.uri()}})
        server.notify("$/cancelRequest", {"id": id})
        answer = server.response(id)
        assert "result" in answer or answer["error"]["code"] == -32800
    server.notify("$/cancelRequest", {"id": 10**9})
    server.notify("$/cancelRequest", {"id": "never asked"})
    server.is_alive()
