"""Semantic tokens, decoded and held against the text."""

import pytest_asyncio
from lsprotocol import types

import samples
from editor import within


@pytest_asyncio.fixture
async def document(sessions):
    editor = await sessions("neovim@v0.11.0")
    editor.open("sizes.shape", samples.SIZES)
    return editor, editor.open("main.shape", "/* 😀 */ " + samples.MAIN)


def decoded(editor, document, data):
    """Each token's range, text, type and modifiers."""
    legend = editor.answer.capabilities.semantic_tokens_provider.legend
    assert len(data) % 5 == 0
    found, line, character = [], 0, 0
    for number in range(0, len(data), 5):
        lines, columns, length, kind, modifiers = data[number : number + 5]
        line, character = line + lines, columns if lines else character + columns
        assert length > 0
        start, end = types.Position(line, character), types.Position(line, character + length)
        names = {name for bit, name in enumerate(legend.token_modifiers) if modifiers >> bit & 1}
        text = document.slice(types.Range(start, end))
        found.append((start, end, text, legend.token_types[kind], names))
    for before, after in zip(found, found[1:]):
        assert (before[1].line, before[1].character) <= (after[0].line, after[0].character), "tokens overlap"
    return found


async def full(editor, document):
    return await within(
        editor.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document.id))
    )


async def test_tokens_are_words_of_the_text(document):
    editor, document = document
    tokens = decoded(editor, document, (await full(editor, document)).data)
    kinds = {}
    for _, _, text, kind, _ in tokens:
        kinds.setdefault(text, set()).add(kind)
    assert kinds["kernel"] == kinds["view"] == kinds["run"] == {"keyword"}
    assert kinds["scale"] == {"function"}
    assert kinds["8"] == {"number"} and kinds['"sizes.shape"'] == {"string"}
    assert kinds["a"] == {"parameter"} and kinds["f32"] == {"type"}
    declared = {text for _, _, text, _, modifiers in tokens if "declaration" in modifiers}
    assert {"matrix", "half", "strided", "scale", "xs", "ys", "i"} <= declared


async def test_a_range_has_the_tokens_of_the_whole_that_are_in_it(document):
    editor, document = document
    whole = decoded(editor, document, (await full(editor, document)).data)
    part = types.Range(types.Position(3, 0), types.Position(7, 0))
    params = types.SemanticTokensRangeParams(document.id, part)
    answer = await within(editor.client.text_document_semantic_tokens_range_async(params))
    inside = [token for token in whole if 3 <= token[0].line < 7]
    assert [token for token in decoded(editor, document, answer.data) if 3 <= token[0].line < 7] == inside


async def test_a_delta_leads_from_the_old_tokens_to_the_new(document):
    editor, document = document
    known = await full(editor, document)
    for old, new in [("matrix : ", "longer : "), ("\n\nmap", "\n/* 😀 */ map"), ("[i] = a *", "[i] = 2.0 *")]:
        editor.replace(document, old, new)
        params = types.SemanticTokensDeltaParams(document.id, known.result_id)
        answer = await within(editor.client.text_document_semantic_tokens_full_delta_async(params))
        data = list(known.data)
        if isinstance(answer, types.SemanticTokensDelta):
            for edit in sorted(answer.edits, key=lambda edit: -edit.start):
                data[edit.start : edit.start + edit.delete_count] = list(edit.data or [])
            assert sum(len(edit.data or []) for edit in answer.edits) < len(data) / 2
        else:
            data = list(answer.data)
        fresh = await full(editor, document)
        assert data == list(fresh.data)
        decoded(editor, document, data)
        known = fresh


async def test_a_delta_from_something_unknown_is_everything(document):
    editor, document = document
    params = types.SemanticTokensDeltaParams(document.id, "no result of this server")
    answer = await within(editor.client.text_document_semantic_tokens_full_delta_async(params))
    assert isinstance(answer, types.SemanticTokens)
    assert list(answer.data) == list((await full(editor, document)).data)
