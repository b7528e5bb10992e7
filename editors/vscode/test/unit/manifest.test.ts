/** `package.json` against what the sources say. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { valid } from "semver";

const extension = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string) => readFileSync(join(extension, path), "utf8");

interface Manifest {
  readonly shapewright: { readonly minimumServerVersion: string };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: string[] } };
  readonly contributes: {
    readonly commands: { readonly command: string }[];
    readonly menus: Record<string, { readonly command: string }[]>;
    readonly configuration: { readonly properties: Record<string, { readonly default: unknown; readonly enum?: unknown[] }> };
    readonly snippets: { readonly path: string }[];
  };
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

const manifest = JSON.parse(read("package.json")) as Manifest;
const commands = manifest.contributes.commands.map(({ command }) => command);

/** The commands that lenses and links call, and no person. */
const INNER = ["shapewright.runLens", "shapewright.runGpuLens", "shapewright.showLens", "shapewright.openRun"];

test("every command that is offered is registered, and the other way round", () => {
  const sources = readdirSync(join(extension, "src", "commands")).map((name) => read(join("src", "commands", name)));
  const registered = sources.flatMap((text) => [...text.matchAll(/^ {4}"(shapewright\.\w+)":/gm)].map((match) => match[1]));
  assert.deepEqual([...registered].sort(), [...commands, ...INNER].sort());
});

test("no command has the name of one that the server executes: both would be registered", () => {
  const server = ["run", "cancel", "emit", "explain", "devices", "show"].map((name) => `shapewright.${name}`);
  assert.deepEqual(
    commands.filter((command) => server.includes(command)),
    [],
  );
});

test("menus offer commands that exist", () => {
  const offered = Object.values(manifest.contributes.menus).flatMap((entries) => entries.map(({ command }) => command));
  assert.deepEqual(
    offered.filter((command) => !commands.includes(command)),
    [],
  );
});

test("the settings and their defaults are those that the server knows", () => {
  const { properties } = manifest.contributes.configuration;
  const defaults = Object.entries(properties).map(([name, setting]) => [name, setting.default]);
  assert.deepEqual(Object.fromEntries(defaults), {
    "shapewright.server.path": "",
    "shapewright.run.onSave": "off",
    "shapewright.run.device": "auto",
    "shapewright.run.timeLimit": 60,
    "shapewright.inlayHints.enabled": true,
    "shapewright.lens.enabled": true,
    "shapewright.check.target": null,
    "shapewright.trace.server": "off",
  });
  assert.deepEqual(properties["shapewright.run.onSave"]?.enum, ["off", "changed", "all"]);
  // Which devices there are, a test of the compiler compares.
  assert.ok(properties["shapewright.run.device"]?.enum?.includes("auto"));
});

test("a workspace without trust chooses no server", () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  assert.deepEqual(restrictedConfigurations, ["shapewright.server.path"]);
});

test("the oldest server that will do is a version", () => {
  assert.ok(valid(manifest.shapewright.minimumServerVersion));
});

test("every dependency has one exact version, and lock files name no host", () => {
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
    assert.ok(valid(version), version);
  }
  for (const lock of ["package-lock.json", "test/code-server/package-lock.json"]) {
    assert.doesNotMatch(read(lock), /"resolved"/, lock);
  }
});

test("every file that the manifest names is there", () => {
  const paths = [...JSON.stringify(manifest).matchAll(/"(\.\/[^"]+|media\/[^"]+)"/g)].map((match) => match[1] ?? "");
  assert.ok(paths.length > 5);
  assert.deepEqual(
    paths.filter((path) => path !== "./out/extension.js" && !existsSync(join(extension, path))),
    [],
  );
});

test("every snippet has a prefix of its own, a description and a last place", () => {
  for (const { path } of manifest.contributes.snippets) {
    const snippets = Object.values(JSON.parse(read(path)) as Record<string, { prefix: string; description: string; body: string[] }>);
    assert.equal(new Set(snippets.map(({ prefix }) => prefix)).size, snippets.length);
    for (const { description, body } of snippets) {
      assert.ok(description.length > 0);
      assert.match(body.join("\n"), /\$0/);
    }
  }
});
