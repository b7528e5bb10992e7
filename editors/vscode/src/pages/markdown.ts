/** Pages of text to HTML. */

import MarkdownIt from "markdown-it";
import { escape } from "../html.js";
import type { Page } from "../protocol.js";

/** Text of the workspace stands in these pages, so HTML in it stays text. */
const renderer = new MarkdownIt({ html: false, linkify: false });

/** Only links within these pages: to the web, and to other pages, which a command shows. */
renderer.validateLink = (url) => /^(https?:|command:shapewright\.explainDiagnostic\?)/.test(url) || pageCode(url) !== undefined;

const standard = renderer.renderer.rules.link_open;
renderer.renderer.rules.link_open = (tokens, index, options, env, self) => {
  const token = tokens[index];
  const code = pageCode(String(token?.attrGet("href") ?? ""));
  if (token !== undefined && code !== undefined) {
    token.attrSet("href", `command:shapewright.explainDiagnostic?${encodeURIComponent(JSON.stringify([code]))}`);
  }
  return standard?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
};

/** A page's text and, above it, its picture. */
export function pageBody(content: Page): string {
  const text = renderer.render(content.markdown);
  if (content.svg === undefined || content.svg === null) {
    return `<article>\n${text}</article>`;
  }
  // As an image, a picture can neither run a script nor fetch anything.
  const data = Buffer.from(content.svg, "utf8").toString("base64");
  const image = `<img class="picture" alt="${escape(content.title)}" src="data:image/svg+xml;base64,${data}">`;
  return `${image}\n<article>\n${text}</article>`;
}

/** The diagnostic whose page a link such as `diagnostics/race.md` leads to. */
function pageCode(url: string): string | undefined {
  return /^(?:[\w./-]*\/)?([a-z][a-z-]*)\.md$/.exec(url)?.[1];
}
