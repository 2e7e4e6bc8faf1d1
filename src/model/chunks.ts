/** Many items in parts of at most `size`. */
export function* chunks<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
