"""A case: something that has to be right, or that is measured, under a time limit."""

import time
import traceback
from dataclasses import asdict, dataclass, field


class Skipped(Exception):
    """This machine cannot try it; the reason."""


class Failed(Exception):
    """It is not as it has to be; what is wrong."""


@dataclass
class Case:
    group: str
    name: str
    # Takes a machine. What it returns is a detail for the results.
    run: object
    limit: float = 120.0


@dataclass
class Result:
    group: str
    name: str
    outcome: str
    detail: object
    seconds: float = field(default=0.0)

    def as_dict(self):
        return asdict(self)


def perform(case, machine):
    """Runs a case; whatever goes wrong in it is its result."""
    begin = time.monotonic()
    machine.deadline = begin + case.limit
    try:
        outcome, detail = "passed", case.run(machine)
    except Skipped as reason:
        outcome, detail = "skipped", str(reason)
    except Failed as problem:
        outcome, detail = "failed", str(problem)
    except Exception:  # A mistake of this script, or of the machine, costs one case.
        outcome, detail = "failed", traceback.format_exc(limit=-2)
    return Result(case.group, case.name, outcome, detail, round(time.monotonic() - begin, 3))
