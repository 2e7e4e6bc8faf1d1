/**
 * What modules that test files share do when one of them has ended. Files of one worker share their modules too: an `afterAll` in
 * such a module belongs to the first of them alone.
 */
const registered: (() => unknown)[] = [];

export const endings: Iterable<() => unknown> = registered;

/** Once per module: `end` is called at the end of every test file of the worker. */
export function atEndOfEachFile(end: () => unknown): void {
  registered.push(end);
}
