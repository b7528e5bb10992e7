// Makes the package: `node scripts/package.mjs [--server PATH] [--target TARGET] [--out FILE]`.
//
// Without --server, the server is built with cargo for this computer. A package is for one system, because it has the
// server in it; --target names another one, and then --server has to say where a server for it is.

import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createVSIX } from "@vscode/vsce";
import { buildExtension, buildPage, root } from "./build.mjs";

const project = join(root, "..", "..");
const { values } = parseArgs({
  options: { server: { type: "string" }, target: { type: "string" }, out: { type: "string" } },
});
const here = hostTarget();
const target = values.target ?? here;
if (target !== here && values.server === undefined) {
  fail(`The server can be built here for ${here} only; say with --server where one for ${target} is.`);
}
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const packagePath = resolve(values.out ?? join(root, "out", `${manifest.name}-${target}-${manifest.version}.vsix`));
const stage = join(root, "out", "package");

const server = values.server === undefined ? buildServer() : resolve(values.server);
if (!existsSync(server)) {
  fail(`There is no server at ${server}.`);
}
await fillStage();
await createVSIX({ cwd: stage, packagePath, target, dependencies: false, rewriteRelativeLinks: false });
console.log(packagePath);

/** Everything that the package holds, and nothing else. */
async function fillStage() {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(join(stage, "server"), { recursive: true });
  await buildExtension(join(stage, "out", "extension.js"), true);
  await buildPage(join(stage, "out", "picture.js"), true);
  const names = ["media", "snippets", "syntaxes", "language-configuration.json", "README.md", "INSTALL.md"];
  for (const name of names) {
    cpSync(join(root, name), join(stage, name), { recursive: true });
  }
  const licence = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => readFileSync(join(project, name), "utf8"));
  writeFileSync(join(stage, "LICENSE.txt"), licence.join(`\n${"-".repeat(80)}\n\n`));
  const program = join(stage, "server", target.startsWith("win32") ? "shapewright.exe" : "shapewright");
  copyFileSync(server, program);
  chmodSync(program, 0o755);
  // What only development needs would be read as a promise about the package.
  const { scripts: _scripts, devDependencies: _devDependencies, dependencies: _dependencies, ...rest } = manifest;
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(rest, null, 2)}\n`);
}

function buildServer() {
  const args = ["build", "--release", "--package", "shapewright", "--message-format", "json-render-diagnostics"];
  const { status, error, stdout } = spawnSync("cargo", args, {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) {
    fail(`cargo could not be started (${error.message}). Install Rust, or say with --server where a server is.`);
  }
  if (status !== 0) {
    fail("The server could not be built.");
  }
  const messages = stdout.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  const executable = messages.findLast(({ target, executable }) => target?.name === "shapewright" && executable);
  return executable?.executable ?? fail("cargo did not say where it put the server.");
}

/** This computer, in the words of the marketplace. */
function hostTarget() {
  const names = { x64: "x64", arm64: "arm64", arm: "armhf" };
  const architecture = names[process.arch] ?? fail(`There is no package for ${process.arch}; name one with --target.`);
  return `${process.platform}-${architecture}`;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
