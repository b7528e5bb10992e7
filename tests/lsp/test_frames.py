"""Frames that are none: each is answered or ignored, and the session goes on."""

import json

import pytest

from wire import frame

JSON = b'{"jsonrpc":"2.0","id":"odd","method":"textDocument/hover"'


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


@pytest.mark.parametrize(
    "content, code",
    [
        (framed(b""), None),
        (framed(b"no json"), -32700),
        (framed(JSON), -32700),
        (framed(b"\xff\xfe\x00"), -32700),
        (framed(b'{"jsonrpc":"2.0","id":"\xc3"}'), -32700),
        (framed(b"null"), -32600),
        (framed(b"17"), -32600),
        (framed(b'"text"'), -32600),
        (framed(b"{}"), -32600),
        (framed(b'{"jsonrpc":"2.0","id":"odd"}'), None),
        (framed(b'{"jsonrpc":"2.0","id":"odd","method":7}'), -32600),
        (framed(b'{"jsonrpc":"2.0","id":{},"method":"shutdown"}'), -32600),
        (framed(b'[{"jsonrpc":"2.0","id":"odd","method":"shutdown"}]'), -32600),
        (framed(b"[" * 100_000), -32700),
        (framed(b'{"a":' * 20_000), -32700),
    ],
    ids=lambda value: repr(value[:50]) if isinstance(value, bytes) else str(value),
)
def test_a_body_that_is_no_message_does_not_end_the_session(wire, content, code):
    server = wire()
    server.initialize()
    server.send_bytes(content)
    server.is_alive()
    answers = [message for message in server.others if "method" not in message]
    if code is not None:
        [answer] = answers
        assert answer["error"]["code"] in (code, -32700, -32600)
        assert answer["error"]["message"]
    assert server.shut_down() == 0


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: nonsense\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 99999999999999999999999999\r\n\r\n",
        b"Content-Type: x\r\n\r\n",
        b"no header at all\r\n\r\n",
        b"\r\n\r\n",
    ],
)
def test_a_header_that_is_none_does_not_end_the_session(wire, header):
    server = wire()
    server.initialize()
    server.send_bytes(header)
    server.is_alive()
    assert server.shut_down() == 0


def test_headers_may_be_written_otherwise(wire):
    server = wire()
    server.initialize()
    body = json.dumps({"jsonrpc": "2.0", "id": "odd", "method": "shutdown"}).encode()
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    server.send_bytes(kind + b"content-length:   %d \r\n\r\n" % len(body) + body)
    assert server.response("odd")["result"] is None


def test_frames_may_arrive_in_any_pieces(wire):
    server = wire()
    server.initialize()
    message = lambda id: {"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": server.place(0, 0)}
    server.open("a : [1]; // 😀\n")
    for byte in frame(message("bytes")):
        server.send_bytes(bytes([byte]))
    server.response("bytes")
    server.send_bytes(b"".join(frame(message(f"together {number}")) for number in range(20)))
    for number in range(20):
        server.response(f"together {number}")
    assert server.shut_down() == 0


def test_a_message_of_ten_megabytes_is_read(wire):
    server = wire()
    server.initialize()
    server.open("// 😀 line\n" * 700_000 + "a : [missing];\n")
    # The message is read; a text that no source file has is not checked.
    [problem] = server.diagnostics(1)
    assert (problem["code"], problem["range"]["start"]["line"]) == ("text-too-large", 0)
    assert server.shut_down() == 0


def test_a_text_of_almost_four_mebibytes_is_checked(wire):
    server = wire()
    server.initialize()
    server.open("// 😀 line\n" * 300_000 + "a : [missing];\n")
    [problem] = server.diagnostics(1)
    assert (problem["code"], problem["range"]["start"]["line"]) == ("unknown-name", 300_000)
    assert server.shut_down() == 0
