#!/usr/bin/env bash
# Tests the plugin in a real Neovim.
#
#   SHAPEWRIGHT  the command; built with cargo where it is not given
#   NVIM         the editor; `cargo xtask test nvim` installs one and gives it
set -euo pipefail
cd "$(dirname "$0")"
root="$(git rev-parse --show-toplevel)"

if [ -z "${NVIM:-}" ]; then
    echo "NVIM names no Neovim: set it, or run \`cargo xtask test nvim\`, which installs one" >&2
    exit 1
fi
if [ -z "${SHAPEWRIGHT:-}" ]; then
    (cd "$root" && cargo build --bin shapewright)
    SHAPEWRIGHT="$root/target/debug/shapewright"
fi
"$NVIM" --version | sed -n 1p
"$SHAPEWRIGHT" --version
export SHAPEWRIGHT

suites=(editor syntax indentation tree_sitter missing fake real)
if "$NVIM" --headless --clean -c 'execute has("nvim-0.11") ? "qall!" : "cquit!"'; then
    suites+=(enable)
fi
failed=()
for suite in "${suites[@]}"; do
    echo "Neovim: $suite"
    scratch="$(mktemp -d)"
    mkdir "$scratch/home"
    # A server that hangs must not hang the tests.
    env HOME="$scratch/home" XDG_CONFIG_HOME="$scratch/config" XDG_DATA_HOME="$scratch/data" \
        XDG_STATE_HOME="$scratch/state" XDG_CACHE_HOME="$scratch/cache" FAKE_LOG="$scratch/log" \
        timeout 600 "$NVIM" --headless --clean -u test/init.lua -c "luafile test/$suite.lua" < /dev/null \
        || failed+=("$suite")
    rm -rf "$scratch"
done
rm -f doc/tags
if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}" >&2
    exit 1
fi
