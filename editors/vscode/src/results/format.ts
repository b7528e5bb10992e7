/** Results in words and numbers that a person reads. */

import type { Element, OutputTensor, RunResult } from "../protocol.js";

/** A time, with three digits and the unit that fits it. */
export function duration(microseconds: number): string {
  if (microseconds < 1_000) {
    return `${digits(microseconds)} µs`;
  }
  return microseconds < 1_000_000 ? `${digits(microseconds / 1_000)} ms` : `${digits(microseconds / 1_000_000)} s`;
}

/** How fast a run was: its time and, where it was measured, the bandwidth. */
export function speed(run: RunResult): string {
  if (run.time === undefined) {
    return duration(run.run_us);
  }
  const { run_us_median, gb_per_s, percent_of_peak } = run.time;
  const peak = percent_of_peak === undefined ? "" : ` (${digits(percent_of_peak)} % of peak)`;
  return `${duration(run_us_median)} · ${digits(gb_per_s)} GB/s${peak}`;
}

/** What became of the expectation. */
export function verdict(run: RunResult): string {
  switch (run.expect) {
    case "passed":
      return "expect passed";
    case "failed":
      return "expect failed";
    case "none":
      return "nothing expected";
  }
}

/** The first wrong element, where there is one. */
export function mismatch(run: RunResult): string | undefined {
  const first = run.first_mismatch;
  if (first === undefined) {
    return undefined;
  }
  const others = run.mismatches === undefined || run.mismatches < 2 ? "" : `; ${run.mismatches} elements are wrong`;
  const place = `[${first.index.join(", ")}]`;
  return `at ${place}: expected ${element(first.expected)}, actual ${element(first.actual)}${others}`;
}

/** A tensor's type and first elements. */
export function tensor(output: OutputTensor): { readonly type: string; readonly sample: string } {
  const size = output.shape.reduce((product, extent) => product * extent, 1);
  const more = output.sample.length < size ? ", …" : "";
  return {
    type: `${output.dtype}[${output.shape.join(", ")}]`,
    sample: `[${output.sample.map(element).join(", ")}${more}]`,
  };
}

/** An element of a tensor. */
export function element(value: Element): string {
  return typeof value === "number" ? String(Number(value.toPrecision(7))) : String(value);
}

function digits(value: number): string {
  return value >= 1_000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
