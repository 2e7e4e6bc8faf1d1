/**
 * Derives the whole journal from everything ever seen, and compares it with the entries that were posted step by
 * step.
 */
import { unlessStopped } from "../../context/context.ts";
import { countEntries, listEntriesOfUnseen } from "../../store/ledger-entries.ts";
import { listLedgerSums } from "../../store/ledger-sums.ts";
import type { Store } from "../../store/store.ts";
import { listNotBooked, listUnpostedIds } from "../../store/unposted.ts";
import { writeJson } from "../../wire/index.ts";
import { exclusivelyOrFault } from "../../workplace/exclusively.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { openChart } from "../chart/chart-file.ts";
import { postingPolicy } from "../ledger-policy.ts";
import type { NotBooked } from "../rules/derived.ts";
import { postFacts } from "../rules/post-facts.ts";
import { LedgerSums } from "../rules/trial-balance.ts";
import { sumAll } from "./post-settled.ts";
import { settledSources, wholeScope } from "./settled-sources.ts";

export interface LedgerVerified {
  readonly entries: number;
  readonly payouts: number;
  readonly deposits: number;
  /** How many payouts and deposits wait to be posted or are held. They are not compared. */
  readonly waiting: number;
  /** A sentence for each. */
  readonly differences: readonly string[];
}

/**
 * Changes nothing. Throws UNDER_WAY while another process posts or exports, CHART_UNUSABLE,
 * LEDGER_CURRENCY_CHANGED, and INVARIANT_BROKEN for an entry that does not balance.
 */
export function ledgerVerifyStep(workplace: Workplace): Promise<LedgerVerified> {
  return exclusivelyOrFault(workplace, "ledger-export", verifyLedger);
}

async function verifyLedger(workplace: Workplace): Promise<LedgerVerified> {
  const { store, context, config } = workplace;
  const chart = await openChart(config.ledger.chart);
  const { sums, postedAt } = await sumAll(store, config.ledger.functionalCurrency);
  const { kept, waiting, entries, notBookedBefore, unseen } = await store.read(function* () {
    return {
      kept: yield* listLedgerSums(),
      waiting: new Set(yield* listUnpostedIds()),
      entries: yield* countEntries(),
      unseen: yield* listEntriesOfUnseen(),
      notBookedBefore: yield* listNotBooked(),
    };
  });
  const policy = await postingPolicy(workplace, chart, postedAt);
  const differences = sumDifferences(sums, new LedgerSums(config.ledger.functionalCurrency, kept));
  for (const { id, sourceId } of unseen) differences.push(`${id} books ${sourceId}, which was never seen.`);
  const notBooked: NotBooked[] = [];
  const counts = { payout: 0, deposit: 0 };
  for await (const settled of settledSources(store, policy, wholeScope(store))) {
    unlessStopped(context);
    counts[settled.kind] += settled.sources.length;
    const result = postFacts(settled, settled.posted, chart, settled.policy);
    notBooked.push(...settled.notBooked.filter(({ sourceId }) => !waiting.has(sourceId)));
    for (const { sourceId, entryId } of result.entries)
      if (!waiting.has(sourceId)) differences.push(`${entryId} should be posted.`);
    for (const { payoutId, depositId, message } of [...result.held, ...result.problems]) {
      const source = payoutId ?? depositId ?? "";
      if (!waiting.has(source)) differences.push(`${source} should be held: ${message}`);
    }
  }
  const rows = notBookedBefore.filter(({ id }) => !waiting.has(id));
  differences.push(...notBookedDifferences(notBooked, rows));
  return {
    entries,
    payouts: counts.payout,
    deposits: counts.deposit,
    waiting: waiting.size,
    differences: [...new Set(differences)],
  };
}

/**
 * The differences between the stored running sums and the sums of the entries, a sentence for each. For any store,
 * such as a backup. Throws LEDGER_CURRENCY_CHANGED, and INVARIANT_BROKEN for an entry that does not balance.
 */
export async function ledgerSumsOff(store: Store, functionalCurrency: string): Promise<string[]> {
  const { sums } = await sumAll(store, functionalCurrency);
  const kept = await store.read(() => listLedgerSums());
  return sumDifferences(sums, new LedgerSums(functionalCurrency, kept));
}

function sumDifferences(derived: LedgerSums, kept: LedgerSums): string[] {
  const textOf = (sums: LedgerSums) =>
    new Map(
      sums
        .sums()
        .map(({ code, name, custodyAccount, currency, debit, credit, quantity }) => [
          `${code} ${name} ${custodyAccount} ${currency}`.trim(),
          [debit, credit, quantity].map((figure) => figure.normalized().toString()).join(", "),
        ]),
    );
  const [right, found] = [textOf(derived), textOf(kept)];
  return [...new Set([...right.keys(), ...found.keys()])]
    .filter((key) => (right.get(key) ?? "0, 0, 0") !== (found.get(key) ?? "0, 0, 0"))
    .map(
      (key) => `The running sums of ${key} are ${found.get(key)}; its entries add up to ${right.get(key)}.`,
    );
}

function notBookedDifferences(
  derived: readonly NotBooked[],
  kept: readonly { readonly id: string; readonly state: string; readonly reason: string }[],
): string[] {
  const right = new Set(
    derived.map(({ sourceId, sourceState, reason }) => writeJson([sourceId, sourceState, reason])),
  );
  const found = new Set(kept.map(({ id, state, reason }) => writeJson([id, state, reason])));
  return [
    ...[...right]
      .filter((row) => !found.has(row))
      .map((row) => `${row} is missing from the movements that are not booked.`),
    ...[...found].filter((row) => !right.has(row)).map((row) => `${row} is said not to be booked, and is.`),
  ];
}
