/** Restart the server, show its output, show and clear the results. */

import * as vscode from "vscode";
import { symbolsOf, wordOf } from "../items.js";
import type { Commands, Parts } from "./commands.js";

/** The commands that are about the extension itself. */
export function serverCommands(parts: Parts): Commands {
  const { server, output, results } = parts;
  return {
    "shapewright.restartServer": () => server.restart(),
    "shapewright.showOutput": () => output.show(true),
    "shapewright.showResults": () => results.reveal(),
    "shapewright.clearResults": () => results.clear(),
    "shapewright.openRun": (uri, name) => openRun(uri, name),
  };
}

/** Opens the file of a result and, while the item is still there, goes to it. A run is called `NAME#2`: NAME's second. */
async function openRun(uri: unknown, name: unknown): Promise<void> {
  if (typeof uri !== "string" || typeof name !== "string") {
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const editor = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
  const [kernel, ordinal = "1"] = name.split("#");
  const runs = (await symbolsOf(document)).filter((symbol) => wordOf(document, symbol) === "run");
  const item = runs.filter((symbol) => symbol.name === kernel)[Number(ordinal) - 1];
  if (item !== undefined) {
    editor.selection = new vscode.Selection(item.selectionRange.start, item.selectionRange.start);
    editor.revealRange(item.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
