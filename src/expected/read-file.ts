/**
 * Reads one file of expected receipts: opens it with the guards of payout files, finds its sheet and columns, and
 * returns every row or every mistake. Stores nothing.
 */

import { Fault, isProblem, type Problem, problem } from "../faults/index.ts";
import { fileLimitsOf } from "../files/intake/sent-file.ts";
import { correctedFile, isAnswerColumn } from "../model/answer-columns.ts";
import { chunks } from "../model/chunks.ts";
import type { CsvForm, Grid, SentFile } from "../model/grid.ts";
import {
  columnLetters,
  type ExpectationRow,
  foldedReference,
  minuteText,
  singleByteEncodings,
} from "../model/index.ts";
import { cellAt } from "../model/lines.ts";
import { present } from "../model/present.ts";
import { shownText } from "../model/shown-text.ts";
import { fileHoldsKey, isAddressCell, openSentFile } from "../readers/index.ts";
import { findChangesOf } from "../store/changes.ts";
import { findExpectations } from "../store/expected.ts";
import { ITEMS_PER_STATEMENT } from "../store/sql.ts";
import { custodyAccountsOf } from "../workplace/custody-accounts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { chooseSheet, countKnownNames, type FoundColumns, findColumns } from "./rules/find-columns.ts";
import { type ReadRow, type ReadRows, readRows } from "./rules/read-rows.ts";

export interface ReadFile {
  readonly grid: Grid;
  readonly columns: FoundColumns;
  /** The file whose corrected answer this is. */
  readonly corrects: string | undefined;
  readonly rows: readonly ReadRow[];
  readonly rowsRead: number;
  /** Every mistake; if there are any, none of its rows counts. */
  readonly problems: readonly Problem[];
  /** The names of the columns that were not read. */
  readonly unread: readonly string[];
}

/** How a file was read. It is kept, so that the file's answer can be written again. */
export interface KeptReading {
  readonly headerLine: number;
  readonly header: readonly string[];
  readonly sheet?: string;
  readonly csv?: CsvForm;
}

/** Throws a Fault for a file that cannot be read at all, or is not a file of expected receipts. */
export async function readExpectedFile(workplace: Workplace, path: string): Promise<ReadFile> {
  const limits = fileLimitsOf(workplace.config.files);
  const { encoding } = workplace.config.files;
  const sent = await openSentFile(path, { limits, knownNames: countKnownNames, ...present({ encoding }) });
  try {
    return await readSent(workplace, path, sent);
  } finally {
    await sent.close();
  }
}

async function readSent(workplace: Workplace, path: string, sent: SentFile): Promise<ReadFile> {
  const sheet = chooseSheet(sent.sheets);
  if (isProblem(sheet)) throw new Fault(await whyNotRead(workplace, path, sent, sheet));
  const grid = await sent.readSheet(sheet);
  const columns = findColumns(grid.lines);
  if (isProblem(columns)) throw new Fault(columns);
  const address = addressIn(grid, columns);
  if (address !== undefined) throw new Fault(address);
  const read = readRows(grid, columns, policyOf(workplace));
  const { rows, rowsRead } = read;
  const found = [
    ...(await usedReferences(workplace, read, grid, columns)),
    ...(await compareReaders(sent, grid, columns, read)),
  ];
  const problems = [...read.problems, ...found].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  if (rowsRead === 0) problems.push(problem("EXPECTED_NO_ROWS", {}));
  const isSecret = problems.some(({ code }) => code === "VALUE_IS_SECRET");
  if (!isSecret && (await fileHoldsKey(path, fileLimitsOf(workplace.config.files))))
    problems.push(problem("VALUE_IS_SECRET", { field: "the file" }));
  const used = new Set(columns.positions.values());
  const isUnread = (name: string, at: number) => name !== "" && !used.has(at) && !isAnswerColumn(name);
  const unread = columns.header.filter(isUnread).map(shownText);
  return { grid, columns, corrects: correctedFile(columns.header), rows, rowsRead, problems, unread };
}

/** Looks for addresses and secrets first: a payment file must not seem to have only wrong column names. */
async function whyNotRead(
  { config }: Workplace,
  path: string,
  sent: SentFile,
  why: Problem,
): Promise<Problem> {
  const holds = sent.sheets.some(({ lines }) => lines.some(({ cells }) => cells.some(isAddressCell)));
  if (holds) return problem("EXPECTED_HAS_ADDRESSES", {});
  const isSecret = await fileHoldsKey(path, fileLimitsOf(config.files));
  return isSecret ? problem("VALUE_IS_SECRET", { field: "the file" }) : why;
}

