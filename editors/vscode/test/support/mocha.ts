/** Runs suites inside VS Code's extension host. */

import Mocha from "mocha";

/** Runs the suites that `define` defines; fails where one of their tests fails. */
export function runSuites(define: () => void): Promise<void> {
  const mocha = new Mocha({ ui: "tdd", color: false, timeout: 30_000, forbidOnly: true, forbidPending: true });
  mocha.suite.emit("pre-require", globalThis as unknown as Mocha.MochaGlobals, "", mocha);
  define();
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      const passed = runner.stats?.passes ?? 0;
      console.log(`${passed} passed, ${failures} failed`);
      if (failures > 0 || passed === 0) {
        reject(new Error(`${failures} tests failed, ${passed} passed`));
      } else {
        resolve();
      }
    });
  });
}
