/** The language status item: the device, and what the server is doing. */

import * as vscode from "vscode";
import { LANGUAGE } from "./protocol.js";
import { explainProblem } from "./server/problem.js";
import type { Server, ServerState } from "./server/server.js";

/** What the status item shows. */
export interface Shown {
  readonly text: string;
  readonly detail: string;
  readonly busy: boolean;
  readonly failed: boolean;
}

/** Keeps a status item up to date for as long as it is not disposed. */
export function showStatus(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("shapewright.status", { language: LANGUAGE });
  item.name = "Shapewright";
  const update = (state: ServerState) => {
    const shown = describe(state, vscode.workspace.isTrusted);
    item.text = shown.text;
    item.detail = shown.detail;
    item.busy = shown.busy;
    item.severity = shown.failed ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    item.command = shown.failed
      ? { title: "Restart Server", command: "shapewright.restartServer" }
      : { title: "Show Output", command: "shapewright.showOutput" };
  };
  update(server.state);
  return vscode.Disposable.from(item, server.onDidChangeState(update));
}

/** A state in the words of the status item. */
export function describe(state: ServerState, trusted: boolean): Shown {
  switch (state.kind) {
    case "starting":
      return { text: "Shapewright", detail: "the server is starting", busy: true, failed: false };
    case "stopped":
      return { text: "Shapewright", detail: "the server is stopped", busy: false, failed: true };
    case "failed":
      return { text: "Shapewright", detail: explainProblem(state.problem).short, busy: false, failed: true };
    case "running": {
      const { status, version } = state;
      const doing = status?.message ?? status?.state ?? "ready";
      const libraries = status?.libraries === undefined ? "" : `, ${status.libraries}`;
      const restricted = trusted ? "" : ", kernels are not run in restricted mode";
      return {
        text: status === undefined ? "Shapewright" : `$(circuit-board) ${status.device}`,
        detail: `${doing}${restricted}${libraries} (server ${version})`,
        busy: status !== undefined && status.state !== "ready",
        failed: false,
      };
    }
  }
}
