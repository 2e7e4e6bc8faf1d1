/**
 * A copy of a text that stands alone. What is cut out of a long text keeps all of it in memory (V8's sliced strings), so
 * whatever outlives the row that it was read from is copied.
 */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
