/** Caches what is read from the cells of one column, because columns repeat texts row after row. */
import { ownText } from "../model/index.ts";

/** Per column: bounds the memory that a column of ever new texts takes. */
const REMEMBERED_TEXTS_MAX = 1000;
const REMEMBERED_LENGTH_MAX = 100;

/** `read` may depend on the text alone. A result of undefined is not cached. */
export function remembered<Value>(read: (text: string) => Value): (text: string) => Value {
  const results = new Map<string, Value>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size >= REMEMBERED_TEXTS_MAX || text.length > REMEMBERED_LENGTH_MAX) return read(text);
    // Reads from a copy of the text, so that no cached value keeps the file's text alive.
    const own = ownText(text);
    const result = read(own);
    results.set(own, result);
    return result;
  };
}
