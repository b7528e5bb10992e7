// Bundles the extension and, asked with `--tests`, everything that the tests run.

import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The folder of the extension. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  // The oldest Node that a VS Code of `engines.vscode` has.
  target: "node20",
  logLevel: "warning",
};

/** Bundles the extension into one file. */
export async function buildExtension(outfile = join(root, "out", "extension.js"), minify = false) {
  await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile,
    format: "cjs",
    external: ["vscode"],
    minify,
    sourcemap: minify ? false : "linked",
  });
}

/** Bundles the script of the picture panel's page, for the browser that VS Code is. */
export async function buildPage(outfile = join(root, "out", "picture.js"), minify = false) {
  await build({
    ...common,
    entryPoints: ["src/pictures/page.ts"],
    outfile,
    platform: "browser",
    target: "chrome124",
    format: "iife",
    minify,
  });
}

/** Bundles the tests: those that VS Code loads, those that Node runs, and the server that plays a part in them. */
export async function buildTests() {
  rmSync(join(root, "out", "test"), { recursive: true, force: true });
  const inVsCode = ["test/host/index.ts", "test/real/index.ts"];
  await build({
    ...common,
    entryPoints: inVsCode,
    outdir: "out/test",
    outbase: "test",
    format: "cjs",
    external: ["vscode", "mocha"],
    sourcemap: "inline",
  });
  await build({
    ...common,
    entryPoints: [...testFiles("test/unit"), ...testFiles("test/grammar"), "test/fake-server/main.ts", "test/run.ts"],
    outdir: "out/test",
    outbase: "test",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    packages: "external",
    external: ["*/scripts/chromium.mjs", "*/scripts/install.mjs"],
    sourcemap: "inline",
  });
}

function testFiles(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".test.ts"));
  return names.sort().map((name) => join(folder, name));
}

if (process.argv[1] !== undefined && basename(process.argv[1]) === "build.mjs") {
  await buildExtension();
  await buildPage();
  if (process.argv.includes("--tests")) {
    await buildTests();
  }
}
