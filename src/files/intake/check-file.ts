/**
 * Reads and checks one file: opens it in its sender's layout, chooses the sheet, reads it by structure, and
 * compares what would be paid with the second reader. Stores nothing.
 */
import { extname } from "node:path";
import { Fault, isProblem, type Problem, problem } from "../../faults/index.ts";
import type { ColumnName } from "../../model/columns.ts";
import { expectedColumnNamed, expectedReceiptsHeading } from "../../model/expected-columns.ts";
import {
  type ComparedCells,
  type Grid,
  type Line,
  type SecondReading,
  type SentFile,
  textOf,
} from "../../model/grid.ts";
import {
  BatchDigest,
  type BatchId,
  columnLetters,
  correctedFile,
  type DraftInstruction,
  dayIn,
  foldedReference,
  type Instant,
} from "../../model/index.ts";
import { cellAt } from "../../model/lines.ts";
import { present } from "../../model/present.ts";
import type { ReadColumn } from "../../model/sheet-reading.ts";
import { shownText } from "../../model/shown-text.ts";
import { isAddressCell, openSentFile } from "../../readers/index.ts";
import { findFileByName, isWithdrawn, listBatches } from "../../store/batches.ts";
import { usualFeeRate } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { calendarOf } from "../../workplace/calendar.ts";
import { custodyAccountsOf, ownDestinationsOf } from "../../workplace/custody-accounts.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import {
  type AcceptedLayout,
  chooseSheet,
  countKnownNames,
  type InitiationPolicy,
  type InitiationResult,
  initiate,
  type LastTime,
  screenPayments,
} from "../reading/index.ts";
import { type History, openHistory } from "../screening/history.ts";
import { lastTimeOf } from "../screening/last-time.ts";
import { openScreening } from "../screening/screening.ts";
import { acceptedLayout, headsOf } from "./accepted-layouts.ts";
import { type FileLayout, fileLimitsOf, layoutOf, sentStem } from "./sent-file.ts";
import { readTotalsFile } from "./totals-file.ts";

/** A readable file, with everything that was found in it. */
export interface CheckedFile extends InitiationResult {
  readonly grid: Grid;
  readonly layout: FileLayout;
  /** The file that this one corrects, under its sender's name. */
  readonly corrects: string | undefined;
  /** The digest of the drafts. */
  readonly digest: string;
  /** The comparison with the last approved file of its layout; absent if there is none, and for a correction. */
  readonly lastTime?: LastTime;
}

/** A file to check; `name` is its sender's name for it. */
export interface FileToCheck {
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly submittedBy?: string;
  /** Whether it is a single payment that does not come from a file. */
  readonly isSingle?: boolean;
}

/** Throws a Fault for a file that cannot be read at all. */
export async function checkFile(workplace: Workplace, file: FileToCheck): Promise<CheckedFile> {
  const layout = layoutOf(workplace.config, file.name);
  const sent = await openInLayout(file.path, layout);
  return checkSent(workplace, file, layout, sent).finally(() => sent.close());
}

export function openInLayout(path: string, layout: FileLayout): Promise<SentFile> {
  return openSentFile(path, {
    limits: fileLimitsOf(layout),
    knownNames: (cells) => countKnownNames(cells, layout.columns),
    ...present({ encoding: layout.encoding }),
  });
}

