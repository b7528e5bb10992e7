"""Runs that are stopped some time after they were asked for, in every way that there is."""

import pathlib
import time

import pytest

import samples
from wire import Wire

CANCELLED = -32800
DELAYS = [0, 1, 5, 20, 300]
"""Milliseconds; a worker surely works after the last."""
CLIENT = {"window": {"workDoneProgress": True}}


def workers(server: Wire) -> list[str]:
    """The processes that the server has started and that live."""
    tasks = pathlib.Path(f"/proc/{server.process.pid}/task")
    while True:
        try:
            return [child for task in tasks.iterdir() for child in (task / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            # A thread ended while its file was about to be read; another has its children now.
            continue


def progress(server: Wire) -> dict[str, list[str]]:
    """What was said of each progress, by its token."""
    said: dict[str, list[str]] = {}
    for message in server.others:
        if message.get("method") == "$/progress":
            said.setdefault(message["params"]["token"], []).append(message["params"]["value"]["kind"])
    return said


def answer_creation(server: Wire) -> str:
    """Lets the server show progress under a token of its own; gives the token."""
    while True:
        for message in server.others:
            if message.get("method") == "window/workDoneProgress/create":
                server.others.remove(message)
                server.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
                return message["params"]["token"]
        server.others.append(server.next())


def states(server: Wire) -> list[str]:
    return [message["params"]["state"] for message in server.others if message.get("method") == "shapewright/status"]


@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("way", ["request", "progress", "own progress", "command"])
def test_a_run_is_stopped(wire, way, delay):
    server = wire()
    server.initialize(CLIENT if way == "own progress" else {}, initializationOptions={"lenses": True})
    server.open(samples.ENDLESS)
    argument = {"uri": server.uri(), "device": "cpu"}
    params = {"command": "shapewright.run", "arguments": [argument]}
    if way == "progress":
        params["workDoneToken"] = "ours"
    id = server.ask("workspace/executeCommand", params)
    token = answer_creation(server) if way == "own progress" else "ours"
    time.sleep(delay / 1000)
    if way == "request":
        server.notify("$/cancelRequest", {"id": id})
    elif way == "command":
        server.request("workspace/executeCommand", {"command": "shapewright.cancel"})
    else:
        server.notify("window/workDoneProgress/cancel", {"token": token})
    assert server.response(id)["error"]["code"] == CANCELLED
    # The server goes on, says that nothing runs, and leaves no process and no progress behind.
    server.is_alive()
    deadline = time.monotonic() + 60
    while workers(server):
        assert time.monotonic() < deadline, "a worker lives on"
        time.sleep(0.01)
    assert server.request("shutdown")["result"] is None
    assert states(server)[-1] == "ready", states(server)
    for said in progress(server).values():
        assert said[0] == "begin" and said[-1] == "end" and said.count("end") == 1, said
    server.notify("exit")
    while (message := server.next()) is not None:
        assert message.get("id") != id, "a second answer"
    assert server.process.wait(60) == 0


def test_another_run_goes_on(wire):
    server = wire()
    server.initialize()
    server.open(samples.ENDLESS)
    asked = []
    for token in ["first", "second"]:
        argument = {"uri": server.uri(), "device": "cpu"}
        params = {"command": "shapewright.run", "arguments": [argument], "workDoneToken": token}
        asked.append(server.ask("workspace/executeCommand", params))
    while len(workers(server)) < 2:
        time.sleep(0.01)
    server.notify("window/workDoneProgress/cancel", {"token": "first"})
    assert server.response(asked[0])["error"]["code"] == CANCELLED
    server.is_alive()
    assert workers(server), "the other run was stopped as well"
    server.notify("window/workDoneProgress/cancel", {"token": "nothing has this token"})
    server.notify("window/workDoneProgress/cancel", {"token": "second"})
    assert server.response(asked[1])["error"]["code"] == CANCELLED
    assert server.shut_down() == 0


def test_no_progress_is_told_before_the_client_agrees(wire):
    server = wire()
    server.initialize(CLIENT)
    server.open(samples.SIZES, "sizes.shape")
    server.open(samples.MAIN)
    id = server.ask("workspace/executeCommand", {"command": "shapewright.run", "arguments": [{"uri": server.uri()}]})
    server.response(id)
    assert progress(server) == {}
    token = answer_creation(server)
    while "end" not in progress(server).get(token, []):
        server.others.append(server.next())
    assert progress(server)[token][0] == "begin"
    assert server.shut_down() == 0
