/** What is said where no server can be used: what is wrong, where, and what to do. */

import type { DiscoveryProblem, Origin } from "./discovery.js";
import type { VersionProblem } from "./version.js";

/** Why there is no server. */
export type ServerProblem =
  | DiscoveryProblem
  | VersionProblem
  | { readonly kind: "start-failed"; readonly path: string; readonly reason: string };

/** A problem in words. */
export interface Explanation {
  /** A few words for the status item. */
  readonly short: string;
  /** Sentences for a message. */
  readonly text: string;
}

const SETTING = "`shapewright.server.path`";

/** Says what a problem is. */
export function explainProblem(problem: ServerProblem): Explanation {
  switch (problem.kind) {
    case "setting-not-absolute":
      return {
        short: "server path is not absolute",
        text: `The setting ${SETTING} is \`${problem.setting}\`, which is no absolute path. Write the whole path of the server, or clear the setting to use the server that comes with the extension.`,
      };
    case "setting-not-there":
      return {
        short: "server not found",
        text: `There is no file at \`${problem.path}\`, where the setting ${SETTING} says that the server is. Correct the setting, or clear it to use the server that comes with the extension.`,
      };
    case "not-executable":
      return {
        short: "server is not executable",
        text: `The server at \`${problem.path}\` (${place(problem.origin)}) is not a program that you may execute. Make it executable, or choose another server.`,
      };
    case "nowhere":
      return {
        short: "server not found",
        text: `The Shapewright server was not found: the setting ${SETTING} is empty, this extension was packaged without a server (\`${problem.bundled}\` is not there), and no folder of the PATH has \`shapewright\`. Install it, or say in the setting where it is.`,
      };
    case "does-not-start":
      return {
        short: "server does not start",
        text: `The server at \`${problem.path}\` could not be asked for its version: ${problem.reason.trim()}. Choose another server, or install it again.`,
      };
    case "not-shapewright":
      return {
        short: "not a Shapewright server",
        text: `The program at \`${problem.path}\` is not Shapewright: asked for its version, it printed \`${problem.output}\`, where \`shapewright\` and a version were expected. Choose another server.`,
      };
    case "too-old":
      return {
        short: `server ${problem.version} is too old`,
        text: `The server at \`${problem.path}\` is version ${problem.version}, and this extension needs ${problem.minimum} or later. Install a newer server, or say in the setting ${SETTING} where one is.`,
      };
    case "start-failed":
      return {
        short: "server did not start",
        text: `The server at \`${problem.path}\` did not start: ${problem.reason.trim()}. The output has its messages.`,
      };
  }
}

/** Where a server was found, in words. */
export function place(origin: Origin): string {
  switch (origin) {
    case "setting":
      return `named by the setting ${SETTING}`;
    case "bundled":
      return "part of this extension";
    case "path":
      return "found on the PATH";
  }
}