async function checkSent(
  workplace: Workplace,
  file: FileToCheck,
  layout: FileLayout,
  sent: SentFile,
): Promise<CheckedFile> {
  const { path, name } = file;
  const layouts = new Map<string, AcceptedLayout>();
  for (const head of sent.sheets) {
    const owner = { ...file, ...present({ sender: layout.sender }) };
    const accepted = await acceptedLayout(workplace, owner, head);
    if (accepted !== undefined) layouts.set(head.name, accepted);
  }
  const names = { columns: layout.columns, accepted: layouts, ...present({ sheet: layout.sheet }) };
  const chosen = chooseSheet(sent.sheets, names);
  if (isProblem(chosen)) throw new Fault({ ...(expectedInstead(sent) ?? chosen), file: path });
  const grid = await sent.readSheet(chosen.sheet);
  const corrects = headsOf(grid)
    .map(correctedFile)
    .find((corrected) => corrected !== undefined);
  const history = openHistory(workplace);
  const { perDay, perDestination } = workplace.config.limits;
  const screening = await openScreening(workplace, history, { perDay, perDestination });
  let second: SecondOpinion | undefined;
  const result = await initiate(grid, {
    ...policyOf(workplace, layout, history, await correctedBatches(workplace, corrects)),
    ...present({
      totalsFile: await readTotalsFile(path, name),
      layout: layouts.get(chosen.sheet),
      usualFeeRate: await workplace.store.read(() => usualFeeRate()),
      unknownToChart: screening.unknownToChart,
    }),
    otherSheets: chosen.otherSheets,
    hiddenPayouts: chosen.hiddenPayouts,
    fileName: name,
    onceFound: (columns, lines) => {
      if (sent.format === "xlsx") second = new SecondOpinion(sent, columns, lines);
    },
    screen: (drafts, givesReferences) => {
      const { madeBefore } = givesReferences ? openHistory(workplace, { isOfEver: true }) : history;
      return screenPayments(drafts, { ...screening.policy, madeBefore });
    },
  });
  const expected = hasDestinations(result) ? undefined : expectedInstead(sent);
  if (expected !== undefined) throw new Fault({ ...expected, file: path });
  const digest = new BatchDigest();
  digest.add(draftsOf(result.rows));
  const read = second === undefined ? result : await readTwice(result, second);
  const isCompared = corrects === undefined && file.isSingle !== true;
  const lastTime = isCompared ? await comparedWithLast(workplace, layout, file, read) : undefined;
  const warnings = [...screening.warnings, ...read.warnings];
  return { ...read, warnings, grid, layout, corrects, digest: digest.hex(), ...present({ lastTime }) };
}

/** Undefined unless the file is accepted, and without an approved file of its layout. */
async function comparedWithLast(
  workplace: Workplace,
  { sender }: FileLayout,
  { submittedBy }: FileToCheck,
  { verdict, reading, rows }: InitiationResult,
): Promise<LastTime | undefined> {
  if (verdict !== "accepted" || reading === undefined) return undefined;
  return lastTimeOf(workplace, { sender, header: reading.header, submittedBy }, () => draftsOf(rows));
}

function hasDestinations({ reading, rows }: InitiationResult): boolean {
  const isOne = ({ name }: ReadColumn) => name === "destinationAddress" || name === "destinationAccountId";
  return reading?.columns.some(isOne) === true || rows.some(({ draft }) => draft !== undefined);
}

/** EXPECTED_IN_INBOX for a file without addresses whose column names are those of expected receipts. */
function expectedInstead({ sheets }: SentFile): Problem | undefined {
  const lines = sheets.flatMap((sheet) => sheet.lines);
  if (lines.some(({ cells }) => cells.some(isAddressCell))) return undefined;
  for (const { cells, line } of lines) {
    const headings = cells.map((cell) => textOf(cell).trim());
    const named = new Set(headings.map(expectedColumnNamed));
    const column = expectedReceiptsHeading(headings);
    if (column !== undefined && named.has("reference") && named.has("amount"))
      return problem("EXPECTED_IN_INBOX", { column: shownText(column) }, { line });
  }
  return undefined;
}

function* draftsOf(rows: InitiationResult["rows"]): Generator<DraftInstruction> {
  for (const { draft } of rows) if (draft !== undefined) yield draft;
}

/** Adds the second reader's findings about the cells that payments were read from. */
async function readTwice(result: InitiationResult, opinion: SecondOpinion): Promise<InitiationResult> {
  const { reading, verdict, rows } = result;
  if (reading === undefined || verdict !== "accepted") return result;
  const paid = new Set<number>();
  for (const { draft, line } of rows) if (draft !== undefined) paid.add(line);
  const second = await opinion.about(paid);
  if (second.kind === "unreadable") {
    const text = `a second reader could not open the workbook (${second.reason}): only one program read it`;
    const question = { id: "second reader", text, lines: [] };
    return { ...result, reading: { ...reading, questions: [...reading.questions, question] } };
  }
  const problems = second.disagreements.map(({ line, position, ours, theirs }) => {
    const [column, cell] = [reading.header[position] ?? "", `${columnLetters(position)}${line}`];
    const where = { ...present({ sheet: reading.sheet }), line, column, cell };
    return problem("READERS_DISAGREE", { ours: shownText(ours), theirs: shownText(theirs) }, where);
  });
  if (problems.length === 0) return result;
  return {
    ...result,
    verdict: "rejected",
    problems: [...result.problems, ...problems],
    fileProblems: [...result.fileProblems, ...problems],
  };
}

const COMPARED: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "reference",
  "destinationAddress",
  "destinationAccountId",
  "amount",
  "currency",
  "accountId",
]);

