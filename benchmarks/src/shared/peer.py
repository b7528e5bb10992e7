"""What numpy needs for what kernels with shared memory compute: answers each word of the input with seconds."""

import sys
import time

import numpy as np

size, sequence, head = (int(word) for word in sys.argv[1:4])
matrix = np.random.default_rng(1).random((size, size), dtype=np.float32)
factors = {
    count: np.random.default_rng(2).random((2, count, count), dtype=np.float32)
    for count in (512, 1000, 1024, 2048)
}
query, keys, values = np.random.default_rng(3).random((3, sequence, head), dtype=np.float32)


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


def attention():
    scores = (query * np.float32(head**-0.5)) @ keys.T
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (powers / powers.sum(axis=1, keepdims=True)) @ values


def product(count):
    left, right = factors[count]
    return left @ right


work = {
    "transpose": lambda: np.ascontiguousarray(matrix.T),
    "sums": lambda: matrix.sum(axis=1),
    "softmax": softmax,
    "layer_norm": layer_norm,
    "silu": silu,
    "gelu": gelu,
    "product": lambda: product(1024),
    "product_512": lambda: product(512),
    "product_1000": lambda: product(1000),
    "product_2048": lambda: product(2048),
    "attention": attention,
}
for line in sys.stdin:
    start = time.perf_counter()
    work[line.strip()]()
    print(time.perf_counter() - start, flush=True)
