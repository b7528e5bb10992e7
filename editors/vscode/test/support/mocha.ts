/** Runs suites inside VS Code's extension host. */

import { format } from "node:util";
import Mocha from "mocha";
import { TEST_LINE } from "./test-line.js";

const print = (...args: unknown[]) => {
  for (const line of format(...args).split("\n")) {
    console.log(TEST_LINE + line);
  }
};

/** Runs the suites that `define` defines; fails where one of their tests fails. */
export function runSuites(define: () => void): Promise<void> {
  const mocha = new Mocha({ ui: "tdd", color: false, timeout: 180_000, forbidOnly: true, forbidPending: true });
  (Mocha.reporters.Base as unknown as { consoleLog: typeof print }).consoleLog = print;
  mocha.suite.emit("pre-require", globalThis as unknown as Mocha.MochaGlobals, "", mocha);
  define();
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      const passed = runner.stats?.passes ?? 0;
      print(`${passed} passed, ${failures} failed`);
      if (failures > 0 || passed === 0) {
        reject(new Error(`${failures} tests failed, ${passed} passed`));
      } else {
        resolve();
      }
    });
  });
}
