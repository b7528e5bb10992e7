/** What the fake server says about a text: just enough to be seen. */

import type { RunResult } from "../../src/protocol.js";

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Declaration {
  readonly word: string;
  readonly name: string;
  readonly line: number;
  readonly start: number;
  readonly length: number;
}

/** Its items, one in a line. */
export function declarations(text: string): Declaration[] {
  return text.split(/\r?\n/).flatMap((content, line) => {
    const found = /^(kernel|map|run)\s+(\w+)/.exec(content);
    const [, word, name] = found ?? [];
    return word === undefined || name === undefined
      ? []
      : [{ word, name, line, start: content.indexOf(name, word.length), length: content.length }];
  });
}

/** Each word `wrong` is an error. */
export function diagnostics(text: string): unknown[] {
  return text.split(/\r?\n/).flatMap((content, line) => {
    const at = content.indexOf("wrong");
    const range = { start: { line, character: at }, end: { line, character: at + "wrong".length } };
    return at < 0
      ? []
      : [{ range, severity: 1, source: "shapewright", code: "rank-mismatch", message: "the declared rank is 1, but the shape has rank 2" }];
  });
}

/** What stands under the cursor. */
export function hover(text: string, position: Position): unknown {
  const item = declarations(text).find(({ line }) => line === position.line);
  return item === undefined ? null : { contents: { kind: "markdown", value: `**${item.name}** has 12 elements` } };
}

/** A verdict behind each map, and the last result behind each run. */
export function inlayHints(text: string, last: RunResult | undefined): unknown[] {
  return declarations(text).flatMap(({ word, line, length }) => {
    const position = { line, character: length };
    if (word === "map") {
      return [{ position, label: "[3, 4] → [12] race-free", paddingLeft: true }];
    }
    return word === "run" && last !== undefined ? [{ position, label: "✓ 87.2 µs", paddingLeft: true }] : [];
  });
}

/** Lenses as the real server gives them. */
export function codeLenses(uri: string, text: string, last: RunResult | undefined): unknown[] {
  return declarations(text).flatMap(({ word, name, line }) => {
    const lens = (title: string, command: string) => ({
      range: { start: { line, character: 0 }, end: { line, character: 3 } },
      command: { title, command, arguments: [{ uri, name: word === "run" ? `${name}#1` : name }] },
    });
    if (word === "map") {
      return [lens("Show picture", "shapewright.showLens")];
    }
    if (word !== "run") {
      return [];
    }
    const result = last === undefined ? [] : [lens("✓ expect passed", "shapewright.runLens")];
    return [lens("Run", "shapewright.runLens"), lens("Run on GPU", "shapewright.runGpuLens"), ...result];
  });
}

/** Kernels and maps are functions, runs are events, as with the real server. */
export function documentSymbols(text: string): unknown[] {
  return declarations(text).map(({ word, name, line, start, length }) => ({
    name,
    detail: word,
    kind: word === "run" ? 24 : 12,
    range: { start: { line, character: 0 }, end: { line, character: length } },
    selectionRange: { start: { line, character: start }, end: { line, character: start + name.length } },
  }));
}
