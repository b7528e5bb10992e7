"""Ten thousand edits take no more memory than a thousand, large answers leave none behind, and no huge pages are
taken."""

import sys
import time

import pytest

import samples
from wire import Wire

MARGIN = 8 << 20
"""Bytes that 9,000 edits may leave behind: what an allocator keeps differs by half of it from one moment to the next."""

OTHER = samples.MAIN + "// one of many lines\n" * 400
"""A document that comes and goes. The tokens of all of them together would take twice the margin."""


def resident(server: Wire) -> int:
    """The memory of the server, in bytes."""
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as status:
        line = next(line for line in status if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def edit_a_thousand_times(server: Wire, version: int) -> int:
    """Types, deletes and asks as editors do, and opens and closes other documents; gives the next version."""
    text = samples.MAIN
    line = next(number for number, line in enumerate(text.split("\n")) if line.startswith("half"))
    start, end = {"line": line, "character": 0}, {"line": line, "character": 4}
    document = {"textDocument": {"uri": server.uri()}}
    result = "0"
    for number in range(0, 1000, 5):
        # A new name is typed and taken back.
        server.change(version + 1, {"range": {"start": start, "end": end}, "text": f"half{version}"})
        long = {"line": line, "character": 4 + len(str(version))}
        server.change(version + 2, {"range": {"start": start, "end": long}, "text": "half"})
        server.change(version + 3, {"range": {"start": start, "end": start}, "text": f"// {version} 😀\n"})
        server.change(version + 4, {"range": {"start": start, "end": {"line": line + 1, "character": 0}}, "text": ""})
        version += 4
        delta = {**document, "previousResultId": result}
        result = server.request("textDocument/semanticTokens/full/delta", delta)["result"]["resultId"]
        server.request("textDocument/hover", server.place(line, 1))
        # The fifth edit: a document that nobody had open before comes and goes, with questions on their way.
        name = f"other{version}.shape"
        server.open(OTHER, name)
        other = {"textDocument": {"uri": server.uri(name)}}
        server.request("textDocument/semanticTokens/full", other)
        server.ask("textDocument/semanticTokens/full", other)
        server.notify("textDocument/didClose", other)
        # What the server says on its own is not kept by the test either.
        server.others.clear()
    return version


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process in /proc")
def test_memory_is_flat_over_ten_thousand_edits(wire):
    server = wire()
    server.initialize()
    server.open(samples.SIZES, "sizes.shape")
    server.open(samples.MAIN)
    version, used = 1, []
    for _ in range(10):
        version = edit_a_thousand_times(server, version)
        used.append(resident(server))
    assert used[-1] - used[0] < MARGIN, [f"{bytes / 2**20:.1f} MiB" for bytes in used]
    assert server.shut_down() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process in /proc")
def test_large_answers_leave_no_memory_behind(wire):
    """An answer is made by one thread and dropped by another: an allocator may keep each of them for the first."""
    server = wire()
    server.initialize()
    server.open("".join(f"const c{number} = [{number}, 2 * 3, 4][0] + 5 - 6;\n" for number in range(3000)), "large.shape")
    document = {"textDocument": {"uri": server.uri("large.shape")}}
    used = []
    for _ in range(5):
        for _ in range(30):
            assert server.request("textDocument/semanticTokens/full", document)["result"]["data"]
        used.append(resident(server))
    assert used[-1] - used[0] < 4 * MARGIN, [f"{bytes / 2**20:.1f} MiB" for bytes in used]
    assert used[0] < 400 << 20, [f"{bytes / 2**20:.1f} MiB" for bytes in used]
    assert server.shut_down() == 0


def test_a_deep_expression_is_let_go_of(wire):
    """What an edit makes stale is dropped a moment later on another thread, as deep as it was written."""
    server = wire()
    server.initialize()
    deep = "a + " * 60_000 + "a"
    server.open("kernel k(a: f32, y: mut f32[1]) block(1) { for i in grid(1) { y[i] = " + deep + "; } }\n")
    assert not [found for found in server.diagnostics(1) if found["severity"] == 1]
    server.change(2, {"text": "const a = 1;\n"})
    assert server.diagnostics(2) == []
    time.sleep(1)
    server.is_alive()
    assert server.shut_down() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process in /proc")
def test_no_huge_pages_are_taken(wire):
    server = wire()
    server.initialize()
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as status:
        assert "THP_enabled:\t0\n" in status.read()
    assert server.shut_down() == 0
