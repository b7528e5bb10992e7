"""The beginning and the end of a session."""

import pytest
from lsprotocol import types

import samples


async def test_the_server_says_what_it_can(editor):
    answer = editor.answer
    assert answer.server_info.name == "shapewright"
    assert answer.server_info.version
    can = answer.capabilities
    sync = can.text_document_sync
    assert sync.open_close and sync.change == types.TextDocumentSyncKind.Incremental
    missing = [
        name
        for name in [
            "hover_provider",
            "completion_provider",
            "signature_help_provider",
            "definition_provider",
            "references_provider",
            "document_highlight_provider",
            "rename_provider",
            "document_symbol_provider",
            "workspace_symbol_provider",
            "semantic_tokens_provider",
            "inlay_hint_provider",
            "code_lens_provider",
            "code_action_provider",
            "document_formatting_provider",
            "document_range_formatting_provider",
            "folding_range_provider",
            "selection_range_provider",
            "document_link_provider",
            "execute_command_provider",
        ]
        if not getattr(can, name)
    ]
    assert missing == []
    assert can.rename_provider.prepare_provider
    assert sorted(can.execute_command_provider.commands) == [
        "shapewright.cancel",
        "shapewright.devices",
        "shapewright.emit",
        "shapewright.explain",
        "shapewright.run",
        "shapewright.show",
    ]
    assert can.workspace.workspace_folders.supported


async def test_token_names_are_standard_ones(editor):
    legend = editor.answer.capabilities.semantic_tokens_provider.legend
    types_ = "keyword number string comment operator variable parameter function type property enumMember macro"
    assert set(legend.token_types) <= set(types_.split())
    assert set(legend.token_modifiers) <= {"declaration", "readonly", "modification", "defaultLibrary"}


@pytest.mark.parametrize(
    "offered",
    [None, [], ["utf-8"], ["utf-16"], ["utf-32"], ["utf-16", "utf-8"], ["utf-8", "utf-32"], ["utf-32", "utf-8", "utf-16"]],
)
async def test_columns_are_counted_as_agreed(sessions, offered):
    def offer(capabilities):
        capabilities.general = capabilities.general or types.GeneralClientCapabilities()
        capabilities.general.position_encodings = offered

    editor = await sessions(change=offer)
    assert editor.encoding in [*(offered or []), "utf-16"]
    if offered and "utf-8" in offered:
        assert editor.encoding == "utf-8"
    document = editor.open("wrong.shape", samples.WRONG)
    shown = {document.slice(problem.range) for problem in await editor.problems(document)}
    assert "missing" in shown
    editor.change(document, (document.range("missing"), "😀3"))
    assert "syntax-error" in await editor.codes(document)
    editor.replace(document, "😀3", "3")
    assert "unknown-name" not in await editor.codes(document)


def test_nothing_is_answered_before_the_session_begins(wire):
    server = wire()
    assert server.request("textDocument/hover", server.place(0, 0))["error"]["code"] == -32002
    server.initialize()
    server.is_alive()
    assert "error" in server.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    server.is_alive()
    assert server.shut_down() == 0


def test_nothing_is_answered_after_shutdown(wire):
    server = wire()
    server.initialize()
    assert server.request("shutdown")["result"] is None
    assert server.request("textDocument/hover", server.place(0, 0))["error"]["code"] == -32600
    server.notify("exit")
    assert server.process.wait(60) == 0


def test_an_exit_without_shutdown_is_told_by_the_exit_code(wire):
    server = wire()
    server.initialize()
    server.notify("exit")
    assert server.process.wait(60) == 1


@pytest.mark.parametrize("begun", [True, False])
def test_the_server_ends_with_its_input(wire, begun):
    server = wire()
    if begun:
        server.initialize()
    server.process.stdin.close()
    server.process.wait(60)
