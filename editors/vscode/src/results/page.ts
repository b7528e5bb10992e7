/** The results panel's content. */

import { commandLink, escape } from "../html.js";
import type { RunResult } from "../protocol.js";
import { mismatch, speed, tensor, verdict } from "./format.js";
import type { Entry } from "./history.js";

const MARKS = { passed: "✓", failed: "✗", none: "•" } as const;

/** All results as the body of a page. */
export function resultsBody(entries: readonly Entry[]): string {
  if (entries.length === 0) {
    return `<p class="empty">No kernel has run yet. Choose <em>Run</em> above a <code>run</code> item, or the command
${commandLink("shapewright.runFile", [], "Shapewright: Run")}.</p>`;
  }
  return entries.map(section).join("\n");
}

function section(entry: Entry): string {
  const run = entry.result;
  const details = [wrong(run), sizes(run), outputs(run), saved(run), notes(run)].filter((part) => part !== "");
  return `<section class="run ${run.expect}">
<h2><span class="mark">${MARKS[run.expect]}</span> ${commandLink("shapewright.openRun", [entry.uri, entry.name], escape(entry.name))}
<span class="fact">${escape(run.device)}</span> <span class="fact">${escape(speed(run))}</span> <span class="fact verdict">${verdict(run)}</span></h2>
<p class="place">${escape(file(entry.uri))} at <time>${escape(entry.at.toLocaleTimeString())}</time></p>
${details.join("\n")}
</section>`;
}

function wrong(run: RunResult): string {
  const text = mismatch(run);
  return text === undefined ? "" : `<p class="mismatch">first wrong element ${escape(text)}</p>`;
}

function sizes(run: RunResult): string {
  const all = Object.entries(run.bindings).map(([name, value]) => `${name} = ${value}`);
  return all.length === 0 ? "" : `<p class="sizes">${escape(all.join(", "))}</p>`;
}

function outputs(run: RunResult): string {
  const rows = Object.entries(run.outputs).map(([name, output]) => {
    const { type, sample } = tensor(output);
    return `<tr><th scope="row">${escape(name)}</th><td>${escape(type)}</td><td class="sample">${escape(sample)}</td></tr>`;
  });
  return rows.length === 0 ? "" : `<table>${rows.join("")}</table>`;
}

function saved(run: RunResult): string {
  const all = Object.entries(run.saved ?? {}).map(([name, path]) => `${name} → ${path}`);
  return all.length === 0 ? "" : `<p class="saved">saved ${escape(all.join(", "))}</p>`;
}

function notes(run: RunResult): string {
  return (run.notes ?? []).map((note) => `<p class="note">note: ${escape(note)}</p>`).join("\n");
}

function file(uri: string): string {
  const last = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
