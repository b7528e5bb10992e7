// Installs what the extension is built and tested with: `node scripts/install.mjs`. What is there is left as it is.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 20;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const host = join(root, "test", "code-server");

/** The folder of the VS Code that the tests run the extension in. */
export const vscodeFolder = join(host, "node_modules", "code-server", "lib", "vscode");

/** Installs the packages that `package-lock.json` lists. */
export function installPackages() {
  install(root, () => npm(root, "ci", "--ignore-scripts"));
}

/** Installs VS Code as a web server. Scripts are not run: they would build what the tests do not need. */
export function installVsCode() {
  install(host, () => {
    console.log("installing VS Code for the tests (about 300 MB, once)");
    npm(host, "ci", "--ignore-scripts");
    npm(vscodeFolder, "ci", "--ignore-scripts", "--omit=dev", "--legacy-peer-deps");
    const archive = join(vscodeFolder, "node_modules.asar");
    rmSync(archive, { force: true });
    symlinkSync("node_modules", archive);
  });
}

/** Does the work unless it was done to its end, for the same packages. */
function install(folder, work) {
  const stamp = join(folder, "node_modules", ".shapewright-installed");
  const wanted = readFileSync(join(folder, "package-lock.json"), "utf8");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) {
    return;
  }
  const version = process.versions.node;
  if (Number.parseInt(version, 10) < OLDEST_NODE) {
    throw new Error(`This is Node ${version}, but VS Code needs Node ${OLDEST_NODE} or later.`);
  }
  work();
  writeFileSync(stamp, wanted);
}

function npm(folder, ...args) {
  // On Windows npm is a script, which only a shell starts.
  const shell = process.platform === "win32";
  const { status, error } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"], shell });
  if (error !== undefined) {
    throw new Error(`npm could not be started (${error.message}). It comes with Node; Debian: apt-get install npm.`);
  }
  if (status !== 0) {
    throw new Error(`npm ${args.join(" ")} failed in ${folder}: exit status ${status}`);
  }
}

if (process.argv[1] !== undefined && basename(process.argv[1]) === "install.mjs") {
  try {
    installPackages();
    installVsCode();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
