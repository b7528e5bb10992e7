"""Inlay hints and lenses."""

import pytest
from lsprotocol import types

import samples
from editor import within


def label_of(hint: types.InlayHint) -> str:
    return hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label)


@pytest.mark.parametrize("client", ["neovim@v0.11.0", "emacs@v29.1"])
async def test_inlay_hints_say_what_was_computed(sessions, client):
    editor = await sessions(client)
    editor.open("sizes.shape", samples.SIZES)
    document = editor.open("main.shape", samples.MAIN)
    params = types.InlayHintParams(document.id, document.whole())
    hints = await within(editor.client.text_document_inlay_hint_async(params))
    by_line = {hint.position.line: label_of(hint) for hint in hints}
    line = samples.MAIN.splitlines().index("half : matrix [(0) / 4, (1)];")
    assert "[M / 4, 8]" in by_line[line]
    assert any("[3, 4]" in label for label in by_line.values())
    part = types.Range(types.Position(line, 0), types.Position(line + 1, 0))
    some = await within(editor.client.text_document_inlay_hint_async(types.InlayHintParams(document.id, part)))
    assert {label_of(hint) for hint in some} == {by_line[line]}
    provider = editor.answer.capabilities.inlay_hint_provider
    if getattr(provider, "resolve_provider", False):
        resolved = await within(editor.client.inlay_hint_resolve_async(hints[0]))
        assert resolved.position == hints[0].position and resolved.tooltip


def told(way: str, settings: dict) -> dict:
    """How a session is told its settings: when it begins, or when the server asks."""
    if way == "options":
        return {"options": {"lenses": True, "settings": settings}}
    return {"options": {"lenses": True}, "configuration": {"shapewright": settings}}


@pytest.mark.parametrize("way", ["options", "configuration"])
async def test_inlay_hints_can_be_turned_off(sessions, way):
    editor = await sessions("neovim@v0.11.0", **told(way, {"inlayHints": {"enabled": False}}))
    document = editor.open("main.shape", "a : [1];\nb : a + 1;\n")
    await editor.problems(document)
    params = types.InlayHintParams(document.id, document.whole())
    assert not await within(editor.client.text_document_inlay_hint_async(params))


async def lenses(editor, document):
    found = await within(editor.client.text_document_code_lens_async(types.CodeLensParams(document.id)))
    resolved = []
    for lens in found or []:
        if lens.command is None:
            lens = await within(editor.client.code_lens_resolve_async(lens))
        resolved.append(lens)
    return resolved


@pytest.mark.parametrize("client", ["visual-studio-code@v1.65.2", "neovim@v0.11.0"])
@pytest.mark.parametrize("own", [True, False])
async def test_lenses_name_commands_that_the_client_has(sessions, client, own):
    editor = await sessions(client, options={"lenses": True} if own else None)
    editor.open("sizes.shape", samples.SIZES)
    document = editor.open("main.shape", samples.MAIN)
    found = await lenses(editor, document)
    commands = {lens.command.command for lens in found}
    if own:
        assert "shapewright.runLens" in commands and "shapewright.showLens" in commands
    else:
        assert commands <= {"shapewright.run", "shapewright.show"}
        assert "shapewright.run" in commands
    lines = {lens.range.start.line for lens in found if lens.command.command.startswith("shapewright.run")}
    assert samples.MAIN.splitlines().index("run scale(a: 2.0, x: arange, y: zeros) expect y == 2.0 * x;") in lines
    for lens in found:
        [argument] = lens.command.arguments
        assert argument["uri"] == document.uri and argument["name"]


@pytest.mark.parametrize("way", ["options", "configuration"])
async def test_lenses_can_be_turned_off(sessions, way):
    editor = await sessions(**told(way, {"lens": {"enabled": False}}))
    document = editor.open("main.shape", samples.MAIN)
    await editor.problems(document)
    assert not await lenses(editor, document)
