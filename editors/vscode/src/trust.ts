/** Restricted mode: the server answers, but nothing of the workspace is executed. */

import * as vscode from "vscode";

/** Whether kernels may run; where they may not, the person is told why. */
export function runAllowed(): boolean {
  if (vscode.workspace.isTrusted) {
    return true;
  }
  void tell();
  return false;
}

async function tell(): Promise<void> {
  const manage = "Manage Workspace Trust";
  const chosen = await vscode.window.showWarningMessage(
    "Kernels are not run in restricted mode. Trust this workspace to run them.",
    manage,
  );
  if (chosen === manage) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}
