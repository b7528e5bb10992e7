"""Tests of what is asked of PyTorch, Triton and `nvidia-smi`, with small stand-ins for them: that the questions have the
form that they take, and that the answers become the numbers of the report."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent

TORCH = '''
"""As much of PyTorch as is asked for; the work is done by nobody, and each event is a millisecond after the one before."""
import types
__version__ = "2.9.0"
float32, int8, bfloat16 = "float32", "int8", "bfloat16"

class Tensor:
    def __init__(self, *shape, dtype=float32, device=None):
        assert device == "cuda", device
        self.shape, self.device = shape, device
    def numel(self):
        count = 1
        for extent in self.shape:
            count *= extent
        return count
    def t(self):
        rows, columns = self.shape
        return Tensor(columns, rows, device=self.device)
    def view(self, rows, columns):
        assert rows == -1
        return Tensor(self.numel() // columns, columns, device=self.device)
    def to(self, dtype):
        return Tensor(*self.shape, dtype=dtype, device=self.device)
    def copy_(self, other):
        assert self.shape == other.shape
    def zero_(self):
        assert self.numel() >= 1 << 26
    def sum(self, dimension):
        assert dimension == 1

def rand(*shape, device):
    return Tensor(*shape, device=device)

def empty(*shape, dtype=float32, device):
    return Tensor(*shape, dtype=dtype, device=device)

def empty_like(x):
    return Tensor(*x.shape, device=x.device)

def softmax(x, dimension):
    assert dimension == 1

def mm(a, b):
    assert a.shape[1] == b.shape[0]

class Event:
    now = 0
    def __init__(self, enable_timing):
        assert enable_timing
    def record(self):
        Event.now += 1
        self.at = Event.now
    def elapsed_time(self, later):
        return float(later.at - self.at)

def layer_norm(x, shape):
    assert shape == x.shape[1:]

def gelu(x, approximate):
    assert approximate == "tanh"

def attention(q, k, v):
    assert len(q.shape) == 4 and q.shape == k.shape == v.shape

nn = types.SimpleNamespace(functional=types.SimpleNamespace(
    layer_norm=layer_norm, gelu=gelu, silu=lambda x: None, scaled_dot_product_attention=attention))
cuda = types.SimpleNamespace(Event=Event, synchronize=lambda: None, is_available=lambda: AVAILABLE)
AVAILABLE = True
'''

TRITON = '''
"""As much of Triton as is asked for: a launch checks the names of the kernel's parameters."""
import inspect
__version__ = "3.5.0"

class jit:
    def __init__(self, function):
        self.names = list(inspect.signature(function).parameters)
    def __getitem__(self, grid):
        assert all(isinstance(extent, int) for extent in grid)
        def launch(*arguments, num_warps=4, **constants):
            assert len(arguments) + len(constants) == len(self.names), self.names
            assert set(constants) <= set(self.names[len(arguments):])
        return launch

def cdiv(a, b):
    return -(-a // b)

def next_power_of_2(n):
    return 1 << (n - 1).bit_length()
'''

SMI = '''#!/bin/sh
case "$*" in
  "--id=0 --query-gpu=driver_version,clocks.sm,"*" --format=csv,noheader") ;;
  *) echo "unknown: $*" >&2; exit 2 ;;
esac
echo "580.95, 345 MHz, 1593 MHz, 1980 MHz, 2619 MHz, 700.00 W, Disabled, Default, Enabled, 34"
'''


class Peers(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def install(self, **files):
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text)

    def install_triton(self):
        (self.folder / "triton").mkdir()
        (self.folder / "triton" / "__init__.py").write_text(TRITON)
        (self.folder / "triton" / "language.py").write_text("constexpr = object()\n")

    def answer(self, *words):
        """What the module prints, with this folder before all others."""
        paths = os.pathsep.join([str(self.folder), str(HERE)])
        words = [sys.executable, "-m", "proving.peers", *words]
        done = subprocess.run(words, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_every_operation_of_pytorch_is_measured_in_microseconds(self):
        self.install(torch=TORCH)
        times = self.answer("torch", "64")
        self.assertEqual(times.pop("torch"), "2.9.0")
        names = ["copy", "transpose", "row_sums", "softmax", "layer_norm", "silu", "gelu", "softmax_of_rows",
                 "layer_norm_of_rows", "product", "product_bf16", "attention"]
        self.assertEqual(times, dict.fromkeys(names, 1000.0))

    def test_every_operation_of_triton_is_launched(self):
        self.install(torch=TORCH)
        self.install_triton()
        times = self.answer("triton", "100")
        self.assertEqual(times.pop("triton"), "3.5.0")
        self.assertEqual(times, dict.fromkeys(
            ["copy", "row_sums", "softmax", "layer_norm", "softmax_of_rows", "layer_norm_of_rows"], 1000.0))
        self.assertGreaterEqual(self.answer("triton-first-call", "64")["first_call_ms"], 0.0)

    def test_what_is_missing_is_said(self):
        self.install(torch='raise ImportError("no torch", name="torch")')
        self.assertEqual(self.answer("torch", "64"), {"missing": "Python has no torch"})
        self.install(torch=TORCH, triton='raise ImportError("no triton", name="triton")')
        self.assertEqual(self.answer("triton", "64"), {"missing": "Python has no triton"})
        self.install(torch=TORCH.replace("AVAILABLE = True", "AVAILABLE = False"))
        self.assertEqual(self.answer("torch", "64"), {"missing": "PyTorch finds no GPU"})


class NvidiaSmi(unittest.TestCase):
    def test_the_clocks_come_from_the_tool_where_it_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / "nvidia-smi"
            tool.write_text(SMI)
            tool.chmod(0o755)
            ask = "import json; from proving.device import from_nvidia_smi; print(json.dumps([from_nvidia_smi(0), from_nvidia_smi(1)]))"
            environment = {**os.environ, "PATH": os.pathsep.join([folder, os.environ["PATH"]]), "PYTHONPATH": str(HERE)}
            done = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
        first, refused = json.loads(done.stdout)
        self.assertEqual((first["driver_version"], first["clocks.max.sm"], first["mig.mode.current"], first["compute_mode"]),
                         ("580.95", "1980 MHz", "Disabled", "Default"))
        self.assertEqual(refused, {})


if __name__ == "__main__":
    unittest.main()