/** The first address, not counting answer columns: our answer has the deposits' addresses, and may come back. */
function addressIn({ lines, sheet }: Grid, { header }: FoundColumns): Problem | undefined {
  for (const line of lines) {
    const at = line.cells.findIndex(
      (cell, position) => isAddressCell(cell) && !isAnswerColumn(header[position] ?? ""),
    );
    if (at < 0) continue;
    const cell = sheet === undefined ? undefined : `${columnLetters(at)}${line.line}`;
    return problem("EXPECTED_HAS_ADDRESSES", {}, { line: line.line, ...present({ sheet, cell }) });
  }
  return undefined;
}

function policyOf({ config, scales, context }: Workplace): Parameters<typeof readRows>[2] {
  const { files, reference, ledger, expected } = config;
  return {
    custodyAccounts: custodyAccountsOf(config),
    defaultAccount: files.defaults.custodyAccount,
    scales,
    referencePattern: { maxLength: reference.maxLength, ...present({ allowed: reference.pattern }) },
    numberFormat: files.numberFormat,
    dateFormat: files.dateFormat,
    timeZone: ledger.timeZone,
    now: context.clock.now(),
    createsByDefault: expected.create,
  };
}

/** A problem for each reference that an earlier expectation has, or a deposit that a person requested. */
async function usedReferences(
  { store }: Workplace,
  { rows }: ReadRows,
  { sheet }: Grid,
  { header, positions }: FoundColumns,
): Promise<Problem[]> {
  const at = positions.get("reference") ?? 0;
  const where = (line: number) => {
    const cell = sheet === undefined ? undefined : `${columnLetters(at)}${line}`;
    return { line, column: header[at] ?? "reference", ...present({ sheet, cell }) };
  };
  const problems: Problem[] = [];
  for (const some of chunks(rows, ITEMS_PER_STATEMENT)) {
    const references = some.map(({ reference }) => reference);
    const { expectations, changes } = await store.read(function* () {
      return { expectations: yield* findExpectations(references), changes: yield* findChangesOf(references) };
    });
    const expected = new Map(expectations.map((each) => [foldedReference(each.reference), each]));
    const requested = new Map(changes.map((each) => [each.subject, each]));
    for (const { line, reference, creates } of some) {
      const known = expected.get(foldedReference(reference));
      const change = requested.get(reference);
      if (known !== undefined) {
        const params = { reference, earlier: placeOf(known) };
        problems.push(problem("EXPECTED_REFERENCE_USED", params, where(line)));
      } else if (creates && change !== undefined) {
        const { person, intendedAt } = change;
        const params = { reference, person, when: minuteText(intendedAt) };
        problems.push(problem("EXPECTED_DEPOSIT_EXISTS", params, where(line)));
      }
    }
  }
  return problems;
}

/** "file 3, line 7" */
export function placeOf({ file, line }: Pick<ExpectationRow, "file" | "line">): string {
  return `file ${file}, line ${line}`;
}

/** Compares the cells of a workbook with what a second reader reads; a CSV has one reader. */
async function compareReaders(
  sent: SentFile,
  grid: Grid,
  { positions, header }: FoundColumns,
  { rows }: ReadRows,
): Promise<Problem[]> {
  if (sent.format !== "xlsx" || rows.length === 0) return [];
  const compared = COMPARED.flatMap((column) => positions.get(column) ?? []);
  const isRead = new Set(rows.map(({ line }) => line));
  const lines = grid.lines
    .filter(({ line }) => isRead.has(line))
    .map((each) => [each.line, compared.map((position) => cellAt(each, position))] as const);
  const second = await sent.readAgain({ positions: compared, lines });
  if (second.kind === "unreadable")
    return [problem("XLSX_MALFORMED", { reason: `a second reader could not open it: ${second.reason}` })];
  return second.disagreements.map(({ line, position, ours, theirs }) => {
    const where = { line, column: header[position] ?? "", cell: `${columnLetters(position)}${line}` };
    return problem("READERS_DISAGREE", { ours: shownText(ours), theirs: shownText(theirs) }, where);
  });
}

const COMPARED = ["reference", "customer", "account", "amount", "currency"] as const;

/** Opens the archived copy of a file again, as it was read. */
export async function openKept(
  { config }: Workplace,
  path: string,
  { sheet = "", csv }: KeptReading,
): Promise<Grid> {
  const encoding = singleByteEncodings.find((label) => label === csv?.encoding);
  const sent = await openSentFile(path, {
    limits: fileLimitsOf(config.files),
    ...present({ encoding, delimiter: csv?.delimiter }),
  });
  return sent.readSheet(sheet).finally(() => sent.close());
}
