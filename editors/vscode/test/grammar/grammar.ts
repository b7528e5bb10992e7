/** The grammar, applied to text as VS Code applies it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import tmgrammar from "vscode-tmgrammar-test/dist/common/index.js";

/** The folder of the extension; tests run from its `out/test/…`. */
export const extension = fileURLToPath(new URL("../../../", import.meta.url));
/** The folder of the whole project. */
export const project = join(extension, "..", "..");

const SHAPEWRIGHT = "source.shapewright";
const MARKDOWN = "text.html.markdown";
const registry = tmgrammar.createRegistryFromGrammars([
  grammar(SHAPEWRIGHT, "shapewright.tmLanguage.json"),
  grammar("markdown.shapewright.codeblock", "markdown.tmLanguage.json", [MARKDOWN]),
  // What blocks in Markdown are injected into; VS Code's own grammar is not needed for that.
  {
    grammar: { scopeName: MARKDOWN, path: "markdown.json" },
    content: JSON.stringify({ scopeName: MARKDOWN, patterns: [] }),
  },
]);

function grammar(scopeName: string, file: string, injectTo: string[] = []) {
  const path = join(extension, "syntaxes", file);
  return { grammar: { scopeName, path, injectTo }, content: readFileSync(path, "utf8") };
}

/** A piece of a line, and the names that the grammar gives it, the widest first. */
export interface Piece {
  readonly start: number;
  readonly text: string;
  readonly scopes: readonly string[];
}

/** A line with its pieces. */
export interface Line {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** Splits a text into pieces, line by line. */
export async function tokenize(text: string, scopeName = SHAPEWRIGHT): Promise<Line[]> {
  const grammar = await registry.loadGrammar(scopeName);
  if (grammar === null) {
    throw new Error(`there is no grammar ${scopeName}`);
  }
  let stack: Parameters<typeof grammar.tokenizeLine>[1] = null;
  return text.split(/\r?\n/).map((line) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    const pieces = result.tokens
      .map(({ startIndex, endIndex, scopes }) => ({ start: startIndex, text: line.slice(startIndex, endIndex), scopes }))
      .filter((piece) => piece.text !== "");
    return { text: line, pieces };
  });
}

/** The narrowest name of the piece that begins with `part`, in the first line that holds it. */
export async function scopeOf(text: string, part: string, from = 0): Promise<string> {
  const at = text.indexOf(part, from);
  const before = text.slice(0, at).split("\n");
  const lines = await tokenize(text);
  const column = before.at(-1)?.length ?? 0;
  const piece = lines[before.length - 1]?.pieces.find(
    ({ start, text }) => start <= column && column < start + text.length,
  );
  if (at < 0 || piece === undefined) {
    throw new Error(`\`${part}\` is not in \`${text}\``);
  }
  return piece.scopes.at(-1) ?? "";
}
