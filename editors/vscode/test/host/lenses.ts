/** Lenses and runs: what the server is asked, and what becomes of its answers. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Runs } from "../../src/protocol.js";
import { executed, file, open, ready, until } from "./support.js";

export function lenses(): void {
  suite("lenses and runs", () => {
    suiteSetup(async () => {
      await open("kernels.shape");
      await ready();
    });

    async function lens(title: string, name: string): Promise<vscode.Command> {
      const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        file("kernels.shape"),
        100,
      );
      const commands = all.map((one) => one.command);
      const found = commands.find(
        (command) => command?.title === title && (command.arguments?.[0] as { name: string }).name.split("#")[0] === name,
      );
      assert.ok(found, `no lens ${title} for ${name} among ${commands.map((command) => command?.title).join(", ")}`);
      return found;
    }

    function click(command: vscode.Command): Thenable<Runs | undefined> {
      return vscode.commands.executeCommand<Runs | undefined>(command.command, ...(command.arguments ?? []));
    }

    test("Run asks the server for just this run", async () => {
      const api = await ready();
      const runs = await click(await lens("Run", "scale"));
      assert.equal(runs?.runs[0]?.expect, "passed");
      const uri = file("kernels.shape").toString();
      assert.deepEqual((await executed(api, "shapewright.run")).at(-1), { uri, name: "scale#1" });
      await until(() => api.results.history.all()[0]?.name === "scale#1", "the result is in the panel");
    });

    test("Run on GPU asks for the GPU", async () => {
      const api = await ready();
      await click(await lens("Run on GPU", "scale"));
      const uri = file("kernels.shape").toString();
      assert.deepEqual((await executed(api, "shapewright.run")).at(-1), { uri, name: "scale#1", device: "cuda:0" });
    });

    test("Show picture shows it", async () => {
      const api = await ready();
      await click(await lens("Show picture", "strided"));
      assert.deepEqual((await executed(api, "shapewright.show")).at(-1), {
        uri: file("kernels.shape").toString(),
        name: "strided",
        by: "thread",
        label: "auto",
        interactive: true,
      });
      const { content } = api.pictures;
      assert.ok(content?.kind === "picture");
      assert.match(content.svg ?? "", /^<svg/);
      assert.equal(content.picture?.panels[0]?.grid?.cells.length, 3);
      // The picture reaches the page as data; nothing of it stands in the page's source.
      assert.doesNotMatch(api.pictures.html ?? "", /<svg/);
    });

    test("a second result of a run takes the place of the first", async () => {
      const api = await ready();
      await click(await lens("Run", "scale"));
      await click(await lens("Run", "scale"));
      const names = api.results.history.all().map((entry) => entry.name);
      assert.equal(names.filter((name) => name === "scale#1").length, 1);
    });

    test("the panel shows what failed, and where", async () => {
      const api = await ready();
      await click(await lens("Run", "fails"));
      await until(() => api.results.html?.includes("expect failed"), "the panel shows the result");
      const html = api.results.html ?? "";
      assert.match(html, /class="run failed"/);
      assert.match(html, /first wrong element at \[3\]: expected 7, actual 6; 997 elements are wrong/);
      assert.match(html, /85 µs · 812 GB\/s/);
      assert.match(html, /f32\[1000\]<\/td><td class="sample">\[0, 2, 4, 6, 8, 10, 12, 14, …\]/);
    });

    test("a run that breaks is told, and leaves what there was", async () => {
      const api = await ready();
      const before = api.results.history.all().length;
      assert.equal(await click(await lens("Run", "breaks")), undefined);
      assert.equal(api.results.history.all().length, before);
    });

    test("a slow run can be cancelled, and the server goes on", async () => {
      const api = await ready();
      const slow = click(await lens("Run", "slow"));
      await until(
        () => api.server.state.kind === "running" && api.server.state.status?.state === "running",
        "the kernel runs",
      );
      await vscode.commands.executeCommand("shapewright.cancelRun");
      assert.equal(await slow, undefined);
      assert.equal((await click(await lens("Run", "scale")))?.runs.length, 1);
    });

    test("the command Run runs the file in the editor", async () => {
      const api = await ready();
      await open("one.shape");
      const runs = await vscode.commands.executeCommand<Runs>("shapewright.runFile");
      assert.deepEqual(
        runs.runs.map((run) => run.kernel),
        ["only"],
      );
      assert.deepEqual((await executed(api, "shapewright.run")).at(-1), { uri: file("one.shape").toString() });
      await vscode.commands.executeCommand("shapewright.runFileOnGpu");
      assert.deepEqual((await executed(api, "shapewright.run")).at(-1), {
        uri: file("one.shape").toString(),
        device: "cuda:0",
      });
      await open("kernels.shape");
    });

    test("arguments that are none of ours are not forwarded", async () => {
      const api = await ready();
      const before = (await executed(api, "shapewright.run")).length;
      assert.equal(await vscode.commands.executeCommand("shapewright.runLens", { uri: 7 }), undefined);
      assert.equal(await vscode.commands.executeCommand("shapewright.runLens"), undefined);
      assert.equal((await executed(api, "shapewright.run")).length, before);
    });
  });
}
