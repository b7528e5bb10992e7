/** Pages of text to HTML. */

import MarkdownIt from "markdown-it";
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

/** A page's text. */
export function pageBody(content: Page): string {
  return `<article>\n${renderer.render(content.markdown)}</article>`;
}

/** The diagnostic whose page a link such as `diagnostics/race.md` leads to. */
function pageCode(url: string): string | undefined {
  return /^(?:[\w./-]*\/)?([a-z][a-z-]*)\.md$/.exec(url)?.[1];
}
