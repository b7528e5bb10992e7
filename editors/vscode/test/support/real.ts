export async function realSuites(): Promise<void> {}
