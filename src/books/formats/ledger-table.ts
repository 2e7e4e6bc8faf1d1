/** The journal as an ERP's import files: a text table, in one file or in several. */
import { stringify } from "csv-stringify/sync";
import { Fault, isProblem } from "../../faults/index.ts";
import { BYTE_ORDER_MARK, type Instant, type JournalEntry, type LedgerTable } from "../../model/index.ts";
import type { JournalFormat } from "../../writing/cell-text.ts";
import { checkBalance } from "../rules/journal-entries.ts";
import { dayText, encodingOf, entryWriter, linesFor } from "./ledger-rows.ts";
import type { Piece, Rendering } from "./rendering.ts";

export interface TableBatch {
  /** The beginning of the document numbers: "000042". */
  readonly exportNumber: string;
  readonly issuedAt: Instant;
}

/**
 * Several files if lines or months per file are limited. Throws LEDGER_CELL_TOO_LONG, LEDGER_CELL_UNWRITABLE,
 * LEDGER_CELL_REFUSED or LEDGER_ENTRY_TOO_LONG for an entry that the table cannot hold.
 */
export function ledgerTable(table: LedgerTable, batch: TableBatch, format: JournalFormat): Rendering {
  const rowsOf = entryWriter(table, format);
  const text = textWriter(table);
  const headOf = headWriter(table, batch, format);
  const { linesMax = Number.POSITIVE_INFINITY } = table;
  let entriesSoFar = 0;
  /** The last file; undefined before the first. */
  let file: { readonly number: number; readonly month: string; lines: number } | undefined;
  const isFull = (entry: JournalEntry, length: number) =>
    file !== undefined &&
    ((file.lines > 0 && file.lines + length > linesMax) ||
      (table.filePer === "month" && monthOf(entry) !== file.month));
  return {
    encoding: encodingOf(table),
    begin: () => [],
    add: (entries) => {
      const pieces: Piece[] = [];
      let content = "";
      const finish = () => {
        if (file !== undefined && content !== "")
          pieces.push({ name: fileName(table, file.number), content });
        content = "";
      };
      for (const entry of entries) {
        checkBalance(entry);
        entriesSoFar += 1;
        const { length } = linesFor(table, entry);
        if (file === undefined || isFull(entry, length)) {
          finish();
          file = { number: (file?.number ?? 0) + 1, month: monthOf(entry), lines: 0 };
          content = headOf(entry);
        }
        const place = { exportNumber: batch.exportNumber, position: entriesSoFar };
        const written = rowsOf(entry, place, file.lines);
        if (isProblem(written)) throw new Fault(written);
        content += text(written);
        file.lines += length;
      }
      finish();
      return pieces;
    },
  };
}

/** "xero.csv", "xero.2.csv" */
export function fileName({ name, extension }: LedgerTable, number: number): string {
  return `${name}${number === 1 ? "" : `.${number}`}.${extension}`;
}

function monthOf({ bookDay }: JournalEntry): string {
  return bookDay.slice(0, 7);
}

type Rows = readonly (readonly string[])[];

function textWriter({ columns, keywords, delimiter }: LedgerTable): (rows: Rows) => string {
  const quoted = columns.map(({ isQuoted }) => isQuoted === true);
  // A row of keywords has one cell before the columns' cells.
  const before = keywords === undefined ? 0 : 1;
  const cast = (value: string, { index = 0 }: { readonly index?: number | null | undefined }) =>
    quoted[(index ?? 0) - before] ? { value, quoted: true, quoted_empty: true } : value;
  const casts = quoted.includes(true) ? { cast: { string: cast as never } } : {};
  return (rows) => stringify([...rows], { delimiter, record_delimiter: "windows", ...casts });
}

/** The beginning of a file: a byte order mark, its own first lines, and the header. */
function headWriter(
  table: LedgerTable,
  { exportNumber, issuedAt }: TableBatch,
  { functionalCurrency }: JournalFormat,
): (first: JournalEntry) => string {
  const { keywords, delimiter, before = [] } = table;
  const headers = table.columns.map(({ header }) => header);
  const head = keywords
    ? [[`!${keywords.first}`, ...headers], [`!${keywords.next}`, ...headers], [`!${keywords.end}`]]
    : [headers];
  const mark = table.encoding === "utf-8-bom" ? BYTE_ORDER_MARK : "";
  return (entry) => {
    const fields: Readonly<Record<string, string>> = {
      exportNumber,
      currency: functionalCurrency,
      createdAt: issuedAt.replace(/\D/g, "").padEnd(17, "0"),
      ...monthFields(entry, table.fiscalYearStart),
    };
    const own = before.map((line) =>
      line.replace(/\{([^{}]*)\}/g, (part, field: string) => fields[field] ?? part),
    );
    const first = own.map((line) => `${line}\r\n`).join("");
    return `${mark}${first}${stringify(head, { delimiter, record_delimiter: "windows" })}`;
  };
}

function monthFields(entry: JournalEntry, fiscalYearStart = "01-01") {
  const month = monthOf(entry);
  const [year = "", ordinal = ""] = month.split("-");
  const lastDay = new Date(Date.UTC(Number.parseInt(year, 10), Number.parseInt(ordinal, 10), 0));
  const began = entry.bookDay.slice(5) >= fiscalYearStart ? year : String(Number.parseInt(year, 10) - 1);
  const plain = (day: string) => dayText(day, "yyyymmdd");
  return {
    firstDay: plain(`${month}-01`),
    lastDay: plain(lastDay.toISOString().slice(0, 10)),
    fiscalYearDay: plain(`${began}-${fiscalYearStart}`),
  };
}
