/** A panel beside the editor that shows one page of text. */

import * as vscode from "vscode";
import { page } from "../html.js";
import type { Page } from "../protocol.js";
import { pageBody } from "./markdown.js";

/** A panel that is opened when it is first needed, and used again. */
export class PagePanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly type: string,
  ) {}

  /** Shows a page in the place of the one before it. */
  show(content: Page): void {
    this.panel ??= this.open();
    const { webview } = this.panel;
    const sheet = vscode.Uri.joinPath(this.extension, "media", "page.css");
    const style = { source: webview.cspSource, href: webview.asWebviewUri(sheet).toString() };
    this.panel.title = content.title;
    webview.html = page(content.title, pageBody(content), style);
    this.panel.reveal(undefined, true);
  }

  /** The page, as the panel shows it; undefined while it is closed. */
  get html(): string | undefined {
    return this.panel?.webview.html;
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private open(): vscode.WebviewPanel {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(this.type, "Shapewright", column, {
      localResourceRoots: [vscode.Uri.joinPath(this.extension, "media")],
      enableCommandUris: ["shapewright.explainDiagnostic"],
    });
    panel.iconPath = vscode.Uri.joinPath(this.extension, "media", "file.svg");
    panel.onDidDispose(() => (this.panel = undefined));
    return panel;
  }
}
