/** The path of a Chromium; an error that says what to install where there is none. */
export function findChromium(): string;
