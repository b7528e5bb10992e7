/** The suites with the fake server; VS Code calls `run`. */

import { runSuites } from "../support/mocha.js";
import { editing } from "./editing.js";
import { lenses } from "./lenses.js";
import { pages } from "./pages.js";
import { restricted } from "./restricted.js";
import { server } from "./server.js";

export function run(): Promise<void> {
  return runSuites(
    process.env["SHAPEWRIGHT_TEST_SUITE"] === "restricted"
      ? restricted
      : () => {
          server();
          lenses();
          pages();
          editing();
        },
  );
}
