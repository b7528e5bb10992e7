import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { discover, executable, type Surroundings } from "../../src/server/discovery.js";

let root: string;
before(() => (root = mkdtempSync(join(tmpdir(), "shapewright-discovery-"))));
after(() => rmSync(root, { recursive: true, force: true }));

function program(...path: string[]): string {
  const file = join(root, ...path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  return file;
}

function where(changes: Partial<Surroundings>): Surroundings {
  const nothing = { setting: "", extension: join(root, "none"), workspace: undefined, home: root, path: "" };
  return { ...nothing, platform: "linux", ...changes };
}

test("the setting comes before all else", async () => {
  const path = program("set", "my-server");
  program("extension", "server", "shapewright");
  const found = await discover(where({ setting: path, extension: join(root, "extension") }));
  assert.deepEqual(found, { server: { path, origin: "setting" } });
});

test("then the server in the extension, then the PATH in its order", async () => {
  const bundled = program("bundle", "server", "shapewright");
  const first = program("first", "shapewright");
  program("second", "shapewright");
  const path = [join(root, "empty"), join(root, "first"), join(root, "second")].join(delimiter);
  const both = await discover(where({ extension: join(root, "bundle"), path }));
  assert.deepEqual(both, { server: { path: bundled, origin: "bundled" } });
  assert.deepEqual(await discover(where({ path })), { server: { path: first, origin: "path" } });
});

test("a setting that leads nowhere is an error, though there are other servers", async () => {
  const bundled = program("other", "server", "shapewright");
  const setting = join(root, "gone");
  const found = await discover(where({ setting, extension: join(bundled, "..", ".."), path: join(root, "first") }));
  assert.deepEqual(found, { problem: { kind: "setting-not-there", path: setting } });
});

test("a folder is no server", async () => {
  mkdirSync(join(root, "folder"), { recursive: true });
  const found = await discover(where({ setting: join(root, "folder") }));
  assert.deepEqual(found, { problem: { kind: "setting-not-there", path: join(root, "folder") } });
});

test("~ is the home folder, and ${workspaceFolder} the workspace's", async () => {
  const path = program("bin", "shapewright");
  assert.deepEqual(await discover(where({ setting: "~/bin/shapewright" })), { server: { path, origin: "setting" } });
  const workspace = await discover(where({ setting: "${workspaceFolder}/bin/shapewright", workspace: root }));
  assert.deepEqual(workspace, { server: { path, origin: "setting" } });
});

test("a relative setting is refused: it would depend on the folder that the editor was started in", async () => {
  for (const setting of ["shapewright", "./bin/shapewright", "${workspaceFolder}/bin/shapewright"]) {
    assert.deepEqual(await discover(where({ setting })), { problem: { kind: "setting-not-absolute", setting } });
  }
});

test("white space around the setting does not matter, and alone it is no setting", async () => {
  const path = program("space", "shapewright");
  assert.deepEqual(await discover(where({ setting: ` ${path}\n` })), { server: { path, origin: "setting" } });
  const found = await discover(where({ setting: "  ", path: join(root, "space") }));
  assert.deepEqual(found, { server: { path, origin: "path" } });
});

test("what may not be executed is an error in the setting and passed over on the PATH", async () => {
  const path = program("plain", "shapewright");
  chmodSync(path, 0o644);
  const problem = { kind: "not-executable", path, origin: "setting" };
  assert.deepEqual(await discover(where({ setting: path })), { problem });
  const next = program("next", "shapewright");
  const folders = [join(root, "plain"), join(root, "next")].join(delimiter);
  assert.deepEqual(await discover(where({ path: folders })), { server: { path: next, origin: "path" } });
});

test("relative and empty folders of the PATH do not count", async () => {
  const found = await discover(where({ path: ["", ".", "bin"].join(delimiter) }));
  const bundled = join(root, "none", "server", "shapewright");
  assert.deepEqual(found, { problem: { kind: "nowhere", bundled } });
});

test("on Windows the server is called shapewright.exe", async () => {
  assert.equal(executable("win32"), "shapewright.exe");
  const path = program("windows", "server", "shapewright.exe");
  const found = await discover(where({ extension: join(root, "windows"), platform: "win32" }));
  assert.deepEqual(found, { server: { path, origin: "bundled" } });
});
