/** What the suites share: the extension, its server, and files to open. */

import assert from "node:assert/strict";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Api } from "../../src/extension.js";
import type { ServerState } from "../../src/server/server.js";
import type { Received } from "../fake-server/state.js";

/** The extension, active. */
export async function activated(): Promise<Api> {
  const extension = vscode.extensions.getExtension<Api>("shapewright.shapewright");
  assert.ok(extension, "the extension is not installed");
  return extension.activate();
}

/** Waits for a state of the server. */
export async function serverState<Kind extends ServerState["kind"]>(
  api: Api,
  kind: Kind,
): Promise<Extract<ServerState, { kind: Kind }>> {
  await until(() => api.server.state.kind === kind, `the server is ${kind}`);
  return api.server.state as Extract<ServerState, { kind: Kind }>;
}

/** The extension with a server that answers. */
export async function ready(): Promise<Api> {
  const api = await activated();
  await serverState(api, "running");
  await until(() => api.server.client !== undefined, "the client is connected");
  return api;
}

/** Opens a file of the workspace in the editor. */
export async function open(name: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(file(name));
  return vscode.window.showTextDocument(document);
}

/** A file of the workspace. */
export function file(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder, "no folder is open");
  return vscode.Uri.joinPath(folder, name);
}

/** One of the programs that stand for servers. */
export function program(name: string): string {
  const folder = process.env["SHAPEWRIGHT_TEST_PROGRAMS"];
  assert.ok(folder, "SHAPEWRIGHT_TEST_PROGRAMS is not set");
  return join(folder, name, "shapewright");
}

/** What the fake server was sent. */
export async function received(api: Api, method?: string): Promise<Received[]> {
  assert.ok(api.server.client, "there is no server to ask");
  const log = await api.server.client.sendRequest<Received[]>("fake/log");
  return log.filter((message) => method === undefined || message.method === method);
}

/** The arguments of the commands that the fake server was asked to execute. */
export async function executed(api: Api, command: string): Promise<unknown[]> {
  const all = await received(api, "workspace/executeCommand");
  const params = all.map((message) => message.params as { command: string; arguments: unknown[] });
  return params.filter((given) => given.command === command).map((given) => given.arguments[0]);
}

/** Sets a setting of the workspace, and unsets it with `undefined`. */
export async function configure(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration("shapewright").update(name, value, vscode.ConfigurationTarget.Workspace);
}

/** Waits until something holds. */
export async function until(holds: () => unknown, what: string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 20) {
    if (await holds()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`waited in vain until ${what}`);
}
