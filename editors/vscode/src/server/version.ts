/** Which version a server has, and whether it is new enough. */

import { execFile } from "node:child_process";
import { parse, type SemVer } from "semver";

/** Why a server is not taken. */
export type VersionProblem =
  | { readonly kind: "does-not-start"; readonly path: string; readonly reason: string }
  | { readonly kind: "not-shapewright"; readonly path: string; readonly output: string }
  | { readonly kind: "too-old"; readonly path: string; readonly version: string; readonly minimum: string };

/** What asking a server gave. */
export type VersionAnswer = { readonly version: string } | { readonly problem: VersionProblem };

/** How long a server may take to say its version; a program that is something else may never answer. */
const PATIENCE_MS = 10_000;

/** Asks a server for its version and compares it with the oldest that will do. */
export async function checkVersion(path: string, minimum: string): Promise<VersionAnswer> {
  let output: string;
  try {
    output = await ask(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: { kind: "does-not-start", path, reason } };
  }
  const version = readVersion(output);
  if (version === undefined) {
    return { problem: { kind: "not-shapewright", path, output: firstLine(output) } };
  }
  return isNewEnough(version, minimum)
    ? { version: version.version }
    : { problem: { kind: "too-old", path, version: version.version, minimum } };
}

/** The version in what `shapewright --version` prints. */
export function readVersion(output: string): SemVer | undefined {
  const words = /^shapewright\s+v?(\S+)/.exec(output.trim());
  return parse(words?.[1]) ?? undefined;
}

/** Whether a version will do. A version on the way to the minimum, such as `0.2.0-dev` to `0.2.0`, does. */
export function isNewEnough(version: SemVer, minimum: string): boolean {
  return version.compareMain(minimum) >= 0;
}

function ask(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: PATIENCE_MS, maxBuffer: 64 * 1024, windowsHide: true };
    const child = execFile(path, ["--version"], options, (error, output) => {
      if (error === null) {
        resolve(output);
      } else if (error.killed === true) {
        reject(new Error(`it did not answer within ${PATIENCE_MS / 1000} seconds`));
      } else {
        reject(error);
      }
    });
    child.stdin?.end();
  });
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0]?.slice(0, 120) ?? "";
}
