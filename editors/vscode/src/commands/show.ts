/** Show a picture of an item, or the CUDA C++ that a kernel or a map becomes. */

import { activeDocument, chooseItem } from "../items.js";
import { type Drawn, type Emitted, isItemReference, type ItemReference, ServerCommand } from "../protocol.js";
import { execute } from "../server/requests.js";
import type { Commands, Parts } from "./commands.js";

/** The commands that show what the compiler knows or makes of an item. */
export function showCommands(parts: Parts): Commands {
  const { server, pictures, generated } = parts;

  const picture = ({ uri, name, claim }: Drawn) => pictures.show({ uri, name, ...(claim === true ? { claim } : {}) });

  const cuda = async (item: ItemReference) => {
    const emitted = await execute<Emitted>(server, ServerCommand.emit, [{ ...item, to: "cuda" }]);
    if (emitted !== undefined) {
      await generated.show(item, emitted);
    }
    return emitted;
  };

  return {
    "shapewright.showPicture": async (given) => {
      const item = isItemReference(given) ? given : await choose("item", (word) => word !== "run");
      return item && picture(item);
    },
    "shapewright.showCuda": async (given) => {
      const item = isItemReference(given) ? given : await choose("kernel or map", isEmitted);
      return item && cuda(item);
    },
    "shapewright.showLens": (item) => (isItemReference(item) ? picture(item) : undefined),
  };
}

/** Whether items that begin with a word have a form in CUDA. */
function isEmitted(word: string): boolean {
  return word === "kernel" || word === "map";
}

async function choose(what: string, fits: (word: string) => boolean): Promise<ItemReference | undefined> {
  const document = activeDocument();
  return document && chooseItem(document, what, fits);
}
