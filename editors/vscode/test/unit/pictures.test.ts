import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "../../src/html.js";
import { pictureBody } from "../../src/pictures/body.js";
import { cellAt, group, moved, stepsAside } from "../../src/pictures/cells.js";
import type { Picture, PictureCell } from "../../src/protocol.js";

const cell = (thread: number | null, bank: number, state: PictureCell["state"] = "reached"): PictureCell => {
  return { state, thread, bank, marked: false, details: "" };
};

/** Two rows of three, the last one not full. */
const cells = [cell(0, 0), cell(1, 0), cell(0, 1), cell(null, 2, "empty"), cell(1, 1), null];
const picture: Picture = { title: "m", caption: null, panels: [{ title: "m", grid: { columns: 3, cells } }] };

test("the page lets in one script, by its nonce, and nothing else", () => {
  const style = { source: "https://own", href: "https://own/page.css" };
  const html = page("Picture", pictureBody(), style, { href: "https://own/picture.js", nonce: "0123" });
  assert.match(html, /default-src &#39;none&#39;; img-src data:; style-src https:\/\/own; script-src &#39;nonce-0123&#39;"/);
  assert.equal(html.match(/<script/g)?.length, 1);
  assert.match(html, /<script nonce="0123" src="https:\/\/own\/picture\.js"><\/script>\n<\/body>/);
  assert.doesNotMatch(html, / on\w+=| style=|unsafe/);
});

test("everything in the page can be reached with the keyboard and has a name", () => {
  const body = pictureBody();
  assert.equal(body.match(/<input type="radio" name="by"/g)?.length, 2);
  assert.equal(body.match(/<input type="radio" name="label"/g)?.length, 5);
  assert.match(body, /id="picture" tabindex="0" role="application" aria-label="/);
  assert.equal(body.match(/<button type="button" id="\w+" aria-label="/g)?.length, 2);
});

test("a cell makes those of other threads step back, or of other banks", () => {
  const [first, second, third, empty] = cells as PictureCell[];
  assert.ok(first && second && third && empty);
  assert.deepEqual([group(first, "thread"), group(third, "bank"), group(empty, "bank")], [0, 1, undefined]);
  assert.deepEqual([stepsAside(second, first, "thread"), stepsAside(third, first, "thread")], [true, false]);
  assert.deepEqual([stepsAside(second, first, "bank"), stepsAside(third, first, "bank")], [false, true]);
  // Nobody's cell is like no other, and makes none step back.
  assert.deepEqual([stepsAside(empty, first, "bank"), stepsAside(first, empty, "bank")], [true, false]);
});

test("arrow keys stay among the cells", () => {
  const at = (cell: number) => ({ panel: 0, cell });
  const to = (from: number, key: string) => moved(picture, at(from), key).cell;
  assert.deepEqual([to(0, "ArrowRight"), to(1, "ArrowDown"), to(4, "ArrowUp"), to(1, "ArrowLeft")], [1, 4, 1, 0]);
  assert.deepEqual([to(0, "ArrowLeft"), to(2, "ArrowRight"), to(2, "ArrowDown"), to(4, "ArrowRight")], [0, 2, 2, 4]);
  assert.deepEqual([to(0, "ArrowUp"), to(0, "Tab")], [0, 0]);
  assert.equal(cellAt(picture, { panel: 1, cell: 0 }), undefined);
});
