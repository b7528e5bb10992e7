#!/usr/bin/env bash
# Makes the parser from grammar.js, and gives Neovim's plugin its copies of the queries.
set -euo pipefail
cd "$(dirname "$0")"
source ./tool.sh
"$TREE_SITTER" generate --abi 14
rm -f ../nvim/queries/shapewright/*.scm
cp queries/*.scm ../nvim/queries/shapewright/
