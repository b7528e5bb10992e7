# Sets TREE_SITTER to the command line of tree-sitter, in the version that the parser is made with. Where none is
# given it is built once, with cargo, since the packages for other languages download it from elsewhere.
TREE_SITTER_VERSION=0.25.10

if [ -z "${TREE_SITTER:-}" ]; then
    tools="$(git rev-parse --show-toplevel)/target/tools"
    TREE_SITTER="$tools/bin/tree-sitter"
    if [ ! -x "$TREE_SITTER" ] || [[ "$("$TREE_SITTER" --version)" != "tree-sitter $TREE_SITTER_VERSION"* ]]; then
        cargo install --locked --debug --root "$tools" --target-dir "$tools/target" \
            "tree-sitter-cli@$TREE_SITTER_VERSION"
        rm -rf "$tools/target"
    fi
fi
if [[ "$("$TREE_SITTER" --version)" != "tree-sitter $TREE_SITTER_VERSION"* ]]; then
    echo "$TREE_SITTER is $("$TREE_SITTER" --version), but the parser is made with $TREE_SITTER_VERSION" >&2
    exit 1
fi
