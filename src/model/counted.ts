/** Counts in words. */

/** "1 payout", "2 payouts" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The first `max` lines, and how many others there are. */
export function atMost(lines: readonly string[], max: number): readonly string[] {
  const others = lines.length - max;
  return others > 0 ? [...lines.slice(0, max), `and ${others} others`] : lines;
}
