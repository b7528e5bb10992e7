/** Starts and ends the extension. */

import * as vscode from "vscode";
import { type Parts, registerCommands } from "./commands/commands.js";
import { GeneratedSources } from "./pages/generated.js";
import { PagePanel } from "./pages/panel.js";
import { PicturePanel } from "./pictures/panel.js";
import { ServerCommand } from "./protocol.js";
import { RESULTS_VIEW, ResultsView } from "./results/view.js";
import { tellProblem } from "./server/messages.js";
import { Server } from "./server/server.js";
import type { CommandHandler } from "./server/session.js";
import { SERVER_PATH } from "./settings.js";
import { showStatus } from "./status.js";
import { runAllowed } from "./trust.js";

let server: Server | undefined;

/** What the extension offers to others, its tests among them. */
export type Api = Parts;

/** Called by VS Code when a `.shape` file is opened, or one of the commands is chosen. */
export function activate(context: vscode.ExtensionContext): Api {
  const extension = context.extensionUri;
  const output = vscode.window.createOutputChannel("Shapewright", { log: true });
  const started = new Server(extension, minimumVersion(context), output, refuseInRestrictedMode);
  server = started;
  const parts: Parts = {
    server: started,
    output,
    results: new ResultsView(extension),
    pictures: new PicturePanel(extension, started),
    explanations: new PagePanel(extension, "shapewright.explanation"),
    generated: new GeneratedSources(),
  };
  context.subscriptions.push(
    output,
    started,
    parts.pictures,
    parts.explanations,
    parts.generated,
    registerCommands(parts),
    showStatus(started),
    vscode.window.registerWebviewViewProvider(RESULTS_VIEW, parts.results),
    started.onDidFinishRun((run) => parts.results.add(run)),
    started.onDidChangeState((state) => {
      if (state.kind === "failed") {
        void tellProblem(state.problem, extension, output);
      }
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SERVER_PATH)) {
        void started.restart();
      }
    }),
    // A server is told at its start whether it may run kernels.
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.restart()),
  );
  // Not awaited: commands work, and say what is missing, while a server is slow to start.
  void started.restart();
  return parts;
}

/** Called by VS Code before it ends the extension. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** The oldest server that this extension understands, as its `package.json` says. */
function minimumVersion(context: vscode.ExtensionContext): string {
  const { shapewright } = context.extension.packageJSON as { shapewright: { minimumServerVersion: string } };
  return shapewright.minimumServerVersion;
}

/** The server's own commands can be executed by other extensions too. */
const refuseInRestrictedMode: CommandHandler = (command, args, next) =>
  command === ServerCommand.run && !runAllowed() ? undefined : next(command, args);
