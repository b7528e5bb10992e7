/** Running kernels because the person asks for it: with progress, a way to stop, and the results in view. */

import * as vscode from "vscode";
import { WorkDoneProgress } from "vscode-languageclient/node";
import { type RunRequest, type Runs, ServerCommand } from "./protocol.js";
import { execute } from "./server/requests.js";
import type { Server } from "./server/server.js";
import { runAllowed } from "./trust.js";

/** A run that is faster than this shows no progress: a message that flashes up says nothing. */
const QUIET_MS = 400;

let tokens = 0;

/** Runs what a request names. Undefined where nothing ran, which the person has then been told. */
export async function run(server: Server, request: RunRequest, reveal: () => void): Promise<Runs | undefined> {
  if (!runAllowed()) {
    return undefined;
  }
  tokens += 1;
  const token = `shapewright-run-${tokens}`;
  const answer = execute<Runs>(server, ServerCommand.run, [request], token);
  const stopShowing = showProgress(server, request, token, answer);
  const runs = await answer.finally(stopShowing);
  if (runs !== undefined) {
    reveal();
  }
  return runs;
}

/** Stops the kernel that is running. */
export async function cancelRun(server: Server): Promise<void> {
  await execute(server, ServerCommand.cancel, []);
}

/** Shows what the server reports about a run, once the run has taken a while. */
function showProgress(server: Server, request: RunRequest, token: string, answer: Promise<unknown>): () => void {
  let report: (message: string) => void = () => undefined;
  const listening = server.client?.onProgress(WorkDoneProgress.type, token, (value) => {
    if (value.kind !== "end") {
      report(value.message ?? "");
    }
  });
  const show = () => {
    const title = request.name === undefined ? "Running all kernels of the file" : `Running ${request.name}`;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (progress, cancellation) => {
      report = (message) => progress.report({ message });
      cancellation.onCancellationRequested(() => cancelRun(server));
      await answer;
    });
  };
  const timer = setTimeout(show, QUIET_MS);
  return () => {
    clearTimeout(timer);
    listening?.dispose();
  };
}
