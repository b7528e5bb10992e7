#!/usr/bin/env python3
"""Proves and measures Shapewright on a machine with a GPU: `python3 prove.py`, or with `--help`.

Needs Python 3.9 and its standard library. What is compared with PyTorch and Triton is left out where Python lacks them.
"""

import sys

from proving.main import main

if __name__ == "__main__":
    sys.exit(main())
