/** Tells the person that there is no server, with buttons that lead to a remedy. */

import * as vscode from "vscode";
import { SERVER_PATH } from "../settings.js";
import { explainProblem, type ServerProblem } from "./problem.js";

const OPEN_SETTING = "Open Setting";
const HOW_TO_INSTALL = "How to Install";
const SHOW_OUTPUT = "Show Output";

/** Shows a problem once and does what the person chooses. */
export async function tellProblem(
  problem: ServerProblem,
  extension: vscode.Uri,
  output: vscode.LogOutputChannel,
): Promise<void> {
  const { text } = explainProblem(problem);
  output.error(text);
  const buttons = problem.kind === "start-failed" ? [SHOW_OUTPUT, OPEN_SETTING] : [OPEN_SETTING, HOW_TO_INSTALL];
  switch (await vscode.window.showErrorMessage(text, ...buttons)) {
    case OPEN_SETTING:
      await openSetting();
      break;
    case HOW_TO_INSTALL:
      await vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.joinPath(extension, "INSTALL.md"));
      break;
    case SHOW_OUTPUT:
      output.show(true);
      break;
  }
}

/** Opens the setting that says where the server is. It belongs to the machine that the server runs on. */
export async function openSetting(): Promise<void> {
  const query = `@id:${SERVER_PATH}`;
  if (vscode.env.remoteName === undefined) {
    await vscode.commands.executeCommand("workbench.action.openSettings", query);
  } else {
    await vscode.commands.executeCommand("workbench.action.openRemoteSettings", { query, jsonEditor: false });
  }
}
