"""The same computations by PyTorch, and by Triton, where Python has them: `python3 -m proving.peers torch|triton SIZE`.

Prints microseconds by operation as JSON, each the middle of many runs, between which a large buffer is overwritten, so
that none finds its data in the cache.
"""

import json
import sys
import time


def main():
    what, size = sys.argv[1], int(sys.argv[2])
    try:
        import torch
        if what != "torch":
            from . import triton_kernels
    except ImportError as error:
        return print(json.dumps({"missing": f"Python has no {error.name}"}))
    if not torch.cuda.is_available():
        return print(json.dumps({"missing": "PyTorch finds no GPU"}))
    if what == "triton-first-call":
        return print(json.dumps(first_call(torch, triton_kernels, size)))
    x = torch.rand(size, size, device="cuda")
    operations = of_torch(torch, x) if what == "torch" else triton_kernels.operations(torch, x)
    versions = {"torch": torch.__version__} if what == "torch" else {"triton": triton_kernels.VERSION}
    print(json.dumps({**versions, **{name: measure(torch, operation) for name, operation in operations.items()}}))


def of_torch(torch, x):
    y = torch.empty_like(x)
    rows = x.view(-1, min(x.shape[1], 4096))
    half = x.shape[0] // 2
    a, b = (torch.rand(half, half, device=x.device) for _ in range(2))
    narrow = [matrix.to(torch.bfloat16) for matrix in (a, b)]
    heads = [torch.rand(1, 1, x.shape[0], 64, device=x.device) for _ in range(3)]
    functional = torch.nn.functional
    return {
        "copy": lambda: y.copy_(x),
        "transpose": lambda: y.copy_(x.t()),
        "row_sums": lambda: x.sum(1),
        "softmax": lambda: torch.softmax(x, 1),
        "layer_norm": lambda: functional.layer_norm(x, x.shape[1:]),
        "silu": lambda: functional.silu(x),
        "gelu": lambda: functional.gelu(x, approximate="tanh"),
        "softmax_of_rows": lambda: torch.softmax(rows, 1),
        "layer_norm_of_rows": lambda: functional.layer_norm(rows, rows.shape[1:]),
        # In full precision: `torch.backends.cuda.matmul.allow_tf32` is off unless one asks for it.
        "product": lambda: torch.mm(a, b),
        "product_bf16": lambda: torch.mm(*narrow),
        "attention": lambda: functional.scaled_dot_product_attention(*heads),
    }


def measure(torch, operation):
    scratch = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    times = []
    for _ in range(33):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        scratch.zero_()
        begin.record()
        operation()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return sorted(times[3:])[15]


def first_call(torch, kernels, size):
    """The time of the first call of a kernel in a process: compiling it, or taking it from the cache."""
    x = torch.rand(size, size, device="cuda")
    torch.cuda.synchronize()
    begin = time.perf_counter()
    kernels.softmax(torch, x)
    torch.cuda.synchronize()
    return {"first_call_ms": (time.perf_counter() - begin) * 1e3}


if __name__ == "__main__":
    main()
