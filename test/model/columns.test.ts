/** A long file stored by columns is read back unchanged; a changed value would be paid. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Column } from "../../src/model/column.ts";
import { DraftColumns } from "../../src/model/draft-columns.ts";
import type { Cell } from "../../src/model/grid.ts";
import { canonicalFields } from "../../src/model/index.ts";
import { cellAt, LineTable, widthOf } from "../../src/model/lines.ts";
import { instructions } from "../files/legal-instructions.ts";

/** Around the numbers at which codes become wider and the column becomes a list. */
test.each([1, 2, 255, 256, 257, 4095, 4096, 4097, 20_000])(
  "a column of %i values that repeat gives each row its own",
  (distinct) => {
    const rows = Array.from({ length: 3 * distinct }, (_, row) => `value ${row % distinct}`);
    const interleaved = rows.flatMap((value, row) => [value, `value ${row % 7}`]);
    for (const values of [rows, interleaved, rows.toSorted()]) {
      const column = new Column<string>();
      for (const value of values) column.add(value);
      expect(column.length).toBe(values.length);
      expect(values.every((value, row) => column.at(row) === value)).toBe(true);
    }
  },
);

const cells = fc.array(
  fc.oneof(fc.constantFrom<Cell>("", "BTC", "0.1", { kind: "number", text: "0.10" }), fc.string()),
  { maxLength: 30 },
);

test("lines of any widths have the cells that were read", () => {
  const sheets = fc.array(fc.record({ cells, isHidden: fc.constantFrom(undefined, true as const) }));
  fc.assert(
    fc.property(sheets, (sheet) => {
      const table = new LineTable();
      const kept = sheet.map((line, index) => table.add({ ...line, line: index + 1 }));
      expect(kept.map(({ line, cells, isHidden }) => ({ line, cells, isHidden }))).toEqual(
        sheet.map((line, index) => ({ ...line, line: index + 1 })),
      );
      for (const [index, line] of kept.entries()) {
        const whole = sheet[index]?.cells ?? [];
        expect(widthOf(line)).toBe(whole.length);
        for (let at = -1; at < 32; at += 1) expect(cellAt(line, at)).toEqual(whole[at] ?? "");
      }
    }),
  );
});

test("a line that is much longer than all others is read like them", () => {
  const table = new LineTable();
  const narrow = Array.from({ length: 5_000 }, (_, index) => table.add({ line: index + 1, cells: ["a"] }));
  const wide = Array.from({ length: 500 }, (_, at) => `cell ${at}`);
  const kept = table.add({ line: 5_001, cells: wide, isHidden: true });
  const last = table.add({ line: 5_002, cells: ["b", "c"] });
  expect([kept.cells, kept.isHidden, widthOf(kept), cellAt(kept, 499)]).toEqual([
    wide,
    true,
    500,
    "cell 499",
  ]);
  expect([last.cells, narrow.at(-1)?.cells]).toEqual([["b", "c"], ["a"]]);
});

test("the fields of payments are those that were put in", () => {
  fc.assert(
    fc.property(instructions(), (all) => {
      const columns = new DraftColumns();
      const indexes = all.map((fields) => columns.add(fields));
      expect(indexes.map((index) => canonicalFields(columns.at(index)))).toEqual(all.map(canonicalFields));
      expect(indexes.map((index) => columns.field("payOn", index))).toEqual(all.map(({ payOn }) => payOn));
    }),
  );
});
