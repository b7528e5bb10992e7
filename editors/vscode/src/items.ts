/** Which item of a file a command is about: the one under the cursor, or the one that the person picks. */

import * as vscode from "vscode";
import { type ItemReference, LANGUAGE } from "./protocol.js";

/** The file that commands are about, or a message that there is none. */
export function activeDocument(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === LANGUAGE) {
    return document;
  }
  void vscode.window.showInformationMessage("Open a `.shape` file first.");
  return undefined;
}

/** The item under the cursor if it will do, else the one that the person picks from those that will. */
export async function chooseItem(
  document: vscode.TextDocument,
  what: string,
  fits: (word: string) => boolean,
): Promise<ItemReference | undefined> {
  const symbols = (await symbolsOf(document)).filter((symbol) => fits(wordOf(document, symbol)));
  const cursor = vscode.window.activeTextEditor?.selection.active;
  const here = symbols.find((symbol) => cursor !== undefined && symbol.range.contains(cursor));
  const chosen = here ?? (symbols.length === 1 ? symbols[0] : await pick(symbols, what));
  return chosen === undefined ? undefined : { uri: document.uri.toString(), name: chosen.name };
}

/** The word that an item begins with, such as `kernel` or `run`; empty where its name comes first. */
export function wordOf(document: vscode.TextDocument, symbol: vscode.DocumentSymbol): string {
  const before = new vscode.Range(symbol.range.start, symbol.selectionRange.start);
  return /(\w+)\s+$/.exec(document.getText(before))?.[1] ?? "";
}

/** The items of a file, as the server lists them. */
export async function symbolsOf(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
    "vscode.executeDocumentSymbolProvider",
    document.uri,
  );
  return symbols ?? [];
}

async function pick(symbols: vscode.DocumentSymbol[], what: string): Promise<vscode.DocumentSymbol | undefined> {
  if (symbols.length === 0) {
    void vscode.window.showInformationMessage(`This file has no ${what}.`);
    return undefined;
  }
  const entries = symbols.map((symbol) => ({ label: symbol.name, description: symbol.detail, symbol }));
  const chosen = await vscode.window.showQuickPick(entries, { placeHolder: `Choose a ${what}` });
  return chosen?.symbol;
}
