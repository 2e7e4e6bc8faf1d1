/**
 * Clean-up for modules that test files share. Files in one worker share modules too, and an `afterAll` in a module
 * would belong only to the first file.
 */
const registered: (() => unknown)[] = [];

export const cleanups: Iterable<() => unknown> = registered;

/** Call it once per module: `end` runs after every test file of the worker. */
export function afterEachFile(end: () => unknown): void {
  registered.push(end);
}
