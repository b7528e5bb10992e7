"""Goes through all cases, says how each ends, and writes the results."""

import argparse
import contextlib
import pathlib
import tempfile
import time

from . import correctness, hardships, independent, report, speed
from .cases import Failed, perform
from .machine import FOLDER, Machine

PARTS = {"correctness": correctness, "launcher": independent, "hardships": hardships, "speed": speed}


def main():
    arguments = parsed()
    with tempfile.TemporaryDirectory(prefix="shapewright-", dir=arguments.work) as work:
        machine = Machine(work, arguments.device, arguments.quick, arguments.kernels)
        problem = look_at(machine)
        if problem:
            print(f"error: {problem}")
            return 3
        print(report.described(machine.facts))
        arguments.results.mkdir(parents=True, exist_ok=True)
        results = []
        for part in arguments.part or PARTS:
            results += everything(machine, part)
            look_at_clocks(machine)
            # What is known so far is kept, should the next part be cut short.
            report.write(arguments.results, machine, results)
    counts = {outcome: sum(result.outcome == outcome for result in results) for outcome in ("passed", "failed", "skipped")}
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()), f"· {arguments.results / 'results.md'}")
    return 1 if counts["failed"] else 0


def parsed():
    parser = argparse.ArgumentParser(prog="prove.py", description="Proves and measures Shapewright on a GPU.")
    parser.add_argument("part", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; all where left out")
    parser.add_argument("--quick", action="store_true", help="a few cases of each kind, with small sizes")
    parser.add_argument("--kernels", type=int, help="how many of the random kernels (default: all)")
    parser.add_argument("--device", default="cuda:0", help="which GPU (default: %(default)s)")
    parser.add_argument("--results", type=pathlib.Path, default=FOLDER / "results", help="where results.json and results.md go")
    parser.add_argument("--work", help="where large files may lie for a while (default: the system's temporary folder)")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.part if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    return arguments


def look_at(machine):
    """Asks the driver and the command what is there; returns what is missing."""
    machine.deadline = time.monotonic() + 120
    try:
        machine.facts = machine.module("device", "describe", machine.ordinal).document()
        if "error" in machine.facts:
            return f"the driver cannot be used: {machine.facts['error']}"
        devices = machine.command(["devices", "--format", "json"]).document()["devices"]
    except Failed as problem:
        return str(problem)
    own = next((device for device in devices if device["name"] == machine.device), None)
    if own is None or not own["available"]:
        return f"{machine.device} cannot be used: {(own or {}).get('missing', 'there is no such device')}"
    machine.facts["nvrtc"] = own.get("nvrtc", {}).get("version")
    machine.facts["shapewright"] = machine.command(["--version"]).succeeded().output.strip()
    return None


def look_at_clocks(machine):
    """Asks for the clocks once more: before, the device had nothing to do."""
    machine.deadline = time.monotonic() + 120
    with contextlib.suppress(Failed):
        now = machine.module("device", "describe", machine.ordinal).document()
        machine.facts.update({name: value for name, value in now.items() if name.startswith(("clocks.", "temperature"))})


def everything(machine, part):
    for case in PARTS[part].cases(machine):
        result = perform(case, machine)
        mark = {"passed": "✓", "failed": "✗", "skipped": "–"}[result.outcome]
        print(f"{mark} {result.group}: {result.name} ({result.seconds:.1f} s): {result.detail}", flush=True)
        yield result
