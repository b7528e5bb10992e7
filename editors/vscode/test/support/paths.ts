/** Where things are. Tests run from `out/test/run.mjs`. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the extension. */
export const extension = fileURLToPath(new URL("../../", import.meta.url));
/** The folder of the whole project. */
export const project = join(extension, "..", "..");
/** Where screenshots are put. */
export const screenshots = join(extension, "out", "screenshots");
/** What is made of the tests' sources. */
export const compiled = join(extension, "out", "test");
