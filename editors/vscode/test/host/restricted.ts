/** Restricted mode: the workspace chooses no server, and nothing runs. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { describe as describeState } from "../../src/status.js";
import { executed, file, open, program, ready, received, until } from "./support.js";

export function restricted(): void {
  suite("restricted mode", () => {
    suiteSetup(async () => {
      assert.equal(vscode.workspace.isTrusted, false, "the workspace is trusted");
      await open("kernels.shape");
    });

    test("the server is not the one that the workspace names", async () => {
      const api = await ready();
      assert.ok(api.server.state.kind === "running");
      assert.equal(api.server.state.server.path, program("good"));
    });

    test("the server answers, and is told that nothing may run", async () => {
      const api = await ready();
      const [first] = await received(api, "initialize");
      const { initializationOptions } = first?.params as { initializationOptions: { runAllowed: boolean } };
      assert.equal(initializationOptions.runAllowed, false);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        "vscode.executeHoverProvider",
        file("kernels.shape"),
        new vscode.Position(0, 5),
      );
      assert.equal(hovers.length, 1);
    });

    test("the status says so", async () => {
      const api = await ready();
      await until(() => api.server.state.kind === "running" && api.server.state.status, "a status came");
      assert.match(describeState(api.server.state, false).detail, /kernels are not run in restricted mode/);
    });

    test("no command runs a kernel, the server's own neither", async () => {
      const api = await ready();
      const request = { uri: file("kernels.shape").toString(), name: "scale#1" };
      assert.equal(await vscode.commands.executeCommand("shapewright.runFile"), undefined);
      assert.equal(await vscode.commands.executeCommand("shapewright.runFileOnGpu"), undefined);
      assert.equal(await vscode.commands.executeCommand("shapewright.runLens", request), undefined);
      assert.equal(await vscode.commands.executeCommand("shapewright.run", request), undefined);
      assert.deepEqual(await executed(api, "shapewright.run"), []);
      assert.deepEqual(api.results.history.all(), []);
    });
  });
}
