"""What a name is, where it is, what could stand here."""

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

import samples
from editor import edits_of, within


@pytest_asyncio.fixture
async def files(editor):
    sizes = editor.open("sizes.shape", samples.SIZES)
    main = editor.open("main.shape", samples.MAIN)
    assert "unresolved-use" not in await editor.codes(main)
    return main, sizes


def text_of(hover: types.Hover) -> str:
    return hover.contents.value if isinstance(hover.contents, types.MarkupContent) else str(hover.contents)


@pytest.mark.parametrize(
    "marked, expected",
    [
        ("|matrix : ", ["[M, 8]", "The matrix."]),
        ("hal|f : ", ["[M / 4, 8]"]),
        ("map stri|ded", ["[3, 4]", "injective"]),
        ("kernel sc|ale", ["Scales a vector."]),
        ("x via stri|ded", ["[3, 4]"]),
        ("[|M, 8]", ["M % 4 == 0", "Rows."]),
        ("* x|s[i]", ["xs"]),
    ],
)
async def test_hover(editor, files, marked, expected):
    main, _ = files
    hover = await within(editor.client.text_document_hover_async(types.HoverParams(main.id, main.at(marked))))
    assert hover, marked
    for part in expected:
        assert part in text_of(hover)
    assert hover.range is None or main.slice(hover.range).strip()


async def test_there_is_no_hover_in_white_space_and_comments(editor, files):
    main, _ = files
    for marked in ["/// The |matrix.", ";|\n\nmap"]:
        hover = await within(editor.client.text_document_hover_async(types.HoverParams(main.id, main.at(marked))))
        assert hover is None, marked


async def labels(editor, document, place):
    params = types.CompletionParams(document.id, place)
    found = await within(editor.client.text_document_completion_async(params))
    items = found.items if isinstance(found, types.CompletionList) else found or []
    return {item.label: item for item in items}


@pytest.mark.parametrize(
    "before, after, expected, absent",
    [
        ("show ", "", ["matrix", "strided", "M", "reshape_map"], []),
        ("show strided.", "", ["injective", "race_free", "owners"], ["matrix"]),
        ("show matrix.", "", ["rank", "size"], ["injective"]),
        ("map q = reshape_map([3] | [4] => layout: [t0, ", "]);", ["i0"], ["t0"]),
        ("run ", "", ["scale"], ["matrix"]),
        ('use "', '";', ["sizes.shape"], ["matrix", "main.shape"]),
    ],
)
async def test_completion(editor, files, before, after, expected, absent):
    main, _ = files
    editor.change(main, (None, f"{samples.MAIN}{before}{after}\n"))
    found = await labels(editor, main, main.index(len(samples.MAIN) + len(before)))
    assert set(expected) <= set(found), sorted(found)
    assert not set(absent) & set(found)


async def test_completion_replaces_what_is_typed_already(editor, files):
    main, _ = files
    editor.change(main, (None, samples.MAIN + "/* 😀 */ show matr\n"))
    item = (await labels(editor, main, main.at("show matr|")))["matrix"]
    if item.text_edit:
        where = item.text_edit.range if isinstance(item.text_edit, types.TextEdit) else item.text_edit.replace
        assert main.slice(where) == "matr"


@pytest.mark.parametrize(
    "call, active, expected",
    [("reshape_map(", 0, "layout"), ("reshape_map([3] | [4] => layout: [", None, "layout"), ("linear(4, ", 1, "threads")],
)
async def test_signature_help(editor, files, call, active, expected):
    main, _ = files
    editor.change(main, (None, f"{samples.MAIN}map q = {call}\n"))
    params = types.SignatureHelpParams(main.id, main.index(len(main.text) - 1))
    found = await within(editor.client.text_document_signature_help_async(params))
    signature = found.signatures[found.active_signature or 0]
    assert expected in signature.label
    if active is not None:
        assert found.active_parameter == active or signature.active_parameter == active


def places(found) -> list[types.Location]:
    found = found if isinstance(found, (list, tuple)) else [found] if found else []
    locations = []
    for place in found:
        if isinstance(place, types.LocationLink):
            place = types.Location(place.target_uri, place.target_selection_range)
        locations.append(place)
    return locations


