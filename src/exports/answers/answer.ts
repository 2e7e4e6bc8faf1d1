/**
 * An answer is the sent file plus our columns, in the sent format. Common to all kinds of answers: columns of an
 * earlier answer are replaced, and the file appears whole or not at all.
 */
import { writeFile } from "node:fs/promises";
import { writeWhole } from "../../context/files.ts";
import { isAnswerColumn, type Row, type Table, type TableSource } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { oneLine } from "../cell-text.ts";
import type { AnswerContent, AnswerLine, SummaryLine } from "./answer-line.ts";
import { writeAnswerCsv } from "./csv/answer-csv.ts";
import { writeAnswerXlsx } from "./xlsx/answer-xlsx.ts";
import { writePlainXlsx } from "./xlsx/plain-xlsx.ts";

/** What is added to a row: a text for each of our columns, and remarks on the sender's cells. */
type Addition = Pick<AnswerLine, "added"> & Partial<Pick<AnswerLine, "remarks" | "withheld">>;

export interface Answer {
  readonly table: Table;
  /** Full path of the answer, such as `outbox/NAME.rejected.xlsx`. */
  readonly path: string;
  readonly columns: readonly string[];
  /** By index in the sent header. */
  readonly headerRemarks?: ReadonlyMap<number, string>;
  /** The file contains a private key. A workbook's parts repeat its texts, so only cell values are returned. */
  readonly holdsSecret?: boolean;
  addTo(row: Row): Addition;
  /** Label and value pairs, called after the last row: a sheet in XLSX, a text file beside a CSV; may be empty. */
  summary(): readonly SummaryLine[];
}

/** Returns the written paths. Reads the rows and the sent file once. Throws OUTPUT_UNWRITABLE, leaving nothing. */
export async function writeAnswer(answer: Answer): Promise<string[]> {
  const { table, path, holdsSecret = false } = answer;
  const { source } = table;
  switch (source.format) {
    case "xlsx": {
      const write = holdsSecret ? writePlainXlsx : writeAnswerXlsx;
      await writeWhole(path, (temporaryPath) => write(temporaryPath, contentOf(answer, source)));
      return [path];
    }
    case "csv": {
      let companions: string[] = [];
      await writeWhole(path, async (temporaryPath) => {
        await writeAnswerCsv(temporaryPath, contentOf(answer, source));
        // Before the answer appears under its name, so that whoever sees it finds the summary too.
        companions = await writeCompanion(path, answer.summary());
      });
      return [path, ...companions];
    }
  }
}

function contentOf<Source extends TableSource>(answer: Answer, source: Source): AnswerContent<Source> {
  const { sheet, header, headerLine, titleLines = [] } = answer.table;
  const dropped = header.flatMap((name, index) => (isAnswerColumn(name) ? [index] : []));
  return {
    source,
    ...present({ sheet }),
    headerLine,
    header,
    dropped: new Set(dropped),
    holdsSecret: answer.holdsSecret ?? false,
    titleLines,
    lines: linesOf(answer),
    summary: () => answer.summary(),
  };
}

async function* linesOf({ table, columns, headerRemarks, addTo }: Answer): AsyncIterable<AnswerLine> {
  yield {
    line: table.headerLine,
    cells: table.header.map((text) => ({ kind: "text", text })),
    added: columns,
    remarks: headerRemarks ?? NO_REMARKS,
    withheld: new Set([...table.header.keys()].filter((index) => holdsPrivateKey(table.header[index] ?? ""))),
  };
  for await (const window of table.windows()) {
    for (const row of window) {
      const { line, cells, problems } = row;
      const broken = problems.find(({ code }) => code === "CSV_MALFORMED");
      yield {
        line,
        cells,
        remarks: NO_REMARKS,
        withheld: NOTHING_WITHHELD,
        ...(broken === undefined ? {} : { brokenLine: broken.line ?? line }),
        ...(problems.some(({ code }) => OUT_OF_SIGHT.has(code)) ? { isOutOfSight: true as const } : {}),
        ...addTo(row),
      };
    }
  }
}

const OUT_OF_SIGHT: ReadonlySet<string> = new Set(["ROW_HIDDEN", "ROW_STRUCK_OUT"]);
const NO_REMARKS: ReadonlyMap<number, string> = new Map();
const NOTHING_WITHHELD: ReadonlySet<number> = new Set();

/**
 * Writes `NAME.accepted.csv.txt` beside `NAME.accepted.csv`: a CSV contains only rows, so that programs can read it.
 */
async function writeCompanion(path: string, summary: readonly SummaryLine[]): Promise<string[]> {
  if (summary.length === 0) return [];
  const text = summary.map(([label, value]) => `${oneLine(`${label}: ${value}`)}\n`).join("");
  const companionPath = `${path}.txt`;
  await writeWhole(companionPath, (temporaryPath) => writeFile(temporaryPath, text));
  return [companionPath];
}
