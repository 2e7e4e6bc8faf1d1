/** Texts of which some lines only apply under a condition: `condition && line`. */

type Part<Value> = Value | false | undefined;

/** The lines that apply, as one text. */
export function lines(...parts: readonly Part<string>[]): string {
  return applying(...parts).join("\n");
}

/** The parts that apply: lines, or the cells and columns of a table. */
export function applying<Value>(...parts: readonly Part<Value>[]): Value[] {
  return parts.flatMap((part) => (part === false || part === undefined ? [] : [part]));
}
