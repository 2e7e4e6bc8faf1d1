/** Compares what a workplace has seen and booked with one that was only ever told the truth. */
import { type LedgerPolicy, ledgerStep, openChart, postFacts } from "../../src/books/index.ts";
import type { Workplace } from "../../src/index.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { writeJson } from "../../src/wire/index.ts";
import { custodyAccountsOf } from "../../src/workplace/custody-accounts.ts";
import { deriveFacts } from "../books/facts-at-once.ts";
import { knownDeposits, knownPayouts } from "../read-all.ts";

/** What we have seen, booked or proven wrongly without anybody being told. */
export async function contradictions(workplace: Workplace, openTruth: () => Workplace): Promise<string[]> {
  const { openBreaks, balanceProof } = await reconcileStep(workplace);
  const { problems, notBooked } = await ledgerStep(workplace);
  const told = writeJson([openBreaks, problems, notBooked.filter(({ reason }) => /in doubt/.test(reason))]);
  const isTold = (id: string) => told.includes(id);
  const truth = await seenBy(openTruth());
  const seen = await resourcesOf(workplace);
  const wrongly = [...truth.resources].flatMap(([id, resource]) =>
    seen.get(id) === resource ? [] : [`${id} is seen as ${seen.get(id)}, and is ${resource}`],
  );
  const unseen = [...seen.keys()].filter((id) => !truth.resources.has(id) && !isTold(id));
  const untied = balanceProof.filter(
    ({ ties, custodyAccountId }) =>
      !ties && !openBreaks.some((one) => one.kind === "balance" && one.custodyAccountId === custodyAccountId),
  );
  const posted = await workplace.store.read(() => listEntriesAfter(0, 100_000));
  const live = liveEntries(posted.map(({ entry }) => entry));
  const chart = await openChart(workplace.config.ledger.chart);
  const trueEntries = liveEntries(
    postFacts(
      { facts: truth.facts, held: [], bookedTwice: [], replaced: [], takenBack: [] },
      [],
      chart,
      truth.policy,
    ).entries,
  );
  const unbooked = truth.facts.flatMap(({ factId, contentHash, sourceId }) => {
    const [entry, trueEntry] = [live.get(factId), trueEntries.get(factId)];
    // A fact may differ from the truth in what decides nothing of its entry.
    const isBooked = entry?.contentHash === contentHash || bookingText(entry) === bookingText(trueEntry);
    return (entry !== undefined && isBooked) || isTold(sourceId) ? [] : [`${factId} is not booked so`];
  });
  const factIds = new Set(truth.facts.map(({ factId }) => factId));
  const overbooked = [...live.values()].filter(
    ({ factId, sourceId }) => !factIds.has(factId) && !isTold(sourceId),
  );
  return [
    ...wrongly,
    ...unseen.map((id) => `${id} never was`),
    ...untied.map(({ custodyAccountId }) => `the balance of ${custodyAccountId} does not tie`),
    ...unbooked,
    ...overbooked.map(({ entryId }) => `${entryId} books what never was`),
  ];
}

async function seenBy(workplace: Workplace) {
  await reconcileStep(workplace);
  const { chart: _, ...rules } = workplace.config.ledger;
  const policy: LedgerPolicy = {
    ...rules,
    now: workplace.context.clock.now(),
    scales: workplace.scales,
    custodyAccounts: custodyAccountsOf(workplace.config),
    isInstructed: () => true,
    unfitting: () => undefined,
  };
  const payouts = (await knownPayouts(workplace.store)).map(({ resource }) => resource);
  const deposits = (await knownDeposits(workplace.store)).map(({ resource }) => resource);
  const facts = deriveFacts({ payouts, deposits }, policy).facts.map((fact) => ({
    ...fact,
    sourceId: fact.kind === "payout" ? fact.payoutId : fact.depositId,
  }));
  return { facts, policy, resources: await resourcesOf(workplace) };
}

/** As text, by id, without the times of sightings. */
async function resourcesOf({ store }: Workplace): Promise<Map<string, string>> {
  const asText = (resource: object) => JSON.stringify({ ...resource, stateSeenAt: "" }, exactly);
  return new Map<string, string>([
    ...(await knownPayouts(store)).map(({ resource }) => [resource.payoutId, asText(resource)] as const),
    ...(await knownDeposits(store)).map(({ resource }) => [resource.depositId, asText(resource)] as const),
  ]);
}

/** A confirmed movement keeps the count with which it was read first: what only counts on is no news. */
function exactly(name: string, value: unknown): unknown {
  if (name === "confirmations" && typeof value === "number") return value >= 1 ? "enough" : value;
  return value instanceof Decimal ? value.toString() : value;
}

function liveEntries(entries: readonly JournalEntry[]): Map<string, JournalEntry> {
  const reversed = new Set(entries.flatMap(({ reversalOf }) => reversalOf ?? []));
  const live = entries.filter((entry) => entry.reversalOf === undefined && !reversed.has(entry.entryId));
  return new Map(live.map((entry) => [entry.factId, entry]));
}

function bookingText(entry: JournalEntry | undefined): string {
  const { lines, documentDay, valueInstant, reference, orderId, txHash, rateUsed } = entry ?? {};
  return JSON.stringify([lines, documentDay, valueInstant, reference, orderId, txHash, rateUsed], exactly);
}
