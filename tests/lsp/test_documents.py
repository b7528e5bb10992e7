"""Documents are what the client says they are, edit by edit."""

import pathlib
import random

from lsprotocol import types

import samples
import text as texts


async def test_diagnostics_follow_the_text(editor):
    document = editor.open("main.shape", "a : [missing];\n")
    [problem] = await editor.problems(document)
    assert (problem.code, problem.source) == ("unknown-name", "shapewright")
    assert problem.severity == types.DiagnosticSeverity.Error
    assert document.slice(problem.range) == "missing"
    editor.change(document, (document.range("missing"), "3"))
    assert await editor.problems(document) == []
    editor.change(document, (None, "mdspan<2> a : [3];\n"))
    assert await editor.codes(document) == ["rank-mismatch"]
    editor.close(document)
    if not editor.pulls:
        await editor.until(lambda: not editor.published[document.uri][-1].diagnostics)


async def test_pushed_diagnostics_have_the_version(sessions):
    editor = await sessions()
    assert not editor.pulls
    document = editor.open("main.shape", "a : [missing];\n")
    for number in range(2, 12):
        editor.change(document, (document.range("missing"), f"missing /* {number} */"))
    await editor.problems(document)
    versions = [params.version for params in editor.published[document.uri]]
    assert versions == sorted(versions) and versions[-1] == 11


async def test_an_edit_of_several_changes_is_made_in_order(editor):
    document = editor.open("main.shape", "a : [1];\r\n// 😀\r\nb : [2];\r\n")
    line = types.Range(types.Position(1, 0), types.Position(2, 0))
    here = types.Range(types.Position(1, 0), types.Position(1, 0))
    editor.change(document, (line, ""), (here, "/* 😀 */ c : [x1];\r"), (here, "// ü\n"))
    [problem] = await editor.problems(document)
    assert document.slice(problem.range) == "x1"


async def test_random_edits_leave_the_text_that_the_client_has(editor):
    chance = random.Random(7)
    pieces = ["😀", "ü", "\r\n", "\n", "\r", "a : [1];", "/*", "*/", "//", "[", "]", "\"", " ", "kernel k(", "}", "\u2028", "x"]
    document = editor.open("main.shape", samples.MAIN + samples.WRONG)
    for round in range(40):
        for _ in range(5):
            starts = sorted(chance.sample(range(len(document.text) + 1), 2))
            start, end = starts[0], min(starts[1], starts[0] + chance.randrange(12))
            # A position between CR and LF is no position.
            while 0 < start < len(document.text) and document.text[start - 1 : start + 1] == "\r\n":
                start -= 1
            while 0 < end < len(document.text) and document.text[end - 1 : end + 1] == "\r\n":
                end += 1
            at = lambda index: texts.to_position(document.text, index, document.encoding)
            new = "".join(chance.choice(pieces) for _ in range(chance.randrange(4)))
            editor.change(document, (types.Range(at(start), at(end)), new))
        fresh = editor.open(f"fresh{round}.shape", document.text)
        found, expected = await editor.problems(document), await editor.problems(fresh)
        shown = lambda problems: [(p.code, p.message, p.range) for p in problems]
        assert shown(found) == shown(expected), repr(document.text)
        editor.close(fresh)


async def test_what_is_used_is_read_from_the_disk_and_from_open_documents(editor):
    editor.write("sizes.shape", samples.SIZES)
    document = editor.open("main.shape", samples.MAIN)
    assert "unresolved-use" not in await editor.codes(document)
    sizes = editor.open("sizes.shape", samples.SIZES)
    editor.replace(sizes, "M", "K")
    editor.change(document, (types.Range(types.Position(0, 0), types.Position(0, 0)), "// again\n"))
    assert "unknown-name" in await editor.codes(document)
    # Closed without saving, it is again what stands on the disk.
    editor.close(sizes)
    editor.change(document, (types.Range(types.Position(0, 0), types.Position(0, 0)), "// again\n"))
    assert "unknown-name" not in await editor.codes(document)


async def test_files_that_change_or_go_on_the_disk_are_noticed(editor):
    uri = editor.write("sizes.shape", "dim K;\n")
    document = editor.open("main.shape", samples.MAIN)
    assert "unknown-name" in await editor.codes(document)

    async def told(kind):
        event = types.FileEvent(uri, kind)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        editor.change(document, (types.Range(types.Position(0, 0), types.Position(0, 0)), "// again\n"))
        return await editor.codes(document)

    editor.write("sizes.shape", samples.SIZES)
    assert "unknown-name" not in await told(types.FileChangeType.Changed)
    (editor.root / "sizes.shape").unlink()
    assert "unresolved-use" in await told(types.FileChangeType.Deleted)
    editor.write("sizes.shape", samples.SIZES)
    assert "unresolved-use" not in await told(types.FileChangeType.Created)


async def test_related_places_and_pages_are_linked(one_editor):
    document = one_editor.open("main.shape", "a : [1];\na : [2];\n")
    [problem] = await one_editor.problems(document)
    [related] = problem.related_information
    assert document.slice(related.location.range) == "a" and related.location.range.start.line == 0
    page = problem.code_description.href
    assert "duplicate-name" in page
    # A page on this machine is there.
    assert page.startswith("https://") or pathlib.Path(page.removeprefix("file://")).is_file()
