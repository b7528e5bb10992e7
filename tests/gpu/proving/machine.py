"""The machine under test: starts the command and parts of this script, each under the time limit of its case."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

from .cases import Failed, Skipped

FOLDER = pathlib.Path(__file__).resolve().parent.parent


@dataclass
class Answer:
    """How a process ended, and what it said."""

    words: str
    status: int
    output: str
    errors: str
    seconds: float

    def succeeded(self):
        if self.status != 0:
            raise Failed(f"`{self.words}` ended with status {self.status}: {self.errors.strip() or self.output.strip()}")
        return self

    def document(self):
        """The JSON that a process which succeeded has printed."""
        return json.loads(self.succeeded().output)


class Machine:
    def __init__(self, work, device, is_quick, most_kernels=None):
        self.work = pathlib.Path(work)
        self.device = device
        self.is_quick = is_quick
        self.most_kernels = most_kernels
        self.deadline = None
        self.facts = {}

    @property
    def ordinal(self):
        """The number of the device for the driver."""
        return int(self.device.rpartition(":")[2])

    @property
    def is_for_one(self):
        """Whether the device takes one process at a time."""
        return self.facts.get("compute_mode", "Default") != "Default"

    @property
    def largest_cluster(self):
        """How many blocks a cluster may have: 8 everywhere since compute capability 9.0, and 16 on devices for data centers,
        for a kernel that asks for it."""
        major = self.facts["capability"][0]
        return 1 if major < 9 else 16 if major in (9, 10) else 8

    def size(self, full, quick):
        """A number that depends on how thorough the script is."""
        return quick if self.is_quick else full

    def require(self, shared=0, clusters=1, processes=1):
        """Skips a case that needs more than the device has."""
        if processes > 1 and self.is_for_one:
            raise Skipped(f"the device takes one process at a time: its compute mode is {self.facts['compute_mode']}")
        if shared > (self.facts["shared_memory"] or 0):
            raise Skipped(f"the device has no {shared} bytes of shared memory for a block")
        if clusters > self.largest_cluster:
            raise Skipped(f"the device has no clusters of {clusters} blocks")

    def folder(self, name):
        """A new folder for the files of a case."""
        path = self.work / name
        shutil.rmtree(path, ignore_errors=True)
        (path / "out").mkdir(parents=True)
        return path

    def start(self, words, folder=None, environment=None):
        """Starts a process in a group of its own, so that it can be killed with everything that it started. Compiled code
        is kept for this script only, so that nothing is there from before."""
        environment = {**os.environ, "SHAPEWRIGHT_CACHE_DIR": str(self.work / "cache"), **(environment or {})}
        return subprocess.Popen(
            [str(word) for word in words], cwd=folder or self.work, env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )

    def wait(self, process, begin=None, limit=float("inf")):
        """Waits for the end of a process, until its time or that of the case is over."""
        begin = begin or time.monotonic()
        end = min(self.deadline, begin + limit)
        words = " ".join(process.args[:6])
        try:
            output, errors = process.communicate(timeout=max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            # What a driver does not let go of is not waited for.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=10)
            allowed = max(0.1, end - begin)
            of_what = "its own limit" if end < self.deadline else "the limit of its case"
            raise Failed(f"`{words}` did not end within {allowed:.3g} s, {of_what}, and was killed") from None
        return Answer(words, process.returncode, output, errors, time.monotonic() - begin)

    def call(self, words, folder=None, environment=None, limit=float("inf")):
        begin = time.monotonic()
        return self.wait(self.start(words, folder, environment), begin, limit)

    def command(self, words, **how):
        """Calls `shapewright`."""
        return self.call([FOLDER / "shapewright", *words], **how)

    def run(self, words, **how):
        """`shapewright run` on the device, with its answer as JSON."""
        return self.command(self.run_words(words), **how).document()["runs"]

    def run_words(self, words):
        return ["run", *words, "--device", self.device, "--format", "json"]

    def module(self, name, *words, environment=None):
        """Calls a module of this script in a process of its own, since a driver's error stays in its process."""
        here = {"PYTHONPATH": str(FOLDER), **(environment or {})}
        return self.call([sys.executable, "-m", f"proving.{name}", *words], environment=here)
