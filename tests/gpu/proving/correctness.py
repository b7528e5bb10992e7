"""Whatever the GPU computes is what the interpreter computed where the folder was made, bit by bit."""

import concurrent.futures
import os
import shutil
import tarfile

from . import npy
from .cases import Case, Failed
from .machine import FOLDER

# What is tried in quick mode; the suite tries all examples with the stand-ins elsewhere.
FEW_EXAMPLES = ("quickstart", "f16_scale", "transpose_shared", "image_rgb_to_gray")

# What a device must have for a file of kernels/.
NEEDS = {"shared_48": {"shared": 49168}, "shared_227": {"shared": 232448}, "clusters_2": {"clusters": 2},
         "clusters_8": {"clusters": 8}, "clusters_16": {"clusters": 16}}


def cases(machine):
    for path in sorted((FOLDER / "examples").glob("*.shape")):
        if "\nrun " in path.read_text() and (path.stem in FEW_EXAMPLES or not machine.is_quick):
            yield Case("examples", path.stem, lambda machine, path=path: example(machine, path))
    for path in sorted((FOLDER / "kernels").glob("*.shape")):
        if "\nrun " in path.read_text():
            needs = NEEDS.get(path.stem, {})
            yield Case("kernels", path.stem, lambda machine, path=path, needs=needs: kernel(machine, path, needs))
    yield Case("random kernels", "all", random_kernels, limit=3600)


def example(machine, path):
    """An example says by itself what it expects."""
    folder = machine.folder(f"example-{path.stem}")
    shutil.copytree(path.parent, folder / "examples")
    runs = machine.run([folder / "examples" / path.name])
    for run in runs:
        require_device(machine, run)
        if run["expect"] != "passed":
            raise Failed(f"{run['kernel']}: the expectation {run['expect']}: {run.get('first_mismatch')}")
    return f"{len(runs)} runs"


def kernel(machine, path, needs):
    machine.require(**needs)
    folder = machine.folder(f"kernel-{path.stem}")
    shutil.copy(path, folder)
    count = saved_as_expected(machine, folder / path.name, path.parent / "expected")
    return f"{count} tensors agree with the interpreter's"


def require_device(machine, run):
    if run["device"] != machine.device:
        raise Failed(f"{run['kernel']} ran on {run['device']}: {run.get('notes')}")


def saved_as_expected(machine, file, expected):
    """Runs a file, and compares what it saves; returns how many tensors these are."""
    count = 0
    for run in machine.run([file], folder=file.parent, limit=60):
        require_device(machine, run)
        for name in sorted(run.get("saved", {})):
            path = file.parent / "out" / os.path.basename(run["saved"][name])
            problem = npy.difference(expected / path.name, path)
            if problem:
                raise Failed(f"`{name}` of {run['kernel']} in {file.name}: {problem}")
            count += 1
    return count


def random_kernels(machine):
    """Random kernels, each in a process of its own, several at once."""
    folder = machine.folder("random")
    with tarfile.open(FOLDER / "random.tar.xz") as packed:
        packed.extractall(folder)
    folder = folder / "random"
    (folder / "out").mkdir()
    files = sorted(folder.glob("*.shape"))
    files = files[:machine.most_kernels or machine.size(len(files), 20)]
    at_once = 1 if machine.is_for_one else min(8, os.cpu_count() or 1)
    problems = []
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        tried = {pool.submit(saved_as_expected, machine, file, folder / "expected"): file for file in files}
        for done in concurrent.futures.as_completed(tried):
            if done.exception():
                problems.append(f"{tried[done].name}: {done.exception()}")
    if problems:
        first = "\n".join(sorted(problems)[:10])
        raise Failed(f"{len(problems)} of {len(files)} kernels fail, among them:\n{first}")
    return f"{len(files)} kernels agree with the interpreter"
