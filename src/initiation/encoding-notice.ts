/** Warns once per file if its encoding was guessed. Amounts and addresses are the same in every encoding. */
import { type Problem, problem } from "../faults/index.ts";
import type { Row, Table } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import { cellPlace } from "./cell-place.ts";
import type { Header } from "./header.ts";

export class EncodingNotice {
  private readonly table: Pick<Table, "header">;
  private readonly read: readonly number[];
  private readonly isWanted: boolean;
  private notice: Problem | undefined;

  constructor({ source }: Table, { positions, texts }: Header) {
    this.table = { header: texts };
    this.read = [...positions.values()];
    this.isWanted = source.format === "csv" && source.encoding.isGuessed === true;
  }

  /** Remembers the first text whose letters depend on the encoding, to show how it was read. */
  see(rows: readonly Row[]): void {
    if (!this.isWanted || this.notice !== undefined) return;
    for (const row of rows) {
      const position = this.read.find((index) => /[\x80-\uffff]/.test(row.cells[index]?.text ?? ""));
      if (position === undefined) continue;
      const text = shownText(row.cells[position]?.text ?? "");
      this.notice = problem("ENCODING_GUESSED", { text }, cellPlace(this.table, row, position));
      return;
    }
  }

  warnings(): readonly Problem[] {
    return this.notice === undefined ? [] : [this.notice];
  }
}
