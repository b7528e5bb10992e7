/** Runs what needs a whole VS Code: `node out/test/run.mjs host` with the fake server, `real` with the real one. */

import { fakeSuites } from "./support/fake.js";
import { realSuites } from "./support/real.js";

const suites: Readonly<Record<string, () => Promise<void>>> = { host: fakeSuites, real: realSuites };

const wanted = suites[process.argv[2] ?? ""];
if (wanted === undefined) {
  console.error(`Name what to run: ${Object.keys(suites).join(" or ")}.`);
  process.exit(1);
}
try {
  await wanted();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
// A browser or a server that does not end must not keep the command from ending.
process.exit(0);
