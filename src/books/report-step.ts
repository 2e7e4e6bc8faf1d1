/** The reports of the books, from stored data. Entries are read in windows; a report of sums keeps no entries. */
import { writeFile } from "node:fs/promises";
import { unlessStopped } from "../context/context.ts";
import { writeWhole } from "../context/files.ts";
import { fault } from "../faults/index.ts";
import { chunks } from "../model/chunks.ts";
import {
  type BooksReportFormat,
  type BooksReportName,
  type Day,
  type DepositId,
  dayEnd,
  dayIn,
  type Instant,
  type JournalEntry,
  type LedgerSum,
  localMinuteText,
  type NightProofRow,
  type PayoutId,
  sourceKindOf,
} from "../model/index.ts";
import { knownDepositsOf, knownPayoutsOf } from "../observation/index.ts";
import { listHeld } from "../store/held.ts";
import { findByPayoutIds } from "../store/instructions.ts";
import { firstEntry, listEntriesAbout, listPostedSince, type PostedEntry } from "../store/ledger-entries.ts";
import { listLedgerSums } from "../store/ledger-sums.ts";
import { lastNight, lastNightBefore, type StoredNight } from "../store/nights.ts";
import { ITEMS_PER_STATEMENT } from "../store/sql.ts";
import { listNotBooked, listUnpostedIds } from "../store/unposted.ts";
import { inWindows } from "../store/windows.ts";
import { custodyNames } from "../workplace/custody-accounts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { ENTRIES_TOGETHER, entryWindows } from "./entry-windows.ts";
import { reportCsv } from "./formats/report-csv.ts";
import { reportHtml } from "./formats/report-html.ts";
import { reportXlsx } from "./formats/report-xlsx.ts";
import { GeneralLedgerOfDays, JournalOfDays } from "./rules/reports/entry-lines.ts";
import { heldTables } from "./rules/reports/held.ts";
import { type PaidTo, PayeesOfDays } from "./rules/reports/payees.ts";
import { ProjectsOfDays } from "./rules/reports/projects.ts";
import { RatesOfDays } from "./rules/reports/rates.ts";
import { ReceivablesOfDays } from "./rules/reports/receivables.ts";
import { daysInName, daysWords, type ReportDays } from "./rules/reports/report-days.ts";
import type { BooksReport, ReportTable } from "./rules/reports/report-table.ts";
import { itemsOf, type TieOutItem, tieOutRows, tieOutTables } from "./rules/reports/tie-out.ts";
import { TrialBalanceOfDays } from "./rules/reports/trial-balance.ts";
import { checkCurrency, LedgerSums, treasuryOf } from "./rules/trial-balance.ts";

export interface BooksReportAsked {
  readonly name: BooksReportName;
  /** Book days, both included. If absent: from the first day, or without an end. */
  readonly from?: Day;
  readonly to?: Day;
  /** Only entries known at the end of this day. */
  readonly asOf?: Day;
}

/** Throws OUTPUT_UNWRITABLE; an older file at `path` then stays as it is. */
export async function writeBooksReport(
  workplace: Workplace,
  report: BooksReport,
  format: BooksReportFormat,
  path: string,
): Promise<void> {
  const bytes = await booksReportBytes(workplace, report, format);
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, bytes));
}

/** The bytes of a report's file. */
export async function booksReportBytes(
  { context }: Workplace,
  report: BooksReport,
  format: BooksReportFormat,
): Promise<Buffer> {
  switch (format) {
    case "csv":
      return Buffer.from(reportCsv(report));
    case "html":
      return Buffer.from(reportHtml(report));
    case "xlsx":
      return reportXlsx(report, context.clock.now());
  }
}

const TITLES: Readonly<Record<BooksReportName, string>> = {
  journal: "Journal",
  "general-ledger": "General ledger",
  "trial-balance": "Trial balance",
  projects: "Ledger projects and distributions",
  payees: "Payments by payee",
  receivables: "Receivables by customer",
  rates: "Rates by day",
  held: "Movements that are held or not booked",
  "tie-out": "Tie-out of the treasury",
};

