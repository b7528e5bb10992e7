// The test command. `node scripts/test.mjs PART…` runs the named parts one after the other and stops at the first that fails.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./install.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const parts = {
  types: () => node("node_modules/typescript/bin/tsc"),
  unit: () => node("--test", "--test-reporter=spec", ...compiled("unit")),
  grammar: () => {
    node("--test", "--test-reporter=spec", ...compiled("grammar"));
    node("node_modules/vscode-tmgrammar-test/dist/unit.js", "test/grammar/cases/*.shape");
  },
  host: () => node("out/test/run.mjs", "host"),
  real: () => node("out/test/run.mjs", "real"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((part) => !(part in parts));
if (wanted.length === 0 || unknown.length > 0) {
  fail(`Name the parts to run: ${Object.keys(parts).join(", ")}.`);
}
installPackages();
// Not before now: what it builds with may just have been installed.
const { buildExtension, buildPage, buildTests } = await import("./build.mjs");
await buildExtension();
await buildPage();
await buildTests();
for (const part of wanted) {
  console.log(`== ${part}`);
  parts[part]();
}
console.log(`== passed: ${wanted.join(", ")}`);

function compiled(folder) {
  const names = readdirSync(join(root, "out", "test", folder)).filter((name) => name.endsWith(".test.mjs"));
  if (names.length === 0) {
    fail(`There is no test in test/${folder}.`);
  }
  return names.sort().map((name) => join("out", "test", folder, name));
}

function node(...args) {
  run(process.execPath, ["--enable-source-maps", ...args]);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (error !== undefined) {
    fail(`${command} could not be started: ${error.message}`);
  }
  if (status !== 0) {
    fail(`failed: ${command} ${args.join(" ")}`);
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
