"""Diagnostics that the client asks for."""

import pytest_asyncio
from lsprotocol import types

from editor import within


@pytest_asyncio.fixture
async def pulling(sessions):
    editor = await sessions("neovim@v0.11.0")
    assert editor.pulls
    return editor


async def pull(editor, document, previous=None):
    params = types.DocumentDiagnosticParams(document.id, previous_result_id=previous)
    return await within(editor.client.text_document_diagnostic_async(params))


async def test_what_did_not_change_is_not_sent_again(pulling):
    document = pulling.open("main.shape", "a : [missing];\n")
    first = await pull(pulling, document)
    assert (first.kind, [problem.code for problem in first.items]) == ("full", ["unknown-name"])
    again = await pull(pulling, document, first.result_id)
    assert (again.kind, again.result_id) == ("unchanged", first.result_id)
    pulling.replace(document, "missing", "3")
    changed = await pull(pulling, document, first.result_id)
    assert changed.kind == "full" and not changed.items and changed.result_id != first.result_id
    unknown = await pull(pulling, document, "no result of this server")
    assert unknown.kind == "full"


async def test_the_workspace_has_its_files_on_the_disk_too(pulling):
    uri = pulling.write("closed.shape", "b : [missing];\n")
    document = pulling.open("main.shape", "use \"closed.shape\";\na : [b, gone];\n")
    await pull(pulling, document)
    params = types.WorkspaceDiagnosticParams(previous_result_ids=[])
    answer = await within(pulling.client.workspace_diagnostic_async(params))
    found = {report.uri: sorted(str(problem.code) for problem in report.items) for report in answer.items}
    assert found[uri] == ["unknown-name"]
    assert found[document.uri] == ["unknown-name"]
    versions = {report.uri: report.version for report in answer.items}
    assert versions[document.uri] == document.version and versions[uri] is None
