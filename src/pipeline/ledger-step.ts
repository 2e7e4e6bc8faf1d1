/** Posts what has settled to the journal: each fact once, balanced, by the chart of accounts. */
import type { Problem } from "../faults/index.ts";
import {
  deriveFacts,
  type LedgerPolicy,
  type NotBooked,
  postFacts,
  type TrialBalance,
  trialBalance,
} from "../ledger/index.ts";
import {
  correlatedCallbackUrl,
  type JournalEntry,
  type ObservedPayout,
  type Standing,
} from "../model/index.ts";
import { knownDeposits, knownPayouts } from "../observation/index.ts";
import { listByStanding, listPayoutIds } from "../store/instructions.ts";
import { insertEntries, listEntries } from "../store/ledger-entries.ts";
import { openChart } from "./files/chart-file.ts";
import { custodyAccountsOf } from "./workplace/custody-accounts.ts";
import type { Workplace } from "./workplace/workplace.ts";

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
  const { policy, isUndecided } = await ledgerPolicy(workplace);
  const known = (await knownPayouts(store)).filter((one) => !one.beforeBaseline).map((one) => one.resource);
  const payouts = known.filter((payout) => !isUndecided(payout));
  const deposits = (await knownDeposits(store))
    .filter((one) => !one.beforeBaseline)
    .map((one) => one.resource);
  const derived = deriveFacts({ payouts, deposits }, policy);
  const earlier = await store.read(() => listEntries());
  // What a baseline or a doubt sets aside is not judged by the facts that it has none of.
  const judged = new Set<string>([
    ...payouts.map((one) => one.payoutId),
    ...deposits.map((one) => one.depositId),
  ]);
  const about = earlier.filter(({ sourceId }) => judged.has(sourceId));
  const posted = postFacts(derived.facts, about, chart, policy);
  const balance = trialBalance([...earlier, ...posted.entries]);
  const at = context.clock.now();
  await store.write(() => insertEntries(posted.entries, at));
  return {
    posted: posted.entries,
    problems: [...derived.held, ...posted.problems],
    notBooked: [...derived.notBooked, ...known.filter(isUndecided).map(undecidedRow)],
    trialBalance: balance,
  };
}

function undecidedRow({ payoutId, state, reference }: ObservedPayout): NotBooked {
  const reason = "whether it is ours is in doubt or held; it is booked once that is decided";
  return { sourceId: payoutId, sourceState: state, reference, reason };
}

/**
 * A payout without an accepted instruction is booked as unexpected, for good. `isUndecided`: it bears the reference or the callbackUrl of an
 * instruction in doubt or held, so it may still turn out to be ours and is not booked yet.
 */
async function ledgerPolicy({ config, context, store, scales }: Workplace) {
  const { instructed, undecided } = await store.read(ownership);
  const { chart: _, ...rules } = config.ledger;
  const policy: LedgerPolicy = {
    ...rules,
    now: context.clock.now(),
    scales,
    custodyAccounts: custodyAccountsOf(config),
    isInstructed: (payoutId) => instructed.has(payoutId),
  };
  const isUndecided = ({ payoutId, reference = "", callbackUrl = "" }: ObservedPayout) =>
    !instructed.has(payoutId) && (undecided.has(reference) || undecided.has(callbackUrl));
  return { policy, isUndecided };
}

const MAY_BE_OURS = ["sending", "in doubt", "held"] as const satisfies readonly Standing[];

/** In one transaction: a payment that is accepted between two looks would be in neither, and its payout nobody's. */
function* ownership() {
  const instructed = new Set<string>(yield* listPayoutIds());
  const undecided = new Set<string>();
  for (const standing of MAY_BE_OURS)
    for (const instruction of yield* listByStanding(standing))
      undecided.add(instruction.fields.reference).add(correlatedCallbackUrl(instruction));
  return { instructed, undecided };
}
