/** The panel beside the editor that shows the picture of a map, and keeps it up to date. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { page } from "../html.js";
import { symbolsOf, wordOf } from "../items.js";
import { pageBody } from "../pages/markdown.js";
import { type Drawn, LANGUAGE, type PictureRequest, ServerCommand, type Shown } from "../protocol.js";
import { ask, execute } from "../server/requests.js";
import type { Server } from "../server/server.js";
import { pictureBody } from "./body.js";
import type { Choices, FromPage, ToPage } from "./messages.js";

/** How long an edit or the cursor must rest before the picture follows, in milliseconds. */
const PAUSE = 150;

/** The panel. It is opened when it is first needed, and used again. */
export class PicturePanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private drawn: Drawn | undefined;
  private choices: Choices = { by: "thread", label: "auto", follow: true };
  private last: ToPage | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** What has happened since the last picture: an edit, a cursor that was moved. */
  private edited = false;
  private moved: vscode.TextEditor | undefined;
  /** Counts what was asked for, so that a late answer is not taken for that to a later question. */
  private asked = 0;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
  ) {
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.languageId === LANGUAGE && contentChanges.length > 0) {
          this.edited = true;
          this.later();
        }
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor.document.languageId === LANGUAGE && this.choices.follow) {
          this.moved = textEditor;
          this.later();
        }
      }),
    );
  }

  /** Shows the picture of an item, or of a claim with its counterexample. */
  async show(drawn: Drawn): Promise<Shown | undefined> {
    const asked = ++this.asked;
    const shown = await execute<Shown>(this.server, ServerCommand.show, [this.request(drawn)]);
    if (shown !== undefined && asked === this.asked) {
      this.drawn = drawn;
      this.panel ??= this.open();
      this.take(shown);
      this.panel.reveal(undefined, true);
    }
    return shown;
  }

  /** The page, before its script has begun; undefined while the panel is closed. */
  get html(): string | undefined {
    return this.panel?.webview.html;
  }

  /** What the page was told last. */
  get content(): ToPage | undefined {
    return this.last;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
    this.panel?.dispose();
  }

  private request(drawn: Drawn): PictureRequest {
    return { ...drawn, by: this.choices.by, label: this.choices.label, interactive: true };
  }

  /** Asks again for what is shown. Whoever is typing is told of nothing; the picture steps back until there is a new one. */
  private async refresh(): Promise<void> {
    if (this.panel === undefined || this.drawn === undefined) {
      return;
    }
    const asked = ++this.asked;
    const answer = await ask<Shown>(this.server, ServerCommand.show, [this.request(this.drawn)]);
    if (asked !== this.asked) {
      return;
    }
    if (answer instanceof Error) {
      this.tell({ kind: "stale", reason: `Not up to date: ${answer.message}.` });
    } else {
      this.take(answer);
    }
  }

  /** Follows the cursor and the text. */
  private async update(): Promise<void> {
    const { edited, moved } = this;
    this.edited = false;
    this.moved = undefined;
    const here = moved === undefined ? undefined : await drawnUnderCursor(moved);
    const isOther = here !== undefined && (here.uri !== this.drawn?.uri || here.name !== this.drawn.name);
    if (isOther && (await this.changeTo(here))) {
      return;
    }
    if (edited) {
      await this.refresh();
    }
  }

  /** Shows the picture of what the cursor has come to, where it has one. */
  private async changeTo(here: Drawn): Promise<boolean> {
    const asked = ++this.asked;
    const answer = await ask<Shown>(this.server, ServerCommand.show, [this.request(here)]);
    const hasPicture = !(answer instanceof Error) && answer.svg !== undefined && answer.svg !== null;
    if (!hasPicture || asked !== this.asked) {
      return false;
    }
    this.drawn = here;
    this.take(answer);
    return true;
  }

  private take(shown: Shown): void {
    if (this.panel !== undefined) {
      this.panel.title = shown.title;
    }
    const { svg = null, picture = null, title } = shown;
    this.tell({ kind: "picture", title, svg, picture, text: pageBody(shown), choices: this.choices });
  }

  private tell(message: ToPage): void {
    this.last = message;
    void this.panel?.webview.postMessage(message);
  }

  private later(): void {
    if (this.panel !== undefined) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.update(), PAUSE);
    }
  }

  private open(): vscode.WebviewPanel {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const local = (...path: string[]) => vscode.Uri.joinPath(this.extension, ...path);
    const panel = vscode.window.createWebviewPanel("shapewright.picture", "Shapewright", column, {
      localResourceRoots: [local("media"), local("out")],
      enableCommandUris: ["shapewright.explainDiagnostic"],
      enableScripts: true,
    });
    const { webview } = panel;
    panel.iconPath = local("media", "file.svg");
    panel.onDidDispose(() => {
      clearTimeout(this.timer);
      this.panel = undefined;
    });
    webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
    const style = { source: webview.cspSource, href: webview.asWebviewUri(local("media", "page.css")).toString() };
    const script = { nonce: randomBytes(16).toString("hex"), href: webview.asWebviewUri(local("out", "picture.js")).toString() };
    webview.html = page("Picture", pictureBody(), style, script);
    return panel;
  }

  private receive(message: FromPage): void {
    if (message.kind === "choices") {
      const { by, label, follow } = message;
      this.choices = { by, label, follow };
      void this.refresh();
    } else if (this.last !== undefined) {
      // A page begins anew whenever its tab comes to the front.
      void this.panel?.webview.postMessage(this.last);
    }
  }
}

/** The map whose item the cursor is in, or the name in a kernel that the cursor is on: a view, or a tile. */
async function drawnUnderCursor({ document, selection }: vscode.TextEditor): Promise<Drawn | undefined> {
  const symbols = await symbolsOf(document);
  const here = symbols.find((symbol) => symbol.range.contains(selection.active));
  if (here === undefined) {
    return undefined;
  }
  const uri = document.uri.toString();
  switch (wordOf(document, here)) {
    case "map":
      return { uri, name: here.name };
    case "kernel": {
      const word = document.getWordRangeAtPosition(selection.active);
      const name = word === undefined ? "" : document.getText(word);
      if (name === here.name) {
        return { uri, name };
      }
      return declares(here, name) ? { uri, name: `${here.name}.${name}` } : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether something inside of an item has this name. */
function declares(symbol: vscode.DocumentSymbol, name: string): boolean {
  return symbol.children.some((child) => child.name === name || declares(child, name));
}
