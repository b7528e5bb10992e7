"""Tries the folder for a GPU machine where there is no GPU: `python3 trial.py FOLDER` tests the script, compiles the
stand-ins for NVIDIA's driver and NVRTC, and runs the folder's script with them, in quick mode.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "testing" / "gpu"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    for tests in ("test_proving.py", "test_peers.py"):
        subprocess.run([sys.executable, pathlib.Path(__file__).with_name(tests)], check=True)
    with tempfile.TemporaryDirectory() as place:
        machine = pathlib.Path(place)
        stand_in(machine / "driver" / "libcuda.so.1", "driver.c")
        stand_in(machine / "nvrtc" / "libnvrtc.so", "nvrtc.c")
        places = {
            "LD_LIBRARY_PATH": machine / "driver",
            "SHAPEWRIGHT_NVRTC": machine / "nvrtc",
            # A small cache of the device, which measuring overwrites before each run, and an NVRTC whose PTX the driver loads.
            "SHAPEWRIGHT_STAND_IN": "l2=65536 nvrtc=12.8",
        }
        environment = {**os.environ, **{name: str(path) for name, path in places.items()}}
        environment.pop("CUDA_VISIBLE_DEVICES", None)
        return subprocess.run([sys.executable, folder / "prove.py", "--quick", *sys.argv[2:]], env=environment).returncode


def stand_in(library, source):
    library.parent.mkdir()
    place = f'-DSTAND_IN_FOLDER="{SOURCES}"'
    compiler = ["cc", "-shared", "-fPIC", "-O1", place, "-o", library, SOURCES / source, "-ldl", "-lpthread"]
    subprocess.run(compiler, check=True)


if __name__ == "__main__":
    sys.exit(main())
