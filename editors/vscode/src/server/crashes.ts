/** What happens when the server's process ends by itself. */

import {
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  type ErrorHandler,
  type ErrorHandlerResult,
  type Message,
} from "vscode-languageclient/node";

/** So many ends within `WINDOW_MS` are no accident. */
const LIMIT = 5;
const WINDOW_MS = 3 * 60 * 1000;
/** So many messages in a row may fail to be sent or read. */
const TOLERATED_ERRORS = 3;

/** Starts a server again that ended by itself, unless it ends again and again, or never answered. */
export class CrashHandler implements ErrorHandler {
  private readonly ends: number[] = [];
  /** Whether the server has answered its first request. Until then, whoever started it tells why it did not. */
  answered = false;

  constructor(private readonly now: () => number = Date.now) {}

  error(_error: Error, _message: Message | undefined, count: number | undefined): ErrorHandlerResult {
    const few = count !== undefined && count <= TOLERATED_ERRORS;
    // A connection that breaks is about to be closed, which is when the person is told.
    return { action: few ? ErrorAction.Continue : ErrorAction.Shutdown, handled: true };
  }

  closed(): CloseHandlerResult {
    if (!this.answered) {
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    const now = this.now();
    this.ends.push(now);
    if (this.ends.filter((end) => now - end < WINDOW_MS).length < LIMIT) {
      return { action: CloseAction.Restart, handled: true };
    }
    const message = `The Shapewright server ended ${LIMIT} times within three minutes and is not started again. The output has its messages; the command "Shapewright: Restart Server" starts it.`;
    return { action: CloseAction.DoNotRestart, message };
  }
}
