/** The last result of each run item, the newest first. */

import type { RunFinished } from "../protocol.js";

/** A result and when it came. */
export interface Entry extends RunFinished {
  readonly at: Date;
}

/** The results of this session. */
export class History {
  private readonly entries = new Map<string, Entry>();

  /** Takes a result in the place of the item's result before it. */
  add(run: RunFinished, at: Date): void {
    const key = JSON.stringify([run.uri, run.name]);
    this.entries.delete(key);
    this.entries.set(key, { ...run, at });
  }

  /** All results, the newest first. */
  all(): Entry[] {
    return [...this.entries.values()].reverse();
  }

  /** Forgets all results. */
  clear(): void {
    this.entries.clear();
  }
}
