/** Generated source, as documents that can be read and not changed. */

import * as vscode from "vscode";
import type { Emitted, ItemReference } from "../protocol.js";

const SCHEME = "shapewright-generated";

/** What has been generated for this window. */
export class GeneratedSources implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor() {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.toString());
  }

  /** Opens the source of an item beside the editor, or brings the open one up to date. */
  async show(item: ItemReference, emitted: Emitted): Promise<vscode.TextEditor> {
    const title = emitted.title.replaceAll("/", "∕");
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: `${item.uri}#${item.name}` });
    this.texts.set(uri.toString(), emitted.text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const languages = await vscode.languages.getLanguages();
    if (document.languageId !== emitted.language && languages.includes(emitted.language)) {
      await vscode.languages.setTextDocumentLanguage(document, emitted.language);
    }
    return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
