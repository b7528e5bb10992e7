/** The server: found, checked, started, told the settings, started again. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { CloseAction } from "vscode-languageclient/node";
import { CrashHandler } from "../../src/server/crashes.js";
import { explainProblem } from "../../src/server/problem.js";
import { describe as describeState } from "../../src/status.js";
import { activated, configure, open, program, ready, received, serverState, until } from "./support.js";

export function server(): void {
  suite("the server", () => {
    suiteSetup(() => open("kernels.shape"));
    teardown(() => configure("server.path", undefined));

    test("starts with a .shape file and says its device", async () => {
      const api = await ready();
      await until(() => api.server.state.kind === "running" && api.server.state.status !== undefined, "a status came");
      const shown = describeState(api.server.state, true);
      assert.equal(shown.text, "$(circuit-board) cpu");
      assert.equal(shown.detail, "ready (server 0.1.0)");
      assert.equal(shown.busy, false);
    });

    test("is told at its start what it may do and how it is set", async () => {
      const api = await ready();
      const [first] = await received(api, "initialize");
      const { initializationOptions } = first?.params as { initializationOptions: unknown };
      assert.deepEqual(initializationOptions, {
        lenses: true,
        pictures: "light",
        runAllowed: true,
        settings: {
          run: { onSave: "off", device: "auto", timeLimit: 60 },
          inlayHints: { enabled: true },
          lens: { enabled: true },
          check: { target: null },
          trace: { server: "off" },
        },
      });
    });

    test("is told of settings that change", async () => {
      const api = await ready();
      await configure("run.onSave", "all");
      try {
        const onSave = async () => {
          const last = (await received(api, "workspace/didChangeConfiguration")).at(-1);
          const { settings } = (last?.params ?? {}) as { settings?: { shapewright: { run: { onSave: string } } } };
          return settings?.shapewright.run.onSave;
        };
        await until(async () => (await onSave()) === "all", "the server knows the new setting");
      } finally {
        await configure("run.onSave", undefined);
      }
    });

    const problems: [string, string, RegExp][] = [
      ["missing", "setting-not-there", /There is no file at `.*missing\/shapewright`/],
      ["old", "too-old", /is version 0\.0\.9, and this extension needs 0\.1\.0 or later/],
      ["other", "not-shapewright", /is not Shapewright: .* it printed `something else 7\.1`/],
      ["failing", "does-not-start", /could not be asked for its version: [\s\S]*libfoo\.so\.1 is missing/],
      ["not-executable", "not-executable", /is not a program that you may execute/],
    ];
    for (const [name, kind, text] of problems) {
      test(`says what is wrong with a server that is ${name}`, async () => {
        const api = await activated();
        await configure("server.path", program(name));
        const { problem } = await serverState(api, "failed");
        assert.equal(problem.kind, kind);
        assert.match(explainProblem(problem).text, text);
        assert.equal(api.server.client, undefined);
        await configure("server.path", undefined);
        await serverState(api, "running");
      });
    }

    test("a path that is not absolute is refused, and not looked for on the PATH", async () => {
      const api = await activated();
      await configure("server.path", "shapewright");
      const { problem } = await serverState(api, "failed");
      assert.equal(problem.kind, "setting-not-absolute");
    });

    test("a server that never answers can be replaced", async () => {
      const api = await ready();
      await configure("server.path", program("silent"));
      await serverState(api, "starting");
      await configure("server.path", undefined);
      const running = await serverState(api, "running");
      assert.equal(running.server.path, program("good"));
    });

    test("restarts on command", async () => {
      const api = await ready();
      const before = api.server.pid;
      await vscode.commands.executeCommand("shapewright.restartServer");
      await ready();
      assert.notEqual(api.server.pid, before);
      assert.equal((await received(api, "initialize")).length, 1);
    });

    test("comes back after a crash, and knows the open files", async () => {
      const api = await ready();
      const before = api.server.pid;
      await api.server.client?.sendRequest("fake/crash").catch(() => undefined);
      await until(() => api.server.client && api.server.pid !== before, "another process runs");
      await until(async () => (await received(api, "textDocument/didOpen")).length > 0, "the file was opened again");
    });

    test("a server that ends again and again is given up, and started again after a while", () => {
      let now = 0;
      const crashes = new CrashHandler(() => now);
      assert.equal(crashes.closed().action, CloseAction.DoNotRestart, "it has never answered");
      crashes.answered = true;
      const ends = () => {
        now += 1_000;
        return crashes.closed();
      };
      for (let end = 1; end <= 4; end += 1) {
        assert.equal(ends().action, CloseAction.Restart, `end ${end}`);
      }
      const fifth = ends();
      assert.equal(fifth.action, CloseAction.DoNotRestart);
      assert.match(fifth.message ?? "", /ended 5 times within three minutes/);
      now += 3 * 60 * 1_000;
      assert.equal(ends().action, CloseAction.Restart);
    });

    test("commands without a server say so instead of failing", async () => {
      const api = await ready();
      await api.server.stop();
      // Answered once the person has been told; the message itself is looked at in the window.
      assert.equal(await vscode.commands.executeCommand("shapewright.runFile"), undefined);
      await vscode.commands.executeCommand("shapewright.restartServer");
      await ready();
    });
  });
}
