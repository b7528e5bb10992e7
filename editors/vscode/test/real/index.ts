/** The suites with the real server; VS Code calls `run`. */

import { runSuites } from "../support/mocha.js";
import { real } from "./suite.js";

export function run(): Promise<void> {
  return runSuites(real);
}
