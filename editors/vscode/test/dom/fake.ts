import type { VsCode } from "../support/vscode.js";
export async function look(_v: VsCode, _w: string, _p: string): Promise<void> {}
