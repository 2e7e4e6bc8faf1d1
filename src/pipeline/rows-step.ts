/**
 * Shows the cells of one file uninterpreted. The file is first read to its end, so that half a file is never shown.
 * Private keys are left out. Stores nothing and needs no configuration.
 */
import { Fault, fault, type Problem, problem } from "../faults/index.ts";
import { type FileLimits, type RawFile, type RawRow, type RawSheet, readSheets } from "../intake/index.ts";
import type { Cell } from "../model/index.ts";
import { holdsPrivateKey, looksLikePrivateKey } from "../model/private-key.ts";
import { SECRET_NOT_SHOWN } from "../model/shown-text.ts";
import { isNameWithheld, safeName } from "./files/file-names.ts";

export interface FileRows {
  /** The sender's own file name. */
  readonly file: string;
  /** refused: the file could not be read at all; its one problem says why, and no sheet is shown. */
  readonly verdict: "read" | "refused";
  /** Its format, encoding and delimiter; absent if it was refused. */
  readonly recognised?: Omit<RawFile, "sheets">;
  readonly sheets: readonly SheetRows[];
  readonly problemCount: number;
  /** Why the file was refused; or where a CSV is malformed, whose other rows are shown all the same. */
  problems(): Iterable<Problem>;
}

export interface SheetRows extends RawSheet {
  /** Number of rows that are not blank. */
  readonly rowCount: number;
}

/** Reads the file in bounded memory, and `rows()` reads it again. Throws only what is not the file's fault. */
export async function rowsStep(path: string, limits: FileLimits, sheetName?: string): Promise<FileRows> {
  const file = safeName(path);
  try {
    if (isNameWithheld(file)) throw fault("FILE_NAME_IS_SECRET", {});
    const { sheets, ...recognised } = await readSheets(path, limits, sheetName);
    const broken: NonNullable<RawRow["broken"]>[] = [];
    const shown: SheetRows[] = [];
    for (const sheet of sheets) {
      let rowCount = 0;
      for await (const row of sheet.rows()) {
        rowCount += 1;
        if (row.broken !== undefined) broken.push(row.broken);
      }
      shown.push({ ...sheet, rowCount, rows: () => withoutSecrets(sheet.rows()) });
    }
    // Lazy, because a file may have a million malformed lines.
    const problems = () => broken.values().map(({ line, reason }) => malformed(file, line, reason));
    return { file, verdict: "read", recognised, sheets: shown, problemCount: broken.length, problems };
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.next !== "correct-file") throw error;
    const refusal = { ...error.problem, file };
    return { file, verdict: "refused", sheets: [], problemCount: 1, problems: () => [refusal] };
  }
}

function malformed(file: string, line: number, reason: string): Problem {
  return problem("CSV_MALFORMED", { reason }, { file, line });
}

async function* withoutSecrets(rows: AsyncIterable<RawRow>): AsyncGenerator<RawRow> {
  for await (const row of rows) {
    // A seed phrase may be spread over cells, a word in each.
    const isSecret = holdsPrivateKey(row.cells.map(({ text }) => text).join(" "));
    yield { ...row, cells: row.cells.map((cell) => withoutSecret(cell, isSecret)) };
  }
}

function withoutSecret(cell: Cell, isInSecretRow: boolean): Cell {
  const isSecret = (isInSecretRow && cell.kind !== "empty") || looksLikePrivateKey(cell.text);
  return isSecret ? { kind: "text", text: SECRET_NOT_SHOWN } : cell;
}