/**
 * Throws USAGE for days in the wrong order or in the future, for days that a report does not have, and for a report
 * that is too long; NAME_UNKNOWN for a tie-out without a night; LEDGER_CURRENCY_CHANGED and INVARIANT_BROKEN.
 */
export async function booksReportStep(workplace: Workplace, asked: BooksReportAsked): Promise<BooksReport> {
  const { name, from, to, asOf } = asked;
  refuseDays(workplace, asked);
  const first = await workplace.store.read(() => firstEntry());
  if (first !== undefined) checkCurrency(first, workplace.config.ledger.functionalCurrency);
  const days: ReportDays = { from, to, asOf };
  const tables = await tablesOf(workplace, name, days);
  const hasDays = name !== "held" && name !== "tie-out";
  const sentence = hasDays
    ? `${daysWords(days)}, in days of ${workplace.config.ledger.timeZone}.`
    : `As known ${asOf === undefined ? "now" : `at the end of ${asOf}`}.`;
  return { name, title: TITLES[name], sentence, tables, fileName: fileNameOf(name, days) };
}

function fileNameOf(name: string, days: ReportDays): string {
  return ["report", name, daysInName(days)].filter((part) => part !== "").join("-");
}

function refuseDays({ config, context }: Workplace, { name, from, to, asOf }: BooksReportAsked): void {
  const refuse = (what: string, how: string) => {
    throw fault("USAGE", { what, how });
  };
  if (from !== undefined && to !== undefined && from > to)
    refuse(`the report begins on ${from} and ends on ${to}`, "Give the earlier day as --from.");
  if ((name === "held" || name === "tie-out") && (from ?? to) !== undefined)
    refuse(
      `the report ${name} is for one moment, not for days`,
      "Leave out --from and --to; --as-of names a day.",
    );
  if (asOf !== undefined && asOf > dayIn(config.ledger.timeZone, context.clock.now()))
    refuse(`--as-of ${asOf} lies in the future`, "Name a day that has begun, or leave it out.");
}

async function tablesOf(
  workplace: Workplace,
  name: BooksReportName,
  days: ReportDays,
): Promise<readonly ReportTable[]> {
  const { functionalCurrency } = workplace.config.ledger;
  switch (name) {
    case "journal":
      return added(workplace, days, new JournalOfDays(days, functionalCurrency));
    case "general-ledger":
      return added(workplace, days, new GeneralLedgerOfDays(days, functionalCurrency));
    case "projects":
      return added(workplace, days, new ProjectsOfDays(days, functionalCurrency));
    case "trial-balance":
      return trialBalance(workplace, days);
    case "payees":
      return payees(workplace, days);
    case "receivables":
      return added(workplace, days, new ReceivablesOfDays(days, functionalCurrency));
    case "rates":
      return added(
        workplace,
        days,
        new RatesOfDays(days, functionalCurrency, await reversed(workplace, days)),
      );
    case "held":
      return held(workplace, days);
    case "tie-out":
      return tieOut(workplace, days);
  }
}

interface Adding {
  add(entries: readonly JournalEntry[]): void;
  tables(): readonly ReportTable[];
}

async function added(
  workplace: Workplace,
  days: ReportDays,
  report: Adding,
): Promise<readonly ReportTable[]> {
  for await (const entries of entriesKnown(workplace, days)) report.add(entries);
  return report.tables();
}

/** The ids of entries that were reversed by then. */
async function reversed(workplace: Workplace, days: ReportDays): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const entries of entriesKnown(workplace, days))
    for (const { reversalOf } of entries) if (reversalOf !== undefined) ids.add(reversalOf);
  return ids;
}

/** All entries posted by then, in the order of posting. */
async function* entriesKnown(
  { store, context, config }: Workplace,
  { asOf }: ReportDays,
): AsyncGenerator<readonly JournalEntry[]> {
  const before = asOf === undefined ? undefined : dayEnd(config.ledger.timeZone, asOf);
  const posted = entryWindows(store);
  for await (const window of posted) {
    unlessStopped(context);
    yield window
      .filter(({ postedAt }) => before === undefined || postedAt < before)
      .map(({ entry }) => entry);
  }
}

