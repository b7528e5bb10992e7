"""Answers one question about integer maps with isl: the median time in seconds and the answer."""

import statistics
import sys
import time

import islpy as isl


def digits(name, radix, count):
    return [f"(floor({name} / {radix**k}) mod {radix})" for k in range(count)]


def xor(left, right, bits):
    bit = lambda name, k: f"(floor({name} / {2**k}) mod 2)"
    return " + ".join(f"{2**k} * (({bit(left, k)} + {bit(right, k)}) mod 2)" for k in range(bits))


TEN = [f"d{k}" for k in range(10)]
TEN_DIGITS = "{ [%s] -> [%s] : %s }" % (
    ", ".join(TEN),
    " + ".join(f"{4**k} * d{k}" for k in range(10)),
    " and ".join(f"0 <= d{k} < 4" for k in range(10)),
)
FOUR_DIGITS = "{ [x] -> [%s] : 0 <= x < 65536 }" % " + ".join(
    f"{16**(3 - k)} * {digit}" for k, digit in enumerate(digits("x", 16, 4))
)
NESTED = "{ [a, b, c, d, e] -> [%s] : %s }" % (
    " + ".join(f"{256**k} * {name}" for k, name in enumerate("abcde")),
    " and ".join(f"0 <= {name} < 256" for name in "abcde"),
)
XOR_TILE = "{ [i, j] -> [32 * i + %s] : 0 <= i < 32 and 0 <= j < 32 }" % xor("i", "j", 5)
XOR_ROWS = "[N] -> { [i, j] -> [64 * i + 8 * floor(j / 8) + %s] : 0 <= i < N and 0 <= j < 64 }" % xor("i", "j", 3)
CROSSING = "{ [i, j] -> [3 * i + 5 * j] : 0 <= i < 5 and 0 <= j < 3 }"
SHIFT = "{ [i, j] -> [64 * i + (i + j) mod 64] : 0 <= i < 64 and 0 <= j < 64 }"
PARTITION = "[N] -> { [I, J] -> [64 * I + J] : 0 <= I and 0 <= J < 64 and 64 * I + J < N }"
STRIDE = "[N, M] -> { [i, j] -> [N * i + j] : 0 <= i < M and 0 <= j < N }"
MERGED = "{ [i, j] -> [floor((6 * i + j) / 3), (6 * i + j) mod 3] : 0 <= i < 2 and 0 <= j < 6 }"
REFINED = "{ [i, j] -> [2 * i + floor(j / 3), j mod 3] : 0 <= i < 2 and 0 <= j < 6 }"


def injective(text):
    relation = isl.Map(text)
    return lambda: relation.is_injective()


def covers(text, slots):
    relation, slots = isl.Map(text), isl.Set(slots)
    return lambda: slots.is_subset(relation.range())


def equal(left, right):
    left, right = isl.Map(left), isl.Map(right)
    return lambda: left.is_equal(right)


QUESTIONS = {
    "ten digits": lambda: injective(TEN_DIGITS),
    "four digits of one index": lambda: injective(FOUR_DIGITS),
    "nested, 2^40 points": lambda: injective(NESTED),
    "3i + 5j": lambda: injective(CROSSING),
    "xor tile": lambda: injective(XOR_TILE),
    "xor tile, N rows": lambda: injective(XOR_ROWS),
    "cyclic shift": lambda: injective(SHIFT),
    "partition, N elements": lambda: covers(PARTITION, "[N] -> { [x] : 0 <= x < N }"),
    "rows N apart": lambda: injective(STRIDE),
    "merge, unmerge": lambda: equal(MERGED, REFINED),
}


def main():
    try:
        ask = QUESTIONS[sys.argv[1]]()
    except isl.Error:
        print("unstatable")
        return
    times, start = [], time.perf_counter()
    while len(times) < 51 and (len(times) < 1 or time.perf_counter() - start < 2):
        before = time.perf_counter()
        answer = ask()
        times.append(time.perf_counter() - before)
    print(statistics.median(times), answer)


main()
