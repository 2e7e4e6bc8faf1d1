/** Screens payments against this workplace's limits, lists, chart of accounts and history. */
import { basename } from "node:path";
import type { Config } from "../../config/index.ts";
import { Fault, fault, isProblem, orProblem, type Problem, problem } from "../../faults/index.ts";
import {
  type AllowList,
  readAllowList,
  Screening,
  type ScreeningPolicy,
  type ScreeningReport,
} from "../../initiation/index.ts";
import { DEFAULT_FILE_LIMITS, openSentFile } from "../../intake/index.ts";
import { type Chart, generalLedgerInWords, lookUpGeneralLedger } from "../../ledger/index.ts";
import {
  type BatchId,
  dayIn,
  destinationOf,
  type Instruction,
  type InstructionFields,
} from "../../model/index.ts";
import { batchWindows } from "../../store/windows.ts";
import { openChart } from "../files/chart-file.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type History, openHistory } from "./history.ts";

export interface OpenScreening {
  readonly screening: Screening;
  /** Warnings about comparisons that could not be made. */
  readonly warnings: readonly Problem[];
}

/** Throws ALLOW_LIST_INVALID and, if unmapped fields are refused, what `openChart` throws. */
export async function openScreening(workplace: Workplace, history: History): Promise<OpenScreening> {
  const { config, context } = workplace;
  const { limits, destinations, ledger } = config;
  const { chart, warnings } = await chartOf(ledger);
  const own = new Set(config.custodyAccounts.map(({ id }) => id.toLowerCase()));
  const policy: ScreeningPolicy = {
    today: dayIn(ledger.timeZone, context.clock.now()),
    limits,
    allow: destinations.allow,
    allowList: await allowListOf(destinations.allowList),
    isOwn: (destination) => own.has(destination),
    paidBefore: history.paidBefore,
    paidLookAlikes: history.paidLookAlikes,
    madeBefore: history.madeBefore,
    unmappedFields: unmappedFields(chart, own),
    onUnmapped: ledger.onUnmapped,
  };
  return { screening: new Screening(policy), warnings };
}

export interface BatchScreening extends ScreeningReport {
  /** Why payments of the batch may not be approved, each with row and reference. */
  readonly refusals: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Screens the unsent payments of a stored batch again, as of today. Throws what `openScreening` throws. */
export async function screenBatch(workplace: Workplace, id: BatchId): Promise<BatchScreening> {
  const { screening, warnings: ofAll } = await openScreening(workplace, openHistory(workplace, id));
  const warnings = [...ofAll];
  const refusals: Problem[] = [];
  const sentRows = new Set<number>();
  // Includes sent payments, which an unsent one may repeat.
  for await (const window of batchWindows(workplace.store, id)) {
    for (const { row } of window.filter((payment) => !isUnsent(payment))) sentRows.add(row);
    const references = new Map(window.map(({ row, fields }) => [row, fields.reference]));
    for (const { row, column, what, isRefusal } of await screening.screen(window)) {
      const reference = references.get(row);
      if (reference === undefined || sentRows.has(row)) continue;
      (isRefusal ? refusals : warnings).push({ ...what, row, column, reference });
    }
  }
  const { newDestinations, repeatedRows, lookAlikeRows } = screening.report();
  const isUnsentRow = (row: number) => !sentRows.has(row);
  return {
    refusals,
    warnings,
    newDestinations,
    repeatedRows: repeatedRows.filter(isUnsentRow),
    lookAlikeRows: lookAlikeRows.filter(isUnsentRow),
  };
}

export function isUnsent({ standing }: Pick<Instruction, "standing">): boolean {
  return standing === "received" || standing === "approved";
}

export async function allowListOf(path: string | undefined): Promise<AllowList | undefined> {
  if (path === undefined) return undefined;
  try {
    const sent = await openSentFile(path, { limits: DEFAULT_FILE_LIMITS });
    const grids = await Promise.all(sent.sheets.slice(0, 1).map(({ name }) => sent.readSheet(name)));
    await sent.close();
    return readAllowList(grids[0]?.lines ?? [], basename(path));
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.code === "ALLOW_LIST_INVALID") throw error;
    const where = { key: "destinations.allowList", file: path };
    throw fault("ALLOW_LIST_INVALID", { reason: error.problem.message }, where, { cause: error });
  }
}

/** An unreadable chart is a fault if unmapped fields are refused, and a warning otherwise. */
async function chartOf({
  chart,
  onUnmapped,
}: Config["ledger"]): Promise<{ chart: Chart | undefined; warnings: Problem[] }> {
  const opened = await orProblem(
    () => openChart(chart),
    () => onUnmapped !== "refuse",
  );
  if (!isProblem(opened)) return { chart: opened, warnings: [] };
  const where = { key: "ledger.chart", file: chart };
  const warning = problem("LEDGER_FIELDS_UNCHECKED", { reason: opened.message }, where);
  return { chart: undefined, warnings: [warning] };
}

/** A payment between own custody accounts is booked without general-ledger fields. */
function unmappedFields(
  chart: Chart | undefined,
  own: ReadonlySet<string>,
): ScreeningPolicy["unmappedFields"] {
  /** Caches the finding per combination of fields; undefined if they are mapped. */
  const unmapped = new Map<string, string | undefined>();
  return (fields: InstructionFields) => {
    if (chart === undefined || own.has(destinationOf(fields))) return undefined;
    const { generalLedgerName, generalLedgerProject, generalLedgerDistribution } = fields;
    const key = JSON.stringify([generalLedgerName, generalLedgerProject, generalLedgerDistribution]);
    if (!unmapped.has(key)) {
      const isMapped = lookUpGeneralLedger(chart, fields).length > 0;
      unmapped.set(key, isMapped ? undefined : generalLedgerInWords(fields));
    }
    return unmapped.get(key);
  };
}