/** For all days, uses the sums that posting keeps. */
async function trialBalance(workplace: Workplace, days: ReportDays): Promise<readonly ReportTable[]> {
  const { functionalCurrency } = workplace.config.ledger;
  const isOfAll = [days.from, days.to, days.asOf].every((day) => day === undefined);
  if (!isOfAll) return added(workplace, days, new TrialBalanceOfDays(days, functionalCurrency));
  const sums = await workplace.store.read(() => listLedgerSums());
  return new TrialBalanceOfDays(days, functionalCurrency, sums).tables();
}

async function payees(workplace: Workplace, days: ReportDays): Promise<readonly ReportTable[]> {
  const report = new PayeesOfDays(days, workplace.config.ledger.functionalCurrency);
  for await (const entries of entriesKnown(workplace, days)) {
    const own = entries.filter((entry) => report.isPayment(entry));
    if (own.length > 0) report.add(own, await paidTo(workplace, own));
  }
  return report.tables();
}

/** By payoutId, the payee in the approved file; for payouts that no file asked for, the service's data. */
async function paidTo(
  { store, config }: Workplace,
  entries: readonly JournalEntry[],
): Promise<ReadonlyMap<string, PaidTo>> {
  const ids = [...new Set(entries.map(({ sourceId }) => sourceId as PayoutId))];
  const nameOf = custodyNames(config);
  const { instructed, shown } = await store.read(function* () {
    const found = yield* findByPayoutIds(ids);
    const known = new Set<string>(found.map(({ payoutId }) => payoutId));
    return { instructed: found, shown: yield* knownPayoutsOf(ids.filter((id) => !known.has(id))) };
  });
  const named = [
    ...instructed.map(({ payoutId, fields }) => [payoutId, fields.customerId, fields] as const),
    ...[...shown].map(([payoutId, { resource }]) => [payoutId, undefined, resource] as const),
  ];
  return new Map(
    named.map(([payoutId, payee, { destinationAddress, destinationAccountId }]) => {
      const account = destinationAccountId && nameOf(destinationAccountId);
      return [payoutId, { payee, destination: destinationAddress ?? account }];
    }),
  );
}

async function held({ store, config }: Workplace, { asOf }: ReportDays): Promise<readonly ReportTable[]> {
  const { timeZone } = config.ledger;
  const { rows, notBooked } = await store.read(function* () {
    return {
      rows: yield* listHeld(asOf && dayEnd(timeZone, asOf)),
      notBooked: asOf === undefined ? yield* listNotBooked() : undefined,
    };
  });
  return heldTables(
    rows.map((row) => ({
      ...row,
      since: localMinuteText(timeZone, row.since),
      settled: row.settledBy && `${row.settledBy}: ${row.settledReason}`,
    })),
    notBooked?.map(({ id: sourceId, state: sourceState, reference, reason }) => ({
      ...{ sourceId, sourceState, reference, reason },
    })),
  );
}

/**
 * The proof of the last night that was kept, or that was known on the day asked for. Throws NAME_UNKNOWN if there
 * is none.
 */
async function tieOut(workplace: Workplace, days: ReportDays): Promise<readonly ReportTable[]> {
  const { store, config } = workplace;
  const { timeZone } = config.ledger;
  const { asOf } = days;
  const night = await store.read(() =>
    asOf === undefined ? lastNight() : lastNightBefore(dayEnd(timeZone, asOf)),
  );
  if (night === undefined)
    throw fault("NAME_UNKNOWN", {
      what: asOf === undefined ? "night" : `night until ${asOf}`,
      how: "`paydrop reconcile` compares both sides and keeps the balance proof that the ledger is held against.",
    });
  const proof = proofOf(night);
  const items = [
    ...(await unbookedItems(workplace, proof, night.comparedAt, days)),
    ...(await itemsSince(workplace, night.comparedAt, days)),
  ];
  const nameOf = custodyNames(config);
  const rows = tieOutRows(proof, await treasurySums(workplace, days), items, nameOf);
  return tieOutTables(
    rows,
    items,
    `night ${night.number}, ${localMinuteText(timeZone, night.comparedAt)}`,
    nameOf,
  );
}

