"""Computes with numpy what the kernels of daily work compute, and compares."""

import json
import sys

import numpy as np

np.seterr(all="ignore")


def read(value):
    if value is None:
        return None
    if "scalar" in value:
        return value["scalar"]
    data = np.frombuffer(bytes.fromhex(value["bytes"]), np.dtype(value["type"]))
    return data.reshape(value["shape"]).copy()


def check(case):
    names = {"np": np}
    for name, array in case["arrays"].items():
        # A parameter may have a name that is a word of Python.
        names[name] = names[name + "_"] = read(array["before"])
    exec(compile(case["numpy"], case["name"], "exec"), names)
    for name, array in case["arrays"].items():
        found = read(array["after"])
        if found is None:
            continue
        expected = np.asarray(names[name])
        same = expected.shape == found.shape
        if same and np.issubdtype(found.dtype, np.integer):
            same = np.array_equal(expected.astype(found.dtype), found)
        elif same:
            same = np.allclose(expected.astype(np.float64), found, rtol=1e-4, atol=1e-5, equal_nan=True)
        if not same:
            return f"{case['name']}, {name}:\n{case['text']}found {found}\nexpected {expected}"
    return None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    wrong = []
    for case in cases:
        try:
            problem = check(case)
        except Exception as error:
            problem = f"{case['name']}: {error!r}"
        if problem:
            wrong.append(problem)
    print("\n".join(wrong) if wrong else f"{len(cases)} cases")


main()
