"""What numpy needs for what kernels with shared memory compute: answers each word of the input with seconds."""

import sys
import time

import numpy as np

size = int(sys.argv[1])
matrix = np.random.default_rng(1).random((size, size), dtype=np.float32)
work = {
    "transpose": lambda: np.ascontiguousarray(matrix.T),
    "sums": lambda: matrix.sum(axis=1),
}
for line in sys.stdin:
    start = time.perf_counter()
    work[line.strip()]()
    print(time.perf_counter() - start, flush=True)
