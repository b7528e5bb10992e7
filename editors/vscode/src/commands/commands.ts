/** All commands that the extension registers, and what they work on. */

import * as vscode from "vscode";
import type { GeneratedSources } from "../pages/generated.js";
import type { PagePanel } from "../pages/panel.js";
import type { PicturePanel } from "../pictures/panel.js";
import type { ResultsView } from "../results/view.js";
import type { Server } from "../server/server.js";
import { explainCommands } from "./explain.js";
import { runCommands } from "./run.js";
import { serverCommands } from "./server.js";
import { showCommands } from "./show.js";

/** What commands work on. */
export interface Parts {
  readonly server: Server;
  readonly output: vscode.LogOutputChannel;
  readonly results: ResultsView;
  readonly pictures: PicturePanel;
  readonly explanations: PagePanel;
  readonly generated: GeneratedSources;
}

/** Commands by their names. Arguments come from lenses, links and other extensions, so each command checks its own. */
export type Commands = Record<string, (...args: unknown[]) => unknown>;

/** Registers all commands. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const all = { ...serverCommands(parts), ...runCommands(parts), ...showCommands(parts), ...explainCommands(parts) };
  return vscode.Disposable.from(
    ...Object.entries(all).map(([name, command]) => vscode.commands.registerCommand(name, command)),
  );
}
