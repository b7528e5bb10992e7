/** What the language configuration and the snippets do while one types. */

import assert from "node:assert/strict";
import * as vscode from "vscode";

export function editing(): void {
  suite("editing", () => {
    async function editor(content: string): Promise<vscode.TextEditor> {
      const document = await vscode.workspace.openTextDocument({ language: "shapewright", content });
      const shown = await vscode.window.showTextDocument(document);
      const end = document.lineAt(document.lineCount - 1).range.end;
      shown.selection = new vscode.Selection(end, end);
      return shown;
    }

    async function type(text: string): Promise<void> {
      for (const character of text) {
        await vscode.commands.executeCommand("type", { text: character });
      }
    }

    test(".shape files have the language", async () => {
      const all = await vscode.languages.getLanguages();
      assert.ok(all.includes("shapewright"));
    });

    test("Enter continues documentation, and no other comment", async () => {
      const documentation = await editor("/// what it is");
      await type("\nx");
      assert.equal(documentation.document.getText(), "/// what it is\n/// x");
      const comment = await editor("// a note");
      await type("\nx");
      assert.equal(comment.document.getText(), "// a note\nx");
      const ruler = await editor("//// ruler");
      await type("\nx");
      assert.equal(ruler.document.getText(), "//// ruler\nx");
    });

    test("Enter between braces indents", async () => {
      const body = await editor("kernel k() ");
      await type("{\nx");
      assert.equal(body.document.getText(), "kernel k() {\n    x\n}");
    });

    test("brackets and quotes close themselves, not in comments", async () => {
      const shape = await editor("s : ");
      await type('[f("');
      assert.equal(shape.document.getText(), 's : [f("")]');
      const comment = await editor("// ");
      await type("[");
      assert.equal(comment.document.getText(), "// [");
    });

    test("a line is commented with //", async () => {
      const line = await editor("s : [1];");
      await vscode.commands.executeCommand("editor.action.commentLine");
      assert.equal(line.document.getText(), "// s : [1];");
    });

    test("a hyphenated name is one word", async () => {
      const shown = await editor("new-shape0 : [4-a];");
      const range = shown.document.getWordRangeAtPosition(new vscode.Position(0, 6));
      assert.equal(shown.document.getText(range), "new-shape0");
    });

    test("snippets are there", async () => {
      const shown = await editor("");
      await vscode.commands.executeCommand("editor.action.insertSnippet", { langId: "shapewright", name: "Assertion" });
      assert.equal(shown.document.getText(), "assert name.injective;");
    });
  });
}
