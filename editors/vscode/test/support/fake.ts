/** The suites with the fake server: inside VS Code in a trusted and in a restricted workspace, and at its window. */

import { join } from "node:path";
import { look } from "../dom/fake.js";
import { compiled, extension } from "./paths.js";
import { writePrograms } from "./programs.js";
import { inScene, type Scene } from "./scene.js";
import { VsCode } from "./vscode.js";

const files = join(extension, "test", "fixtures", "fake");

/** Runs all of them. */
export async function fakeSuites(): Promise<void> {
  await inVsCode("trusted", {});
  await inVsCode("restricted", { "shapewright.server.path": "/nowhere/that/the/workspace/chose" });
  await inScene(files, {}, async (scene) => {
    const vscode = await start(scene, false, {});
    await look(vscode, scene.workspace, scene.programs).finally(() => vscode.close());
  });
}

async function inVsCode(suite: "trusted" | "restricted", settings: Record<string, unknown>): Promise<void> {
  console.log(`-- ${suite} workspace, fake server`);
  await inScene(files, settings, async (scene) => {
    const vscode = await start(scene, suite === "trusted", { SHAPEWRIGHT_TEST_SUITE: suite });
    const tests = join(compiled, "host", "index.js");
    await vscode.runTests({ folder: scene.workspace, extension, tests }).finally(() => vscode.close());
  });
}

function start(scene: Scene, trusted: boolean, environment: Record<string, string>): Promise<VsCode> {
  writePrograms(scene.programs);
  return VsCode.start({
    data: scene.data,
    trusted,
    settings: { "shapewright.server.path": join(scene.programs, "good", "shapewright"), "extensions.autoUpdate": false },
    environment: { ...environment, SHAPEWRIGHT_TEST_PROGRAMS: scene.programs },
  });
}
