"""Calls emitted functions and compares every element with what the compiler says of its coordinate."""

import itertools
import json
import sys

import numpy as np


def arrays(shape):
    """The same elements, each its own number, in arrays that lie differently in memory."""
    x = np.arange(int(np.prod(shape, dtype=object)), dtype=np.int64).reshape(shape)
    yield x
    yield np.flip(np.flip(x).copy())
    yield np.stack([x, -x - 1], axis=-1)[..., 0]


def refuses(function, x, arguments, errors):
    try:
        function(x, *arguments)
    except errors:
        return
    raise AssertionError("an array without the elements that the map leads to is not refused")


def check(case):
    scope = {}
    exec(case["source"], scope)
    function, shape = scope[case["function"]], tuple(case["shape"])
    if case["large"]:
        # One element stands for all of them: only what needs no memory can be made of it.
        x = np.broadcast_to(np.int8(1), tuple(case["storage"]))
        if "np.arange" in case["source"] and np.prod(shape, dtype=object) > 1 << 20:
            return
        if case["negative"]:
            refuses(function, x, case["arguments"], IndexError)
        else:
            assert function(x, *case["arguments"]).shape == shape
        return
    expected = case["expected"]
    for x in arrays(case["storage"]):
        if case["negative"]:
            refuses(function, x, case["arguments"], IndexError)
            continue
        result = function(x, *case["arguments"])
        assert result.shape == shape, (result.shape, shape)
        mask = np.ma.getmaskarray(result)
        values = np.ma.getdata(result)
        for place, coordinate in enumerate(itertools.product(*map(range, shape))):
            if expected[place] is None:
                assert mask[coordinate], coordinate
            else:
                assert not mask[coordinate], coordinate
                assert values[coordinate] == expected[place], (coordinate, values[coordinate], expected[place])
    # An array without the last element that the map reaches must be refused: nothing may be read beyond it.
    if len(case["storage"]) == 1 and not case["negative"] and case["reached"] > 0:
        refuses(function, np.zeros(case["reached"] - 1), case["arguments"], (IndexError, ValueError))


with open(sys.argv[1]) as file:
    cases = json.load(file)
for case in cases:
    try:
        check(case)
    except Exception as error:
        raise SystemExit(f"{case['name']}: {error!r}\n{case['what']}\n{case['source']}")
print(len(cases))
