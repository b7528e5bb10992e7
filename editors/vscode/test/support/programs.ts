/** Programs for the setting `shapewright.server.path`: the fake server in several states, and things that are none. */

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiled } from "./paths.js";

/** The programs, by what they are. */
export const PROGRAMS = ["good", "old", "silent", "other", "failing", "not-executable"] as const;

/** Writes all programs into a folder: `good/shapewright`, `old/shapewright`, … */
export function writePrograms(folder: string): void {
  const fake = join(compiled, "fake-server", "main.mjs");
  const start = `exec '${process.execPath}' '${fake}' "$@"`;
  write(folder, "good", start);
  write(folder, "old", `FAKE_VERSION=0.0.9 ${start.replace("exec ", "")}`);
  write(folder, "silent", `export FAKE_MODE=silent\n${start}`);
  write(folder, "other", 'echo "something else 7.1"');
  write(folder, "failing", 'echo "libfoo.so.1 is missing" >&2\nexit 5');
  chmodSync(write(folder, "not-executable", start), 0o644);
}

function write(folder: string, name: (typeof PROGRAMS)[number], body: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  const path = join(folder, name, "shapewright");
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}
