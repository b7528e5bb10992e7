"""A document as a client keeps it: lines, columns in the agreed encoding, edits."""

from __future__ import annotations

from lsprotocol import types

UNIT_BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def width(text: str, encoding: str) -> int:
    """How many columns a text takes."""
    codec, size = UNIT_BYTES[encoding]
    return len(text.encode(codec)) // size


def line_starts(text: str) -> list[int]:
    """Where lines begin; a line ends with LF, CRLF or a lone CR."""
    starts = [0]
    for at, character in enumerate(text):
        if character == "\n" or character == "\r" and text[at + 1 : at + 2] != "\n":
            starts.append(at + 1)
    return starts


def to_position(text: str, at: int, encoding: str) -> types.Position:
    """The position of a character."""
    starts = line_starts(text)
    line = max(number for number, start in enumerate(starts) if start <= at)
    return types.Position(line=line, character=width(text[starts[line] : at], encoding))


def to_index(text: str, position: types.Position, encoding: str) -> int:
    """The character at a position, which must be one between characters."""
    starts = line_starts(text) + [len(text)]
    at = starts[position.line]
    end = starts[position.line + 1] if position.line + 1 < len(starts) else len(text)
    columns = position.character
    while columns > 0:
        assert at < end, f"{position} is beyond its line"
        columns -= width(text[at], encoding)
        at += 1
    assert columns == 0, f"{position} is inside a character"
    return at


def slice_of(text: str, where: types.Range, encoding: str) -> str:
    """The text in a range."""
    return text[to_index(text, where.start, encoding) : to_index(text, where.end, encoding)]


def applied(text: str, edits, encoding: str) -> str:
    """A text after edits that all speak of it as it is; they must not overlap."""
    places = sorted(
        (to_index(text, edit.range.start, encoding), to_index(text, edit.range.end, encoding), order, edit.new_text)
        for order, edit in enumerate(edits)
    )
    result, at = "", 0
    for start, end, _, new in places:
        assert at <= start <= end, "edits overlap"
        result += text[at:start] + new
        at = end
    return result + text[at:]
