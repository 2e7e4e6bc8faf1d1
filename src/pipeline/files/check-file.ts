/**
 * Reads and checks one file: opens it in its sender's layout, chooses the sheet, reads it by structure, and compares what
 * would be paid with the second reader. Stores nothing.
 */
import { Fault, isProblem, problem } from "../../faults/index.ts";
import {
  type AcceptedLayout,
  chooseSheet,
  countKnownNames,
  type InitiationPolicy,
  type InitiationResult,
  initiate,
  type LastTime,
  screenPayments,
} from "../../initiation/index.ts";
import { openSentFile } from "../../intake/index.ts";
import type { ColumnName } from "../../model/columns.ts";
import type { ComparedCells, Grid, SentFile } from "../../model/grid.ts";
import {
  BatchDigest,
  type BatchId,
  columnLetters,
  correctedFile,
  dayIn,
  foldedReference,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { SheetReading } from "../../model/sheet-reading.ts";
import { shownText } from "../../model/shown-text.ts";
import { isWithdrawn, listBatches } from "../../store/batches.ts";
import { usualFeeRate } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { type History, openHistory } from "../screening/history.ts";
import { lastTimeOf } from "../screening/last-time.ts";
import { openScreening } from "../screening/screening.ts";
import { custodyAccountsOf, ownDestinationsOf } from "../workplace/custody-accounts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { acceptedLayout, headsOf } from "./layouts.ts";
import { type FileLayout, fileLimitsOf, layoutOf, sentStem } from "./sent-file.ts";
import { readTotalsFile } from "./totals-file.ts";

/** A file that could be read, and everything that was found in it. */
export interface CheckedFile extends InitiationResult {
  readonly grid: Grid;
  readonly layout: FileLayout;
  /** The file that this one corrects, by its sender's name. */
  readonly corrects: string | undefined;
  /** Over the drafts, if there are any. */
  readonly digest: string;
  /** Beside the last approved file of its layout; absent if there is none, and for a correction. */
  readonly lastTime?: LastTime;
}

/** A file to check; `name` is its sender's name for it. */
export interface FileToCheck {
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly submittedBy?: string;
  /** Whether it is one payment that was not asked for by a file. */
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
  if (isProblem(chosen)) throw new Fault({ ...chosen, file: path });
  const grid = await sent.readSheet(chosen.sheet);
  const corrects = headsOf(grid)
    .map(correctedFile)
    .find((corrected) => corrected !== undefined);
  const history = openHistory(workplace);
  const { perDay, perDestination } = workplace.config.limits;
  const screening = await openScreening(workplace, history, { perDay, perDestination });
  const result = await initiate(grid, {
    ...policyOf(workplace, layout, history, await correctedBatches(workplace, corrects)),
    ...present({ totalsFile: await readTotalsFile(path, name), layout: layouts.get(chosen.sheet) }),
    otherSheets: chosen.otherSheets,
    ...present({ hiddenPayouts: chosen.hiddenPayouts }),
    ...present({ usualFeeRate: await workplace.store.read(() => usualFeeRate()) }),
    fileName: name,
    ...present({ unknownToChart: screening.unknownToChart }),
    screen: (drafts, givesReferences) => {
      const { madeBefore } = givesReferences ? openHistory(workplace, undefined, undefined, true) : history;
      return screenPayments(drafts, { ...screening.policy, madeBefore });
    },
  });
  const drafts = result.rows.flatMap(({ draft }) => draft ?? []);
  const digest = new BatchDigest();
  digest.add(drafts);
  const read = await readTwice(result, grid, sent);
  const { reading, verdict } = read;
  const of = reading && { sender: layout.sender, header: reading.header, submittedBy: file.submittedBy };
  const isCompared =
    of !== undefined && verdict === "accepted" && corrects === undefined && file.isSingle !== true;
  const lastTime = isCompared ? await lastTimeOf(workplace, of, drafts) : undefined;
  const all = [...screening.warnings, ...read.warnings];
  return { ...read, warnings: all, grid, layout, corrects, digest: digest.hex(), ...present({ lastTime }) };
}

/** With what the second reader says about the cells that payments were read from. */
async function readTwice(result: InitiationResult, grid: Grid, sent: SentFile): Promise<InitiationResult> {
  const { reading, verdict, rows } = result;
  if (reading === undefined || verdict !== "accepted" || sent.format !== "xlsx") return result;
  const second = await sent.readAgain(comparedCells(grid, reading, rows));
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

function comparedCells(grid: Grid, { columns }: SheetReading, rows: InitiationResult["rows"]): ComparedCells {
  const positions = columns.filter(({ name }) => COMPARED.has(name)).map(({ position }) => position);
  const paid = new Set(rows.filter(({ draft }) => draft !== undefined).map(({ line }) => line));
  const lines = grid.lines
    .filter(({ line }) => paid.has(line))
    .map(({ line, cells }) => [line, positions.map((position) => cells[position] ?? "")] as const);
  return { positions, lines };
}

/** The batches of the file that this one corrects, and of earlier corrections; without batches withdrawn as a whole. */
async function correctedBatches(
  { store }: Workplace,
  file: string | undefined,
): Promise<ReadonlySet<BatchId>> {
  if (file === undefined) return new Set();
  return store.read(function* (): Transaction<Set<BatchId>> {
    const corrected = new Set<BatchId>();
    for (const { id, fileName } of yield* listBatches())
      if (sentStem(fileName) === sentStem(file) && !(yield* isWithdrawn(id))) corrected.add(id);
    return corrected;
  });
}

/** `corrected`: the batches that the file corrects. */
function policyOf(
  { config, context, scales }: Workplace,
  layout: FileLayout,
  history: History,
  corrected: ReadonlySet<BatchId>,
): InitiationPolicy {
  const { service, reference, limits, ledger } = config;
  const { columns, numberFormat, dateFormat, roundCalculated, controlTotals, onBadRow } = layout;
  return {
    ...{ columns, numberFormat, controlTotals, onBadRow, limits, scales, network: service.network },
    ...present({ dateFormat, roundCalculated }),
    custodyAccounts: custodyAccountsOf(config),
    ownDestinations: ownDestinationsOf(config),
    defaults: { username: service.username, callbackUrl: service.callbackUrl, ...layout.defaults },
    referencePattern: { maxLength: reference.maxLength, ...present({ allowed: reference.pattern }) },
    today: dayIn(ledger.timeZone, context.clock.now()),
    earlierUses: async (references) => {
      const used = await history.earlierUses(references);
      return new Map(
        used.map(({ instruction: { batchId, fields }, isFree, ...course }) => {
          // What was withdrawn from the file that this one corrects stays withdrawn: its sender may not know that it was.
          const use = corrected.has(batchId) ? { isFree: false, corrected: fields } : { isFree };
          return [foldedReference(fields.reference), { batchId, fields, ...course, ...use }];
        }),
      );
    },
  };
}
