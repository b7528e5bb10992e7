/** The suites with the real server: packaged, inside VS Code, and installed at its window. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { lookAtRealServer } from "../dom/real.js";
import { compiled, extension, project } from "./paths.js";
import { inScene } from "./scene.js";
import { VsCode } from "./vscode.js";

const files = join(extension, "test", "fixtures", "real");

/** Runs all of them. SHAPEWRIGHT_SERVER names a server; without it, one is built. */
export async function realSuites(): Promise<void> {
  const vsix = join(extension, "out", "shapewright-test.vsix");
  run(process.execPath, [join(extension, "scripts", "package.mjs"), "--server", server(), "--out", vsix]);
  const examples = join(project, "examples");
  console.log("-- trusted workspace, real server");
  await inScene(files, {}, async ({ workspace, data }) => {
    const environment = { SHAPEWRIGHT_TEST_EXAMPLES: examples };
    const vscode = await VsCode.start({ data, trusted: true, settings: {}, environment });
    // What the package was made from, with the server in it.
    const packaged = join(extension, "out", "package");
    const tests = join(compiled, "real", "index.js");
    await vscode.runTests({ folder: workspace, extension: packaged, tests }).finally(() => vscode.close());
  });
  await inScene(files, { "shapewright.run.onSave": "all" }, async ({ workspace, data }) => {
    const vscode = await VsCode.start({ data, trusted: true, settings: {}, vsix });
    await lookAtRealServer(vscode, workspace).finally(() => vscode.close());
  });
}

function server(): string {
  const given = process.env["SHAPEWRIGHT_SERVER"];
  if (given !== undefined && given !== "") {
    return given;
  }
  run("cargo", ["build", "--package", "shapewright"]);
  const folder = process.env["CARGO_TARGET_DIR"] ?? join(project, "target");
  return join(folder, "debug", process.platform === "win32" ? "shapewright.exe" : "shapewright");
}

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: project, stdio: ["ignore", "inherit", "inherit"] });
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? `exit status ${status}`}`);
  }
}
