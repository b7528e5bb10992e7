export function real(): void {}
