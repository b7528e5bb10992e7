/** Commands that the server executes, with typed answers and failures told to the person. */

import * as vscode from "vscode";
import { ExecuteCommandRequest, LSPErrorCodes, type ProgressToken, ResponseError } from "vscode-languageclient/node";
import type { Server } from "./server.js";

/** Asks the server to execute a command, and tells nobody where it does not. */
export async function ask<Answer>(
  server: Server,
  command: string,
  args: readonly unknown[],
): Promise<Answer | Error> {
  try {
    const answer = await server.client?.sendRequest(ExecuteCommandRequest.type, { command, arguments: [...args] });
    return answer === undefined ? new Error("the server is not running") : (answer as Answer);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Asks the server to execute a command. Undefined where it did not, which the person has then been told. */
export async function execute<Answer>(
  server: Server,
  command: string,
  args: readonly unknown[],
  workDoneToken?: ProgressToken,
): Promise<Answer | undefined> {
  const { client } = server;
  if (client === undefined) {
    void tellNotRunning();
    return undefined;
  }
  const progress = workDoneToken === undefined ? {} : { workDoneToken };
  try {
    return (await client.sendRequest(ExecuteCommandRequest.type, {
      command,
      arguments: [...args],
      ...progress,
    })) as Answer;
  } catch (error) {
    // Whoever cancels a run knows that it has ended.
    if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
      return undefined;
    }
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`Shapewright: ${reason}`);
    return undefined;
  }
}

async function tellNotRunning(): Promise<void> {
  const restart = "Restart Server";
  const chosen = await vscode.window.showErrorMessage("The Shapewright server is not running.", restart);
  if (chosen === restart) {
    await vscode.commands.executeCommand("shapewright.restartServer");
  }
}
