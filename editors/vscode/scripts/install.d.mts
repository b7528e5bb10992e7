/** The folder of the VS Code that the tests run the extension in. */
export const vscodeFolder: string;

/** Installs the packages that `package-lock.json` lists. */
export function installPackages(): void;

/** Installs VS Code as a web server. Scripts are not run: they would build what the tests do not need. */
export function installVsCode(): void;
