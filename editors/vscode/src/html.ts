/** Text in HTML, and the frame that all of the extension's pages have. */

/** Text as it stands in HTML. */
export function escape(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A link that executes one of this extension's commands. */
export function commandLink(command: string, args: readonly unknown[], content: string): string {
  const href = `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
  return `<a href="${escape(href)}">${content}</a>`;
}

/** A script of the extension. Only what has the page's nonce, a word that nobody can guess, is executed. */
export interface Script {
  readonly href: string;
  readonly nonce: string;
}

/**
 * A whole page. It may show the extension's own style sheet and pictures that stand in the page itself, and nothing
 * else: no font, nothing from anywhere, and no script but the one that is given.
 */
export function page(
  title: string,
  body: string,
  style: { readonly source: string; readonly href: string },
  script?: Script,
): string {
  const scripts = script === undefined ? "" : `; script-src 'nonce-${script.nonce}'`;
  const policy = `default-src 'none'; img-src data:; style-src ${style.source}${scripts}`;
  const element =
    script === undefined ? "" : `\n<script nonce="${escape(script.nonce)}" src="${escape(script.href)}"></script>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<title>${escape(title)}</title>
<link rel="stylesheet" href="${escape(style.href)}">
</head>
<body>
${body}${element}
</body>
</html>`;
}
