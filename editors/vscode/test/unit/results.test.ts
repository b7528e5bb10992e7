import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "../../src/html.js";
import { pageBody } from "../../src/pages/markdown.js";
import type { RunResult } from "../../src/protocol.js";
import { duration, element, mismatch, speed, tensor } from "../../src/results/format.js";
import { History } from "../../src/results/history.js";
import { resultsBody } from "../../src/results/page.js";

const passed: RunResult = {
  kernel: "scale",
  device: "cpu",
  bindings: { N: 12 },
  outputs: { y: { dtype: "f32", shape: [12], sample: [0, 2] } },
  expect: "passed",
  run_us: 87.21,
};

test("times have three digits and the unit that fits", () => {
  assert.equal(duration(0.5), "0.5 µs");
  assert.equal(duration(87.21), "87.2 µs");
  assert.equal(duration(1_234), "1.23 ms");
  assert.equal(duration(2_500_000), "2.5 s");
});

test("a measured run shows its median and bandwidth, another only its time", () => {
  assert.equal(speed(passed), "87.2 µs");
  const time = { compile_ms: 1, run_us_median: 85, runs: 10, bytes: 96, gb_per_s: 1812.4, percent_of_peak: 54.1, cached: false };
  assert.equal(speed({ ...passed, time }), "85 µs · 1812 GB/s (54.1 % of peak)");
});

test("a mismatch names the element, both values, and how many are wrong", () => {
  assert.equal(mismatch(passed), undefined);
  const first_mismatch = { index: [3, 1], expected: 2.5, actual: "NaN" };
  assert.equal(mismatch({ ...passed, first_mismatch, mismatches: 1 }), "at [3, 1]: expected 2.5, actual NaN");
  assert.match(mismatch({ ...passed, first_mismatch, mismatches: 7 }) ?? "", /; 7 elements are wrong$/);
});

test("elements are as short as their type allows", () => {
  assert.equal(element(0.10000000149011612), "0.1");
  assert.equal(element(true), "true");
  assert.equal(element("-inf"), "-inf");
});

test("a tensor that goes on says so", () => {
  assert.deepEqual(tensor({ dtype: "i32", shape: [2], sample: [1, 2] }), { type: "i32[2]", sample: "[1, 2]" });
  assert.deepEqual(tensor({ dtype: "i32", shape: [2, 2], sample: [1, 2] }), { type: "i32[2, 2]", sample: "[1, 2, …]" });
  assert.deepEqual(tensor({ dtype: "f32", shape: [], sample: [1] }), { type: "f32[]", sample: "[1]" });
});

test("the newest result comes first, and takes the place of the item's last one", () => {
  const history = new History();
  const add = (name: string, expect: RunResult["expect"]) =>
    history.add({ uri: "file:///a.shape", name, result: { ...passed, expect } }, new Date(0));
  add("one", "passed");
  add("two", "passed");
  add("one", "failed");
  assert.deepEqual(
    history.all().map(({ name, result }) => [name, result.expect]),
    [["one", "failed"], ["two", "passed"]],
  );
});

test("what comes from files stands in the page as text", () => {
  const result = { ...passed, kernel: "<b>", device: "<i>", notes: ["<script>1</script>"], saved: { y: "<u>.npy" } };
  const body = resultsBody([{ uri: "file:///%3Cp%3E.shape", name: "<b>\"'&", result, at: new Date(0) }]);
  assert.doesNotMatch(body, /<(b|i|script|u)>|<p>\.shape/);
  assert.match(body, /&lt;script&gt;/);
});

test("a page of text cannot run anything or leave", () => {
  const markdown = '<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) [b](command:workbench.action.quit) [c](x/race.md)';
  const body = pageBody({ title: "t", markdown });
  assert.doesNotMatch(body, /<img|href="javascript|href="command:workbench/);
  assert.match(body, /href="command:shapewright\.explainDiagnostic\?%5B%22race%22%5D"/);
});

test("a page's policy stands before anything that it governs", () => {
  const html = page("t", "<p>x</p>", { source: "https://own", href: "https://own/page.css" });
  assert.ok(html.indexOf("Content-Security-Policy") < html.indexOf("<link"));
  assert.match(html, /default-src &#39;none&#39;; img-src data:; style-src https:\/\/own"/);
});