function comparedCells(columns: readonly ReadColumn[], lines: readonly Line[]): ComparedCells {
  const positions = columns.filter(({ name }) => COMPARED.has(name)).map(({ position }) => position);
  return {
    positions,
    // Made one by one: lists of a long file's cells would be held together.
    lines: lines.values().map((each) => {
      return [each.line, positions.map((position) => cellAt(each, position))] as const;
    }),
  };
}

/** The second reading of a workbook. It runs in the workbook's thread while the rows are checked. */
class SecondOpinion {
  private readonly sent: SentFile;
  private readonly columns: readonly ReadColumn[];
  private readonly lines: readonly Line[];
  private readonly begun: Promise<SecondReading>;

  constructor(sent: SentFile, columns: readonly ReadColumn[], lines: readonly Line[]) {
    this.sent = sent;
    this.columns = columns;
    this.lines = lines;
    this.begun = sent.readAgain(comparedCells(columns, lines));
    // If the check fails first, nobody awaits it.
    this.begun.catch(() => undefined);
  }

  /** The second reader's findings about the lines that are paid. Throws what the reading threw. */
  async about(paid: ReadonlySet<number>): Promise<SecondReading> {
    const reading = await this.begun;
    if (reading.kind === "unreadable" || reading.disagreements.length === 0) return reading;
    const disagreements = reading.disagreements.filter(({ line }) => paid.has(line));
    if (disagreements.length > 0) return { kind: "read", disagreements };
    // A reading ends at its first twenty disagreements, and these may all be about rows that are not paid.
    const lines = this.lines.filter(({ line }) => paid.has(line));
    return this.sent.readAgain(comparedCells(this.columns, lines));
  }
}

/**
 * The batches of the file that this one corrects, and of its earlier corrections, without batches that were
 * withdrawn as a whole. Batches of older files of the same name, such as last month's, do not count.
 */
async function correctedBatches(
  { store }: Workplace,
  file: string | undefined,
): Promise<ReadonlySet<BatchId>> {
  if (file === undefined) return new Set();
  return store.read(function* (): Transaction<Set<BatchId>> {
    const corrected = new Set<BatchId>();
    const takenAt = yield* originalTakenAt(file);
    for (const { id, fileName, submittedAt } of yield* listBatches()) {
      const isOfIt = sentStem(fileName) === sentStem(file) && submittedAt >= takenAt;
      if (isOfIt && !(yield* isWithdrawn(id))) corrected.add(id);
    }
    return corrected;
  });
}

/** When the newest file with the name of the one that was corrected first came; empty if there is none. */
function* originalTakenAt(file: string): Transaction<Instant> {
  let newest: Instant = "";
  for (const extension of new Set([extname(file), ".csv", ".xlsx"])) {
    const { takenAt = "" } = (yield* findFileByName(`${sentStem(file)}${extension}`)) ?? {};
    if (takenAt > newest) newest = takenAt;
  }
  return newest;
}

/** The policy of the configuration and of the history; `corrected`: the batches that the file corrects. */
function policyOf(
  { config, context, scales }: Workplace,
  layout: FileLayout,
  history: History,
  corrected: ReadonlySet<BatchId>,
): Omit<InitiationPolicy, "fileName" | "otherSheets" | "hiddenPayouts"> {
  const { service, reference, limits, ledger } = config;
  const { columns, numberFormat, dateFormat, roundCalculated, controlTotals, onBadRow } = layout;
  return {
    columns,
    numberFormat,
    ...present({ dateFormat, roundCalculated }),
    controlTotals,
    onBadRow,
    limits,
    scales,
    network: service.network,
    custodyAccounts: custodyAccountsOf(config),
    ownDestinations: ownDestinationsOf(config),
    defaults: { username: service.username, callbackUrl: service.callbackUrl, ...layout.defaults },
    referencePattern: { maxLength: reference.maxLength, ...present({ allowed: reference.pattern }) },
    today: dayIn(ledger.timeZone, context.clock.now()),
    workingDayFrom: calendarOf(config).workingDayFrom,
    earlierUses: async (references) => {
      const used = await history.earlierUses(references);
      return new Map(
        used.map(({ instruction: { batchId, fields }, isFree, ...course }) => {
          // A payment withdrawn from the corrected file stays withdrawn, because its sender may not know that.
          const use = corrected.has(batchId) ? { isFree: false, corrected: fields } : { isFree };
          return [foldedReference(fields.reference), { batchId, fields, ...course, ...use }];
        }),
      );
    },
  };
}
