/** Posts what has settled to the journal: each fact once, balanced, by the chart of accounts. */
import { readFile } from "node:fs/promises";
import { fault, type Problem } from "../faults/index.ts";
import {
  type Chart,
  defaultBookingRules,
  deriveFacts,
  type LedgerPolicy,
  type NotBooked,
  postFacts,
  readChart,
  type TrialBalance,
  trialBalance,
} from "../ledger/index.ts";
import type { JournalEntry } from "../model/index.ts";
import { knownDeposits, knownPayouts } from "../observation/index.ts";
import { listByStanding } from "../store/instructions.ts";
import { insertEntry, listEntries } from "../store/ledger-entries.ts";
import type { Transaction } from "../store/sql.ts";
import { custodyAccountsOf, type Workplace } from "./workplace.ts";

export interface LedgerReport {
  /** Entries that this run posted. */
  readonly posted: readonly JournalEntry[];
  /** Booked to suspense, held back, or booked with something a person should know. */
  readonly problems: readonly Problem[];
  readonly notBooked: readonly NotBooked[];
  /** Over all entries ever posted. */
  readonly trialBalance: TrialBalance;
}

/** Throws CHART_UNREADABLE, or LEDGER_UNBALANCED before anything is stored. */
export async function ledgerStep(workplace: Workplace): Promise<LedgerReport> {
  const { store, context, config } = workplace;
  const chart = await openChart(config.ledger.chart);
  const policy = await ledgerPolicy(workplace);
  const payouts = (await knownPayouts(store)).filter((one) => !one.beforeBaseline).map((one) => one.resource);
  const deposits = (await knownDeposits(store))
    .filter((one) => !one.beforeBaseline)
    .map((one) => one.resource);
  const derived = deriveFacts({ payouts, deposits }, policy);
  const earlier = await store.read(() => listEntries());
  const posted = postFacts(derived.facts, earlier, chart, policy);
  const balance = trialBalance([...earlier, ...posted.entries]);
  const at = context.clock.now();
  await store.write(function* (): Transaction<void> {
    for (const entry of posted.entries) yield* insertEntry(entry, at);
  });
  return {
    posted: posted.entries,
    problems: [...derived.held, ...posted.problems],
    notBooked: derived.notBooked,
    trialBalance: balance,
  };
}

/** Throws CHART_UNREADABLE with the first thing that is wrong. */
async function openChart(path: string): Promise<Chart> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw fault(
      "CHART_UNREADABLE",
      { path, reason: String(error.code) },
      { key: "ledger.chart" },
      { cause: error },
    );
  });
  const { chart, problems } = readChart(text);
  if (chart !== undefined && problems.length === 0) return chart;
  const reason = problems[0]?.message ?? "it has no rows";
  throw fault(
    "CHART_UNREADABLE",
    { path, reason },
    { key: "ledger.chart", file: path, ...lineOf(problems[0]) },
  );
}

function lineOf(problem: Problem | undefined): { line?: number } {
  return problem?.line === undefined ? {} : { line: problem.line };
}

async function ledgerPolicy({ config, store, scales }: Workplace): Promise<LedgerPolicy> {
  const accepted = await store.read(() => listByStanding("accepted"));
  const instructed = new Set(accepted.flatMap(({ payoutId }) => payoutId ?? []));
  const { functionalCurrency, timeZone, closedThrough, confirmationsMin, subtractFee } = config.ledger;
  return {
    ...defaultBookingRules,
    confirmationsMin,
    subtractFee,
    functionalCurrency,
    timeZone,
    closedThrough,
    scales,
    custodyAccounts: custodyAccountsOf(config),
    isInstructed: (payoutId) => instructed.has(payoutId),
  };
}
