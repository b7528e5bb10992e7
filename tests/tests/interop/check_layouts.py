"""Evaluates CuTe layouts with tensor-layouts and compares every offset with what the compiler says."""

import json
import re
import sys

from tensor_layouts import Layout, Swizzle


def number(text, sizes):
    """A size, or nested sizes, in CuTe's words."""
    # A symbol may be called like a word of Python.
    text = re.sub(r"[A-Za-z_]\w*", lambda name: str(sizes.get(name[0], name[0])), text)
    return eval(text.replace("/", "//"), {"ceil_div": lambda a, b: -(-a // b)})


def read(text, sizes):
    """The layout as a function of a coordinate."""
    composed = re.fullmatch(r"Swizzle<(\d+),(\d+),(-?\d+)> o (.+) o (.+)", text)
    swizzle, offset, plain = None, 0, text
    if composed:
        swizzle = Swizzle(*map(int, composed.group(1, 2, 3)))
        offset, plain = number(composed.group(4), sizes), composed.group(5)
    # Commas make Python read one mode as a tuple too.
    shape, stride = (number(side[:-1] + ",)" if side != "()" else side, sizes) for side in plain.split(":"))
    layout = Layout(shape, stride)
    if swizzle is None:
        return lambda coordinate: layout(*coordinate)
    return lambda coordinate: swizzle(offset + layout(*coordinate))


with open(sys.argv[1]) as file:
    cases = json.load(file)
for case in cases:
    try:
        layout = read(case["layout"], case["sizes"])
        for coordinate, expected in case["points"]:
            found = layout(coordinate) + number(case["offset"] or "0", case["sizes"])
            assert found == expected, (coordinate, found, expected)
    except Exception as error:
        raise SystemExit(f"{case['name']}: {error!r}\n{case['layout']}\n{case['what']}")
print(len(cases))
