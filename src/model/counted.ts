/** Counts in words. */

/** "1 payout", "2 payouts" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
