"""Launches a kernel from the PTX that `shapewright emit` wrote, without Shapewright's driver code: where a kernel fails
in both, the kernel is to blame; where it fails only in `shapewright run`, our way to the device is.

`python3 -m proving.launcher JOB`, where the job is JSON: `ptx`, `entry`, `grid`, `block`, `shared`, `cluster`, `times`, and
`arguments`, each one of {"type": "<f4", "value": 2}, {"load": FILE}, {"load": FILE, "save": FILE}, {"address": NUMBER}.
"""

import ctypes
import json
import pathlib
import statistics
import sys

from . import npy
from .driver import Driver, DriverError

SCALARS = {"<f4": ctypes.c_float, "<f8": ctypes.c_double, "<i4": ctypes.c_int32, "<i8": ctypes.c_int64}


def main():
    job = json.loads(pathlib.Path(sys.argv[1]).read_text())
    try:
        print(json.dumps({"error": None, "milliseconds": perform(job)}))
    except DriverError as error:
        print(json.dumps({"error": error.name, "text": str(error)}))


def perform(job):
    driver = Driver(job.get("ordinal", 0))
    module = driver.load(pathlib.Path(job["ptx"]).read_bytes() + b"\0")
    function = driver.function(module, job["entry"])
    tensors, arguments = [], []
    for argument in job["arguments"]:
        if "load" in argument:
            descr, shape, data = npy.read(argument["load"])
            address = driver.allocate(max(1, len(data)))
            driver.upload(address, data)
            tensors.append((address, descr, shape, len(data), argument.get("save")))
            arguments.append(ctypes.c_uint64(address))
        elif "address" in argument:
            arguments.append(ctypes.c_uint64(argument["address"]))
        else:
            arguments.append(SCALARS[argument["type"]](argument["value"]))

    driver.allow(function, job.get("shared", 0), job.get("cluster", 1) > 8)

    def launch():
        driver.launch(function, job["grid"], job["block"], arguments, job.get("shared", 0))

    launch()
    driver.synchronize()
    for address, descr, shape, size, path in tensors:
        if path:
            pathlib.Path(path).write_bytes(npy.header(descr, shape) + driver.download(address, size))
    times = driver.milliseconds(launch, job["times"]) if job.get("times") else []
    for address, *_ in tensors:
        driver.free(address)
    driver.unload(module)
    driver.close()
    return statistics.median(times) if times else None


if __name__ == "__main__":
    main()
