#!/usr/bin/env python3
"""Lists the sources of Shapewright that are right: files, and the blocks marked `shape` in the documentation.

sources.py ROOT FOLDER writes the blocks to files in FOLDER and prints all paths.
"""

import re
import sys
from pathlib import Path

FOLDERS = ["examples", "tests/fixtures", "tests/tests/cuda_shim", "compiler/tests/fixtures", "compiler/check/library",
           "server/tests"]
PAGES = ["README.md", "docs"]

# Files that are not in the language's notation, each with the reason.
WRONG: dict[str, str] = {}


def files(root):
    found = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.shape"))]
    return [path for path in found if str(path.relative_to(root)) not in WRONG]


def pages(root):
    for page in PAGES:
        path = root / page
        yield from sorted(path.rglob("*.md")) if path.is_dir() else [path]


def blocks(root, folder):
    for page in pages(root):
        text = page.read_text(encoding="utf-8")
        for number, block in enumerate(re.findall(r"^```shape\n(.*?)^```", text, re.MULTILINE | re.DOTALL)):
            path = folder / f"{page.stem}_{number}.shape"
            path.write_text(block, encoding="utf-8")
            yield path


def main(root, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in WRONG:
        if not (root / name).exists():
            sys.exit(f"{name} is listed as wrong, but it is not there")
    paths = [*files(root), *blocks(root, folder)]
    if len(paths) < 60:
        sys.exit(f"there are only {len(paths)} sources; have the folders moved?")
    print(*paths, sep="\n")


main(Path(sys.argv[1]), Path(sys.argv[2]))
