/** What the picture panel and its page say to each other. */

import type { Colouring, Labelling, Picture } from "../protocol.js";

/** What the reader has chosen. */
export interface Choices {
  readonly by: Colouring;
  readonly label: Labelling;
  /** Whether the panel shows whichever map the cursor is on. */
  readonly follow: boolean;
}

/** To the page. */
export type ToPage =
  | {
      readonly kind: "picture";
      readonly title: string;
      readonly svg: string | null;
      readonly picture: Picture | null;
      /** What is known of the item, as HTML. */
      readonly text: string;
      readonly choices: Choices;
    }
  /** The text has changed, and there is no picture of what it says now. */
  | { readonly kind: "stale"; readonly reason: string };

/** From the page. */
export type FromPage = { readonly kind: "ready" } | ({ readonly kind: "choices" } & Choices);
