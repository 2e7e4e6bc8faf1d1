/**
 * An answer is the file that was sent plus columns of ours, in the format that came in. This is what all kinds of answers
 * share: the sender's columns pass through, columns of an earlier answer are replaced, and the file appears whole.
 */
import { writeFile } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { writeWhole } from "../../context/files.ts";
import { type Cell, EMPTY_CELL, isAnswerColumn, type Row, type Table } from "../../model/index.ts";
import type { AnswerLine, SummaryLine } from "./answer-line.ts";
import { writeAnswerCsv } from "./csv.ts";
import { writeAnswerXlsx } from "./xlsx.ts";

/** What is added to one row: a text per column of ours, and remarks on cells of the sender's. */
interface Addition {
  readonly texts: readonly string[];
  /** By index in the sender's header; XLSX only, where the cell is marked and the remark is its comment. */
  readonly remarks?: ReadonlyMap<number, string>;
  /** By index in the sender's header: cells whose content must not be repeated. */
  readonly withheld?: ReadonlySet<number>;
}

const WITHHELD: Cell = { kind: "text", text: "(removed by Paydrop)" };

export interface Answer {
  readonly table: Table;
  /** Full path of the answer, such as `outbox/NAME.rejected.xlsx`. */
  readonly path: string;
  readonly columns: readonly string[];
  addTo(row: Row): Addition;
  /** Label and value pairs; a sheet of its own in XLSX, a text file beside a CSV. Called after the last row; empty: none. */
  summary(): readonly SummaryLine[];
}

/**
 * Returns the paths that were written. Throws OUTPUT_UNWRITABLE; then neither the answer nor a part of it is there. Reads the
 * table's rows, once.
 */
export async function writeAnswer(answer: Answer): Promise<string[]> {
  const { table, path } = answer;
  switch (table.format) {
    case "xlsx":
      await writeWhole(path, (temporaryPath) =>
        writeAnswerXlsx(temporaryPath, table.sheet, linesOf(answer), () => answer.summary()),
      );
      return [path];
    case "csv": {
      let companions: string[] = [];
      await writeWhole(path, async (temporaryPath) => {
        await writeAnswerCsv(temporaryPath, linesOf(answer));
        // Before the rows appear under their name: who sees them finds the summary too.
        companions = await writeCompanion(path, answer.summary());
      });
      return [path, ...companions];
    }
  }
}

async function* linesOf({ table, columns, addTo }: Answer): AsyncIterable<AnswerLine> {
  const kept = [...table.header.keys()].filter((index) => !isAnswerColumn(table.header[index] ?? ""));
  const headerCells = kept.map((index): Cell => ({ kind: "text", text: table.header[index] ?? "" }));
  yield { cells: headerCells, added: columns, remarks: new Map() };
  for await (const row of table.rows()) {
    const { texts, remarks, withheld } = addTo(row);
    const moved = kept.flatMap((index, position): [number, string][] => {
      const remark = remarks?.get(index);
      return remark === undefined ? [] : [[position, remark]];
    });
    yield {
      cells: kept.map((index) => (withheld?.has(index) ? WITHHELD : (row.cells[index] ?? EMPTY_CELL))),
      added: texts,
      remarks: new Map(moved),
    };
  }
}

/** `NAME.accepted.txt` beside `NAME.accepted.csv`: a CSV holds nothing but its rows, so that programs can read it. */
async function writeCompanion(path: string, summary: readonly SummaryLine[]): Promise<string[]> {
  if (summary.length === 0) return [];
  const text = summary.map(([label, value]) => `${label}: ${value}\n`).join("");
  const companionPath = join(dirname(path), `${parse(path).name}.txt`);
  await writeWhole(companionPath, (temporaryPath) => writeFile(temporaryPath, text));
  return [companionPath];
}
