"""The binary, and sessions with it."""

from __future__ import annotations

import os
import pathlib

import pytest
import pytest_asyncio

import editor as editors
from wire import Wire

EDITORS = ["visual-studio-code@v1.65.2", "neovim@v0.11.0", "emacs@v29.1"]


def pytest_configure(config):
    if not os.environ.get("SHAPEWRIGHT"):
        raise pytest.UsageError("the environment variable SHAPEWRIGHT must name the binary")


@pytest.fixture(scope="session")
def binary() -> str:
    path = pathlib.Path(os.environ["SHAPEWRIGHT"]).resolve()
    assert path.is_file(), f"{path}, which SHAPEWRIGHT names, is no file"
    return str(path)


@pytest_asyncio.fixture
async def sessions(binary, tmp_path):
    """Starts sessions; each is ended as the protocol says when the test is done."""
    started = []

    async def start(client="visual-studio-code@v1.65.2", options=None, configuration=None, change=None):
        capabilities = editors.capabilities_of(client)
        if change:
            change(capabilities)
        editor = await editors.start(binary, tmp_path, capabilities, options, configuration)
        started.append(editor)
        return editor

    yield start
    for editor in started:
        await editors.stop(editor)


@pytest_asyncio.fixture(params=EDITORS)
async def editor(request, sessions):
    """A session with the capabilities of each editor."""
    return await sessions(request.param)


@pytest_asyncio.fixture
async def one_editor(sessions):
    """A session, where the editor makes no difference."""
    return await sessions()


@pytest.fixture
def wire(binary, tmp_path):
    """A server with nobody well-behaved before it."""
    wires = []

    def start(**options) -> Wire:
        wires.append(Wire(binary, tmp_path, **options))
        return wires[-1]

    yield start
    for wire in wires:
        wire.end()
