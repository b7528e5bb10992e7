/** The server's life: found, checked, started, restarted, stopped. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import { type RunFinished, ServerNotification, type ServerStatus } from "../protocol.js";
import { serverPath } from "../settings.js";
import { makeClient } from "./client.js";
import { discover, type FoundServer } from "./discovery.js";
import { place, type ServerProblem } from "./problem.js";
import { checkVersion } from "./version.js";

/** What the server is doing, as far as the extension knows. */
export type ServerState =
  | { readonly kind: "starting" }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly problem: ServerProblem }
  | { readonly kind: "running"; readonly server: FoundServer; readonly version: string; readonly status?: ServerStatus };

/** Executes one of the server's commands that somebody asked VS Code for. */
export type CommandHandler = (
  command: string,
  args: unknown[],
  next: (command: string, args: unknown[]) => vscode.ProviderResult<unknown>,
) => vscode.ProviderResult<unknown>;

/** The one server of this window. */
export class Server implements vscode.Disposable {
  private readonly stateEmitter = new vscode.EventEmitter<ServerState>();
  private readonly runEmitter = new vscode.EventEmitter<RunFinished>();
  private current: ServerState = { kind: "stopped" };
  private active: LanguageClient | undefined;
  /** Starts and stops, one after the other. */
  private queue: Promise<void> = Promise.resolve();

  /** Tells every new state. */
  readonly onDidChangeState = this.stateEmitter.event;
  /** Tells every run that has ended. */
  readonly onDidFinishRun = this.runEmitter.event;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly minimum: string,
    private readonly output: vscode.LogOutputChannel,
    private readonly executeCommand: CommandHandler,
  ) {}

  /** What the server is doing. */
  get state(): ServerState {
    return this.current;
  }

  /** The client of a server that answers; undefined while there is none. */
  get client(): LanguageClient | undefined {
    return this.active?.state === State.Running ? this.active : undefined;
  }

  /** Starts the server, anew where it runs. */
  restart(): Promise<void> {
    this.abandonStart();
    return this.enqueue(async () => {
      await this.end();
      await this.begin();
    });
  }

  /** Stops the server. */
  stop(): Promise<void> {
    this.abandonStart();
    return this.enqueue(() => this.end());
  }

  dispose(): void {
    this.stateEmitter.dispose();
    this.runEmitter.dispose();
  }

  /** A server that never answers its first request would keep everything after it waiting. */
  private abandonStart(): void {
    if (this.active?.state === State.Starting) {
      this.active.serverProcess?.kill();
    }
  }

  private enqueue(job: () => Promise<void>): Promise<void> {
    const done = this.queue.then(job);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async begin(): Promise<void> {
    this.become({ kind: "starting" });
    const found = await this.find();
    if ("problem" in found) {
      this.fail(found.problem);
      return;
    }
    const { server } = found;
    const answer = await checkVersion(server.path, this.minimum);
    if ("problem" in answer) {
      this.fail(answer.problem);
      return;
    }
    this.output.info(`server ${answer.version} at ${server.path}, ${place(server.origin)}`);
    await this.connect(server, answer.version);
  }

  private find() {
    return discover({
      setting: serverPath(),
      extension: this.extension.fsPath,
      workspace: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      home: homedir(),
      path: process.env["PATH"] ?? "",
      platform: process.platform,
    });
  }

  private async connect(server: FoundServer, version: string): Promise<void> {
    const client = makeClient(server.path, this.output, this.executeCommand);
    const running = { kind: "running", server, version } as const;
    client.onNotification(ServerNotification.status, (status: ServerStatus) => this.become({ ...running, status }));
    client.onNotification(ServerNotification.runFinished, (run: RunFinished) => this.runEmitter.fire(run));
    this.active = client;
    try {
      await client.start();
    } catch (error) {
      this.active = undefined;
      // What is left of it: a process that did not end by itself.
      await client.dispose().catch(() => undefined);
      this.fail({ kind: "start-failed", path: server.path, reason: error instanceof Error ? error.message : String(error) });
      return;
    }
    client.onDidChangeState(({ newState }) => this.follow(client, newState, running));
    if (this.current.kind !== "running") {
      this.become(running);
    }
  }

  /** A server that dies is started again by the client, several times; then it stays stopped. */
  private follow(client: LanguageClient, state: State, running: ServerState): void {
    if (client !== this.active) {
      return;
    }
    if (state === State.Running) {
      this.become(running);
    } else {
      this.become(state === State.Starting ? { kind: "starting" } : { kind: "stopped" });
    }
  }

  private async end(): Promise<void> {
    const client = this.active;
    this.active = undefined;
    if (client !== undefined) {
      // A server that is dying anyway must not keep the next one from starting.
      await client.dispose().catch((error: unknown) => this.output.warn(`the server was stopped: ${String(error)}`));
    }
    this.become({ kind: "stopped" });
  }

  private fail(problem: ServerProblem): void {
    this.become({ kind: "failed", problem });
  }

  private become(state: ServerState): void {
    this.current = state;
    this.stateEmitter.fire(state);
  }
}
