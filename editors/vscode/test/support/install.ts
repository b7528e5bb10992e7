/** VS Code as a web server, from the npm registry. */

import { spawnSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extension } from "./paths.js";

const host = join(extension, "test", "code-server");
/** The folder of VS Code. */
export const vscodeFolder = join(host, "node_modules", "code-server", "lib", "vscode");
const complete = join(host, "node_modules", ".shapewright-complete");

/** Installs VS Code unless it is installed. Scripts are not run: they would build what the tests do not need. */
export function installVsCode(): void {
  if (existsSync(complete)) {
    return;
  }
  console.log("installing VS Code for the tests (about 300 MB, once)");
  npm(host, "ci", "--ignore-scripts");
  npm(vscodeFolder, "ci", "--ignore-scripts", "--omit=dev", "--legacy-peer-deps");
  const archive = join(vscodeFolder, "node_modules.asar");
  rmSync(archive, { force: true });
  symlinkSync("node_modules", archive);
  writeFileSync(complete, "");
}

function npm(folder: string, ...args: string[]): void {
  const { status, error } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  if (error !== undefined || status !== 0) {
    throw new Error(`npm ${args.join(" ")} failed in ${folder}: ${error?.message ?? `exit status ${status}`}`);
  }
}
