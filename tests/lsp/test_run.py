"""Kernels run from the editor."""

import asyncio
import re

import pytest
from lsprotocol import types

import samples
from editor import within

RUN = samples.MAIN[samples.MAIN.index("map strided") :]


async def test_a_run_gives_the_results_of_the_command(editor):
    document = editor.open("main.shape", RUN)
    answer = await editor.command("shapewright.run", {"uri": document.uri, "device": "cpu"})
    [run] = answer["runs"]
    assert (run["kernel"], run["device"], run["expect"]) == ("scale", "cpu", "passed")
    assert run["outputs"]["y"]["sample"][:3] == [0.0, 2.0, 4.0]


async def test_the_name_that_a_lens_gives_runs_that_run(sessions):
    editor = await sessions()
    document = editor.open("main.shape", RUN + "run scale(a: 3.0, x: ones, y: zeros) expect y == 3.0;\n")
    found = await within(editor.client.text_document_code_lens_async(types.CodeLensParams(document.id)))
    last = max((lens for lens in found if "run" in lens.command.command), key=lambda lens: lens.range.start.line)
    [argument] = last.command.arguments
    answer = await editor.command("shapewright.run", {**argument, "device": "cpu"})
    [run] = answer["runs"]
    assert run["outputs"]["y"]["sample"][0] == 3.0


async def test_progress_is_told(editor):
    document = editor.open("main.shape", RUN)
    token = "mine"
    editor.client.progress_reports.setdefault(token, [])
    await editor.command("shapewright.run", {"uri": document.uri, "device": "cpu"}, token=token)
    reports = editor.client.progress_reports[token]
    assert isinstance(reports[0], types.WorkDoneProgressBegin)
    assert isinstance(reports[-1], types.WorkDoneProgressEnd)


async def test_a_wrong_expectation_is_a_diagnostic_until_the_text_changes(editor):
    document = editor.open("main.shape", RUN.replace("== 2.0 * x", "== 2.5 * x"))
    assert await editor.problems(document) == []
    answer = await editor.command("shapewright.run", {"uri": document.uri, "device": "cpu"})
    assert answer["runs"][0]["expect"] == "failed"

    async def failed():
        if editor.pulls:
            problems = await editor.problems(document)
        else:
            await editor.until(lambda: editor.published[document.uri][-1].diagnostics)
            problems = editor.published[document.uri][-1].diagnostics
        return [problem for problem in problems if problem.severity == types.DiagnosticSeverity.Error]

    [problem] = await failed()
    assert "y == 2.5 * x" in document.slice(problem.range)
    assert "y[1]" in problem.message and "2.5" in problem.message
    editor.change(document, (document.range("2.5"), "2.0"))
    assert await editor.problems(document) == []


async def test_results_are_shown_and_become_stale(sessions):
    editor = await sessions("neovim@v0.11.0")
    document = editor.open("main.shape", RUN)
    await editor.command("shapewright.run", {"uri": document.uri, "device": "cpu"})

    async def shown():
        hints = await within(
            editor.client.text_document_inlay_hint_async(types.InlayHintParams(document.id, document.whole()))
        )
        lenses = await within(editor.client.text_document_code_lens_async(types.CodeLensParams(document.id)))
        labels = [hint.label if isinstance(hint.label, str) else "".join(p.value for p in hint.label) for hint in hints]
        return " ".join(labels + [lens.command.title for lens in lenses if lens.command])

    fresh = await shown()
    assert "✓" in fresh and "expect passed" in fresh and "stale" not in fresh
    editor.replace(document, "map strided", "// moved\nmap strided")
    assert "stale" not in await shown()
    editor.replace(document, "a * xs[i]", "a * xs[i] + 0.0")
    assert "stale" in await shown()


@pytest.mark.parametrize("mode, runs", [("off", 0), ("changed", 1), ("all", 2)])
async def test_runs_on_save(sessions, mode, runs):
    settings = {"run": {"onSave": mode, "device": "cpu"}}
    editor = await sessions(options={"lenses": True, "settings": settings}, configuration={"shapewright": settings})
    finished = lambda: [params for method, params in editor.news if method == "shapewright/runFinished"]
    document = editor.open("main.shape", RUN)
    await editor.problems(document)
    editor.save(document)
    if runs:
        await editor.until(lambda: len(finished()) == 1)
    # Another comment is no other meaning.
    editor.replace(document, "map strided", "// more\nmap strided")
    await editor.problems(document)
    editor.save(document)
    if runs == 2:
        await editor.until(lambda: len(finished()) == 2)
    # Whatever a save began has begun before this is answered.
    await editor.command("shapewright.run", {"uri": document.uri, "device": "cpu"})
    await editor.until(lambda: len(finished()) == runs + 1)


