"""How fast kernels are, beside a copy within the device's memory, PyTorch and Triton; and how long compiling takes."""

import shutil
from dataclasses import dataclass

from . import npy
from .cases import Case, Failed, Skipped
from .independent import Launch, launched
from .machine import FOLDER

# The rows and columns of the matrices.
SIZE, QUICK_SIZE = 8192, 256


@dataclass(frozen=True)
class Work:
    """What a kernel is given, and what it has to do for it."""

    inputs: tuple
    sizes: dict
    moved: int  # bytes that are read or written at least once
    flops: int = 0  # where arithmetic takes longer than moving them


def squares(matrices):
    """A kernel of square matrices, of which it reads and writes so many."""
    return lambda side: Work(("x",), {"M": side, "N": side}, matrices * 4 * side ** 2)


def elements(side):
    return Work(("x",), {"N": side ** 2}, 8 * side ** 2)


def rows(side):
    """As many elements as a square has, in rows that a kernel of tiles holds."""
    columns = min(side, 4096)
    return Work(("x",), {"M": side ** 2 // columns, "N": columns}, 8 * side ** 2)


def product(bytes_of_input):
    """A product of two matrices with half the sides, so that it takes milliseconds."""
    def work(side):
        side //= 2
        return Work(("a", "b"), dict.fromkeys("MNK", side), (2 * bytes_of_input + 4) * side ** 2, 2 * side ** 3)
    return work


def attention(side):
    """Of one head with 64 columns: two products of each query with all keys and values."""
    return Work(("q", "k", "v"), {"S": side}, 4 * 4 * 64 * side, 4 * 64 * side ** 2)


# A file of speed/, its kernel, its peer in PyTorch and Triton, and its work for matrices with such a side.
MEASURES = [
    ("copy", "copy", "copy", elements),
    ("transpose_padded", "transpose", "transpose", squares(2)),
    ("transpose_swizzled", "transpose", "transpose", squares(2)),
    ("tile_transpose", "transpose", "transpose", squares(2)),
    ("row_sums", "row_sums", "row_sums", squares(1)),
    ("softmax_of_warps", "softmax", "softmax", squares(2)),
    ("softmax_of_blocks", "softmax", "softmax", squares(2)),
    ("tile_softmax", "softmax", "softmax_of_rows", rows),
    ("layer_norm", "layer_norm", "layer_norm", squares(2)),
    ("tile_layer_norm", "layer_norm", "layer_norm_of_rows", rows),
    ("silu", "silu", "silu", squares(2)),
    ("tile_silu", "silu", "silu", squares(2)),
    ("gelu", "gelu", "gelu", squares(2)),
    ("product", "product", "product", product(4)),
    ("tile_product", "product", "product", product(4)),
    ("tile_product_bf16", "product", "product_bf16", product(2)),
    ("attention", "attention", "attention", attention),
]


def size(machine):
    return machine.size(SIZE, QUICK_SIZE)


def cases(machine):
    yield Case("speed", "device copy", device_copy)
    for peer in ("torch", "triton"):
        yield Case("speed", f"all of {peer}", lambda machine, peer=peer: peers(machine, peer), limit=600)
    few = ("copy", "transpose_swizzled", "row_sums", "layer_norm", "tile_softmax", "tile_product")
    for measure in MEASURES:
        if measure[0] in few or not machine.is_quick:
            # A device takes seconds; a stand-in for one, which computes on the processor, minutes.
            yield Case("speed", measure[0], lambda machine, measure=measure: ours(machine, *measure), limit=900)
    yield Case("speed", "copy, launched by Python", copy_by_launcher)
    yield Case("compile time", "ours, first and warm", our_compile_time)
    yield Case("compile time", "Triton's, first and warm", triton_compile_time, limit=300)


def device_copy(machine):
    answer = machine.module("device", "copy", machine.ordinal, 4 * size(machine) ** 2, machine.size(30, 3)).document()
    if "error" in answer:
        raise Failed(answer["error"])
    return answer


def ours(machine, file, kernel, _peer, work):
    work = work(size(machine))
    inputs = [word for number, name in enumerate(work.inputs) for word in ("--in", f"{name}=random({number + 1})")]
    sizes = [word for name, value in work.sizes.items() for word in ("-D", f"{name}={value}")]
    run, = machine.run([FOLDER / "speed" / f"{file}.shape", kernel, *inputs, *sizes, "--time"])
    if run["device"] != machine.device:
        raise Failed(f"ran on {run['device']}")
    time = run["time"]
    microseconds = time["run_us_median"]
    rate = {"tflops": work.flops / microseconds / 1e6} if work.flops else {"gb_per_s": work.moved / microseconds / 1e3}
    return {"us": microseconds, **rate, "floor_us": time.get("floor_us"), "runs": time["runs"], "notes": time.get("notes", [])}


def copy_by_launcher(machine):
    """The copy once more without our driver code, to see whether `--time` measures what others measure."""
    count = size(machine) ** 2
    folder = machine.folder("copy")
    header = npy.header("<f4", [count])
    with open(folder / "x.npy", "wb") as file:
        file.write(header)
        file.truncate(len(header) + 4 * count)
    tensor = {"load": str(folder / "x.npy")}
    launch = Launch("copy", "copy", -(-count // 1024), 256, [], None, times=machine.size(30, 3))
    answer = launched(machine, folder, launch, [tensor, tensor, {"type": "<i8", "value": count}], place="speed")
    if answer["error"]:
        raise Failed(answer["text"])
    return {"us": answer["milliseconds"] * 1e3, "gb_per_s": 8 * count / answer["milliseconds"] / 1e6}


def peers(machine, peer):
    """The times of a library in microseconds, by operation."""
    answer = machine.module("peers", peer, size(machine)).document()
    if "missing" in answer:
        raise Skipped(answer["missing"])
    return answer


def our_compile_time(machine):
    """The first run compiles, the second takes the code from the cache; the whole process is measured too."""
    folder = machine.folder("compile")
    shutil.copy(FOLDER / "speed" / "softmax_of_warps.shape", folder)
    own = {"SHAPEWRIGHT_CACHE_DIR": str(folder / "cache")}
    words = machine.run_words([folder / "softmax_of_warps.shape", "softmax", "--in", "x=random(1)", "-D", "M=256", "-D",
                               "N=256", "--time"])
    found = {}
    for name in ("first", "warm"):
        answer = machine.command(words, environment=own)
        time = answer.document()["runs"][0]["time"]
        if time["cached"] != (name == "warm"):
            raise Failed(f"the {name} run says cached: {time['cached']}")
        found |= {f"{name}_ms": time["compile_ms"], f"{name}_process_ms": answer.seconds * 1e3}
    return found


def triton_compile_time(machine):
    folder = machine.folder("triton")
    found = {}
    for name in ("first", "warm"):
        own = {"TRITON_CACHE_DIR": str(folder / "cache")}
        answer = machine.module("peers", "triton-first-call", 256, environment=own)
        document = answer.document()
        if "missing" in document:
            raise Skipped(document["missing"])
        found |= {f"{name}_ms": document["first_call_ms"], f"{name}_process_ms": answer.seconds * 1e3}
    return found
