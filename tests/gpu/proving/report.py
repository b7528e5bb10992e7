"""The results as JSON, and as tables in Markdown for docs/performance.md."""

import datetime
import json

from .speed import MEASURES


def write(folder, machine, results):
    document = {
        "made": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "quick": machine.is_quick,
        "machine": machine.facts,
        "results": [result.as_dict() for result in results],
    }
    (folder / "results.json").write_text(json.dumps(document, indent=1) + "\n")
    (folder / "results.md").write_text("\n".join(markdown(document["made"], machine, results)) + "\n")


def markdown(made, machine, results):
    yield f"On {made[:10]}, {described(machine.facts)}."
    yield from correctness(results)
    yield from speed(results)
    yield from compile_times(results)


def described(facts):
    """The device, its driver and its clocks in one sentence."""
    def megahertz(name, khz):
        now = facts.get(name)
        return f"{now} at the end, at most {facts.get(name.replace('clocks.', 'clocks.max.'))}" if now else (
            f"at most {facts[khz] / 1e3:.0f} MHz" if facts.get(khz) else "unknown")

    parts = [f"on {facts.get('device', 'no device')}", f"compute capability {'.'.join(map(str, facts.get('capability', [])))}",
             f"driver {facts.get('driver_version', 'of unknown version')} (CUDA {facts.get('driver_api')})",
             f"NVRTC {facts.get('nvrtc') or 'of unknown version'}",
             f"clocks: {megahertz('clocks.sm', 'clock_khz')}, of memory: {megahertz('clocks.mem', 'memory_clock_khz')}"]
    if facts.get("mig.mode.current") == "Enabled":
        parts.append("a part of a device (MIG)")
    return ", ".join(parts)


def correctness(results):
    yield from ("", "| cases | passed | failed | skipped | seconds |", "|---|---|---|---|---|")
    for group in dict.fromkeys(result.group for result in results):
        own = [result for result in results if result.group == group]
        counts = [sum(result.outcome == outcome for result in own) for outcome in ("passed", "failed", "skipped")]
        # A case that tries many things at once says how many.
        alone = own[0] if len(own) == 1 and counts[0] == 1 and isinstance(own[0].detail, str) else None
        name = f"{group}: {alone.detail}" if alone else group
        yield f"| {name} | {' | '.join(map(str, counts))} | {sum(result.seconds for result in own):.1f} |"
    for result in results:
        if result.outcome != "passed":
            first, *_ = str(result.detail).splitlines() or [""]
            yield from ("", f"{result.outcome}: {result.group}, {result.name}: {first}")


def speed(results):
    measured = {result.name: result.detail for result in results if result.group == "speed" and result.outcome == "passed"}
    copy = measured.get("device copy", {}).get("gb_per_s")
    if not any(file in measured for file, *_ in MEASURES):
        return
    yield from ("", "| kernel | time | rate | of a device copy | PyTorch's time / ours | Triton's time / ours | an empty "
                "kernel takes |", "|---|---|---|---|---|---|---|")
    for file, _, peer, _ in MEASURES:
        if file in measured:
            own = measured[file]
            others = (measured.get(f"all of {name}", {}).get(peer) for name in ("torch", "triton"))
            ratios = " | ".join(f"{other / own['us']:.2f}" if other else "" for other in others)
            rate = f"{own['gb_per_s']:.0f} GB/s" if "gb_per_s" in own else f"{own['tflops']:.1f} TFLOP/s"
            part = f"{own['gb_per_s'] / copy:.2f}" if copy and "gb_per_s" in own else ""
            floor = own.get("floor_us")
            floor = f"{floor:.1f} µs" if floor is not None else ""
            yield f"| {file.replace('_', ' ')} | {own['us']:.1f} µs | {rate} | {part} | {ratios} | {floor} |"
    if copy:
        yield from ("", f"A copy by the driver within the device's memory reaches {copy:.0f} GB/s, reads and writes counted.")


def compile_times(results):
    rows = [result for result in results if result.group == "compile time" and result.outcome == "passed"]
    if rows:
        yield from ("", "| softmax | first | warm | whole process, first | warm |", "|---|---|---|---|---|")
    for row in rows:
        times = (row.detail[name] for name in ("first_ms", "warm_ms", "first_process_ms", "warm_process_ms"))
        yield f"| {row.name.split(',')[0]} | {' | '.join(f'{time:.0f} ms' for time in times)} |"
