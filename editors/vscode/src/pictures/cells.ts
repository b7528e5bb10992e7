/** Questions about the cells of a picture; they need no page. */

import type { Colouring, Picture, PictureCell } from "../protocol.js";

/** A cell by its panel and its number. */
export interface Place {
  readonly panel: number;
  readonly cell: number;
}

/** The cell at a place; undefined where there is none. */
export function cellAt(picture: Picture, { panel, cell }: Place): PictureCell | undefined {
  return picture.panels[panel]?.grid?.cells[cell] ?? undefined;
}

/** The number by which a cell has its colour: its thread or its bank; undefined where nobody reaches it. */
export function group(cell: PictureCell, by: Colouring): number | undefined {
  return cell.state === "reached" ? ((by === "bank" ? cell.bank : cell.thread) ?? undefined) : undefined;
}

/** Whether a cell steps back while another one is looked at: it is of another thread, or another bank. */
export function stepsAside(cell: PictureCell, looked: PictureCell, by: Colouring): boolean {
  const wanted = group(looked, by);
  return wanted !== undefined && group(cell, by) !== wanted;
}

/** The cell that an arrow key leads to; the same one at the edge. */
export function moved(picture: Picture, from: Place, key: string): Place {
  const columns = picture.panels[from.panel]?.grid?.columns ?? 1;
  const column = from.cell % columns;
  const steps: Record<string, number> = {
    ArrowLeft: column > 0 ? -1 : 0,
    ArrowRight: column < columns - 1 ? 1 : 0,
    ArrowUp: -columns,
    ArrowDown: columns,
  };
  const to = { panel: from.panel, cell: from.cell + (steps[key] ?? 0) };
  return cellAt(picture, to) === undefined ? from : to;
}