@pytest.mark.parametrize(
    "marked, file, expected",
    [
        ("view xs = x via strid|ed", "main.shape", "strided"),
        ("run sca|le", "main.shape", "scale"),
        ("* x|s[i]", "main.shape", "xs"),
        ("[|M, 8]", "sizes.shape", "M"),
        ("== 2.0 * |x;", "main.shape", "x"),
    ],
)
async def test_definition(editor, files, marked, file, expected):
    main, sizes = files
    params = types.DefinitionParams(main.id, main.at(marked))
    [place] = places(await within(editor.client.text_document_definition_async(params)))
    document = main if file == "main.shape" else sizes
    assert place.uri == document.uri
    assert document.slice(place.range) == expected


async def references(editor, document, marked, declaration):
    context = types.ReferenceContext(include_declaration=declaration)
    params = types.ReferenceParams(context=context, text_document=document.id, position=document.at(marked))
    return places(await within(editor.client.text_document_references_async(params)))


async def test_references(editor, files):
    main, sizes = files
    found = await references(editor, main, "map |strided", False)
    assert [main.slice(place.range) for place in found] == ["strided"] * 2
    assert len(await references(editor, main, "map |strided", True)) == 3
    # From the file that declares it, into the file that uses it.
    found = await references(editor, sizes, "dim |M", True)
    assert {place.uri for place in found} == {main.uri, sizes.uri}
    # A parameter has its uses in the runs too.
    assert len(await references(editor, main, "|y: mut", True)) >= 4


async def test_highlights(editor, files):
    main, _ = files
    params = types.DocumentHighlightParams(main.id, main.at("view |ys"))
    found = await within(editor.client.text_document_document_highlight_async(params))
    assert [main.slice(place.range) for place in found] == ["ys", "ys"]
    assert types.DocumentHighlightKind.Write in [place.kind for place in found]


async def rename(editor, document, marked, new):
    params = types.RenameParams(text_document=document.id, position=document.at(marked), new_name=new)
    return edits_of(await within(editor.client.text_document_rename_async(params)))


async def test_rename_with_prepare(editor, files):
    main, sizes = files
    params = types.PrepareRenameParams(main.id, main.at("[|M, 8]"))
    prepared = await within(editor.client.text_document_prepare_rename_async(params))
    where = prepared if isinstance(prepared, types.Range) else getattr(prepared, "range", None)
    assert where is not None and main.slice(where) == "M"
    edits = await rename(editor, main, "[|M, 8]", "Rows")
    assert set(edits) == {main.uri, sizes.uri}
    for document in (sizes, main):
        editor.change(document, (None, editor.applied(document, edits[document.uri])))
    assert "dim Rows where Rows % 4 == 0;" in sizes.text and "[Rows, 8]" in main.text
    assert "unknown-name" not in await editor.codes(main)


async def test_a_rename_that_is_none_is_refused(editor, files):
    main, _ = files
    for new in ["", "two words", "1st", "strided"]:
        with pytest.raises(Exception) as refused:
            await rename(editor, main, "|matrix :", new)
        assert str(refused.value)
    params = types.PrepareRenameParams(main.id, main.at("/// The |matrix."))
    try:
        assert await within(editor.client.text_document_prepare_rename_async(params)) is None
    except JsonRpcException as refused:
        assert "name" in str(refused)


async def test_document_symbols(editor, files):
    main, _ = files
    found = await within(editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(main.id)))
    names = [symbol.name for symbol in found]
    assert {"matrix", "half", "strided"} <= set(names) and any("scale" in name for name in names)
    if isinstance(found[0], types.DocumentSymbol):
        for symbol in found:
            assert main.slice(symbol.selection_range) in main.slice(symbol.range)


async def test_workspace_symbols(editor, files):
    _, sizes = files
    for query, expected in [("scale", "scale"), ("SCL", "scale"), ("M", "M"), ("matrix", "matrix")]:
        found = await within(editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query)))
        assert expected in [symbol.name for symbol in found], query
    [symbol] = [symbol for symbol in found if symbol.name == "matrix"]
    assert symbol.location.uri != sizes.uri
