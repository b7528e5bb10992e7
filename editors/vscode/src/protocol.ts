/** What the server and the extension say to each other beyond the Language Server Protocol. */

/** The language's identifier in VS Code. */
export const LANGUAGE = "shapewright";

/** The commands that the server executes. */
export const ServerCommand = {
  run: "shapewright.run",
  cancel: "shapewright.cancel",
  emit: "shapewright.emit",
  explain: "shapewright.explain",
  devices: "shapewright.devices",
  show: "shapewright.show",
} as const;

/** The notifications that the server sends. */
export const ServerNotification = {
  status: "shapewright/status",
  runFinished: "shapewright/runFinished",
} as const;

// The compiler's devices:
/** Where kernels run. */
export type DeviceChoice = "auto" | "cpu" | "cuda:0" | "interp";
// written by `cargo xtask docs`.

/** An item of a file, as code lenses name it. */
export interface ItemReference {
  readonly uri: string;
  readonly name: string;
}

/** What to run: one run of a file or, without a name, all of them. */
export interface RunRequest {
  readonly uri: string;
  readonly name?: string;
  readonly device?: DeviceChoice;
}

/** What the server is doing, and on what it would run a kernel. */
export interface ServerStatus {
  readonly device: string;
  readonly state: "ready" | "checking" | "running";
  readonly message?: string;
  /** The libraries that were found for the device, with versions and files. */
  readonly libraries?: string;
}

/** A number as JSON has it, or a word for one that JSON does not have, such as `NaN`. */
export type Element = number | string | boolean | null;

/** A tensor that a kernel wrote, and its first elements. */
export interface OutputTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly sample: readonly Element[];
}

/** One run, as `shapewright run --format json` prints it. */
export interface RunResult {
  readonly kernel: string;
  readonly device: string;
  readonly bindings: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, OutputTensor>>;
  readonly expect: "passed" | "failed" | "none";
  readonly first_mismatch?: {
    readonly index: readonly number[];
    readonly expected: Element;
    readonly actual: Element;
  };
  readonly mismatches?: number;
  readonly max_error?: number;
  readonly run_us: number;
  readonly saved?: Readonly<Record<string, string>>;
  readonly notes?: readonly string[];
  readonly time?: {
    readonly compile_ms: number;
    readonly run_us_median: number;
    readonly runs: number;
    readonly bytes: number;
    readonly gb_per_s: number;
    readonly percent_of_peak?: number;
    readonly cached: boolean;
    /** What it was measured on: a GPU, its clocks, its UUID. */
    readonly device?: string;
  };
}

/** All runs of one request. */
export interface Runs {
  readonly runs: readonly RunResult[];
}

/** A run that has ended, whoever asked for it. */
export interface RunFinished extends ItemReference {
  readonly result: RunResult;
}

/** Generated source. */
export interface Emitted {
  readonly title: string;
  readonly language: string;
  readonly text: string;
}

/** A page of text. */
export interface Page {
  readonly title: string;
  readonly markdown: string;
}

/** What the cells of a picture are coloured by. */
export const COLOURINGS = ["thread", "bank"] as const;
export type Colouring = (typeof COLOURINGS)[number];

/** What is written in the cells of a picture; `auto` is what their places do not say. */
export const LABELS = ["auto", "slot", "coordinate", "thread", "bank"] as const;
export type Labelling = (typeof LABELS)[number];

/** What is drawn: an item, or a refuted claim as it is written, whose counterexample is outlined. */
export interface Drawn extends ItemReference {
  readonly claim?: boolean;
}

/** What a picture is asked for with. In an interactive one cells have numbers, and the page sets the colours around them. */
export interface PictureRequest extends Drawn {
  readonly by?: Colouring;
  readonly label?: Labelling;
  readonly interactive?: boolean;
}

/** A cell of a picture. */
export interface PictureCell {
  readonly state: "reached" | "masked" | "empty";
  readonly thread: number | null;
  readonly bank: number | null;
  readonly marked: boolean;
  readonly details: string;
}

/** The cells of one map in rows; `null` behind the end of the last row, or where the map cannot be drawn. */
export interface PicturePanel {
  readonly title: string;
  readonly grid: { readonly columns: number; readonly cells: readonly (PictureCell | null)[] } | null;
}

/** A picture as data. */
export interface Picture {
  readonly title: string;
  readonly caption: string | null;
  readonly panels: readonly PicturePanel[];
}

/** What is known of an item, with its picture where it has one. */
export interface Shown extends Page {
  readonly svg?: string | null;
  readonly picture?: Picture | null;
}

/** Whether a value that came from elsewhere, such as the arguments of a command, names an item. */
export function isItemReference(value: unknown): value is ItemReference & { readonly device?: DeviceChoice } {
  return hasUri(value) && typeof (value as { name?: unknown }).name === "string";
}

/** Whether a value that came from elsewhere says what to run. */
export function isRunRequest(value: unknown): value is RunRequest {
  return hasUri(value) && ["string", "undefined"].includes(typeof (value as { name?: unknown }).name);
}

function hasUri(value: unknown): value is { readonly uri: string } {
  return typeof value === "object" && value !== null && typeof (value as { uri?: unknown }).uri === "string";
}
