/** Pictures, explanations, generated CUDA, and the file of a result. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { executed, file, open, ready, until } from "./support.js";

export function pages(): void {
  suite("pages", () => {
    suiteSetup(ready);

    test("Show Generated CUDA opens the kernel under the cursor, beside the file", async () => {
      const editor = await open("kernels.shape");
      const line = editor.document.getText().split("\n").findIndex((text) => text.startsWith("kernel scale"));
      editor.selection = new vscode.Selection(line, 10, line, 10);
      await vscode.commands.executeCommand("shapewright.showCuda");
      const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.path === "/scale.cu");
      assert.ok(shown, "the generated source is not shown");
      assert.equal(shown.document.languageId, "cuda-cpp");
      assert.equal(shown.document.getText(), "__global__ void scale_kernel() {}\n");
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), file("kernels.shape").toString());
    });

    test("where a file has one kernel, it is taken wherever the cursor is", async () => {
      const api = await ready();
      await open("one.shape");
      await vscode.commands.executeCommand("shapewright.showCuda");
      const uri = file("one.shape").toString();
      assert.deepEqual((await executed(api, "shapewright.emit")).at(-1), { uri, name: "only", to: "cuda" });
    });

    test("Show Picture takes the item under the cursor", async () => {
      const api = await ready();
      const editor = await open("kernels.shape");
      const line = editor.document.getText().split("\n").findIndex((text) => text.startsWith("map strided"));
      editor.selection = new vscode.Selection(line, 6, line, 6);
      await vscode.commands.executeCommand("shapewright.showPicture");
      const uri = file("kernels.shape").toString();
      const asked = { uri, name: "strided", by: "thread", label: "auto", interactive: true };
      assert.deepEqual((await executed(api, "shapewright.show")).at(-1), asked);
      assert.equal(api.pictures.content?.kind === "picture" && api.pictures.content.title, "strided");
    });

    test("the picture follows the text and the cursor", async () => {
      const api = await ready();
      const editor = await open("kernels.shape");
      const before = (await executed(api, "shapewright.show")).length;
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "// edited\n"));
      await until(async () => (await executed(api, "shapewright.show")).length > before, "the picture was asked for again");
      await vscode.commands.executeCommand("undo");
      const lines = editor.document.getText().split("\n");
      const line = lines.findIndex((text) => text.startsWith("map second"));
      editor.selection = new vscode.Selection(line, 6, line, 6);
      const shown = () => (api.pictures.content?.kind === "picture" ? api.pictures.content.title : undefined);
      await until(() => shown() === "second", "the picture is that of the map under the cursor");
    });

    test("a claim that is refuted is shown with its counterexample", async () => {
      const api = await ready();
      const uri = file("kernels.shape").toString();
      await vscode.commands.executeCommand("shapewright.showLens", { uri, name: "strided.covers(13)", claim: true });
      const asked = { uri, name: "strided.covers(13)", claim: true, by: "thread", label: "auto", interactive: true };
      assert.deepEqual((await executed(api, "shapewright.show")).at(-1), asked);
    });

    test("Explain Diagnostic explains the one of the file, without running what stands in it", async () => {
      const api = await ready();
      await open("wrong.shape");
      await until(() => vscode.languages.getDiagnostics(file("wrong.shape")).length === 1, "the diagnostic came");
      await vscode.commands.executeCommand("shapewright.explainDiagnostic");
      assert.deepEqual((await executed(api, "shapewright.explain")).at(-1), { code: "rank-mismatch" });
      const html = api.explanations.html ?? "";
      assert.match(html, /<h1><code>rank-mismatch<\/code><\/h1>/);
      assert.match(html, /&lt;script&gt;/);
      assert.doesNotMatch(html, /<script/);
      assert.match(html, /href="command:shapewright\.explainDiagnostic\?%5B%22race%22%5D"/);
    });

    test("every page has a policy that lets nothing in but its style and its pictures", async () => {
      const api = await ready();
      await vscode.commands.executeCommand("shapewright.showResults");
      await until(() => api.results.html, "the results are shown");
      for (const html of [api.results.html, api.pictures.html, api.explanations.html]) {
        const written = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html ?? "")?.[1] ?? "";
        const policy = written.replaceAll("&#39;", "'");
        assert.match(policy, /^default-src 'none'; img-src data:; style-src [^;]+(; script-src 'nonce-[0-9a-f]{32}')?$/);
        assert.doesNotMatch(policy, /unsafe/);
        // Only the pictures have a script.
        assert.equal(policy.includes("script-src"), html === api.pictures.html);
      }
    });

    test("a result leads to its file", async () => {
      await vscode.commands.executeCommand("shapewright.openRun", file("one.shape").toString(), "only#1");
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.toString(), file("one.shape").toString());
      assert.match(editor.document.lineAt(editor.selection.active.line).text, /^run only/);
    });

    test("results can be cleared", async () => {
      const api = await ready();
      await vscode.commands.executeCommand("shapewright.clearResults");
      assert.deepEqual(api.results.history.all(), []);
      assert.match(api.results.html ?? "", /No kernel has run yet/);
    });
  });
}
