/** Every example: correct text is nowhere taken for a mistake, and every word of it is understood as something. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { type Piece, project, tokenize } from "./grammar.js";

const files = [...shapes(join(project, "examples")), ...shapes(join(project, "tests", "fixtures"))];

test("there are examples to look at", () => {
  assert.ok(files.length > 10, `only ${files.length} files were found`);
});

for (const file of files) {
  test(`${basename(file)} is understood`, async () => {
    const lines = await tokenize(readFileSync(file, "utf8"));
    const pieces = lines.flatMap((line) => line.pieces).filter(({ text }) => text.trim() !== "");
    assert.deepEqual(pieces.filter(isInvalid).map(textOf), [], "the grammar takes correct text for a mistake");
    assert.deepEqual(pieces.filter(isPlain).map(textOf), [], "the grammar has no name for these");
  });
}

function isInvalid({ scopes }: Piece): boolean {
  return scopes.some((scope) => scope.startsWith("invalid"));
}

function isPlain({ scopes }: Piece): boolean {
  return scopes.length === 1;
}

function textOf({ text }: Piece): string {
  return text;
}

function shapes(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".shape"));
  return names.sort().map((name) => join(folder, name));
}
