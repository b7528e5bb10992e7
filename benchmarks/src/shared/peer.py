"""What numpy needs for what kernels with shared memory compute: answers each word of the input with seconds."""

import sys
import time

import numpy as np

size, product_size = int(sys.argv[1]), int(sys.argv[2])
matrix = np.random.default_rng(1).random((size, size), dtype=np.float32)
left, right = np.random.default_rng(2).random((2, product_size, product_size), dtype=np.float32)


def softmax():
    powers = np.exp(matrix - matrix.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def layer_norm():
    centred = matrix - matrix.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + np.float32(1e-5))


def silu():
    return matrix / (np.float32(1) + np.exp(-matrix))


def gelu():
    inner = np.float32(0.7978846) * (matrix + np.float32(0.044715) * matrix * matrix * matrix)
    return np.float32(0.5) * matrix * (np.float32(1) + np.tanh(inner))


work = {
    "transpose": lambda: np.ascontiguousarray(matrix.T),
    "sums": lambda: matrix.sum(axis=1),
    "softmax": softmax,
    "layer_norm": layer_norm,
    "silu": silu,
    "gelu": gelu,
    "product": lambda: left @ right,
}
for line in sys.stdin:
    start = time.perf_counter()
    work[line.strip()]()
    print(time.perf_counter() - start, flush=True)