function proofOf({ document }: StoredNight): readonly NightProofRow[] {
  return (JSON.parse(document) as { readonly proof: readonly NightProofRow[] }).proof;
}

async function treasurySums(workplace: Workplace, days: ReportDays): Promise<readonly LedgerSum[]> {
  if (days.asOf === undefined)
    return (await workplace.store.read(() => listLedgerSums())).filter(
      ({ custodyAccount }) => custodyAccount !== "",
    );
  const sums = new LedgerSums(workplace.config.ledger.functionalCurrency);
  for await (const entries of entriesKnown(workplace, days)) sums.add(entries);
  return sums.sums().filter(({ custodyAccount }) => custodyAccount !== "");
}

/** Items of movements that are held, not booked, or wait to be posted. */
async function unbookedItems(
  { store, config }: Workplace,
  proof: readonly NightProofRow[],
  comparedAt: Instant,
  { asOf }: ReportDays,
): Promise<readonly TieOutItem[]> {
  const before = asOf && dayEnd(config.ledger.timeZone, asOf);
  const whys = await store.read(function* () {
    const waiting = asOf === undefined ? yield* listUnpostedIds() : [];
    return new Map([
      ...waiting.map((id) => [id, "it waits to be posted"] as const),
      ...(yield* listNotBooked()).map(({ id, reason }) => [id, `not booked: ${reason}`] as const),
      ...(yield* listHeld(before)).map(({ id, message }) => [id, message] as const),
    ]);
  });
  const items: TieOutItem[] = [];
  for (const ids of chunks([...whys.keys()], ITEMS_PER_STATEMENT)) {
    const { resources, entries } = await store.read(function* () {
      const payouts = yield* knownPayoutsOf(ids as readonly PayoutId[]);
      const deposits = yield* knownDepositsOf(ids as readonly DepositId[]);
      return {
        resources: [...[...payouts.values()], ...deposits].map(({ resource }) => resource),
        entries: Map.groupBy(yield* listEntriesAbout(ids, before), sourceOf),
      };
    });
    for (const resource of resources) {
      const [kind, id] =
        "payoutId" in resource
          ? (["payout", resource.payoutId] as const)
          : (["deposit", resource.depositId] as const);
      const ofResource = entries.get(`${kind} ${id}`) ?? [];
      const unbooked = { resource, why: whys.get(id) ?? "", entries: ofResource };
      items.push(...itemsOf(unbooked, proof, comparedAt, config.ledger));
    }
  }
  return items;
}

function sourceOf(entry: JournalEntry): string {
  return `${sourceKindOf(entry)} ${entry.sourceId}`;
}

/** Items of entries whose movements the night had not seen yet. */
async function itemsSince(
  { store, config }: Workplace,
  comparedAt: Instant,
  { asOf }: ReportDays,
): Promise<readonly TieOutItem[]> {
  const before = asOf && dayEnd(config.ledger.timeZone, asOf);
  const items: TieOutItem[] = [];
  const posted = inWindows<PostedEntry>(store, (last) =>
    listPostedSince(comparedAt, last?.seq ?? 0, ENTRIES_TOGETHER),
  );
  for await (const window of posted)
    for (const { entry, postedAt } of window) {
      if (entry.valueInstant <= comparedAt || (before !== undefined && postedAt >= before)) continue;
      for (const { custodyAccount: custodyAccountId, currency, quantity } of treasuryOf([entry])) {
        const { sourceId: source, reference } = entry;
        const why = `it moved on ${entry.documentDay}, after the night`;
        items.push({ custodyAccountId, currency, quantity, source, reference, why });
      }
    }
  return items;
}
