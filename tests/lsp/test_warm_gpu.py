"""Runs on a stand-in for a GPU: the worker stays, and one that met what cannot be mended is replaced."""

import os
import random
import shutil
import signal
import sys
import time

import pytest

import stand_ins
from test_cancel import workers
from test_warm import CRASHED, FACTORS, ask, idle_worker, leaves_nothing_behind, result, text
from wire import Wire

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the stand-ins are for Linux")

GPU = "cuda:0"
FIRST = [0.0, 2.0, 4.0]


@pytest.fixture(scope="module")
def libraries(tmp_path_factory) -> dict[str, str]:
    return stand_ins.built(tmp_path_factory.mktemp("gpu"))


@pytest.fixture
def gpu(wire, libraries):
    """Starts servers with a GPU of these settings, and with settings of their own."""

    def start(settings: str = "", **options) -> Wire:
        server = wire(variables={**libraries, "SHAPEWRIGHT_STAND_IN": settings, "CUDA_VISIBLE_DEVICES": "0"})
        server.initialize(initializationOptions={"settings": options})
        server.open(text(FACTORS[0]))
        return server

    return start


def is_gone(server: Wire, worker: int) -> None:
    deadline = time.monotonic() + 60
    while str(worker) in workers(server):
        assert time.monotonic() < deadline, "the worker lives on"
        time.sleep(0.01)


def test_a_thousand_runs_leave_nothing_behind(gpu):
    leaves_nothing_behind(gpu(), GPU)


@pytest.mark.parametrize(
    "settings, word",
    [
        # Each worker meets it in its third run: a fault that stays, a device that is gone, memory that is full, a
        # kernel that never ends.
        ("fail=cuCtxSynchronize:700@3", "illegal memory access"),
        ("fail=cuCtxSynchronize:719@3", "unspecified launch failure"),
        ("lose=cuLaunchKernel@3", "CUDA_ERROR_UNKNOWN"),
        ("fail=cuMemAlloc_v2:2@8", "not enough memory on cuda:0"),
        ("hang=cuCtxSynchronize@3", "longer than 2 s"),
    ],
)
def test_a_worker_that_met_an_error_of_the_device_is_replaced(gpu, settings, word):
    server = gpu(settings, run={"timeLimit": 2})
    for _ in range(2):
        assert result(server, GPU) == FIRST
        assert result(server, GPU) == FIRST
        worker = idle_worker(server)
        answer = server.response(ask(server, GPU))
        assert word in answer["error"]["message"], answer
        is_gone(server, worker)


@pytest.mark.parametrize(
    "settings", ["fail=cuInit:999", "fail=cuInit:46", "fail=cuDevicePrimaryCtxRetain:46", "fail=nvrtcVersion:1"]
)
def test_a_failure_that_was_mended_is_not_remembered(gpu, tmp_path, settings):
    words = tmp_path / "words"
    words.write_text(settings)
    server = gpu(f"@{words}")
    for device in ["auto", GPU]:
        words.write_text(settings)
        if device == "auto":
            [run] = server.response(ask(server, "auto"))["result"]["runs"]
            assert run["device"] == "cpu" and " was not used: " in run["notes"][0]
        assert "is not available" in server.response(ask(server, GPU))["error"]["message"]
        words.write_text("")
        [run] = server.response(ask(server, device))["result"]["runs"]
        assert run["device"] == GPU and run["expect"] == "passed" and "notes" not in run, str(run.get("notes"))
        # The worker with an open device would not notice what fails now.
        os.kill(idle_worker(server), signal.SIGKILL)


def test_why_auto_passed_over_a_gpu_is_told_once_and_in_the_hover(gpu):
    server = gpu("fail=cuDevicePrimaryCtxRetain:46")
    reason = "cuda:0 (NVIDIA Stand-in) was not used: "
    told = []
    for _ in range(3):
        server.response(ask(server, "auto"))
        messages = [message for message in server.others if message.get("method") == "window/showMessage"]
        told += [message["params"]["message"] for message in messages]
        server.others.clear()
    [message] = told
    assert message.startswith(reason)
    line = text(FACTORS[0]).splitlines().index(next(row for row in text(FACTORS[0]).splitlines() if row.startswith("run")))
    place = {"textDocument": {"uri": server.uri()}, "position": {"line": line, "character": 1}}
    shown = server.request("textDocument/hover", place)["result"]["contents"]["value"]
    assert "Last run on cpu: " in shown and f"Note: {reason}" in shown


def test_a_driver_that_hangs_is_not_taken_for_a_kernel(gpu):
    server = gpu("hang=cuInit", run={"timeLimit": 1})
    for device in ["auto", GPU]:
        message = server.response(ask(server, device))["error"]["message"]
        assert "the NVIDIA driver (cuInit) did not answer within 1 s, and no kernel ran" in message
    # The processor needs no driver.
    assert result(server) == FIRST


@pytest.mark.parametrize("hang", ["cuInit", "cuLaunchKernel"])
def test_a_run_ends_with_the_input_of_its_server(gpu, hang):
    server = gpu(f"hang={hang}", run={"timeLimit": 300})
    ask(server, GPU)
    deadline = time.monotonic() + 60
    while not workers(server):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.3)
    worker = idle_worker(server)
    begin = time.monotonic()
    server.process.stdin.close()
    server.process.wait(60)
    while os.path.exists(f"/proc/{worker}"):
        time.sleep(0.01)
        assert time.monotonic() < begin + 5


@pytest.mark.parametrize("variable, name", [("LD_LIBRARY_PATH", "libcuda.so.1"), ("SHAPEWRIGHT_NVRTC", "libnvrtc.so")])
def test_a_library_that_is_installed_is_found_by_the_next_run(wire, libraries, tmp_path, variable, name):
    source = os.path.join(libraries[variable], name)
    server = wire(variables={**libraries, variable: str(tmp_path), "SHAPEWRIGHT_STAND_IN": ""})
    server.initialize()
    server.open(text(FACTORS[0]))
    for _ in range(2):
        [run] = server.response(ask(server, "auto"))["result"]["runs"]
        assert run["device"] == "cpu"
    worker = idle_worker(server)
    shutil.copy(source, tmp_path / name)
    [run] = server.response(ask(server, "auto"))["result"]["runs"]
    assert run["device"] == GPU and "notes" not in run
    # What is missing costs nobody the worker.
    assert idle_worker(server) == worker


def test_a_worker_that_is_killed_at_any_moment_costs_one_run(gpu):
    server = gpu()
    moments = random.Random(0)
    for _ in range(20):
        result(server, GPU)
        worker = idle_worker(server)
        id = ask(server, GPU)
        time.sleep(moments.random() / 50)
        os.kill(worker, signal.SIGKILL)
        answer = server.response(id)
        if "error" in answer:
            assert CRASHED in answer["error"]["message"], answer
        else:
            assert answer["result"]["runs"][0]["expect"] == "passed"


def test_two_editors_run_at_once(gpu):
    editors = [gpu("slow=nvrtcCompileProgram:100"), gpu("slow=cuLaunchKernel:5")]
    for version, factor in enumerate([1.5, 2.5, 3.5], start=2):
        for editor in editors:
            editor.change(version, {"text": text(factor)})
        asked = [(editor, ask(editor, GPU)) for editor in editors for _ in range(3)]
        for editor, id in asked:
            [run] = editor.response(id)["result"]["runs"]
            assert run["expect"] == "passed" and run["device"] == GPU
            assert run["outputs"]["y"]["sample"][1] == factor
