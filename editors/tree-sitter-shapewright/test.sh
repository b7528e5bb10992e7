#!/usr/bin/env bash
# Tests the grammar: what generate.sh makes is up to date, the corpus has its trees, and every source of Shapewright
# that is right has a tree without an error.
set -euo pipefail
cd "$(dirname "$0")"
source ./tool.sh
root="$(git rev-parse --show-toplevel)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
export TREE_SITTER_LIBDIR="$scratch/lib"
echo "{ \"parser-directories\": [\"$scratch\"] }" > "$scratch/config.json"

generated() {
    diff -rq "$@" || { echo "run generate.sh and commit what it makes" >&2; exit 1; }
}

parse() {
    "$TREE_SITTER" parse --config-path "$scratch/config.json" --quiet "$@"
}

echo "the parser is the one that grammar.js gives"
mkdir "$scratch/grammar"
cp -r grammar.js tree-sitter.json src "$scratch/grammar"
(cd "$scratch/grammar" && "$TREE_SITTER" generate --abi 14)
generated src "$scratch/grammar/src"
grep -q '^#define LANGUAGE_VERSION 14$' src/parser.c

echo "the queries of Neovim's plugin are those of the grammar"
generated --exclude=helix queries ../nvim/queries/shapewright

echo "the scanner compiles without a warning"
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror -fsyntax-only -Isrc src/scanner.c

echo "the corpus"
"$TREE_SITTER" test

echo "every source has a tree without an error"
./sources.py "$root" "$scratch/sources" > "$scratch/list"
parse --paths "$scratch/list"
echo "$(wc -l < "$scratch/list") sources"

echo "a source that is wrong has none"
echo 'map m = [1, 2 + ;' > "$scratch/wrong.shape"
if parse "$scratch/wrong.shape"; then
    echo "the parser takes anything" >&2
    exit 1
fi
