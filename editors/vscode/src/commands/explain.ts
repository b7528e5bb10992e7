/** Explain a diagnostic: the one at the cursor, or the one that the person picks from the file's. */

import * as vscode from "vscode";
import { activeDocument } from "../items.js";
import { type Page, ServerCommand } from "../protocol.js";
import { execute } from "../server/requests.js";
import type { Commands, Parts } from "./commands.js";

/** The command that shows the page of a diagnostic. */
export function explainCommands(parts: Parts): Commands {
  return {
    "shapewright.explainDiagnostic": async (given) => {
      const code = typeof given === "string" ? given : await choose();
      if (code === undefined) {
        return undefined;
      }
      const content = await execute<Page>(parts.server, ServerCommand.explain, [{ code }]);
      if (content !== undefined) {
        parts.explanations.show({ ...content, title: code });
      }
      return content;
    },
  };
}

async function choose(): Promise<string | undefined> {
  const document = activeDocument();
  if (document === undefined) {
    return undefined;
  }
  const all = vscode.languages.getDiagnostics(document.uri).filter((diagnostic) => codeOf(diagnostic) !== undefined);
  const cursor = vscode.window.activeTextEditor?.selection.active;
  const here = all.filter((diagnostic) => cursor !== undefined && diagnostic.range.contains(cursor));
  const candidates = here.length > 0 ? here : all;
  if (candidates.length === 0) {
    void vscode.window.showInformationMessage("There is no diagnostic to explain in this file.");
    return undefined;
  }
  const codes = new Map(candidates.map((diagnostic) => [codeOf(diagnostic) ?? "", diagnostic.message]));
  if (codes.size === 1) {
    return codes.keys().next().value;
  }
  const entries = [...codes].map(([label, description]) => ({ label, description }));
  return (await vscode.window.showQuickPick(entries, { placeHolder: "Choose a diagnostic to explain" }))?.label;
}

/** The code of a diagnostic, which stands alone or with the address of its page. */
export function codeOf(diagnostic: vscode.Diagnostic): string | undefined {
  const { code } = diagnostic;
  return code === undefined ? undefined : String(typeof code === "object" ? code.value : code);
}
