/** The picture panel's page before its script has begun. */

import { COLOURINGS, LABELS } from "../protocol.js";

/** The body of the page. */
export function pictureBody(): string {
  return `<div class="choices">
${choice("by", "Colour", COLOURINGS)}
${choice("label", "Text", LABELS)}
<label><input type="checkbox" id="follow"> Follow cursor</label>
<span><button type="button" id="smaller" aria-label="Smaller">−</button>
<button type="button" id="larger" aria-label="Larger">+</button></span>
</div>
<div class="picture" id="picture" tabindex="0" role="application" aria-label="Cells; arrow keys move, Enter holds, Escape lets go"></div>
<p class="details" id="details" aria-live="polite"></p>
<p class="problem" id="problem" role="status"></p>
<div id="text"></div>`;
}

function choice(name: string, title: string, values: readonly string[]): string {
  const options = values.map((value) => `<label><input type="radio" name="${name}" value="${value}"> ${value}</label>`);
  return `<fieldset><legend>${title}</legend>${options.join("")}</fieldset>`;
}
