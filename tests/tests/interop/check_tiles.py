"""Computes what kernels of tiles compute, one block after the other, and compares."""

import itertools
import json
import sys

import numpy as np

np.seterr(all="ignore")


def bf16(values):
    """The nearest bf16 numbers, as float32; ties go to the even one."""
    values = np.asarray(values, np.float32)
    bits = values.view(np.uint32)
    rounded = (bits + (((bits >> 16) & 1) + 0x7FFF)) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(values), np.float32(np.nan), rounded.astype(np.uint32).view(np.float32))


def converted(values, dtype):
    if np.issubdtype(values.dtype, np.floating) and np.issubdtype(dtype, np.integer):
        # Toward zero, saturating; NaN becomes 0.
        limits = np.iinfo(dtype)
        low, high = int(limits.min), int(limits.max)
        numbers = [0 if np.isnan(v) else low if v <= low else high if v >= high else int(v) for v in values.ravel()]
        return np.array(numbers, dtype).reshape(values.shape)
    return values.astype(dtype)


def quotient(left, right):
    """Toward zero; a zero divisor gives 0."""
    left, right = np.broadcast_arrays(left, right)
    limits = np.iinfo(left.dtype)
    size = int(limits.max) - int(limits.min) + 1

    def one(a, b):
        result = 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return (result - int(limits.min)) % size + int(limits.min)

    numbers = [one(int(a), int(b)) for a, b in zip(left.ravel(), right.ravel())]
    return np.array(numbers, left.dtype).reshape(left.shape)


def remainder(left, right):
    left, right = np.broadcast_arrays(left, right)
    numbers = [0 if b == 0 else abs(int(a)) % abs(int(b)) * (-1 if a < 0 else 1) for a, b in zip(left.ravel(), right.ravel())]
    return np.array(numbers, left.dtype).reshape(left.shape)


def product(left, right, total, dtype):
    """What is added up is small enough to be exact."""
    wide = np.float64 if np.issubdtype(dtype, np.floating) else np.int64
    return (np.matmul(left.astype(wide), right.astype(wide)) + total).astype(dtype)


def read(array):
    """An array from its bytes."""
    data = bytes.fromhex(array["bytes"])
    if array["type"] == "bf16":
        numbers = (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32)
    else:
        numbers = np.frombuffer(data, np.dtype(array["type"]))
    return numbers.reshape(array["shape"])


def tile_of(array, place, tile, pad):
    result = np.full(tile, pad).astype(array.dtype)
    first = [number * extent for number, extent in zip(place, tile)]
    inside = array[tuple(slice(start, start + extent) for start, extent in zip(first, tile))]
    result[tuple(slice(0, extent) for extent in inside.shape)] = inside
    return result


def check(case):
    arrays = {name: read(array) for name, array in case["arrays"].items()}
    found, tile = arrays["y"], tuple(case["tile"])
    program = compile(case["numpy"], "expression", "eval")
    space = [-(-size // extent) for size, extent in zip(found.shape, tile)]
    for place in itertools.product(*map(range, space)):
        names = {n: tile_of(arrays[n], place, tile, float(p) if p else 0) for n, p in case["pads"].items()}
        known = dict(np=np, bf16=bf16, converted=converted, quotient=quotient, remainder=remainder, product=product)
        expected = np.broadcast_to(eval(program, known | names), tile)
        window = tuple(slice(n * extent, (n + 1) * extent) for n, extent in zip(place, tile))
        actual = found[window]
        expected = expected[tuple(slice(0, extent) for extent in actual.shape)]
        if not np.array_equal(actual, expected, equal_nan=np.issubdtype(found.dtype, np.floating)):
            raise SystemExit(f"{case['name']}: block {place}:\n{case['text']}\n{case['numpy']}\nfound {actual}\nexpected {expected}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    for case in cases:
        check(case)
    print(f"{len(cases)} cases")


main()
