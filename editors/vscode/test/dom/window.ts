/** VS Code's window, as a person sees it. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { screenshots } from "../support/paths.js";

/** Long enough for the slowest machine; nothing waits longer than it has to. */
const PATIENCE = { timeout: 120_000 };

/** A window with a file in it. Each step is reported, with a picture of what it saw. */
export class Window {
  constructor(
    readonly page: Page,
    private readonly series: string,
  ) {
    page.setDefaultTimeout(PATIENCE.timeout);
    mkdirSync(screenshots, { recursive: true });
  }

  /** Does a step, takes a picture, and says so; on a failure the picture shows why. */
  async step(name: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      await this.picture(`${name} FAILED`);
      console.log(`    ✗ ${name}`);
      throw error;
    }
    await this.picture(name);
    console.log(`    ✔ ${name}`);
  }

  /** Waits until something is to be seen. */
  async see(what: Locator): Promise<void> {
    await what.first().waitFor({ state: "visible", ...PATIENCE });
  }

  /** The text of the editor; what decorates it counts too. */
  editor(text: string | RegExp): Locator {
    return this.page.locator(".editor-instance .view-lines").getByText(text);
  }

  /** A lens that can be clicked. */
  lens(title: string | RegExp): Locator {
    return this.page.locator(".codelens-decoration a").filter({ hasText: title });
  }

  /** What stands above an item, clickable or not. */
  above(text: string | RegExp): Locator {
    return this.page.locator(".codelens-decoration").filter({ hasText: text });
  }

  /** A message at the lower right. */
  message(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item").filter({ hasText: text });
  }

  /** A button of a message. */
  button(label: string): Locator {
    return this.page.locator(".notifications-toasts .monaco-button").filter({ hasText: label });
  }

  /** Chooses a command as a person does. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await this.see(input);
    await input.fill(`>${title}`);
    await this.see(this.page.locator(".quick-input-list .monaco-list-row.focused").filter({ hasText: title }));
    await this.page.keyboard.press("Enter");
  }

  /** The content of the webview that holds an element. */
  async webview(selector: string): Promise<FrameLocator> {
    for (let waited = 0; waited < PATIENCE.timeout; waited += 200) {
      const count = await this.page.locator("iframe.webview").count();
      for (let index = 0; index < count; index += 1) {
        const inner = this.page.locator("iframe.webview").nth(index).contentFrame().frameLocator("iframe");
        if (await inner.locator(selector).first().isVisible().catch(() => false)) {
          return inner;
        }
      }
      await this.page.waitForTimeout(200);
    }
    throw new Error(`no webview shows ${selector}`);
  }

  private async picture(name: string): Promise<void> {
    const file = `${this.series}-${name.replaceAll(/[^\w]+/g, "-")}.png`;
    await this.page.screenshot({ path: join(screenshots, file), animations: "disabled" });
  }
}
