"""What the driver says of the device, as JSON, and how fast it copies within its memory.

`python3 -m proving.device describe ORDINAL` and `python3 -m proving.device copy ORDINAL BYTES TIMES`.
"""

import ctypes
import json
import shutil
import statistics
import subprocess
import sys

from .driver import Driver, DriverError

# Numbers of cuDeviceGetAttribute.
ATTRIBUTES = {"multiprocessors": 16, "clock_khz": 13, "memory_clock_khz": 36, "bus_bits": 37, "l2_bytes": 38,
              "shared_memory": 97}


def main():
    word, *numbers = sys.argv[1:]
    try:
        print(json.dumps({"describe": describe, "copy": copy}[word](*map(int, numbers))))
    except (OSError, DriverError) as error:
        print(json.dumps({"error": str(error)}))


def describe(ordinal):
    driver = Driver(ordinal)
    facts = {name: driver.attribute(number) for name, number in ATTRIBUTES.items()}
    free, total = driver.memory()
    capability = [driver.attribute(75), driver.attribute(76)]
    return {"device": driver.name(), "driver_api": driver.version(), "capability": capability, "free_bytes": free,
            "total_bytes": total, **facts, **from_nvidia_smi(ordinal)}


QUESTIONS = ["driver_version", "clocks.sm", "clocks.mem", "clocks.max.sm", "clocks.max.mem", "power.limit", "mig.mode.current",
             "compute_mode", "persistence_mode", "temperature.gpu"]


def from_nvidia_smi(ordinal):
    """The driver's version and the clocks of now, where the tool is there."""
    if not shutil.which("nvidia-smi"):
        return {}
    words = ["nvidia-smi", f"--id={ordinal}", f"--query-gpu={','.join(QUESTIONS)}", "--format=csv,noheader"]
    try:
        answer = subprocess.run(words, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return {}
    values = [value.strip() for value in answer.stdout.strip().split(",")]
    return dict(zip(QUESTIONS, values)) if answer.returncode == 0 and len(values) == len(QUESTIONS) else {}


def copy(ordinal, size, times):
    """The bandwidth of a copy from device memory to device memory, reads and writes counted."""
    driver = Driver(ordinal)
    source, target = driver.allocate(size), driver.allocate(size)
    source_, target_, size_ = ctypes.c_uint64(source), ctypes.c_uint64(target), ctypes.c_size_t(size)
    measured = driver.milliseconds(lambda: driver.call("cuMemcpyDtoD_v2", target_, source_, size_), times)
    driver.free(source)
    driver.free(target)
    driver.close()
    middle = statistics.median(measured)
    return {"us": middle * 1e3, "gb_per_s": 2 * size / middle / 1e6}


if __name__ == "__main__":
    main()
