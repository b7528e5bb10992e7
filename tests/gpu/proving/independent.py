"""The kernels in other hands: emitted as PTX, launched by `launcher`, and compared with what Python computes."""

import json
from array import array

from . import npy
from .cases import Case, Failed
from .machine import FOLDER


class Launch:
    """A kernel of kernels/ with the launch that its emitted text asks for, its arguments and its result.

    An argument is an array of `array` with the element type of its file, or a scalar as the launcher reads it. The last
    one is the tensor that the kernel writes.
    """

    def __init__(self, file, name, grid, block, arguments, expected, **more):
        self.file, self.name, self.grid, self.block = file, name, grid, block
        self.arguments, self.expected, self.more = arguments, expected, more


def launches():
    yield Launch("bump", "bump", 1000, 1, [("<f4", array("f", range(1000)))], array("f", range(1, 1001)))
    mixed = array("B", [(k * k + 7 * k) % 256 for k in range(49168)])
    yield reverse("shared_48", "beyond_static", ("|u1", mixed))
    yield reverse("shared_227", "most", ("<f4", array("f", [k * 0.5 for k in range(58112)])))
    for count in (2, 8, 16):
        written = [1000 * i + 100 * b + t for i in range(6) for b in range(count) for t in range(32)]
        zeros = ("<i4", array("i", [0] * len(written)))
        yield Launch(f"clusters_{count}", f"of_{count}", 6 * count, 32, [zeros], array("i", written), cluster=count)
    turns = {"type": "<i8", "value": 1000}
    yield Launch("long", "long", 1, 1, [turns, ("<i8", array("q", [0]))], array("q", [chaos(1000)]))


def reverse(file, name, tensor):
    descr, values = tensor
    zeros = (descr, array(values.typecode, bytes(len(values) * values.itemsize)))
    shared = len(values) * values.itemsize
    return Launch(file, name, 1, 256, [tensor, zeros], values[::-1], shared=shared)


def chaos(turns):
    """What `long` computes, with numbers of 64 bits. A kernel's `/` rounds towards zero, Python's `//` rounds down."""
    value = 1
    for k in range(turns):
        eighth = value // 8 if value >= 0 else -(-value // 8)
        value = ((value ^ eighth) * 31 + k) & (1 << 64) - 1
        value -= (value >> 63) << 64
    return value


def cases(_machine):
    for launch in launches():
        yield Case("launched by Python", launch.name, lambda machine, launch=launch: by_python(machine, launch))


def by_python(machine, launch):
    machine.require(launch.more.get("shared", 0), launch.more.get("cluster", 1))
    folder = machine.folder(f"launched-{launch.name}")
    arguments = [argument if isinstance(argument, dict) else {"load": saved(folder / f"{place}.npy", *argument)}
                 for place, argument in enumerate(launch.arguments)]
    arguments[-1]["save"] = str(folder / "result.npy")
    answer = launched(machine, folder, launch, arguments)
    if answer["error"]:
        raise Failed(answer["text"])
    descr, _ = launch.arguments[-1]
    problem = npy.difference(saved(folder / "expected.npy", descr, launch.expected), folder / "result.npy")
    if problem:
        raise Failed(problem)
    return "as Python computes it"


def saved(path, descr, values):
    path.write_bytes(npy.header(descr, [len(values)]) + values.tobytes())
    return str(path)


def launched(machine, folder, launch, arguments, place="kernels"):
    """What the launcher says of a launch with these arguments; the kernel's file lies at a place of the folder."""
    words = ["emit", FOLDER / place / f"{launch.file}.shape", launch.name, "--to", "ptx", "--format", "json"]
    emitted = machine.command(words).document()
    (folder / "kernel.ptx").write_text(emitted["source"])
    job = {"ordinal": machine.ordinal, "ptx": str(folder / "kernel.ptx"), "entry": emitted["entry"],
           "grid": launch.grid, "block": launch.block, "arguments": arguments, **launch.more}
    (folder / "job.json").write_text(json.dumps(job))
    return machine.module("launcher", folder / "job.json").document()
