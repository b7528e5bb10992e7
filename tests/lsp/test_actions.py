"""Code actions and formatting: what the server edits."""

import pytest
from lsprotocol import types

import samples
from editor import edits_of, within


async def actions(editor, document, where, problems=(), only=None):
    context = types.CodeActionContext(diagnostics=list(problems), only=only)
    params = types.CodeActionParams(document.id, where, context)
    found = await within(editor.client.text_document_code_action_async(params))
    return [action for action in found or [] if isinstance(action, types.CodeAction)]


async def resolved(editor, action):
    if action.edit is None:
        action = await within(editor.client.code_action_resolve_async(action))
    return action


async def perform(editor, document, action):
    """Makes an action's edits, in this document alone."""
    edits = edits_of((await resolved(editor, action)).edit)
    assert set(edits) == {document.uri}
    editor.change(document, (None, editor.applied(document, edits[document.uri])))


async def test_a_fix_takes_its_diagnostic_away(editor):
    document = editor.open("main.shape", "/* 😀 */ dim N;\nassert N % 4 == 0;\n")
    [problem] = await editor.problems(document)
    found = await actions(editor, document, problem.range, [problem], [types.CodeActionKind.QuickFix])
    [fix] = [action for action in found if action.kind == types.CodeActionKind.QuickFix]
    assert fix.is_preferred
    assert [mended.code for mended in fix.diagnostics] == ["assertion-failed"]
    await perform(editor, document, fix)
    assert document.text == "/* 😀 */ dim N where N % 4 == 0;\nassert N % 4 == 0;\n"
    assert await editor.problems(document) == []


async def test_only_what_is_asked_for_is_offered(editor):
    document = editor.open("main.shape", samples.MAIN)
    where = document.range("[t0, i0]")
    for kind in ["quickfix", "refactor", "refactor.rewrite", "source.fixAll"]:
        for action in await actions(editor, document, where, only=[kind]):
            assert action.kind == kind or action.kind.startswith(f"{kind}.")


async def test_a_layout_is_rewritten_and_back(editor):
    editor.open("sizes.shape", samples.SIZES)
    document = editor.open("main.shape", samples.MAIN)
    before = await editor.codes(document)

    async def rewrite(part, word):
        found = await actions(editor, document, document.range(part), only=["refactor.rewrite"])
        [action] = [action for action in found if word in action.title]
        await perform(editor, document, action)

    await rewrite("[t0, i0]", "numbers")
    assert "layout: [1, 0]" in document.text
    await rewrite("[1, 0]", "names")
    assert document.text == samples.MAIN and await editor.codes(document) == before


async def test_fix_all(editor):
    document = editor.open("main.shape", "dim N;\nassert N % 4 == 0;\nassert N >= 8;\n")
    [action] = await actions(editor, document, document.whole(), only=["source.fixAll"])
    await perform(editor, document, action)
    assert await editor.problems(document) == []
    assert await actions(editor, document, document.whole(), only=["source.fixAll"]) == []


OPTIONS = types.FormattingOptions(tab_size=4, insert_spaces=True)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
async def test_formatting(editor, line_end):
    untidy = 'use   "sizes.shape"\n\n\n\n// 😀 stays\nmatrix:[M,8];half : matrix[(0)/4 , (1)]  // ü\n'
    document = editor.open("main.shape", untidy.replace("\n", line_end))
    params = types.DocumentFormattingParams(document.id, OPTIONS)
    edits = await within(editor.client.text_document_formatting_async(params))
    # Minimal: the comment is in no edit, so that a cursor in it stays.
    assert all("😀" not in document.slice(edit.range) + edit.new_text for edit in edits)
    editor.change(document, (None, editor.applied(document, edits)))
    lines = ['use "sizes.shape";', "", "// 😀 stays", "matrix : [M, 8];", "half : matrix [(0) / 4, (1)];  // ü", ""]
    assert document.text == line_end.join(lines)
    assert not await within(editor.client.text_document_formatting_async(params))


WHOLE_LINE = types.Range(types.Position(1, 0), types.Position(2, 0))


@pytest.mark.parametrize("whole_line", [False, True])
async def test_range_formatting(editor, whole_line):
    document = editor.open("main.shape", "a:[1];\nb:[2];\nc:[3];\n")
    selected = WHOLE_LINE if whole_line else document.range("b")
    params = types.DocumentRangeFormattingParams(document.id, selected, OPTIONS)
    edits = await within(editor.client.text_document_range_formatting_async(params))
    assert editor.applied(document, edits) == "a:[1];\nb : [2];\nc:[3];\n"
