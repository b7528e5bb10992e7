/** A running VS Code, and pages of a browser that show it. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { findChromium } from "../../scripts/chromium.mjs";
import { installVsCode, vscodeFolder } from "../../scripts/install.mjs";
import { TEST_LINE } from "./test-line.js";

/** How VS Code is started. */
export interface Start {
  /** An empty folder for its data. */
  readonly data: string;
  /** Settings of the machine that the server runs on. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly trusted: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** A package to install first. */
  readonly vsix?: string;
}

/** What a page shows. */
export interface View {
  readonly folder: string;
  /** An extension that is not packaged. */
  readonly extension?: string;
  /** The tests that the extension host runs. */
  readonly tests?: string;
  /** The file to open. */
  readonly file?: string;
}

const QUIET_BROWSER = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** VS Code and a browser, until they are closed. */
export class VsCode {
  private constructor(
    private readonly port: number,
    private readonly server: ChildProcess,
    private readonly context: BrowserContext,
  ) {}

  static async start(options: Start): Promise<VsCode> {
    // Before anything is started that would have to be stopped again.
    const executablePath = findChromium();
    installVsCode();
    const port = await freePort();
    const machine = join(options.data, "data", "Machine");
    mkdirSync(machine, { recursive: true });
    writeFileSync(join(machine, "settings.json"), JSON.stringify(options.settings));
    if (options.vsix !== undefined) {
      installPackage(options, options.vsix);
    }
    const server = spawn(process.execPath, serverArguments(options, port), {
      env: { ...process.env, ...options.environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    await listening(server, options.data);
    const context = await chromium.launchPersistentContext(join(options.data, "browser"), {
      executablePath,
      args: QUIET_BROWSER,
      viewport: { width: 1400, height: 900 },
    });
    return new VsCode(port, server, context);
  }

  /** Opens a window. `prepare` is called before the page is loaded. */
  async open(view: View, prepare?: (page: Page) => Promise<void>): Promise<Page> {
    const page = await this.context.newPage();
    await prepare?.(page);
    await page.goto(this.address(view));
    return page;
  }

  /** Runs tests in the extension host; what they print is printed here. */
  async runTests(view: View): Promise<void> {
    const failures = await new Promise<number>((resolve, reject) => {
      const patience = setTimeout(() => reject(new Error("the tests in VS Code did not end within 15 minutes")), 900_000);
      const done = (code: number) => {
        clearTimeout(patience);
        resolve(code);
      };
      this.open(view, async (page) => {
        await page.exposeFunction("codeAutomationLog", (_kind: string, [line]: unknown[]) => printTestLine(line));
        await page.exposeFunction("codeAutomationExit", done);
      }).catch(reject);
    });
    if (failures !== 0) {
      throw new Error("tests failed in VS Code");
    }
  }

  async close(): Promise<void> {
    await this.context.close();
    const gone = new Promise((resolve) => this.server.once("exit", resolve));
    this.server.kill();
    await gone;
  }

  private address({ folder, extension, tests, file }: View): string {
    const remote = (path: string) => `vscode-remote://127.0.0.1:${this.port}${path}`;
    const payload = [
      ...(extension === undefined ? [] : [["extensionDevelopmentPath", remote(extension)]]),
      ...(tests === undefined ? [] : [["extensionTestsPath", remote(tests)]]),
      ...(file === undefined ? [] : [["openFile", remote(file)]]),
    ];
    const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
    return `http://127.0.0.1:${this.port}/?${query}`;
  }
}

/** Prints what the tests say. VS Code itself says much more, such as that it misses its search program. */
function printTestLine(line: unknown): void {
  if (typeof line === "string" && line.startsWith(TEST_LINE)) {
    console.log(line.slice(TEST_LINE.length));
  }
}

function serverArguments({ data, trusted }: Start, port: number): string[] {
  return [
    join(vscodeFolder, "out", "server-main.js"),
    "--accept-server-license-terms",
    "--without-connection-token",
    "--host=127.0.0.1",
    `--port=${port}`,
    "--enable-smoke-test-driver",
    ...(trusted ? ["--disable-workspace-trust"] : []),
    "--telemetry-level=off",
    `--server-data-dir=${data}`,
    `--extensions-dir=${join(data, "extensions")}`,
  ];
}

function installPackage(options: Start, vsix: string): void {
  const args = [join(vscodeFolder, "out", "server-main.js"), "--accept-server-license-terms"];
  const folders = [`--server-data-dir=${options.data}`, `--extensions-dir=${join(options.data, "extensions")}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, ...folders, "--install-extension", vsix], {
    encoding: "utf8",
  });
  if (status !== 0) {
    throw new Error(`${vsix} could not be installed: exit status ${status}\n${stdout}${stderr}`);
  }
}

/** Waits until VS Code says that it listens. */
function listening(server: ChildProcess, data: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Extension host agent listening")) {
        resolve();
      }
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    server.once("exit", (status) => reject(new Error(`VS Code (${data}) ended with ${status}:\n${output}`)));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port"))));
    });
  });
}
