/**
 * A server that plays its part: it answers as the protocol has it, from the text alone, and keeps a list of what it was
 * asked. So what the extension does can be tested without a compiler.
 *
 * FAKE_VERSION is the version that it says it has. FAKE_MODE=silent lets it never answer.
 */

import {
  createMessageConnection,
  ErrorCodes,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { answer, type ExecuteCommandParams } from "./commands.js";
import { codeLenses, diagnostics, documentSymbols, hover, inlayHints } from "./language.js";
import type { Fake } from "./state.js";

const [, , subcommand] = process.argv;
if (subcommand === "--version") {
  console.log(`shapewright ${process.env["FAKE_VERSION"] ?? "0.1.0"}`);
} else if (subcommand === "lsp") {
  serve();
} else {
  console.error(`expected --version or lsp, found ${subcommand}`);
  process.exit(2);
}

function serve(): void {
  const connection = createMessageConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout));
  const fake: Fake = { connection, documents: new Map(), log: [], runAllowed: true, onSave: "off" };
  const note = (method: string, params: unknown) => fake.log.push({ method, params });

  connection.onRequest((method, params) => {
    note(method, params);
    if (process.env["FAKE_MODE"] === "silent") {
      return new Promise(() => undefined);
    }
    return request(fake, method, params);
  });
  connection.onNotification((method, params) => {
    note(method, params);
    notification(fake, method, params);
  });
  // A client that is gone leaves nobody to answer to.
  connection.onClose(() => process.exit(0));
  connection.listen();
}

interface InitializeParams {
  readonly initializationOptions: { readonly runAllowed: boolean; readonly settings: Settings };
}

interface Settings {
  readonly run: { readonly onSave: string };
}

interface DocumentParams {
  readonly textDocument: { readonly uri: string };
}

const CAPABILITIES = {
  positionEncoding: "utf-16",
  textDocumentSync: { openClose: true, change: 1, save: true },
  hoverProvider: true,
  inlayHintProvider: true,
  codeLensProvider: {},
  documentSymbolProvider: true,
  executeCommandProvider: {
    commands: ["run", "cancel", "emit", "explain", "devices", "show"].map((name) => `shapewright.${name}`),
  },
};

function request(fake: Fake, method: string, params: unknown): unknown {
  const text = () => fake.documents.get((params as DocumentParams).textDocument.uri) ?? "";
  switch (method) {
    case "initialize": {
      const { runAllowed, settings } = (params as InitializeParams).initializationOptions;
      Object.assign(fake, { runAllowed, onSave: settings.run.onSave });
      return { capabilities: CAPABILITIES, serverInfo: { name: "fake", version: "0.1.0" } };
    }
    case "shutdown":
      return null;
    case "textDocument/hover":
      return hover(text(), (params as { position: { line: number; character: number } }).position);
    case "textDocument/inlayHint":
      return inlayHints(text(), fake.lastRun);
    case "textDocument/codeLens":
      return codeLenses((params as DocumentParams).textDocument.uri, text(), fake.lastRun);
    case "textDocument/documentSymbol":
      return documentSymbols(text());
    case "workspace/executeCommand":
      return answer(fake, params as ExecuteCommandParams);
    case "fake/log":
      return fake.log;
    case "fake/crash":
      return process.exit(3);
    default:
      return new ResponseError(ErrorCodes.MethodNotFound, `the fake server does not know ${method}`);
  }
}

function notification(fake: Fake, method: string, params: unknown): void {
  switch (method) {
    case "initialized":
      void fake.connection.sendNotification("shapewright/status", { device: "cpu", state: "ready" });
      break;
    case "exit":
      process.exit(0);
      break;
    case "textDocument/didOpen": {
      const { uri, text } = (params as { textDocument: { uri: string; text: string } }).textDocument;
      update(fake, uri, text);
      break;
    }
    case "textDocument/didChange": {
      const { textDocument, contentChanges } = params as DocumentParams & { contentChanges: { text: string }[] };
      update(fake, textDocument.uri, contentChanges.at(-1)?.text ?? "");
      break;
    }
    case "textDocument/didSave":
      if (fake.onSave === "all") {
        const { uri } = (params as DocumentParams).textDocument;
        void answer(fake, { command: "shapewright.run", arguments: [{ uri }] });
      }
      break;
    case "workspace/didChangeConfiguration": {
      const { settings } = params as { settings: { shapewright: Settings } | null };
      fake.onSave = settings?.shapewright.run.onSave ?? fake.onSave;
      break;
    }
  }
}

function update(fake: Fake, uri: string, text: string): void {
  fake.documents.set(uri, text);
  void fake.connection.sendNotification("textDocument/publishDiagnostics", { uri, diagnostics: diagnostics(text) });
}
