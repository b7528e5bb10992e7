/** The settings of the section `shapewright`, as the server is told them when it starts. */

import * as vscode from "vscode";

/** The section of all settings. */
export const SECTION = "shapewright";

/** The setting that says where the server is. */
export const SERVER_PATH = `${SECTION}.server.path`;

/** The settings as one object, for the server's start. Later changes reach it as the protocol has it. */
export function serverSettings(): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  return {
    run: configuration.get("run"),
    inlayHints: configuration.get("inlayHints"),
    lens: configuration.get("lens"),
    check: configuration.get("check"),
    trace: configuration.get("trace"),
  };
}

/** Where the server is; empty where nobody says so. */
export function serverPath(): string {
  return vscode.workspace.getConfiguration(SECTION).get<string>("server.path", "");
}