async def test_a_save_runs_nothing_and_says_nothing_while_there_are_errors(sessions):
    settings = {"run": {"onSave": "all", "device": "cpu"}}
    editor = await sessions(options={"lenses": True, "settings": settings}, configuration={"shapewright": settings})
    finished = lambda: [params for method, params in editor.news if method == "shapewright/runFinished"]
    wrong = "wrong : [missing];\n"
    document = editor.open("main.shape", RUN + wrong)
    assert await editor.codes(document) == ["unknown-name"]
    editor.save(document)
    editor.replace(document, wrong, "")
    assert await editor.codes(document) == []
    editor.save(document)
    await editor.until(lambda: finished())
    assert len(finished()) == 1 and editor.client.messages == []


async def test_a_run_is_cancelled(editor):
    document = editor.open("main.shape", samples.ENDLESS)
    token = "endless"
    editor.client.progress_reports.setdefault(token, [])
    arguments = types.ExecuteCommandParams("shapewright.run", [{"uri": document.uri, "device": "cpu"}], token)
    running = asyncio.ensure_future(editor.client.workspace_execute_command_async(arguments))
    await editor.until(lambda: editor.client.progress_reports[token])
    # Editing does not wait for a run.
    other = editor.open("other.shape", "a : [missing];\n")
    assert await editor.codes(other) == ["unknown-name"]
    assert not running.done()
    await editor.command("shapewright.cancel")
    try:
        answer = await within(running)
    except Exception as error:
        assert "cancel" in str(error).lower() or "stopped" in str(error).lower()
    else:
        assert not (answer or {}).get("runs")
    document = editor.open("again.shape", RUN)
    answer = await editor.command("shapewright.run", {"uri": document.uri, "device": "cpu"})
    assert answer["runs"][0]["expect"] == "passed"


async def test_a_workspace_that_nobody_trusts_runs_nothing(sessions):
    editor = await sessions(options={"runAllowed": False})
    document = editor.open("main.shape", RUN)
    with pytest.raises(Exception) as refused:
        await editor.command("shapewright.run", {"uri": document.uri})
    assert "trust" in str(refused.value)


@pytest.mark.parametrize(
    "arguments",
    [[], [{}], [{"uri": 3}], ["main.shape"], [{"uri": "file:///nowhere.shape"}], [{"uri": None, "name": "x"}]],
)
async def test_wrong_arguments_are_refused_with_a_reason(one_editor, arguments):
    with pytest.raises(Exception) as refused:
        await one_editor.command("shapewright.run", *arguments)
    assert len(str(refused.value)) > 10


async def test_an_unknown_run_and_a_wrong_file_are_refused_with_a_reason(one_editor):
    document = one_editor.open("main.shape", RUN)
    with pytest.raises(Exception) as refused:
        await one_editor.command("shapewright.run", {"uri": document.uri, "name": "nothing"})
    assert "nothing" in str(refused.value)
    one_editor.replace(document, "strided;", "missing;")
    with pytest.raises(Exception) as refused:
        await one_editor.command("shapewright.run", {"uri": document.uri})
    assert str(refused.value)


async def test_devices_pages_code_and_pictures(one_editor):
    document = one_editor.open("main.shape", RUN)
    devices = await one_editor.command("shapewright.devices")
    assert {"cpu", "interp"} <= {device["name"] for device in devices["devices"]}
    page = await one_editor.command("shapewright.explain", {"code": "rank-mismatch"})
    assert page["title"] and "mdspan" in page["markdown"]
    code = await one_editor.command("shapewright.emit", {"uri": document.uri, "name": "scale"})
    assert code["language"] == "cuda-cpp" and "__global__" in code["text"] and code["title"]
    picture = await one_editor.command("shapewright.show", {"uri": document.uri, "name": "strided"})
    assert "strided" in picture["title"] and picture["markdown"] and "svg" in picture
    with pytest.raises(Exception) as refused:
        await one_editor.command("shapewright.explain", {"code": "no-such-code"})
    assert "no-such-code" in str(refused.value)


async def test_the_status_says_which_device_auto_means(sessions):
    editor = await sessions("neovim@v0.11.0", options={"lenses": True})

    def shown():
        found = [params.device for method, params in editor.news if method == "shapewright/status"]
        return found if found and found[-1] != "auto" else None

    devices = await editor.until(shown)
    assert devices[0] == "auto" and re.fullmatch(r"auto \((cpu, \d+ threads?|cuda:0 .+)\)", devices[-1]), devices
    # It is known from now on: another setting is described at once.
    settings = {"shapewright": {"run": {"device": "cpu"}}}
    editor.client.set_configuration(settings)
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    [device] = await editor.until(lambda: [found for found in shown() if found.startswith("cpu")])
    assert re.fullmatch(r"cpu \(\d+ threads?\)", device), device
