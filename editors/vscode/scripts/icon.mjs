// Draws `media/icon.svg` as `media/icon.png`, which is what packages have to have.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { root } from "./build.mjs";
import { findChromium } from "./chromium.mjs";

const size = 256;
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: size, height: size } });
const svg = readFileSync(join(root, "media", "icon.svg"), "utf8");
await page.setContent(`<style>body { margin: 0 }</style>${svg}`);
await page.screenshot({ path: join(root, "media", "icon.png"), omitBackground: true });
await browser.close();
