/** The window with the installed package: what a person sees of the real server's answers. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { VsCode } from "../support/vscode.js";
import { Window } from "./window.js";

/** Looks at squiggle, hover, inlay hint, lens, results, run on save, explanation and picture panel. */
export async function lookAtRealServer(vscode: VsCode, workspace: string): Promise<void> {
  console.log("-- window, real server");
  const page = await vscode.open({ folder: workspace, file: join(workspace, "quickstart.shape") });
  const window = new Window(page, "real");
  const openFile = async (name: string) => {
    await page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name }).dblclick();
    await window.see(page.locator(".tab.active").filter({ hasText: name }));
  };

  await window.step("inlay hints show the computed shape and its verdict", async () => {
    await window.see(window.editor("[3, 4] → [12] ✓"));
    // Lenses move the lines down; from here on these stand still.
    await window.see(window.lens(/Run$/));
  });
  await window.step("hover shows the map", async () => {
    await window.editor("strided").first().hover();
    await window.see(page.locator(".monaco-hover").filter({ hasText: "race_free" }));
    const picture = page.locator(".monaco-hover img");
    await window.see(picture);
    assert.ok((await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)) > 100);
  });
  await window.step("a lens runs the kernel", async () => {
    await page.mouse.move(5, 5);
    await window.lens(/Run$/).last().click();
    await window.see(window.above(/✓ .* expect passed/));
  });
  await window.step("the panel shows the result", async () => {
    const results = await window.webview(".run.passed");
    assert.match(await results.locator(".run.passed").innerText(), /scale#1[\s\S]*f32\[12\][\s\S]*\[0, 2, 4, 6/);
  });
  await window.step("the picture panel shows the map", async () => {
    await window.lens("Show picture").first().click();
    const picture = await window.webview("#picture svg");
    assert.match(await picture.locator("article").innerText(), /\[3, 4\]/);
    assert.equal(await picture.locator("rect[data-cell]").count(), 12);
    await picture.locator("rect[data-cell='5']").hover();
    await window.see(picture.getByText("slot 5 · coordinate (1, 1) · thread 1 · bank 5"));
    assert.equal(await picture.locator("rect.aside").count(), 9);
  });
  await window.step("banks are shown when they are asked for", async () => {
    const picture = await window.webview("#picture svg");
    await picture.locator("input[value=bank][name=by]").check();
    await window.see(picture.getByText("a colour for each bank"));
  });
  await window.command("View: Close All Editors");
  await window.step("the picture of a kernel shows tiles, and follows the cursor to what is computed of one", async () => {
    await openFile("tiles.shape");
    await window.lens("Show picture").first().click();
    const tiles = await window.webview("#picture svg");
    await tiles.locator("input[value=thread][name=by]").check();
    await window.see(tiles.getByText("a colour for each tile"));
    await window.editor("doubled").first().click();
    await window.see(page.locator(".tab").filter({ hasText: "twice.doubled" }));
    const threads = await window.webview("#picture svg");
    await window.see(threads.getByText("a colour for each thread"));
  });
  await window.command("View: Close All Editors");
  await window.step("a mistake is underlined", async () => {
    await openFile("wrong.shape");
    await window.see(page.locator(".squiggly-error"));
  });
  await window.step("its page explains it", async () => {
    await window.command("Shapewright: Explain Diagnostic");
    const explanation = await window.webview("article h1");
    assert.match(await explanation.locator("h1").innerText(), /rank-mismatch/);
    await window.see(page.locator(".tab").filter({ hasText: "rank-mismatch" }));
  });
  await window.command("View: Close All Editors");
  await window.step("saving runs the kernels and shows what failed", async () => {
    await openFile("failing.shape");
    await window.see(window.lens(/Run$/));
    await window.editor("kernel").first().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// saved");
    await page.keyboard.press("Control+S");
    await window.see(window.above(/✗/));
    await window.see(page.locator(".squiggly-error"));
    const results = await window.webview(".run.failed");
    assert.match(await results.locator(".run.failed .mismatch").innerText(), /at \[0\]: expected 1, actual 0/);
  });
}
