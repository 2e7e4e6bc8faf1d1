/** Shows the cells of one file uninterpreted, without private keys. Stores nothing and needs no configuration. */
import { Fault, fault, type Problem, problem } from "../faults/index.ts";
import {
  type Cell,
  type CsvForm,
  type FileFormat,
  type Line,
  type SheetHead,
  textOf,
} from "../model/grid.ts";
import { withCells } from "../model/lines.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey, looksLikePrivateKey } from "../model/private-key.ts";
import { SECRET_NOT_SHOWN, shownText } from "../model/shown-text.ts";
import { type FileLimits, openSentFile } from "../readers/index.ts";
import { isNameWithheld, safeName } from "./intake/sent-file.ts";

export interface FileRows {
  /** The sender's own file name. */
  readonly file: string;
  /** refused: the file could not be read at all; its one problem says why, and no sheet is shown. */
  readonly verdict: "read" | "refused";
  readonly format?: FileFormat;
  /** "UTF-8, semicolons" */
  readonly dialect?: string;
  readonly csv?: CsvForm;
  readonly sheets: readonly SheetRows[];
  readonly problems: readonly Problem[];
}

export interface SheetRows extends Pick<SheetHead, "name" | "visibility"> {
  /** The lines that are not blank. */
  readonly lines: readonly Line[];
}

/** All sheets, or the named one. Throws only faults that are not the file's. */
export async function rowsStep(path: string, limits: FileLimits, sheetName?: string): Promise<FileRows> {
  const file = safeName(path);
  try {
    if (isNameWithheld(file)) throw fault("FILE_NAME_IS_SECRET", {});
    return { file, verdict: "read", problems: [], ...(await sheetsOf(path, limits, sheetName)) };
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.next !== "correct-file") throw error;
    return { file, verdict: "refused", sheets: [], problems: [{ ...error.problem, file }] };
  }
}

async function sheetsOf(path: string, limits: FileLimits, wanted: string | undefined) {
  const sent = await openSentFile(path, { limits });
  try {
    const isWanted = (name: string) => name.toLowerCase() === (wanted ?? name).toLowerCase();
    const heads = sent.sheets.filter(({ name }) => isWanted(name));
    if (heads.length === 0) {
      const sheets = sent.sheets.map(({ name }) => shownText(name)).join(", ") || "none with a name";
      throw new Fault(problem("SHEET_NOT_FOUND", { sheet: shownText(wanted ?? ""), sheets }));
    }
    const sheets: SheetRows[] = [];
    let form: Pick<FileRows, "dialect" | "csv"> = {};
    for (const { name, visibility, lines: head } of heads) {
      if (head.length === 0) {
        sheets.push({ name, visibility, lines: [] });
        continue;
      }
      const { lines, dialect, csv } = await sent.readSheet(name);
      form = { dialect, ...present({ csv }) };
      sheets.push({ name, visibility, lines: lines.map(withoutSecrets) });
    }
    return { format: sent.format, ...form, sheets };
  } finally {
    await sent.close();
  }
}

function withoutSecrets(line: Line): Line {
  // A seed phrase may be spread over cells, a word in each.
  const isSecret = holdsPrivateKey(line.cells.map(textOf).join(" "));
  const shown = (cell: Cell) =>
    (isSecret && cell !== "") || looksLikePrivateKey(textOf(cell)) ? SECRET_NOT_SHOWN : cell;
  return withCells(line, line.cells.map(shown));
}
