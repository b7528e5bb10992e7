/** What the fake server knows. */

import type { MessageConnection } from "vscode-languageserver-protocol/node";
import type { RunResult } from "../../src/protocol.js";

/** A message that came. */
export interface Received {
  readonly method: string;
  readonly params: unknown;
}

/** The fake server's state. */
export interface Fake {
  readonly connection: MessageConnection;
  readonly documents: Map<string, string>;
  readonly log: Received[];
  runAllowed: boolean;
  onSave: string;
  lastRun?: RunResult;
  /** Ends the kernel that is running. */
  stop?: () => void;
}
