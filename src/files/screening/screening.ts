/** Screens payments against this workplace's limits, lists, chart of accounts and history. */
import { basename } from "node:path";
import {
  type Chart,
  generalLedgerChoices,
  generalLedgerInWords,
  lookUpGeneralLedger,
  openChart,
  respeltIn,
  unfittingPayment,
  unknownToChart,
} from "../../books/index.ts";
import type { Config } from "../../config/index.ts";
import { unlessStopped } from "../../context/context.ts";
import { Fault, fault, isProblem, orProblem, type Problem, problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import {
  type BatchId,
  dayIn,
  destinationOf,
  GENERAL_LEDGER_FIELDS,
  generalLedgerOf,
  type Instant,
  type Instruction,
  type InstructionFields,
  type Standing,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { hasOwnReferences } from "../../model/sheet-reading.ts";
import { DEFAULT_FILE_LIMITS, openSentFile } from "../../readers/index.ts";
import { countNamesOf } from "../../store/batch-rows.ts";
import { findBatchReading } from "../../store/batches.ts";
import { sumsKept } from "../../store/releases.ts";
import { batchWindows } from "../../store/windows.ts";
import { calendarOf } from "../../workplace/calendar.ts";
import { ownDestinationsOf } from "../../workplace/custody-accounts.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import {
  type AllowList,
  askedRows,
  type Finding,
  type InitiationPolicy,
  limitsExceeded,
  namesPayees,
  readAllowList,
  Screening,
  type ScreeningPolicy,
  type ScreeningReport,
} from "../reading/index.ts";
import { type History, openHistory } from "./history.ts";

export interface OpenScreening {
  readonly policy: ScreeningPolicy;
  /** Warnings about comparisons that could not be made. */
  readonly warnings: readonly Problem[];
  /** Absent if the chart of accounts cannot be read. */
  readonly unknownToChart?: NonNullable<InitiationPolicy["unknownToChart"]>;
}

/**
 * `limits`: the limits to check. Throws ALLOW_LIST_INVALID and, if unmapped fields are refused, what `openChart`
 * throws.
 */
export async function openScreening(
  workplace: Workplace,
  history: History,
  limits: ScreeningPolicy["limits"],
): Promise<OpenScreening> {
  const { config, context } = workplace;
  const { destinations, ledger } = config;
  const chart = await chartOf(ledger);
  const own = ownDestinationsOf(config);
  const policy: ScreeningPolicy = {
    today: dayIn(ledger.timeZone, context.clock.now()),
    workingDayFrom: calendarOf(config).workingDayFrom,
    limits,
    allow: destinations.allow,
    allowList: await allowListOf(destinations.allowList),
    isOwn: (destination) => own.has(destination),
    ...history,
    ledgerFindings: ledgerFindings(workplace, chart, own),
    onUnmapped: ledger.onUnmapped,
  };
  if (isProblem(chart)) return { policy, warnings: [chart] };
  return { policy, warnings: [], unknownToChart: (fields) => unknownToChart(chart, fields) };
}

/** A finding that an approver must accept, unless the policy only warns of it. */
export interface Question {
  readonly row: number;
  readonly code: string;
  readonly about: string;
  readonly against?: Finding["against"];
}

export interface BatchScreening extends ScreeningReport {
  /**
   * Why payments of the batch may not be approved: problems of the whole batch first, then those of rows, with row
   * and reference.
   */
  readonly refusals: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly questions: readonly Question[];
  /** Whether an approver must accept repeats; otherwise repeats are only shown. */
  readonly asksRepeats: boolean;
}

/** Screens the payments of a stored batch that may still leave, as of today. Throws what `openScreening` throws. */
export async function screenBatch(workplace: Workplace, id: BatchId): Promise<BatchScreening> {
  const refusals = [...(await refusalsOfBatch(workplace, id)).values()];
  const warnings: Problem[] = [];
  const asked: Finding[] = [];
  const screened = await visitFindings(workplace, id, ({ standing, fields: { reference } }, finding) => {
    if (!mayStillLeave(standing)) return;
    const { row, column, what, isRefusal } = finding;
    (isRefusal ? refusals : warnings).push({ ...what, row, column, reference });
    if (finding.about !== undefined) asked.push(finding);
  });
  const questions = asked.map(({ row, what: { code }, about = "", against }) => {
    return { row, code, about, ...present({ against }) };
  });
  return {
    refusals,
    warnings: [...screened.warnings, ...warnings],
    questions,
    asksRepeats: await asksRepeats(workplace, id),
    newDestinations: screened.report.newDestinations,
    ...askedRows(questions),
  };
}

/**
 * Calls `visit` with each finding about a stored payment of the batch. Includes payments that have left, because
 * others may repeat them. The batch is never in memory as a whole. `asOf`: see `HistoryScope`.
 */
export async function visitFindings(
  workplace: Workplace,
  id: BatchId,
  visit: (instruction: Instruction, finding: Finding) => void,
  asOf?: Instant,
): Promise<{ readonly report: ScreeningReport; readonly warnings: readonly Problem[] }> {
  const { store, config } = workplace;
  const isOfEver = await isWithoutReferences(workplace, id);
  const history = openHistory(workplace, { before: id, asOf, isOfEver });
  const { policy, warnings } = await openScreening(workplace, history, config.limits);
  const screening = new Screening(policy, async () => namesPayees(await store.read(() => countNamesOf(id))));
  for await (const window of batchWindows(store, id)) {
    unlessStopped(workplace.context);
    const byRow = new Map(window.map((instruction) => [instruction.row, instruction]));
    for (const finding of await screening.next(window)) {
      const instruction = byRow.get(finding.row);
      if (instruction !== undefined) visit(instruction, finding);
    }
  }
  return { report: screening.report(), warnings };
}

/** Whether the references of a batch were assigned by Paydrop, so that only equal payments reveal a repeat. */
async function isWithoutReferences({ store }: Workplace, id: BatchId): Promise<boolean> {
  const reading = await store.read(() => findBatchReading(id));
  return reading !== undefined && hasOwnReferences(reading);
}

/** Whether repeats need acceptance. They always do if Paydrop assigned the references. */
export async function asksRepeats(workplace: Workplace, id: BatchId): Promise<boolean> {
  return workplace.config.repeats.onRepeat === "accept" || isWithoutReferences(workplace, id);
}

/** By currency, why it may not be paid: the payments kept of the batch exceed the limit of a file. */
export async function refusalsOfBatch(
  { store, config }: Workplace,
  id: BatchId,
): Promise<ReadonlyMap<string, Problem>> {
  const refusals = new Map<string, Problem>();
  for (const total of await store.read(() => sumsKept(id))) {
    const { currency } = total;
    const [exceeded] = limitsExceeded([total], config.limits.perFile);
    const isPayable = config.limits.perFile[currency] !== undefined;
    const why = isPayable ? exceeded : problem("CURRENCY_WITHOUT_LIMIT", { currency });
    if (why !== undefined) refusals.set(currency, why);
  }
  return refusals;
}

export function isUnsent({ standing }: Pick<Instruction, "standing">): boolean {
  return standing === "received" || standing === "approved";
}

/** A payment in doubt may be sent again, and one being sent becomes a doubt if its process has died. */
function mayStillLeave(standing: Standing): boolean {
  return isUnsent({ standing }) || standing === "in doubt" || standing === "sending";
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

/** An unreadable chart is a fault if unmapped fields are refused; otherwise it is a warning. */
async function chartOf({ chart: file, onUnmapped }: Config["ledger"]): Promise<Chart | Problem> {
  const chart = await orProblem(
    () => openChart(file),
    () => onUnmapped !== "refuse",
  );
  const where = { key: "ledger.chart", file };
  return isProblem(chart) ? problem("LEDGER_FIELDS_UNCHECKED", { reason: chart.message }, where) : chart;
}

type LedgerFindings = ReturnType<ScreeningPolicy["ledgerFindings"]>;

/** A payment between own custody accounts is booked without general-ledger fields. */
function ledgerFindings(
  workplace: Workplace,
  chart: Chart | Problem,
  own: ReadonlySet<string>,
): ScreeningPolicy["ledgerFindings"] {
  if (isProblem(chart)) return () => [];
  const unfit = unfitIn(workplace, chart);
  const respelt = respeltOnce(chart);
  // Computed once, because thousands of unknown values may need it.
  let choices: string | undefined;
  const unmapped = (fields: InstructionFields) => {
    choices ??= generalLedgerChoices(chart) || "none by name";
    return problem("LEDGER_FIELDS_UNMAPPED", {
      fields: generalLedgerInWords(fields),
      will: workplace.config.ledger.onUnmapped === "refuse" ? "would" : "will",
      suspense: chart.suspense.code,
      choices,
    });
  };
  const findingsOf = (fields: InstructionFields, isOwn: boolean): LedgerFindings => {
    const isMapped = isOwn || lookUpGeneralLedger(chart, fields).length > 0;
    return applying(isMapped ? undefined : { column: LEDGER_NAME, what: unmapped(fields) }, unfit(fields));
  };
  const known = new Map<string, LedgerFindings>();
  return (fields) => {
    const { custodyAccountId, destinationAccountId, amount } = fields;
    const general = Object.values(generalLedgerOf(fields));
    const key = JSON.stringify([custodyAccountId, destinationAccountId, amount.currency, ...general]);
    const seen = known.get(key);
    if (seen !== undefined) return seen;
    const isOwn = own.has(destinationOf(fields));
    const findings = findingsOf(fields, isOwn);
    known.set(key, findings);
    return isOwn ? findings : [...findings, ...respelt(fields)];
  };
}

const [LEDGER_NAME, ...DIMENSIONS] = GENERAL_LEDGER_FIELDS;

/**
 * Finds what the files for ERPs cannot hold: books the payment as if it were made. The finding names the field
 * without which it would fit.
 */
function unfitIn(
  workplace: Workplace,
  chart: Chart,
): (fields: InstructionFields) => LedgerFindings[number] | undefined {
  const unfitting = unfittingPayment(workplace, chart);
  return (fields) => {
    const what = unfitting(fields);
    const isToBlame = (field: (typeof DIMENSIONS)[number]) =>
      unfitting({ ...fields, [field]: undefined }) === undefined;
    return what && { column: DIMENSIONS.find(isToBlame) ?? LEDGER_NAME, what };
  };
}

/** Reports a value that is spelt otherwise than in the chart once, in the first row that has it. */
function respeltOnce(chart: Chart): (fields: InstructionFields) => LedgerFindings {
  const reported = new Set<string>();
  return (fields) =>
    respeltIn(chart, fields).flatMap(({ field: column, value, inChart }) => {
      const place = JSON.stringify([column, value]);
      if (reported.has(place)) return [];
      reported.add(place);
      return [{ column, what: problem("LEDGER_FIELDS_RESPELT", { values: `"${value}" as "${inChart}"` }) }];
    });
}
