/** Tells whoever sent a file in which encoding it was read, if that was a guess. */
import { type Problem, problem } from "../faults/index.ts";
import type { Row, Table } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import { cellPlace } from "./cell-place.ts";
import type { Header } from "./header.ts";

/** Warns once per file if its encoding was guessed. Amounts and addresses are the same in every encoding. */
export function encodingNotice({ source }: Table, { positions, texts }: Header) {
  const table = { header: texts };
  const read = [...positions.values()];
  const isWanted = source.format === "csv" && source.encoding.isGuessed === true;
  let notice: Problem | undefined;
  return { see, warnings };

  /** Remembers the first text whose letters depend on the encoding, to show how it was read. */
  function see(rows: readonly Row[]): void {
    if (!isWanted || notice !== undefined) return;
    for (const row of rows) {
      const position = read.find((index) => /[\x80-\uffff]/.test(row.cells[index]?.text ?? ""));
      if (position === undefined) continue;
      const text = shownText(row.cells[position]?.text ?? "");
      notice = problem("ENCODING_GUESSED", { text }, cellPlace(table, row, position));
      return;
    }
  }

  function warnings(): readonly Problem[] {
    return notice === undefined ? [] : [notice];
  }
}
