/**
 * An independent copy of a text. A substring keeps the whole long text in memory (V8's sliced strings), so whatever
 * outlives its row is copied.
 */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
