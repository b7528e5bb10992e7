/** The server's life: found, checked, started, restarted, stopped. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import { type RunFinished, ServerNotification, type ServerStatus } from "../protocol.js";
import { serverPath } from "../settings.js";
import { discover, type FoundServer } from "./discovery.js";
import { place, type ServerProblem } from "./problem.js";
import { type CommandHandler, Session } from "./session.js";
import { checkVersion } from "./version.js";

/** What the server is doing, as far as the extension knows. */
export type ServerState =
  | { readonly kind: "starting" }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly problem: ServerProblem }
  | { readonly kind: "running"; readonly server: FoundServer; readonly version: string; readonly status?: ServerStatus };

/** The one server of this window. */
export class Server implements vscode.Disposable {
  private readonly stateEmitter = new vscode.EventEmitter<ServerState>();
  private readonly runEmitter = new vscode.EventEmitter<RunFinished>();
  private current: ServerState = { kind: "stopped" };
  private session: Session | undefined;
  /** Starts and stops, one after the other. */
  private queue: Promise<void> = Promise.resolve();
  /** Ends the start that is under way, which may otherwise take for ever. */
  private starting = new AbortController();

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
    return this.session?.client.state === State.Running ? this.session.client : undefined;
  }

  /** The number of the server's process, while there is one. */
  get pid(): number | undefined {
    return this.session?.pid;
  }

  /** Starts the server, anew where it runs. */
  restart(): Promise<void> {
    return this.enqueue(async (signal) => {
      await this.end();
      await this.begin(signal);
    });
  }

  /** Stops the server. */
  stop(): Promise<void> {
    return this.enqueue(() => this.end());
  }

  dispose(): void {
    this.stateEmitter.dispose();
    this.runEmitter.dispose();
  }

  private enqueue(job: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.starting.abort();
    const starting = new AbortController();
    this.starting = starting;
    const done = this.queue.then(() => job(starting.signal));
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async begin(signal: AbortSignal): Promise<void> {
    this.become({ kind: "starting" });
    const found = await this.find();
    if (signal.aborted) {
      return;
    }
    if ("problem" in found) {
      this.become({ kind: "failed", problem: found.problem });
      return;
    }
    const { server } = found;
    const answer = await checkVersion(server.path, this.minimum);
    if (signal.aborted) {
      return;
    }
    if ("problem" in answer) {
      this.become({ kind: "failed", problem: answer.problem });
      return;
    }
    this.output.info(`server ${answer.version} at ${server.path}, ${place(server.origin)}`);
    await this.connect(server, answer.version, signal);
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

  private async connect(server: FoundServer, version: string, signal: AbortSignal): Promise<void> {
    const session = new Session(server.path, this.output, this.executeCommand);
    const { client } = session;
    const running = { kind: "running", server, version } as const;
    client.onNotification(ServerNotification.status, (status: ServerStatus) => this.become({ ...running, status }));
    client.onNotification(ServerNotification.runFinished, (run: RunFinished) => this.runEmitter.fire(run));
    this.session = session;
    try {
      await session.start(signal);
    } catch (error) {
      await this.end();
      if (!signal.aborted) {
        const reason = error instanceof Error ? error.message : String(error);
        this.become({ kind: "failed", problem: { kind: "start-failed", path: server.path, reason } });
      }
      return;
    }
    client.onDidChangeState(({ newState }) => this.follow(session, newState, running));
    if (this.current.kind !== "running") {
      this.become(running);
    }
  }

  /** A server that dies is started again by its session, several times; then it stays stopped. */
  private follow(session: Session, state: State, running: ServerState): void {
    if (session !== this.session) {
      return;
    }
    if (state === State.Running) {
      this.become(running);
    } else {
      this.become(state === State.Starting ? { kind: "starting" } : { kind: "stopped" });
    }
  }

  private async end(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    // A server that is dying anyway must not keep the next one from starting.
    await session?.end().catch((error: unknown) => this.output.warn(`while the server was stopped: ${String(error)}`));
    this.become({ kind: "stopped" });
  }

  private become(state: ServerState): void {
    this.current = state;
    this.stateEmitter.fire(state);
  }
}
