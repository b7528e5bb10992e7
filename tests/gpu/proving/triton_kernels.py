"""Triton's kernels for the comparison, as its tutorials write them."""

import triton
import triton.language as tl

VERSION = triton.__version__


@triton.jit
def copy_kernel(x, y, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < count), mask=at < count)


@triton.jit
def sums_kernel(x, y, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(y + row, tl.sum(tl.load(x + row * columns + at, mask=at < columns, other=0.0), axis=0))


@triton.jit
def softmax_kernel(x, y, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * columns + at, powers / tl.sum(powers, axis=0), mask=at < columns)


@triton.jit
def layer_norm_kernel(x, y, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    mean = tl.sum(values, axis=0) / columns
    apart = tl.where(at < columns, values - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(apart * apart, axis=0) / columns + 1e-5)
    tl.store(y + row * columns + at, apart * scale, mask=at < columns)


def operations(torch, x):
    y = torch.empty_like(x)
    rows = x.view(-1, min(x.shape[1], 4096))
    sums = torch.empty(x.shape[0], device=x.device)
    blocks = triton.cdiv(x.numel(), 1024)
    return {
        "copy": lambda: copy_kernel[(blocks,)](x, y, x.numel(), BLOCK=1024),
        "row_sums": lambda: by_rows(sums_kernel, x, sums),
        "softmax": lambda: by_rows(softmax_kernel, x, y),
        "layer_norm": lambda: by_rows(layer_norm_kernel, x, y),
        "softmax_of_rows": lambda: by_rows(softmax_kernel, rows, y),
        "layer_norm_of_rows": lambda: by_rows(layer_norm_kernel, rows, y),
    }


def softmax(torch, x):
    by_rows(softmax_kernel, x, torch.empty_like(x))


def by_rows(kernel, x, y):
    """A program for each row, which holds all of it."""
    rows, columns = x.shape
    kernel[(rows,)](x, y, columns, BLOCK=triton.next_power_of_2(columns), num_warps=8)
