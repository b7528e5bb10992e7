// Where this machine has a Chromium: `node scripts/chromium.mjs` prints the path. None is downloaded.

import { accessSync, constants } from "node:fs";
import { basename, delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of a Chromium; an error that says what to install where there is none. */
export function findChromium() {
  const chosen = process.env.CHROMIUM;
  if (chosen !== undefined && chosen !== "") {
    if (!isExecutable(chosen)) {
      throw new Error(`CHROMIUM is ${chosen}, which is no program.`);
    }
    return chosen;
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
  if (found === undefined) {
    throw new Error(
      "There is no Chromium on the PATH. Install the system's package (Debian: apt-get install chromium), or say in the environment variable CHROMIUM where one is.",
    );
  }
  return found;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] !== undefined && basename(process.argv[1]) === "chromium.mjs") {
  try {
    console.log(findChromium());
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
