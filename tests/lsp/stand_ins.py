"""Stand-ins for NVIDIA's libraries, on a machine without a GPU: those of testing/gpu."""

import pathlib
import subprocess

SOURCES = pathlib.Path(__file__).parents[2] / "testing" / "gpu"


def built(folder: pathlib.Path) -> dict[str, str]:
    """Compiles the stand-ins into a folder; gives the variables with which a server finds them before the machine's own."""
    for source, library in [("driver.c", "driver/libcuda.so.1"), ("nvrtc.c", "nvrtc/libnvrtc.so")]:
        place = folder / library
        place.parent.mkdir(parents=True)
        options = ["-shared", "-fPIC", "-O1", f'-DSTAND_IN_FOLDER="{SOURCES}"', '-DSETTINGS=""']
        libraries = ["-ldl", "-lpthread"]
        subprocess.run(["cc", *options, "-o", place, SOURCES / source, *libraries], check=True)
    return {
        "LD_LIBRARY_PATH": str(folder / "driver"),
        "SHAPEWRIGHT_NVRTC": str(folder / "nvrtc"),
        "SHAPEWRIGHT_CACHE_DIR": str(folder / "cache"),
    }
