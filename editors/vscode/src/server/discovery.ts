/**
 * Finds the server: where the setting says, else in this extension, else on the PATH.
 *
 * The first of the three that says anything decides. A setting that leads nowhere is an error and no reason to take
 * another server in its place, because the person would not know which one is running.
 */

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Where a server was found. */
export type Origin = "setting" | "bundled" | "path";

/** A server that is there. */
export interface FoundServer {
  readonly path: string;
  readonly origin: Origin;
}

/** Why there is none. */
export type DiscoveryProblem =
  | { readonly kind: "setting-not-absolute"; readonly setting: string }
  | { readonly kind: "setting-not-there"; readonly path: string }
  | { readonly kind: "not-executable"; readonly path: string; readonly origin: Origin }
  | { readonly kind: "nowhere"; readonly bundled: string };

/** What a search gave. */
export type Discovery = { readonly server: FoundServer } | { readonly problem: DiscoveryProblem };

/** What the search depends on. */
export interface Surroundings {
  /** The setting `shapewright.server.path`; empty where it is not set. */
  readonly setting: string;
  /** The folder of this extension. */
  readonly extension: string;
  /** The folder that `${workspaceFolder}` in the setting stands for, where one is open. */
  readonly workspace: string | undefined;
  readonly home: string;
  /** The environment variable PATH. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
}

/** Searches for the server. */
export async function discover(where: Surroundings): Promise<Discovery> {
  if (where.setting.trim() !== "") {
    return fromSetting(where);
  }
  const bundled = join(where.extension, "server", executable(where.platform));
  if (await isFile(bundled)) {
    return accept(bundled, "bundled", where.platform);
  }
  for (const folder of folders(where)) {
    const candidate = join(folder, executable(where.platform));
    if ((await isFile(candidate)) && (await isExecutable(candidate, where.platform))) {
      return { server: { path: candidate, origin: "path" } };
    }
  }
  return { problem: { kind: "nowhere", bundled } };
}

/** The name of the server's file. */
export function executable(platform: NodeJS.Platform): string {
  return platform === "win32" ? "shapewright.exe" : "shapewright";
}

async function fromSetting(where: Surroundings): Promise<Discovery> {
  const path = expand(where.setting.trim(), where);
  if (!isAbsolute(path)) {
    return { problem: { kind: "setting-not-absolute", setting: where.setting } };
  }
  if (!(await isFile(path))) {
    return { problem: { kind: "setting-not-there", path } };
  }
  return accept(path, "setting", where.platform);
}

async function accept(path: string, origin: Origin, platform: NodeJS.Platform): Promise<Discovery> {
  return (await isExecutable(path, platform))
    ? { server: { path, origin } }
    : { problem: { kind: "not-executable", path, origin } };
}

function expand(setting: string, where: Surroundings): string {
  const home = setting === "~" || /^~[/\\]/.test(setting) ? where.home + setting.slice(1) : setting;
  return where.workspace === undefined ? home : home.replaceAll("${workspaceFolder}", where.workspace);
}

/** The folders of the PATH. A relative one would depend on the folder that the editor was started in. */
function folders(where: Surroundings): string[] {
  return where.path
    .split(delimiter)
    .map((folder) => folder.replace(/^"(.*)"$/, "$1"))
    .filter(isAbsolute);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function isExecutable(path: string, platform: NodeJS.Platform): Promise<boolean> {
  if (platform === "win32") {
    return true;
  }
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
