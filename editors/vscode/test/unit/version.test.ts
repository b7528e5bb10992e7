import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { explainProblem, type ServerProblem } from "../../src/server/problem.js";
import { checkVersion, isNewEnough, readVersion } from "../../src/server/version.js";

let root: string;
before(() => (root = mkdtempSync(join(tmpdir(), "shapewright-version-"))));
after(() => rmSync(root, { recursive: true, force: true }));

function program(name: string, body: string): string {
  const path = join(root, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

test("a version is read from what the server prints", () => {
  assert.equal(readVersion("shapewright 0.1.0\n")?.version, "0.1.0");
  assert.equal(readVersion("shapewright v1.2.3-dev.4 (abcdef 2026-01-01)\n")?.version, "1.2.3-dev.4");
  for (const other of ["", "shapewright", "shapewright 1.2", "shapewright nightly", "rustc 1.95.0", "0.1.0"]) {
    assert.equal(readVersion(other), undefined, other);
  }
});

test("versions are compared as numbers, and one on the way to the minimum will do", () => {
  const enough = (version: string, minimum: string) => {
    const read = readVersion(`shapewright ${version}`);
    assert.ok(read);
    return isNewEnough(read, minimum);
  };
  assert.ok(enough("0.1.0", "0.1.0"));
  assert.ok(enough("0.10.0", "0.9.0"));
  assert.ok(enough("1.0.0", "0.9.9"));
  assert.ok(enough("0.2.0-dev", "0.2.0"));
  assert.ok(!enough("0.9.0", "0.10.0"));
  assert.ok(!enough("0.0.9", "0.1.0"));
  assert.ok(!enough("0.1.9-dev", "0.2.0"));
});

test("a server that is new enough is taken", async () => {
  const path = program("good", 'test "$1" = --version && echo "shapewright 0.3.1"');
  assert.deepEqual(await checkVersion(path, "0.3.0"), { version: "0.3.1" });
});

test("one that is too old is not, with both versions", async () => {
  const path = program("old", 'echo "shapewright 0.3.1"');
  const problem = { kind: "too-old", path, version: "0.3.1", minimum: "0.4.0" };
  assert.deepEqual(await checkVersion(path, "0.4.0"), { problem });
});

test("another program is named with what it printed", async () => {
  const path = program("other", 'echo "GNU shape 4.2"; echo more');
  const problem = { kind: "not-shapewright", path, output: "GNU shape 4.2" };
  assert.deepEqual(await checkVersion(path, "0.1.0"), { problem });
});

test("what cannot be started, or fails, says why", async () => {
  const reason = async (path: string) => {
    const answer = await checkVersion(path, "0.1.0");
    assert.ok("problem" in answer && answer.problem.kind === "does-not-start");
    return answer.problem.reason;
  };
  assert.match(await reason(join(root, "gone")), /ENOENT/);
  assert.match(await reason(program("failing", "echo no libcuda >&2; exit 3")), /no libcuda/);
});

test("every problem says where, and what to do", () => {
  const path = "/opt/shapewright";
  const problems: ServerProblem[] = [
    { kind: "setting-not-absolute", setting: path },
    { kind: "setting-not-there", path },
    { kind: "not-executable", path, origin: "bundled" },
    { kind: "nowhere", bundled: path },
    { kind: "does-not-start", path, reason: "ENOEXEC" },
    { kind: "not-shapewright", path, output: "hello" },
    { kind: "too-old", path, version: "0.0.9", minimum: "0.1.0" },
    { kind: "start-failed", path, reason: "it ended" },
  ];
  for (const problem of problems) {
    const { short, text } = explainProblem(problem);
    assert.ok(text.includes(path), text);
    assert.match(text, /\. (Write|Correct|Make|Install|Choose|The output)/, text);
    assert.ok(short.length > 0 && short.length < 40, short);
  }
});
