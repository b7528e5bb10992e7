/** The extension with the real server, the one that the package has in it. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { codeOf } from "../../src/commands/explain.js";
import type { Emitted, Page, Runs } from "../../src/protocol.js";
import { configure, file, open, ready, serverState, until } from "../host/support.js";

export function real(): void {
  suite("the real server", () => {
    suiteSetup(async () => {
      await open("quickstart.shape");
      await ready();
    });

    test("is the one in the package", async () => {
      const api = await ready();
      const running = await serverState(api, "running");
      assert.equal(running.server.origin, "bundled");
    });

    test("says which device `auto` means", async () => {
      const api = await ready();
      const device = () => (api.server.state.kind === "running" ? (api.server.state.status?.device ?? "") : "");
      await until(() => /^auto \(.+\)$/.test(device()), "the device is known");
    });

    test("says what is wrong, with a code and a place", async () => {
      const [diagnostic] = await diagnosticsOf("wrong.shape", (all) => all.length > 0);
      assert.equal(diagnostic?.source, "shapewright");
      assert.match(diagnostic.message, /rank 1.*rank 2/);
      assert.deepEqual([diagnostic.range.start.line, diagnostic.range.start.character], [0, 7]);
      assert.equal(codeOf(diagnostic), "rank-mismatch");
    });

    test("answers hover, inlay hints, symbols, definition, completion and colours", async () => {
      const uri = file("quickstart.shape");
      const { document } = await open("quickstart.shape");
      const line = lineOf(document, "map strided");
      const [hover] = await ask<vscode.Hover[]>("vscode.executeHoverProvider", uri, new vscode.Position(line, 6));
      assert.match((hover?.contents[0] as vscode.MarkdownString).value, /\[12\]/);
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      const hints = await ask<vscode.InlayHint[]>("vscode.executeInlayHintProvider", uri, whole);
      assert.ok(hints.some(({ position }) => position.line === line), "the map has no inlay hint");
      const symbols = await ask<vscode.DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", uri);
      assert.ok(symbols.some(({ name }) => name === "scale"));
      const use = lineOf(document, "view xs");
      const at = document.lineAt(use).text.indexOf("strided");
      const places = await ask<(vscode.Location | vscode.LocationLink)[]>(
        "vscode.executeDefinitionProvider",
        uri,
        new vscode.Position(use, at),
      );
      const [place] = places.map((one) => ("range" in one ? one.range : one.targetRange));
      assert.equal(place?.start.line, line);
      const completion = await ask<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        uri,
        new vscode.Position(use, at),
      );
      assert.ok(completion.items.some(({ label }) => (typeof label === "string" ? label : label.label) === "strided"));
      const tokens = await ask<vscode.SemanticTokens>("vscode.provideDocumentSemanticTokens", uri);
      assert.ok(tokens.data.length > 0, "there are no semantic tokens");
    });

    test("a lens runs its run, and shows the result", async () => {
      const api = await ready();
      const runs = await click("quickstart.shape", /Run$/, "scale#1");
      assert.equal(runs.runs.length, 1);
      assert.equal(runs.runs[0]?.expect, "passed");
      await until(() => api.results.history.all()[0]?.name === "scale#1", "the result is in the panel");
      await until(async () => (await lensesOf("quickstart.shape")).some(({ title }) => title.includes("expect passed")), "a lens shows the result");
    });

    test("a failed expectation has its first wrong element, in the panel and in the text", async () => {
      const api = await ready();
      await open("failing.shape");
      const runs = await click("failing.shape", /Run$/, "copy#1");
      const [run] = runs.runs;
      assert.equal(run?.expect, "failed");
      assert.deepEqual(run.first_mismatch, { index: [0], expected: 1, actual: 0 });
      await until(() => api.results.html?.includes("first wrong element at [0]: expected 1, actual 0"), "the panel has it");
      const [diagnostic] = await diagnosticsOf("failing.shape", (all) => all.length > 0);
      assert.equal(diagnostic?.range.start.line, 6);
    });

    test("saving runs what has changed, where the setting says so", async () => {
      const api = await ready();
      await configure("run.onSave", "changed");
      try {
        const editor = await open("save.shape");
        api.results.clear();
        const changed = editor.document.getText().replaceAll("3.0", "4.0");
        const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
        assert.ok(await editor.edit((edit) => edit.replace(whole, changed)));
        assert.ok(await editor.document.save());
        await until(() => api.results.history.all().length === 1, "the run has ended");
        assert.equal(api.results.history.all()[0]?.result.expect, "passed");
      } finally {
        await configure("run.onSave", undefined);
      }
    });

    test("shows CUDA, explains, describes", async () => {
      const uri = file("quickstart.shape").toString();
      const emitted = await ask<Emitted>("shapewright.showCuda", { uri, name: "scale" });
      assert.match(emitted.text, /__global__/);
      const shown = vscode.window.visibleTextEditors.find(({ document }) => document.getText() === emitted.text);
      assert.equal(shown?.document.languageId, "cuda-cpp");
      const page = await ask<Page>("shapewright.explainDiagnostic", "race");
      assert.match(page.markdown, /two threads write one element/i);
      const picture = await ask<Page>("shapewright.showPicture", { uri, name: "strided" });
      assert.match(picture.markdown, /\[12\]/);
    });

    test("every example opens without an error", async () => {
      const examples = process.env["SHAPEWRIGHT_TEST_EXAMPLES"] ?? "";
      const names = readdirSync(examples).filter((name) => name.endsWith(".shape"));
      assert.ok(names.length > 5);
      for (const name of names) {
        const text = readFileSync(join(examples, name), "utf8");
        // One mistake is added, because diagnostics that never come would look like none.
        const document = await vscode.workspace.openTextDocument({
          language: "shapewright",
          content: `${text}\nmdspan<1> one_mistake : [1, 2];\n`,
        });
        const all = () => vscode.languages.getDiagnostics(document.uri);
        await until(() => all().length > 0, `there are diagnostics of ${name}`);
        const errors = all().filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
        assert.deepEqual(errors.map(codeOf), ["rank-mismatch"], name);
      }
    });

    test("every snippet is text that the language has", async () => {
      const extension = vscode.extensions.getExtension("shapewright.shapewright");
      const path = join(extension?.extensionPath ?? "", "snippets", "shapewright.json");
      const program = (await serverState(await ready(), "running")).server.path;
      const snippets = JSON.parse(readFileSync(path, "utf8")) as Record<string, object>;
      for (const name of Object.keys(snippets)) {
        const document = await vscode.workspace.openTextDocument({ language: "shapewright", content: "" });
        await vscode.window.showTextDocument(document);
        await ask("editor.action.insertSnippet", { langId: "shapewright", name });
        assert.notEqual(document.getText(), "");
        const text = document.getText();
        // A statement has its place in a kernel, an item in a file.
        const readings = [text, `kernel k(y: mut f32[4], a: i32, b: i32) {\n${text}\n}\n`].map((source) => syntaxErrors(program, source));
        assert.ok(
          readings.some((found) => found.length === 0),
          `${name}: ${readings.map((found) => found.join("; ")).join(" | ")}`,
        );
      }
    });
  });
}

function syntaxErrors(program: string, source: string): string[] {
  const { stdout } = spawnSync(program, ["check", "-", "--format", "json"], { input: source, encoding: "utf8" });
  const found = (JSON.parse(stdout) as { diagnostics: { code: string; message: string }[] }).diagnostics;
  return found.filter(({ code }) => code === "syntax-error").map(({ message }) => message);
}

async function diagnosticsOf(name: string, enough: (all: vscode.Diagnostic[]) => boolean): Promise<vscode.Diagnostic[]> {
  await open(name);
  const all = () => vscode.languages.getDiagnostics(file(name));
  await until(() => enough(all()), `there are diagnostics of ${name}`);
  return all();
}

async function lensesOf(name: string): Promise<vscode.Command[]> {
  const lenses = await ask<vscode.CodeLens[]>("vscode.executeCodeLensProvider", file(name), 100);
  return lenses.flatMap(({ command }) => (command === undefined ? [] : [command]));
}

async function click(name: string, title: RegExp, item: string): Promise<Runs> {
  const all = await lensesOf(name);
  const found = all.find(
    (lens) => title.test(lens.title) && (lens.arguments?.[0] as { name: string } | undefined)?.name === item,
  );
  assert.ok(found, `no such lens for ${item} among ${all.map((lens) => lens.title).join(", ")}`);
  return ask<Runs>(found.command, ...(found.arguments ?? []));
}

function lineOf(document: vscode.TextDocument, start: string): number {
  const line = document.getText().split(/\r?\n/).findIndex((text) => text.trimStart().startsWith(start));
  assert.notEqual(line, -1, `no line begins with ${start}`);
  return line;
}

function ask<Answer>(command: string, ...args: unknown[]): Thenable<Answer> {
  return vscode.commands.executeCommand<Answer>(command, ...args);
}
