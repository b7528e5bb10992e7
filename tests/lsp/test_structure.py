"""Folding, selections, links."""

from lsprotocol import types

import samples
from editor import within


async def test_folding(sessions):
    editor = await sessions("neovim@v0.11.0")
    document = editor.open("main.shape", samples.MAIN)
    found = await within(editor.client.text_document_folding_range_async(types.FoldingRangeParams(document.id)))
    lines = samples.MAIN.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("kernel"))
    body = next(number for number, line in enumerate(lines) if line == "    for i in 0..3 {")
    starts = {fold.start_line for fold in found}
    assert {head, body} <= starts
    for fold in found:
        assert fold.start_line < fold.end_line < len(lines)


async def test_selections_grow(one_editor):
    document = one_editor.open("main.shape", samples.MAIN)
    places = [document.at("(|0) / 4"), document.at("a * x|s[i]")]
    params = types.SelectionRangeParams(document.id, places)
    found = await within(one_editor.client.text_document_selection_range_async(params))
    assert len(found) == 2
    for selection, expected in zip(found, [["0", "(0) / 4", "half : matrix [(0) / 4, (1)];"], ["xs", "xs[i]", "a * xs[i]"]]):
        shown = []
        while selection:
            shown.append(document.slice(selection.range))
            parent = selection.parent
            assert parent is None or len(document.slice(parent.range)) > len(shown[-1])
            selection = parent
        for part in expected:
            assert any(part.rstrip(";") == text.rstrip(";").strip() for text in shown), (part, shown)


async def test_links_lead_to_files(one_editor):
    one_editor.write("sizes.shape", samples.SIZES)
    document = one_editor.open(
        "main.shape", samples.MAIN + 'kernel k(x: mut f32[2]) { x[0] = 1.0; }\nrun k(x: npy("data/x.npy"));\n'
    )
    found = await within(one_editor.client.text_document_document_link_async(types.DocumentLinkParams(document.id)))
    targets = {}
    for link in found:
        if link.target is None:
            link = await within(one_editor.client.document_link_resolve_async(link))
        targets[document.slice(link.range).strip('"')] = link.target
    assert targets["sizes.shape"] == one_editor.uri("sizes.shape")
    assert targets["data/x.npy"] == one_editor.uri("data/x.npy")
