"""The worker stays for the next run, and is replaced when it is lost."""

import os
import random
import signal
import sys
import time

import pytest

import samples
from test_cancel import workers
from wire import Wire

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the processes of a process in /proc")

RUN = samples.MAIN[samples.MAIN.index("map strided") :]
FACTORS = [2.0, 3.0, 5.0]
CRASHED = "before its time"


def text(factor: float) -> str:
    return RUN.replace("2.0", str(factor))


def ask(server: Wire, device: str = "cpu") -> int:
    argument = {"uri": server.uri(), "device": device}
    return server.ask("workspace/executeCommand", {"command": "shapewright.run", "arguments": [argument]})


def result(server: Wire, device: str = "cpu") -> list[float]:
    """The first results of a run."""
    answer = server.response(ask(server, device))
    [run] = answer["result"]["runs"]
    assert run["expect"] == "passed"
    server.others.clear()
    return run["outputs"]["y"]["sample"][:3]


def idle_worker(server: Wire) -> int:
    [worker] = workers(server)
    return int(worker)


def resident(process: int) -> int:
    """The memory of a process, in bytes."""
    with open(f"/proc/{process}/status", encoding="utf-8") as status:
        line = next(line for line in status if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def leaves_nothing_behind(server: Wire, device: str) -> None:
    """Makes a thousand runs, after which the worker has the memory that it had, and ends with its server."""
    for version in range(2, 102):
        server.change(version, {"text": text(FACTORS[version % 3]) + f"// {version}\n"})
        result(server, device)
    worker = idle_worker(server)
    before = resident(worker)
    for version in range(102, 1002):
        server.change(version, {"text": text(FACTORS[version % 3]) + f"// {version}\n"})
        result(server, device)
    assert idle_worker(server) == worker
    assert resident(worker) < before + (8 << 20)
    assert server.shut_down() == 0
    deadline = time.monotonic() + 60
    while os.path.exists(f"/proc/{worker}"):
        assert time.monotonic() < deadline, "the worker outlives the server"
        time.sleep(0.01)


def begin(wire, **options) -> Wire:
    server = wire()
    server.initialize(initializationOptions={"settings": options})
    server.open(text(FACTORS[0]))
    return server


def test_the_next_run_is_made_by_the_same_process(wire):
    server = begin(wire)
    assert result(server) == [0.0, 2.0, 4.0]
    worker = idle_worker(server)
    for version, factor in enumerate(FACTORS[1:], start=2):
        server.change(version, {"text": text(factor)})
        assert result(server) == [0.0, factor, 2 * factor]
        assert idle_worker(server) == worker
    # A run that cannot be made is no reason to lose it.
    server.open('kernel k(x: f32[4], y: mut f32[4]) { y[0] = x[0]; }\nrun k(x: npy("no.npy"), y: zeros);\n', "other.shape")
    argument = {"uri": server.uri("other.shape"), "device": "cpu"}
    params = {"command": "shapewright.run", "arguments": [argument]}
    assert "no.npy" in server.request("workspace/executeCommand", params)["error"]["message"]
    assert idle_worker(server) == worker
    assert result(server) == [0.0, 5.0, 10.0]


def test_a_thousand_runs_leave_nothing_behind(wire):
    leaves_nothing_behind(begin(wire), "cpu")


def test_a_worker_that_is_killed_while_it_waits_is_not_missed(wire):
    server = begin(wire)
    for delay in [0.0, 0.2]:
        result(server)
        os.kill(idle_worker(server), signal.SIGKILL)
        # Sometimes the server knows before it gives the next task, and sometimes it does not.
        time.sleep(delay)
        assert result(server) == [0.0, 2.0, 4.0]


def test_a_worker_that_is_killed_at_any_moment_costs_one_run(wire):
    server = begin(wire)
    moments = random.Random(0)
    for _ in range(40):
        result(server)
        worker = idle_worker(server)
        id = ask(server)
        time.sleep(moments.random() / 100)
        os.kill(worker, signal.SIGKILL)
        answer = server.response(id)
        if "error" in answer:
            assert CRASHED in answer["error"]["message"], answer
        else:
            assert answer["result"]["runs"][0]["expect"] == "passed"


def test_a_worker_that_took_too_long_is_replaced(wire):
    server = begin(wire, run={"timeLimit": 0.3})
    result(server)
    worker = idle_worker(server)
    server.open(samples.ENDLESS, "endless.shape")
    argument = {"uri": server.uri("endless.shape"), "device": "cpu"}
    params = {"command": "shapewright.run", "arguments": [argument]}
    assert "0.3 s" in server.request("workspace/executeCommand", params)["error"]["message"]
    assert result(server) == [0.0, 2.0, 4.0]
    deadline = time.monotonic() + 60
    while str(worker) in workers(server):
        assert time.monotonic() < deadline, "the worker lives on"
        time.sleep(0.01)
