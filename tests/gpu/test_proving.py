"""Tests of what `prove.py` decides and writes, and of which a run without mistakes shows nothing."""

import pathlib
import struct
import sys
import tempfile
import time
import unittest

from proving import npy, report
from proving.cases import Case, Failed, Result, Skipped, perform
from proving.machine import Machine

FACTS = {"device": "NVIDIA H100", "capability": [9, 0], "driver_version": "570.1", "driver_api": "12.8", "nvrtc": "12.9",
         "clocks.sm": "345 MHz", "clocks.max.sm": "1980 MHz", "memory_clock_khz": 2619000}


class Npy(unittest.TestCase):
    def compared(self, descr, expected, found, shapes=None):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("a.npy", "b.npy")]
            for number, (path, data) in enumerate(zip(paths, (expected, found))):
                shape = shapes[number] if shapes else [len(data) // int(descr[2:])]
                path.write_bytes(npy.header(descr, shape) + data)
            return npy.difference(*paths)

    def test_a_wrong_element_is_found_and_said(self):
        self.assertIsNone(self.compared("<i4", bytes(8), bytes(8)))
        problem = self.compared("<i4", struct.pack("<3i", 1, 2, 3), struct.pack("<3i", 1, 2, 4))
        self.assertEqual(problem, "1 of 3 elements of <i4[3] are wrong, the first is 2: 0x00000003 was expected, and it "
                                  "is 0x00000004")

    def test_zeros_of_two_signs_differ_and_every_nan_is_one(self):
        self.assertIsNotNone(self.compared("<f4", struct.pack("<f", 0.0), struct.pack("<f", -0.0)))
        for descr, nan, other, infinity in (("<f4", 0x7FC00000, 0xFFFFFFFF, 0x7F800000), ("<f2", 0x7E00, 0xFE01, 0x7C00),
                                            ("<V2", 0x7FC0, 0xFFC1, 0x7F80), ("<f8", 0x7FF8 << 48, 0xFFF9 << 48, 0x7FF0 << 48)):
            size = int(descr[2:])
            nan, other, infinity = (value.to_bytes(size, "little") for value in (nan, other, infinity))
            self.assertIsNone(self.compared(descr, nan, other), descr)
            self.assertIsNotNone(self.compared(descr, nan, infinity), descr)

    def test_shapes_are_compared(self):
        self.assertIn("[2, 3] was expected", self.compared("|u1", bytes(6), bytes(6), [[2, 3], [3, 2]]))


class Cases(unittest.TestCase):
    def outcome(self, run, limit=5):
        with tempfile.TemporaryDirectory() as work:
            return perform(Case("group", "name", run, limit), Machine(work, "cuda:0", True))

    def test_every_way_to_end_is_a_result(self):
        def raising(problem):
            def run(_machine):
                raise problem
            return run

        self.assertEqual(self.outcome(lambda machine: "fine").outcome, "passed")
        self.assertEqual(self.outcome(raising(Skipped("no device"))).detail, "no device")
        self.assertEqual(self.outcome(raising(Failed("wrong"))).outcome, "failed")
        self.assertIn("KeyError", self.outcome(raising(KeyError("x"))).detail)

    def test_what_does_not_end_is_killed(self):
        begin = time.monotonic()
        result = self.outcome(lambda machine: machine.call([sys.executable, "-c", "import time; time.sleep(60)"]), limit=0.5)
        self.assertIn("did not end within 0.5 s, the limit of its case, and was killed", result.detail)
        self.assertLess(time.monotonic() - begin, 30)


class Devices(unittest.TestCase):
    def needs(self, capability, **needs):
        """Why a device cannot take a case, or None."""
        machine = Machine("work", "cuda:0", True)
        machine.facts = {"capability": capability, "shared_memory": 101376}
        try:
            machine.require(**needs)
        except Skipped as reason:
            return str(reason)

    def test_a_device_is_not_asked_for_what_it_does_not_have(self):
        self.assertEqual(self.needs([8, 6], clusters=2), "the device has no clusters of 2 blocks")
        self.assertIsNone(self.needs([12, 0], clusters=8))
        self.assertEqual(self.needs([12, 0], clusters=16), "the device has no clusters of 16 blocks")
        self.assertIsNone(self.needs([9, 0], clusters=16))
        self.assertIsNone(self.needs([10, 0], clusters=16))
        self.assertIsNone(self.needs([8, 6], shared=49168))
        self.assertIn("no 232448 bytes of shared memory", self.needs([12, 0], shared=232448))


class Report(unittest.TestCase):
    def test_tables_have_what_was_measured(self):
        with tempfile.TemporaryDirectory() as work:
            machine = Machine(work, "cuda:0", False)
            machine.facts = FACTS
            results = [
                Result("kernels", "types", "failed", "a problem\nand more", 1.0),
                Result("speed", "device copy", "passed", {"us": 1.0, "gb_per_s": 3000.0}),
                Result("speed", "all of torch", "passed", {"torch": "2.8", "copy": 300.0}),
                Result("speed", "copy", "passed", {"us": 200.0, "gb_per_s": 2700.0, "floor_us": 2.14}),
                Result("speed", "tile_product", "passed", {"us": 1000.0, "tflops": 12.34}),
                Result("random kernels", "all", "passed", "1000 kernels agree with the interpreter", 9.0),
                Result("compile time", "ours, first and warm", "passed",
                       {"first_ms": 90.0, "warm_ms": 1.0, "first_process_ms": 500.0, "warm_process_ms": 400.0}),
            ]
            text = "\n".join(report.markdown("2026-01-02T03:04:05", machine, results))
        self.assertIn("On 2026-01-02, on NVIDIA H100, compute capability 9.0, driver 570.1 (CUDA 12.8), NVRTC 12.9, clocks: "
                      "345 MHz at the end, at most 1980 MHz, of memory: at most 2619 MHz.", text)
        self.assertIn("| kernels | 0 | 1 | 0 | 1.0 |", text)
        self.assertIn("failed: kernels, types: a problem", text)
        self.assertIn("| copy | 200.0 µs | 2700 GB/s | 0.90 | 1.50 |  | 2.1 µs |", text)
        self.assertIn("| tile product | 1000.0 µs | 12.3 TFLOP/s |  |  |  |  |", text)
        self.assertIn("| random kernels: 1000 kernels agree with the interpreter | 1 | 0 | 0 | 9.0 |", text)
        self.assertIn("| ours | 90 ms | 1 ms | 500 ms | 400 ms |", text)


if __name__ == "__main__":
    unittest.main()
