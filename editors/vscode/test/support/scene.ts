/** Where a suite plays: a folder with files, and an empty folder for VS Code's data. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folders of a suite. */
export interface Scene {
  readonly workspace: string;
  readonly data: string;
  readonly programs: string;
}

/** Makes the folders with a copy of some files, and removes them when `play` has ended well. */
export async function inScene(
  files: string,
  settings: Readonly<Record<string, unknown>>,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "shapewright-vscode-"));
  const scene = { workspace: join(root, "workspace"), data: join(root, "data"), programs: join(root, "programs") };
  cpSync(files, scene.workspace, { recursive: true });
  mkdirSync(join(scene.workspace, ".vscode"), { recursive: true });
  writeFileSync(join(scene.workspace, ".vscode", "settings.json"), JSON.stringify(settings));
  try {
    await play(scene);
  } catch (error) {
    console.error(`what VS Code wrote is in ${root}`);
    throw error;
  }
  rmSync(root, { recursive: true, force: true });
}
