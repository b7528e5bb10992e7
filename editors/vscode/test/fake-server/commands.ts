/** The fake server's commands. A kernel `slow` runs until it is cancelled; `fails` has a wrong element; `breaks` an error. */

import { LSPErrorCodes, ResponseError } from "vscode-languageserver-protocol/node";
import type { Picture, PictureCell, PictureRequest, RunRequest, RunResult } from "../../src/protocol.js";
import { declarations } from "./language.js";
import type { Fake } from "./state.js";

export interface ExecuteCommandParams {
  readonly command: string;
  readonly arguments?: readonly unknown[];
  readonly workDoneToken?: string;
}

/** Executes a command. */
export async function answer(fake: Fake, params: ExecuteCommandParams): Promise<unknown> {
  const given = params.arguments?.[0];
  switch (params.command) {
    case "shapewright.run":
      return run(fake, given as RunRequest, params.workDoneToken);
    case "shapewright.cancel":
      fake.stop?.();
      return null;
    case "shapewright.emit": {
      const { name } = given as { name: string };
      return { title: `${name}.cu`, language: "cuda-cpp", text: `__global__ void ${name}_kernel() {}\n` };
    }
    case "shapewright.explain": {
      const { code } = given as { code: string };
      return { title: `about ${code}`, markdown: `# \`${code}\`\n\nSee [race](race.md). <script>alert(1)</script>\n` };
    }
    case "shapewright.show": {
      const { name, by } = given as PictureRequest;
      return { title: name, markdown: `**${name}** \`[3, 4] -> [12]\`\n`, svg: drawn(by), picture: picture(name) };
    }
    case "shapewright.devices":
      return { devices: [{ name: "cpu", available: true }] };
    default:
      return new ResponseError(LSPErrorCodes.RequestFailed, `there is no command ${params.command}`);
  }
}

/** Three cells of three threads, and a script that must not run. */
function drawn(by = "thread"): string {
  const cells = [0, 1, 2].map((cell) => `<rect x="${cell * 40}" width="39" height="40" fill="#2dd4bf" data-panel="0" data-cell="${cell}"/>`);
  const script = '<script>document.title = "executed"</script>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40" viewBox="0 0 120 40" data-by="${by}">${script}${cells.join("")}</svg>`;
}

function picture(title: string): Picture {
  const cell = (thread: number): PictureCell => {
    return { state: "reached", thread, bank: thread, marked: false, details: `slot ${thread} · thread ${thread}` };
  };
  return { title, caption: null, panels: [{ title, grid: { columns: 3, cells: [0, 1, 2].map(cell) } }] };
}

async function run(fake: Fake, { uri, name, device }: RunRequest, token: string | undefined): Promise<unknown> {
  if (!fake.runAllowed) {
    return new ResponseError(LSPErrorCodes.RequestFailed, "kernels are not run in restricted mode");
  }
  const items = declarations(fake.documents.get(uri) ?? "").filter(({ word }) => word === "run");
  const wanted = items.filter((item) => name === undefined || `${item.name}#1` === name);
  const status = (state: string) => fake.connection.sendNotification("shapewright/status", { device: "cpu", state });
  await status("running");
  const runs: RunResult[] = [];
  try {
    for (const item of wanted) {
      if (item.name === "breaks") {
        return new ResponseError(LSPErrorCodes.RequestFailed, "the kernel `breaks` left its tensor");
      }
      if (item.name === "slow") {
        await untilCancelled(fake, token);
        return new ResponseError(LSPErrorCodes.RequestCancelled, "the run was cancelled");
      }
      const finished = result(item.name, device ?? "cpu");
      runs.push(finished);
      fake.lastRun = finished;
      await fake.connection.sendNotification("shapewright/runFinished", { uri, name: `${item.name}#1`, result: finished });
    }
  } finally {
    await status("ready");
    void fake.connection.sendRequest("workspace/codeLens/refresh").catch(() => undefined);
    void fake.connection.sendRequest("workspace/inlayHint/refresh").catch(() => undefined);
  }
  return { runs };
}

async function untilCancelled(fake: Fake, token: string | undefined): Promise<void> {
  const report = (value: unknown) => fake.connection.sendNotification("$/progress", { token, value });
  await report({ kind: "begin", title: "slow", cancellable: true });
  await new Promise<void>((resolve) => (fake.stop = resolve));
  await report({ kind: "end" });
}

function result(kernel: string, device: string): RunResult {
  const sample = [0, 2, 4, 6, 8, 10, 12, 14];
  const common = { kernel, device, bindings: { N: 1000 }, outputs: { y: { dtype: "f32", shape: [1000], sample } }, run_us: 87.21 };
  const time = { compile_ms: 0.3, run_us_median: 85.04, runs: 10, bytes: 12_000, gb_per_s: 812.4, cached: true };
  if (kernel === "fails") {
    return { ...common, expect: "failed", first_mismatch: { index: [3], expected: 7, actual: 6 }, mismatches: 997, time };
  }
  return { ...common, expect: "passed", max_error: 0, time };
}
