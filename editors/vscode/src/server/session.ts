/** One language client and the process that it talks to. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { LANGUAGE } from "../protocol.js";
import { SECTION, serverSettings } from "../settings.js";
import { CrashHandler } from "./crashes.js";

/** The documents that the server answers for. */
const DOCUMENTS = [
  { language: LANGUAGE, scheme: "file" },
  { language: LANGUAGE, scheme: "untitled" },
];

/** Executes one of the server's commands that somebody asked VS Code for. */
export type CommandHandler = (
  command: string,
  args: unknown[],
  next: (command: string, args: unknown[]) => vscode.ProviderResult<unknown>,
) => vscode.ProviderResult<unknown>;

function isDark(kind: vscode.ColorThemeKind): boolean {
  return kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast;
}

/** A client and its server, from start to end. A server that crashes is started again within the same session. */
export class Session {
  readonly client: LanguageClient;
  private readonly crashes = new CrashHandler();
  private process: ChildProcessWithoutNullStreams | undefined;
  private ended = false;

  constructor(
    private readonly path: string,
    output: vscode.LogOutputChannel,
    executeCommand: CommandHandler,
  ) {
    const options: LanguageClientOptions = {
      documentSelector: DOCUMENTS,
      outputChannel: output,
      traceOutputChannel: output,
      synchronize: { configurationSection: SECTION },
      initializationOptions: {
        lenses: true,
        // Pictures in hovers have a background of their own, which fits the theme that is chosen now.
        pictures: isDark(vscode.window.activeColorTheme.kind) ? "dark" : "light",
        runAllowed: vscode.workspace.isTrusted,
        settings: serverSettings(),
      },
      middleware: {
        executeCommand,
        workspace: { didChangeConfiguration: (sections, next) => this.unlessEnded(next(sections)) },
      },
      errorHandler: this.crashes,
      // Whoever starts the session tells the person; a second message would say the same.
      initializationFailedHandler: () => false,
    };
    this.client = new LanguageClient(SECTION, "Shapewright", () => this.launch(), options);
  }

  /** The number of the server's process, while there is one. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Starts the server and waits for its first answer, which some never give: `signal` ends the waiting. */
  async start(signal: AbortSignal): Promise<void> {
    let abort: () => void = () => undefined;
    const aborted = new Promise<never>((_, reject) => {
      abort = () => {
        this.kill();
        reject(new Error("another start took its place"));
      };
    });
    signal.addEventListener("abort", abort);
    try {
      await Promise.race([this.client.start(), aborted]);
      this.crashes.answered = true;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Ends the server, in order where it still answers. */
  async end(): Promise<void> {
    this.ended = true;
    try {
      await this.client.dispose();
    } finally {
      this.kill();
    }
  }

  /** A change of settings may be what ends the session. The next one is told of it at its start. */
  private async unlessEnded(sent: Promise<void>): Promise<void> {
    try {
      await sent;
    } catch (error) {
      if (!this.ended) {
        throw error;
      }
    }
  }

  private kill(): void {
    this.ended = true;
    this.process?.kill();
  }

  private launch(): Promise<ChildProcessWithoutNullStreams> {
    return new Promise((resolve, reject) => {
      if (this.ended) {
        reject(new Error("the session has ended"));
        return;
      }
      const cwd = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;
      const process = spawn(this.path, ["lsp"], { cwd, windowsHide: true });
      this.process = process;
      process.once("spawn", () => resolve(process));
      process.once("error", reject);
    });
  }
}
