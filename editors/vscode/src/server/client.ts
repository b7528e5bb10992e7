/** The language client: what is told to the server at its start, and which documents it answers for. */

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { LANGUAGE } from "../protocol.js";
import { SECTION, serverSettings } from "../settings.js";
import type { CommandHandler } from "./server.js";

/** The documents that the server answers for. */
export const DOCUMENTS = [
  { language: LANGUAGE, scheme: "file" },
  { language: LANGUAGE, scheme: "untitled" },
];

/** Makes a client for the server at a path; it is not started. */
export function makeClient(
  path: string,
  output: vscode.LogOutputChannel,
  executeCommand: CommandHandler,
): LanguageClient {
  const server: ServerOptions = { command: path, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: DOCUMENTS,
    outputChannel: output,
    traceOutputChannel: output,
    synchronize: { configurationSection: SECTION },
    initializationOptions: {
      lenses: true,
      runAllowed: vscode.workspace.isTrusted,
      settings: serverSettings(),
    },
    middleware: { executeCommand },
    // Whoever starts the client tells the person; a second message would say the same.
    initializationFailedHandler: () => false,
  };
  return new LanguageClient(SECTION, "Shapewright", server, options);
}
