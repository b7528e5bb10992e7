/** The results panel, beside the terminal and the problems. */

import * as vscode from "vscode";
import { page } from "../html.js";
import type { RunFinished } from "../protocol.js";
import { History } from "./history.js";
import { resultsBody } from "./page.js";

/** The identifier of the panel's view. */
export const RESULTS_VIEW = "shapewright.results";

/** Shows the last result of each run item. */
export class ResultsView implements vscode.WebviewViewProvider {
  /** What is shown. */
  readonly history = new History();
  private view: vscode.WebviewView | undefined;

  constructor(private readonly extension: vscode.Uri) {}

  /** Takes a result that has come. */
  add(run: RunFinished): void {
    this.history.add(run, new Date());
    this.render();
  }

  /** Forgets all results. */
  clear(): void {
    this.history.clear();
    this.render();
  }

  /** Brings the panel into view and leaves the cursor where it is. */
  async reveal(): Promise<void> {
    if (this.view === undefined) {
      // A view that was never opened can only be opened by its command.
      await vscode.commands.executeCommand(`${RESULTS_VIEW}.focus`, { preserveFocus: true });
    } else {
      this.view.show(true);
    }
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const media = vscode.Uri.joinPath(this.extension, "media");
    view.webview.options = {
      localResourceRoots: [media],
      enableCommandUris: ["shapewright.runFile", "shapewright.openRun"],
    };
    view.onDidDispose(() => (this.view = undefined));
    this.render();
  }

  /** The page, as the panel shows it; undefined while the panel was never opened. */
  get html(): string | undefined {
    return this.view?.webview.html;
  }

  private render(): void {
    if (this.view === undefined) {
      return;
    }
    const { webview } = this.view;
    const sheet = vscode.Uri.joinPath(this.extension, "media", "page.css");
    const style = { source: webview.cspSource, href: webview.asWebviewUri(sheet).toString() };
    webview.html = page("Shapewright results", resultsBody(this.history.all()), style);
  }
}
