/** The window with the fake server: messages and their buttons, trust, the panel, the picture, the status. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { extension } from "../support/paths.js";
import type { VsCode } from "../support/vscode.js";
import { Window } from "./window.js";

/** Looks at everything that the extension itself shows. */
export async function look(vscode: VsCode, workspace: string, programs: string): Promise<void> {
  console.log("-- window, fake server");
  const page = await vscode.open({ folder: workspace, extension, file: join(workspace, "kernels.shape") });
  const window = new Window(page, "fake");
  await restricted(window);
  await panels(window);
  await problems(window, workspace, programs);
}

async function restricted(window: Window): Promise<void> {
  const { page } = window;
  await window.step("a new folder opens in restricted mode, and its files are coloured and checked", async () => {
    await window.see(page.locator(".statusbar-item").filter({ hasText: "Restricted Mode" }));
    await window.see(window.lens(/^Run$/));
  });
  await window.step("run is refused in restricted mode", async () => {
    await window.lens(/^Run$/).first().click();
    await window.see(window.message("Kernels are not run in restricted mode"));
  });
  await window.step("trust is granted with the message's button", async () => {
    await window.button("Manage Workspace Trust").click();
    await page.getByRole("button", { name: "Trust", exact: true }).first().click();
    await page.locator(".tab").filter({ hasText: "kernels.shape" }).click();
    await window.see(window.lens(/^Run$/));
  });
}

async function panels(window: Window): Promise<void> {
  const { page } = window;
  await window.step("run shows its result in the panel", async () => {
    await window.lens(/^Run$/).first().click();
    const results = await window.webview(".run.passed");
    const section = results.locator(".run.passed").first();
    assert.match((await section.innerText()).replaceAll(/\s+/g, " "), /✓ scale#1 cpu 85 µs · 812 GB\/s expect passed/);
    // The theme's colour, and not that of text: the style sheet was let in.
    const mark = await section.locator(".mark").evaluate((element) => getComputedStyle(element).color);
    assert.notEqual(mark, await section.locator(".fact").first().evaluate((element) => getComputedStyle(element).color));
  });
  await window.step("a failed expectation shows the first wrong element", async () => {
    await window.lens(/^Run$/).nth(1).click();
    const results = await window.webview(".run.failed .mismatch");
    assert.match(await results.locator(".mismatch").innerText(), /at \[3\]: expected 7, actual 6/);
  });
  await window.step("a link in the panel opens the file of the run", async () => {
    const results = await window.webview(".run.failed h2 a");
    await results.locator(".run.failed h2 a").click();
    await window.see(page.locator(".statusbar-item").filter({ hasText: /Ln 8,/ }));
  });
  await window.step("show picture opens a panel beside the file", async () => {
    await window.lens("Show picture").first().click();
    const picture = await window.webview("#picture svg");
    assert.equal(await picture.locator("#picture rect[data-cell]").count(), 3);
  });
  await window.step("the mouse on a cell makes other threads step back, and a key moves on", async () => {
    const picture = await window.webview("#picture svg");
    await picture.locator("rect[data-cell='0']").hover();
    await window.see(picture.getByText("slot 0 · thread 0"));
    assert.equal(await picture.locator("rect.aside").count(), 2);
    await picture.locator("#picture").press("ArrowRight");
    await window.see(picture.getByText("slot 1 · thread 1"));
    await picture.locator("#picture").press("Escape");
    assert.equal(await picture.locator("rect.aside").count(), 0);
    // What somebody hid in a picture is not executed.
    assert.equal(await picture.locator("body").evaluate(() => document.title), "Picture");
  });
  await window.step("what cells are coloured by is chosen with the keyboard", async () => {
    const picture = await window.webview("#picture svg");
    await picture.locator("input[value=thread][name=by]").focus();
    await page.keyboard.press("ArrowRight");
    await window.see(picture.locator("svg[data-by=bank]"));
  });
  await window.step("a slow run shows that it can be cancelled", async () => {
    await page.locator(".tab").filter({ hasText: "kernels.shape" }).click();
    await window.lens(/^Run$/).nth(2).click();
    await window.see(window.message("Running slow"));
    await window.button("Cancel").click();
    await window.message("Running slow").waitFor({ state: "hidden" });
  });
  await window.step("the status item shows the device", async () => {
    await page.locator(".statusbar-item[id='status.languageStatus']").hover();
    await window.see(page.locator(".hover-language-status").filter({ hasText: "cpu" }));
  });
  await window.step("nothing of all this was an error to be told", async () => {
    assert.deepEqual(await page.locator(".notifications-toasts .notification-list-item").allInnerTexts(), []);
  });
}

async function problems(window: Window, workspace: string, programs: string): Promise<void> {
  const { page } = window;
  const choose = (server: string) =>
    writeFileSync(join(workspace, ".vscode", "settings.json"), JSON.stringify({ "shapewright.server.path": server }));
  await window.step("a server that is too old is named with both versions", async () => {
    choose(join(programs, "old", "shapewright"));
    await window.see(window.message("is version 0.0.9, and this extension needs 0.1.0 or later"));
  });
  await window.step("a server that is missing is an error with buttons", async () => {
    choose("/nowhere/shapewright");
    await window.see(window.message("There is no file at `/nowhere/shapewright`"));
    await window.see(window.button("How to Install"));
  });
  await window.step("the button opens the setting", async () => {
    const missing = window.message("There is no file at");
    await missing.locator(".monaco-button").filter({ hasText: "Open Setting" }).click();
    await window.see(page.locator(".settings-editor").getByText("The absolute path of the"));
  });
  await window.step("the other button opens the instructions", async () => {
    const old = window.message("is version 0.0.9");
    await old.locator(".monaco-button").filter({ hasText: "How to Install" }).click();
    const page = await window.webview("text=Installing the Shapewright server");
    await window.see(page.getByText("cargo build --release").first());
  });
  await window.step("the person was told nothing else", async () => {
    const told = await page.locator(".notifications-toasts .notification-list-item-message").allInnerTexts();
    assert.deepEqual(told.filter((text) => !/is version 0\.0\.9|There is no file at/.test(text)), []);
  });
}
