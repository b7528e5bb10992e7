/** The script of the picture panel's page. */

import type { Colouring, Labelling, Picture } from "../protocol.js";
import { cellAt, moved, type Place, stepsAside } from "./cells.js";
import type { Choices, FromPage, ToPage } from "./messages.js";

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const host = acquireVsCodeApi();
const frame = element("picture");
const details = element("details");
const problem = element("problem");

let picture: Picture | undefined;
let by: Colouring = "thread";
/** The cell that is looked at, and whether it stays so when the mouse leaves. */
let looked: Place | undefined;
let held = false;
let zoom = 1;

/** Numbers that are made smaller than this cannot be read. */
const SMALLEST = 0.7;

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no ${id}`);
  }
  return found;
}

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === "stale") {
    document.body.classList.add("stale");
    problem.textContent = data.reason;
    return;
  }
  document.body.classList.remove("stale");
  problem.textContent = "";
  show(data.svg);
  element("text").innerHTML = data.text;
  picture = data.picture ?? undefined;
  setChoices(data.choices);
  // An edit may have taken the cell away.
  if (looked !== undefined && (picture === undefined || cellAt(picture, looked) === undefined)) {
    looked = undefined;
    held = false;
  }
  look(looked);
});

/** Puts the picture into the page. A document that is parsed like this runs no script. */
function show(svg: string | null): void {
  if (svg === null) {
    frame.replaceChildren();
    return;
  }
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  frame.replaceChildren(document.importNode(parsed, true));
  scale();
}

/** Makes the picture as wide as the panel where it is wider, and its numbers can still be read then. */
function scale(): void {
  const drawn = frame.querySelector("svg");
  if (drawn !== null) {
    const { width, height } = drawn.viewBox.baseVal;
    const fitting = Math.min(1, Math.max(SMALLEST, frame.clientWidth / width)) * zoom;
    drawn.setAttribute("width", String(Math.floor(width * fitting)));
    drawn.setAttribute("height", String(Math.floor(height * fitting)));
  }
}
window.addEventListener("resize", scale);

function setChoices(choices: Choices): void {
  by = choices.by;
  for (const input of document.querySelectorAll<HTMLInputElement>("input[type=radio]")) {
    input.checked = input.value === (input.name === "by" ? choices.by : choices.label);
  }
  (element("follow") as HTMLInputElement).checked = choices.follow;
}

function choices(): Choices {
  const chosen = (name: string) => document.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value;
  return {
    by: (chosen("by") ?? "thread") as Colouring,
    label: (chosen("label") ?? "auto") as Labelling,
    follow: (element("follow") as HTMLInputElement).checked,
  };
}

/** Looks at a cell: what is known of it is said, and those of other threads step back. */
function look(place: Place | undefined): void {
  looked = place;
  const current = picture !== undefined && place !== undefined ? cellAt(picture, place) : undefined;
  details.textContent = current?.details ?? "";
  for (const part of frame.querySelectorAll<SVGElement>("[data-cell]")) {
    const own = placeOf(part);
    const cell = picture !== undefined && own !== undefined ? cellAt(picture, own) : undefined;
    part.classList.toggle("aside", current !== undefined && cell !== undefined && stepsAside(cell, current, by));
    part.classList.toggle("here", own?.panel === place?.panel && own?.cell === place?.cell);
  }
}

function placeOf(target: EventTarget | null): Place | undefined {
  const { panel, cell } = target instanceof SVGElement ? target.dataset : {};
  return panel === undefined || cell === undefined ? undefined : { panel: Number(panel), cell: Number(cell) };
}

frame.addEventListener("mouseover", ({ target }) => {
  if (!held) {
    look(placeOf(target));
  }
});
frame.addEventListener("mouseleave", () => {
  if (!held) {
    look(undefined);
  }
});
frame.addEventListener("click", ({ target }) => {
  const place = placeOf(target);
  held = place !== undefined && !(held && place.panel === looked?.panel && place.cell === looked.cell);
  look(place);
});
frame.addEventListener("keydown", (event) => {
  if (picture === undefined) {
    return;
  }
  if (event.key === "Escape") {
    held = false;
    look(undefined);
  } else if (event.key === "Enter" || event.key === " ") {
    held = looked !== undefined && !held;
  } else if (event.key.startsWith("Arrow")) {
    look(looked === undefined ? { panel: 0, cell: 0 } : moved(picture, looked, event.key));
    frame.querySelector("rect.here")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  } else {
    return;
  }
  event.preventDefault();
});
document.addEventListener("change", () => host.postMessage({ kind: "choices", ...choices() }));
for (const [id, factor] of [["smaller", 1 / 1.25], ["larger", 1.25]] as const) {
  element(id).addEventListener("click", () => {
    zoom = Math.min(4, Math.max(0.25, zoom * factor));
    scale();
  });
}
host.postMessage({ kind: "ready" });
