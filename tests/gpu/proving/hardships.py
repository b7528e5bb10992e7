"""What goes wrong on a device, each followed by a good run; and several processes at once."""

import os
import pathlib
import shutil
import signal
import time
from array import array

from . import npy
from .cases import Case, Failed, Skipped
from .correctness import saved_as_expected
from .independent import Launch, launched
from .machine import FOLDER

ENDLESS = "turns=1000000000000000"


def cases(_machine):
    yield Case("hardships", "an illegal address, then a good run", illegal_address)
    yield Case("hardships", "a time limit, then a good run", time_limit)
    yield Case("hardships", "a killed worker, then a good run", killed_worker)
    yield Case("hardships", "two processes at once", two_at_once)
    yield Case("hardships", "a new compile cache, four processes at once", shared_cache)
    yield Case("hardships", "more than 4 GiB in a tensor", large, limit=900)


def works(machine, name):
    """A good run, and how long it takes."""
    folder = machine.folder(name)
    shutil.copy(FOLDER / "kernels" / "bump.shape", folder)
    begin = time.monotonic()
    saved_as_expected(machine, folder / "bump.shape", FOLDER / "kernels" / "expected")
    return f"a good run after it took {time.monotonic() - begin:.2f} s"


def illegal_address(machine):
    """The compiler leaves no way to a wrong address, so the launcher gives the kernel one."""
    folder = machine.folder("illegal")
    bump = Launch("bump", "bump", 1000, 1, [], array("f"))
    answer = launched(machine, folder, bump, [{"address": 0}])
    if answer["error"] != "CUDA_ERROR_ILLEGAL_ADDRESS":
        raise Failed(f"the launcher says {answer}")
    return works(machine, "after-illegal")


def time_limit(machine):
    answer = machine.command([*endless(machine), "--time-limit", machine.size(5, 1)])
    if answer.status == 0 or "were stopped" not in answer.errors:
        raise Failed(f"status {answer.status}: {answer.errors}")
    return works(machine, "after-limit")


def endless(machine):
    return machine.run_words([FOLDER / "kernels" / "long.shape", "long", "--in", ENDLESS])


def killed_worker(machine):
    process = machine.start([FOLDER / "shapewright", *endless(machine), "--time-limit", 60])
    worker = wait_for_child(process)
    # By then the kernel runs, or is on its way; both are good moments.
    time.sleep(machine.size(3, 0.5))
    os.kill(worker, signal.SIGKILL)
    answer = machine.wait(process)
    if answer.status == 0 or not answer.errors.strip():
        raise Failed(f"status {answer.status}: {answer.errors}")
    return f"{works(machine, 'after-kill')}; the command said: {answer.errors.strip()}"


def wait_for_child(process):
    """The process that a process has started, once it is there."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # It has ended meanwhile.
            if int(fields[1]) == process.pid:
                return int(path.parent.name)
        time.sleep(0.01)
    raise Failed("the command starts no worker")


def two_at_once(machine):
    """Both have the device at the same time, since each takes a while."""
    machine.require(processes=2)
    turns = machine.size(100_000_000, 200_000)
    words = machine.run_words([FOLDER / "kernels" / "long.shape", "long", "--in", f"turns={turns}"])
    folders = [machine.folder(f"together-{number}") for number in range(2)]
    processes = [machine.start([FOLDER / "shapewright", *words, "--out", f"y={folder / 'y.npy'}"]) for folder in folders]
    for process in processes:
        machine.wait(process).succeeded()
    problem = npy.difference(folders[0] / "y.npy", folders[1] / "y.npy")
    if problem:
        raise Failed(problem)
    return "the same results"


def shared_cache(machine):
    machine.require(processes=4)
    folder = machine.folder("cache")
    shutil.copy(FOLDER / "kernels" / "bump.shape", folder)
    own = {"SHAPEWRIGHT_CACHE_DIR": str(folder / "cache")}
    words = machine.run_words([folder / "bump.shape", "--time"])
    processes = [machine.start([FOLDER / "shapewright", *words], environment=own) for _ in range(4)]
    for process in processes:
        machine.wait(process).succeeded()
    run, = machine.run([folder / "bump.shape", "--time"], environment=own)
    if not run["time"]["cached"]:
        raise Failed("the fifth process compiles once more")
    return "a fifth process takes the code from the cache"


def free_memory():
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def large(machine):
    """Each element of a tensor of more than 4 GiB goes to the other end; marks stand where numbers of 32 bits end."""
    size = (1 << 32) + 12345
    if machine.is_quick:
        raise Skipped("takes 9 GB of memory and disk; left out in quick mode")
    need = 2 * size + (1 << 30)
    room = {"on the device": machine.facts.get("free_bytes") or 0, "in memory": free_memory(),
            f"on the disk of {machine.work}": shutil.disk_usage(machine.work).free}
    for place, free in room.items():
        if free < need:
            raise Skipped(f"needs {need / 1e9:.0f} GB {place}, where {free / 1e9:.0f} GB are free")
    folder = machine.folder("large")
    marks = {0: 1, 1: 2, (1 << 31) - 1: 3, 1 << 31: 4, (1 << 32) - 1: 5, 1 << 32: 6, size - 1: 7}
    before = npy.header("|u1", [size])
    with open(folder / "x.npy", "wb") as file:
        # What is not written is zero, and takes no room on most disks.
        file.truncate(len(before) + size)
        file.write(before)
        for place, value in marks.items():
            file.seek(len(before) + place)
            file.write(bytes([value]))
    machine.run([FOLDER / "kernels" / "large.shape", "turned", "--in", f"x={folder / 'x.npy'}",
                 "--out", f"y={folder / 'y.npy'}"])
    found = {}
    with open(folder / "y.npy", "rb") as file:
        if file.read(len(before)) != before:
            raise Failed("the result has another shape")
        for start in range(0, size, 1 << 26):
            part = file.read(1 << 26)
            if part.count(0) != len(part):
                found.update({start + at: value for at, value in enumerate(part) if value})
    shutil.rmtree(folder)
    if found != {size - 1 - place: value for place, value in marks.items()}:
        raise Failed(f"the elements that are not zero are {dict(list(found.items())[:20])}")
    return f"{size} elements, turned round"
