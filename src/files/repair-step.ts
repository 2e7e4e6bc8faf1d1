/**
 * Repairs a rejected file in place: a person corrects wrong cells, and the corrected file is taken in as a
 * correction of the first, signed like any submission. The sent bytes stay; the audit record keeps who changed
 * what, with the old and the new text.
 */
import { Draft } from "../context/files.ts";
import { Fault, fault, type Problem, problem, type Reason } from "../faults/index.ts";
import { type Line, textOf } from "../model/grid.ts";
import {
  columnIndex,
  type Instant,
  isAnswerColumn,
  personKey,
  type Role,
  SENT_BEFORE_CODES,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import type { PaymentLine, SheetReading } from "../model/sheet-reading.ts";
import { identityOf } from "../proof/identity.ts";
import { introduce } from "../proof/trial.ts";
import { findFile, findFileByName, type TakenFile } from "../store/batches.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { findArchived, refuseRemovedFile } from "./intake/archive.ts";
import { type FileReport, holdsSecret, isAllKnown, type ReportedFile } from "./intake/file-report.ts";
import { copyTotalsFiles, removeWithTotals } from "./intake/totals-file.ts";
import { type CellChange, type Correction, makeCorrected, nameOf } from "./repair/corrected-file.ts";
import { notRepairable, type Repair, recordRepair, repairedInto, repairsOf } from "./repair/lineage.ts";
import { type SubmitReport, takeIn } from "./submit-step.ts";
import { checkAndReport } from "./validate-step.ts";

export interface FileToRepair {
  readonly report: FileReport;
  readonly takenAt: Instant;
  readonly submittedBy?: string;
  /** Why this person cannot repair it here. */
  readonly obstacle?: Problem;
  /** The file that a repair turned it into. */
  readonly became?: TakenFile;
  /** The lines with a problem that can be repaired. */
  readonly lines: readonly WrongLine[];
  /** The lines that were sent before; there is nothing to repair in them. */
  readonly knownLines: readonly WrongLine[];
  /** Whether every line was sent before. */
  readonly isKnown: boolean;
  /** The first texts below the names of the columns, by column. */
  readonly examples: readonly (readonly string[])[];
  /** Oldest first. */
  readonly changes: readonly Repair[];
}

export interface WrongLine {
  readonly line: number;
  /** By column. */
  readonly texts: readonly string[];
  readonly cells: readonly WrongCell[];
  /** The problems that name no cell of the line. */
  readonly problems: readonly Problem[];
}

export interface WrongCell extends Omit<CellChange, "from" | "to"> {
  /** The column's position, from 0. */
  readonly position: number;
  readonly text: string;
  readonly problems: readonly Problem[];
}

interface RequestedChange {
  readonly line: number;
  /** From 0. */
  readonly column: number;
  readonly to: string;
}

export interface RepairRequest {
  /** SHA-256 of the file as it was shown. */
  readonly sha256: string;
  readonly changes: readonly RequestedChange[];
  /** Lines whose cells are emptied. */
  readonly leaveOut?: readonly number[];
  /** Whether to empty the lines that were sent before as well. */
  readonly leaveKnownOut?: boolean;
  readonly person: string;
}

/** For more changes a spreadsheet program serves better. */
const CHANGES_MAX = 2_000;
const EXAMPLES = 3;

/**
 * A file that was taken in, by its SHA-256 or its sender's name, as it would be read now. Throws NAME_UNKNOWN, also
 * if the person may not see the file, and FILE_NOT_REPAIRABLE for a batch and for a file that is not in the
 * archive.
 */
export async function fileToRepair(
  workplace: Workplace,
  name: string,
  person: string,
): Promise<FileToRepair> {
  const { file, checked, obstacle } = await openFile(workplace, name, person);
  const { report, found } = checked;
  const changes = await workplace.store.read(() => repairsOf(file));
  const became = await workplace.store.read(() => repairedInto(file));
  const { takenAt, submittedBy } = file;
  const wrong = Map.groupBy(report.problems, ({ line }) => line ?? 0);
  const about = { report, takenAt, changes, ...present({ submittedBy, obstacle, became }) };
  if (found?.reading === undefined)
    return { ...about, lines: [], knownLines: [], isKnown: false, examples: [] };
  const { reading, grid } = found;
  const below = grid.lines.filter(({ line }) => line > reading.headerLine).slice(0, EXAMPLES);
  const known = knownLinesIn(report);
  const lines = grid.lines
    .filter(({ line }) => wrong.has(line))
    .map((each) => wrongLine(each, reading, wrong.get(each.line) ?? []));
  return {
    ...about,
    lines: lines.filter(({ line }) => !known.has(line)),
    knownLines: lines.filter(({ line }) => known.has(line)),
    isKnown: isAllKnown(report),
    examples: reading.header.map((_, at) => below.map(({ cells }) => textOf(cells[at] ?? ""))),
  };
}

function knownLinesIn({ problems }: FileReport): ReadonlySet<number> {
  return new Set(problems.flatMap(({ code, line }) => (SENT_BEFORE_CODES.has(code) ? (line ?? []) : [])));
}

/**
 * Takes the corrected file in. Without changes it takes the same file in again, because its layout may have been
 * changed. Throws as `fileToRepair`, ROLE_LACKING, VALUE_IS_SECRET, and what `submitFile` throws.
 */
export async function repairStep(workplace: Workplace, request: RepairRequest): Promise<SubmitReport> {
  await checkAgreement(workplace);
  const { sha256, person } = request;
  const { file, path, checked, obstacle } = await openFile(workplace, sha256, person);
  const { found } = checked;
  if (obstacle !== undefined) throw new Fault(obstacle);
  if (found?.reading === undefined) throw notRepairable(file, { reason: "unread" });
  const opened = { ...found, reading: found.reading };
  const known = knownLinesIn(checked.report);
  const touched = request.changes.find(({ line }) => known.has(line));
  if (touched !== undefined) throw notRepairable(file, { reason: "line", line: touched.line });
  const leaveOut = [...(request.leaveOut ?? []), ...(request.leaveKnownOut === true ? known : [])];
  const changes = changesOf(file, opened, { ...request, leaveOut });
  const submission = { submittedBy: person, signs: true };
  if (changes.length === 0) return takeIn(workplace, path, file.name, submission);
  const correction = { file: file.name, found: opened, changes, person, takenAt: file.takenAt };
  await openFolders(workplace, "archive");
  const draft = new Draft(`${path}.corrected`);
  try {
    // Paydrop creates the file before exceljs writes to it, so that nobody else may read it.
    await draft.append(Buffer.alloc(0));
    await makeCorrected(draft.temporaryPath, correction);
    await copyTotalsFiles(path, draft.temporaryPath);
    return await takeIn(workplace, draft.temporaryPath, file.name, {
      ...submission,
      isOurs: true,
      record: (after) => recordRepair(file, after, { at: workplace.context.clock.now(), person, changes }),
    });
  } finally {
    await removeWithTotals(draft.temporaryPath);
  }
}

interface OpenFile {
  readonly file: TakenFile;
  /** In the archive. */
  readonly path: string;
  readonly checked: ReportedFile;
  readonly obstacle: Problem | undefined;
}

async function openFile(workplace: Workplace, name: string, person: string): Promise<OpenFile> {
  const { file, isTheirs } = await fileSeenBy(workplace, name, person);
  if (file.batchId !== undefined) throw notRepairable(file, { reason: "taken", batch: file.batchId });
  const path = await findArchived(workplace, file);
  if (path === undefined) {
    await refuseRemovedFile(workplace, file, "archive", "the sent file");
    throw notRepairable(file, { reason: "unkept" });
  }
  const known = { sha256: file.sha256, submittedBy: person };
  const checked = await checkAndReport(workplace, path, file.name, known);
  if (holdsSecret(checked.report)) throw notRepairable(file, { reason: "secret" });
  const obstacle = isTheirs ? await obstacleTo(workplace, file, checked) : roleLacking(person);
  return { file, path, checked, obstacle };
}

function roleLacking(person: string): Problem {
  const roles = `submitter; of a file of others also ${FOR_OTHERS.join(", ")}`;
  return problem("ROLE_LACKING", { person, action: "repair this file", roles });
}

/** The roles that may repair the files of others. */
const FOR_OTHERS: readonly Role[] = ["approver", "operator", "admin"];

export interface SeenFile {
  readonly file: TakenFile;
  /** Whether the person may repair it. */
  readonly isTheirs: boolean;
}

/**
 * A file that a person may see: someone who is only a submitter sees their own files. Throws NAME_UNKNOWN and
 * PERSON_UNKNOWN.
 */
export async function fileSeenBy(workplace: Workplace, name: string, person: string): Promise<SeenFile> {
  const { store } = workplace;
  await introduce(workplace, person);
  const identity = await identityOf(workplace, "repair a file");
  const { roles } = await store.read(() => identity.approver(person));
  const isSha256 = /^[0-9a-f]{64}$/.test(name);
  const file = await store.read(() => (isSha256 ? findFile(name) : findFileByName(name)));
  const isOwn = file?.submittedBy !== undefined && personKey(file.submittedBy) === personKey(person);
  if (file === undefined || !(isOwn || roles.some((role) => role !== "submitter")))
    throw fault("NAME_UNKNOWN", { what: `file ${name}`, how: "Name a file that you have sent in." });
  const mayRepair = isOwn || roles.some((role) => FOR_OTHERS.includes(role));
  return { file, isTheirs: mayRepair && roles.includes("submitter") };
}

/** Why a file can only be repaired in a spreadsheet program. */
async function obstacleTo(
  { store }: Workplace,
  file: TakenFile,
  { report, found }: ReportedFile,
): Promise<Problem | undefined> {
  const because = (why: Reason<"FILE_NOT_REPAIRABLE">) => notRepairable(file, why).problem;
  const newest = await store.read(() => findFileByName(file.name));
  if (newest?.sha256 !== file.sha256) {
    const became = await store.read(() => repairedInto(file));
    if (became === undefined) return because({ reason: "newer" });
    return because({ reason: "repaired", became: became.batchId ?? "another file" });
  }
  if (found?.reading === undefined) return because({ reason: "unread" });
  if (isAllKnown(report)) return because({ reason: "known" });
  const { grid, reading, rows } = found;
  // A corrected file gives each row as many cells as the longest has.
  if (report.problems.some(({ code }) => code === "CSV_MALFORMED")) return because({ reason: "ragged" });
  const hidden = grid.lines.find(({ isHidden }) => isHidden === true);
  if (hidden !== undefined) return because({ reason: "hidden-line", line: hidden.line });
  const unseen = reading.header.findIndex((_, at) => grid.hiddenColumns.has(at));
  if (unseen >= 0) return because({ reason: "hidden-column", column: reading.header[unseen] ?? "" });
  // While some payments are wrong, the line with their sum looks like one more payment.
  const isSum = ({ problems: [first] }: PaymentLine) => first?.code === "CONTROL_TOTAL_DIFFERS";
  const paid = new Set(rows.filter((row) => !isSum(row)).map(({ line }) => line));
  for (const each of grid.lines) {
    const at = each.cells.findIndex((cell) => typeof cell === "object" && cell.kind === "formula");
    if (at >= 0 && paid.has(each.line)) return because({ reason: "formula", cell: nameOf(each, at) });
  }
  return undefined;
}

function wrongLine(line: Line, reading: SheetReading, problems: readonly Problem[]): WrongLine {
  const { header } = reading;
  const texts = header.map((_, at) => textOf(line.cells[at] ?? ""));
  const cells = header.flatMap((column, position) => {
    const found = problems.filter((each) => positionOf(each, reading) === position);
    const cell = { cell: nameOf(line, position), column, position, text: texts[position] ?? "" };
    return found.length === 0 ? [] : [{ ...cell, problems: found }];
  });
  const placed = new Set(cells.flatMap((each) => each.problems));
  return { line: line.line, texts, cells, problems: problems.filter((each) => !placed.has(each)) };
}

/** The position by the cell's letters, otherwise by the heading or the meaning of a column that is read. */
function positionOf({ cell, column }: Problem, { columns, header }: SheetReading): number | undefined {
  if (cell !== undefined) return columnIndex(cell);
  if (column === undefined) return undefined;
  const read = columns.find(({ heading, name }) => heading === column || name === column);
  const position = read?.position ?? header.indexOf(column);
  return position < 0 ? undefined : position;
}

/**
 * The cells that really change. Throws NAME_UNKNOWN for a cell that is not in the file, FILE_NOT_REPAIRABLE for too
 * many changes, and VALUE_IS_SECRET.
 */
function changesOf(
  file: TakenFile,
  { grid, reading: { header } }: Correction["found"],
  { changes: typed, leaveOut = [] }: RepairRequest,
): CellChange[] {
  const own = header.flatMap((name, column) => (isAnswerColumn(name) ? [] : [column]));
  const emptied = leaveOut.flatMap((line) => own.map((column) => ({ line, column, to: "" })));
  const requested = [...typed, ...emptied];
  if (requested.length > CHANGES_MAX) throw notRepairable(file, { reason: "changes", cellsMax: CHANGES_MAX });
  const lines = new Map(grid.lines.map((each) => [each.line, each]));
  const changes = new Map<string, CellChange>();
  for (const { line, column: at, to: text } of requested) {
    const [sent, column] = [lines.get(line), header[at]];
    const cell = nameOf({ line }, at);
    if (sent === undefined || column === undefined || isAnswerColumn(column))
      throw fault("NAME_UNKNOWN", { what: `cell ${cell} in the file`, how: "Open the file again." });
    const [from, to] = [textOf(sent.cells[at] ?? ""), text.replace(/\s+/g, " ").trim()];
    // Browsers return a text with other line breaks, or without them.
    const isAsShown = text.replace(/[\r\n]/g, "") === from.replace(/[\r\n]/g, "");
    if (isAsShown || to === from) continue;
    if (holdsPrivateKey(to, column)) throw fault("VALUE_IS_SECRET", { field: column }, { file: file.name });
    changes.set(cell, { cell, column, from, to });
  }
  return [...changes.values()];
}
