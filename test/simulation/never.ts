/**
 * What a dead process waits for. Each call has a promise of its own: one that is shared would keep everything that ever waited for it,
 * which is all that a dead process held.
 */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
