/** Run, run on the GPU, cancel: the file in the editor, or the item of a code lens. */

import { activeDocument } from "../items.js";
import { type DeviceChoice, isRunRequest, type RunRequest, type Runs } from "../protocol.js";
import { cancelRun, run } from "../run.js";
import type { Commands, Parts } from "./commands.js";

/** The commands that run kernels. */
export function runCommands(parts: Parts): Commands {
  const { server, results } = parts;
  const start = (request: RunRequest) => run(server, request, () => void results.reveal());
  const file = async (device?: DeviceChoice): Promise<Runs | undefined> => {
    const document = activeDocument();
    return document && start({ uri: document.uri.toString(), ...(device && { device }) });
  };
  return {
    "shapewright.runFile": () => file(),
    "shapewright.runFileOnGpu": () => file("cuda:0"),
    "shapewright.cancelRun": () => cancelRun(server),
    "shapewright.runLens": (request) => (isRunRequest(request) ? start(request) : undefined),
    "shapewright.runGpuLens": (request) =>
      isRunRequest(request) ? start({ ...request, device: request.device ?? "cuda:0" }) : undefined,
  };
}
