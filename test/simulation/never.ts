/**
 * A promise that never settles, for a dead process. Each call needs its own: a shared promise would keep everything
 * that ever waited for it, and so all memory of the dead processes.
 */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
