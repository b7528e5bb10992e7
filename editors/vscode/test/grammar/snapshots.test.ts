/** Every example, and a tour of the language, against snapshots. `UPDATE_SNAPSHOTS=1` writes them anew. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { extension, type Line, project, tokenize } from "./grammar.js";

const snapshots = join(extension, "test", "grammar", "snapshots");
const files = [
  ...shapes(join(project, "examples")),
  ...shapes(join(project, "tests", "fixtures")),
  ...shapes(join(extension, "test", "grammar")).filter((path) => !path.endsWith("tokens.shape")),
];

test("there are examples to look at", () => {
  assert.ok(files.length > 10, `only ${files.length} files were found`);
});

for (const file of files) {
  const name = basename(file);
  test(`${name} is coloured as before`, async () => {
    const lines = await tokenize(readFileSync(file, "utf8"));
    assert.deepEqual(invalid(lines), [], "the grammar takes correct text for a mistake");
    compare(name, lines.map(render).join("\n"));
  });
}

test("no snapshot is left over", () => {
  const expected = files.map((file) => `${basename(file)}.snap`);
  const left = readdirSync(snapshots).filter((name) => !expected.includes(name));
  assert.deepEqual(left, []);
});

function compare(name: string, actual: string): void {
  const path = join(snapshots, `${name}.snap`);
  if (process.env["UPDATE_SNAPSHOTS"] === "1") {
    mkdirSync(snapshots, { recursive: true });
    writeFileSync(path, actual);
  }
  assert.ok(existsSync(path), `there is no snapshot ${path}; make it with UPDATE_SNAPSHOTS=1 and look at it`);
  assert.equal(actual, readFileSync(path, "utf8"));
}

/** A line, and below it each piece with its names. What every piece is, is left out. */
function render(line: Line): string {
  const pieces = line.pieces
    .filter(({ text }) => text.trim() !== "")
    .map(({ start, text, scopes }) => {
      const names = scopes.slice(1).map((scope) => scope.replace(/\.shapewright$/, ""));
      return `#${" ".repeat(start)}${"^".repeat(text.length)} ${names.join(" ")}`.trimEnd();
    });
  return [`>${line.text}`, ...pieces].join("\n");
}

function invalid(lines: readonly Line[]): string[] {
  const pieces = lines.flatMap((line) => line.pieces);
  return pieces.filter(({ scopes }) => scopes.some((scope) => scope.startsWith("invalid"))).map(({ text }) => text);
}

function shapes(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".shape"));
  return names.sort().map((name) => join(folder, name));
}
