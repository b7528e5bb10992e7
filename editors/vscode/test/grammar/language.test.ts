/** The grammar against the compiler's own lists, so that a word that is new there is missed here. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { project, scopeOf, tokenize } from "./grammar.js";
import { MARKS, WORDS } from "./words.js";

const compiler = join(project, "compiler");
// Before that stands the macro, which has the same words for what it matches.
const lexer = part(source("syntax/src/token.rs"), /#\[rustfmt::skip\]([\s\S]*)/);
const words = pairs(part(lexer, /words \{([^}]*)\}/));
const marks = pairs(part(lexer, /punctuation \{([\s\S]*?)\n {4}\}/));

test("the lexer's words and marks are found", () => {
  assert.ok(words.length > 30 && marks.length > 30, `${words.length} words, ${marks.length} marks`);
});

test("every word of the lexer has a sample, and every sample a word", () => {
  assert.deepEqual(Object.keys(WORDS).sort(), [...words].sort());
  assert.deepEqual(Object.keys(MARKS).sort(), [...marks].sort());
});

for (const [text, [line, scope]] of [...Object.entries(WORDS), ...Object.entries(MARKS)]) {
  test(`\`${text}\` in \`${line}\` is ${scope}`, async () => {
    const found = await scopeOf(line, text);
    assert.ok(found.startsWith(`${scope}.`), `it is ${found}`);
  });
}

for (const word of words.filter((word) => !["true", "false"].includes(word))) {
  test(`\`${word}\` may be a name`, async () => {
    assert.equal(await scopeOf(`${word} : [1, 2];`, word), "entity.name.type.shape.shapewright");
    assert.equal(await scopeOf(`s : new-${word} + 1;`, `new-${word}`), "variable.other.shapewright");
    assert.equal(await scopeOf(`s : ${word}-size + 1;`, `${word}-size`), "variable.other.shapewright");
  });
}

const FUNCTIONS: readonly (readonly [place: string, list: RegExp, sample: string])[] = [
  ["check/src/evaluate/tilings.rs", /impl TilingFunction \{[\s\S]*?match self \{([\s\S]*?)\n {8}\}/, "tiling t = NAME(4, 5);"],
  ["check/src/evaluate/members.rs", /const MAP_MEMBERS[^=]*= &\[([\s\S]*?)\n\];/, "assert m.NAME;"],
  ["check/src/evaluate/tiling_members.rs", /const TILING_MEMBERS[^=]*= &\[([\s\S]*?)\n\];/, "show t.NAME;"],
  ["check/src/evaluate/units.rs", /const UNIT_MEMBERS[^=]*= &\[(.*?)\];/, "show u.NAME;"],
  ["check/src/evaluate/members.rs", /const SHAPE_MEMBERS[^=]*=\s*&\[(.*?)\];/, "show s.NAME;"],
];

for (const [place, list, sample] of FUNCTIONS) {
  const names = quoted(part(source(place), list));
  test(`${names.length} names of ${place} are known`, async () => {
    assert.ok(names.length > 1);
    for (const name of names) {
      const found = await scopeOf(sample.replace("NAME", name), name);
      assert.match(found, /^(support\.function|keyword\.other\.launch)\./, `\`${name}\` is ${found}`);
    }
  });
}

test("every function of kernels is known", async () => {
  const rest = ["mod.rs", "operation.rs", "signature.rs", "term.rs", "tests.rs"];
  const files = readdirSync(join(compiler, "kernel", "src", "functions")).filter((file) => !rest.includes(file));
  assert.ok(files.length > 20, String(files));
  for (const name of files.map((file) => file.replace(".rs", ""))) {
    assert.equal(await scopeOf(`y[0] = ${name}(a, b);`, name), "support.function.math.shapewright");
  }
});

test("every base layout and transform is known", async () => {
  const names = [...source("check/src/transforms").matchAll(/word: "(\w+)"/g)].map((match) => match[1] ?? "");
  assert.ok(names.length > 10, String(names));
  for (const name of names) {
    const found = await scopeOf(`map m = ${name}(4, 5);`, name);
    assert.match(found, /^support\.function\./, `\`${name}\` is ${found}`);
  }
});

test("every unit is known", async () => {
  const names = [...source("maps/src/threads/standard.rs").matchAll(/name: "(\w+)",\s+parameters: &\[(.*?)\]/g)];
  assert.ok(names.length > 10, String(names));
  for (const [, name = "", parameters] of names) {
    const found = await scopeOf(parameters === "" ? `unit u = ${name};` : `unit u = ${name}(4, 32);`, name);
    assert.match(found, /^support\.(constant|function)\./, `\`${name}\` is ${found}`);
  }
});

test("every element type is known", async () => {
  const types = "bool i8 i16 i32 i64 u8 u16 u32 u64 e4m3 e5m2 f16 bf16 f32 f64".split(" ");
  for (const type of types) {
    assert.equal(await scopeOf(`kernel k(x: mut ${type}[N]) {}`, `${type}[`), "support.type.element.shapewright");
  }
});

test("a fenced block in Markdown is coloured, and what follows it is not", async () => {
  const lines = await tokenize("```shape\nmap m = 1;\n```\nmap m = 1;", "text.html.markdown");
  const scopes = lines.map((line) => line.pieces.at(0)?.scopes ?? []);
  assert.ok(scopes[1]?.includes("meta.embedded.block.shapewright"), String(scopes[1]));
  assert.equal(scopes[1]?.at(-1), "storage.type.map.shapewright");
  assert.deepEqual(scopes[3], ["text.html.markdown"]);
});

test("a string ends with its line, and a comment that is not closed does not", async () => {
  const lines = await tokenize('use "a\nmap m = 1;\n/* b\nmap n = 2;');
  const scopes = lines.map((line) => line.pieces.at(0)?.scopes.at(-1));
  assert.equal(scopes[1], "storage.type.map.shapewright");
  assert.equal(scopes[3], "comment.block.shapewright");
});

test("a bracket that is not closed does not swallow the next kernel", async () => {
  assert.equal(await scopeOf("s : [1, 2\nkernel k(x: f32) {}", "kernel"), "storage.type.kernel.shapewright");
});

/** A source of the compiler, or all sources of one of its folders. */
function source(place: string): string {
  const path = join(compiler, place);
  if (place.endsWith(".rs")) {
    return readFileSync(path, "utf8");
  }
  const files = readdirSync(path).filter((name) => name.endsWith(".rs"));
  return files.map((name) => readFileSync(join(path, name), "utf8")).join("\n");
}

function part(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  assert.ok(found !== undefined, `${pattern} is not in the compiler any more; this test has to follow it`);
  return found;
}

/** The texts in `Name = "text", …`. */
function pairs(text: string): string[] {
  return [...text.matchAll(/\w+ = "([^"]+)"/g)].map((match) => match[1] ?? "");
}

/** The names at the beginnings of entries: `"name"` or `("name", …)`. */
function quoted(text: string): string[] {
  const entries = [...text.matchAll(/\("(\w+)",/g)].map((match) => match[1] ?? "");
  return entries.length > 0 ? entries : [...text.matchAll(/"(\w+)"/g)].map((match) => match[1] ?? "");
}
