/** Compares a comparison in windows, which skips cleared payments, with one of everything at once. */
import { expect } from "vitest";
import type { Workplace } from "../../src/index.ts";
import { type Break, type Instant, withFeeBearer } from "../../src/model/index.ts";
import { answeringTargets } from "../../src/model/ledger-table.ts";
import { present } from "../../src/model/present.ts";
import { Decimal } from "../../src/money/index.ts";
import { compareWithSweep, comparisonPolicy, openStates, sighted } from "../../src/nights/compare-all.ts";
import { readLedgerSide } from "../../src/nights/ledger-side.ts";
import { type SweptKeys, sweepKeys } from "../../src/nights/sweep-keys.ts";
import {
  departuresOfFailed,
  departureText,
  receiptClaims,
  sentClaims,
  statesBefore,
} from "../../src/observation/index.ts";
import { listBalances } from "../../src/store/balances.ts";
import { listSettledPayments } from "../../src/store/breaks.ts";
import { listRequestedDeposits } from "../../src/store/changes.ts";
import { listTroubledAnswers, listUnanswered } from "../../src/store/erp-answers.ts";
import { listFirstAddresses } from "../../src/store/observed.ts";
import { listPaidAgain, listSubmittedSince } from "../../src/store/pay-again.ts";
import { reconcile } from "../nights/rules/reconcile-at-once.ts";
import { knownDeposits, knownPayouts, listInstructions } from "../read-all.ts";

/** Sweeps, then fails if the two differ in any break, figure or total. */
export async function comparesTheSameInParts(workplace: Workplace): Promise<void> {
  await comparedInParts(workplace, await sweepKeys(workplace));
}

/** The breaks after a sweep. */
export async function comparedInParts(workplace: Workplace, swept: SweptKeys): Promise<readonly Break[]> {
  const at = workplace.context.clock.now();
  const inParts = await compareWithSweep(workplace, swept, at);
  const atOnce = reconcile(await everything(workplace, swept, at), comparisonPolicy(workplace, at));
  expect(comparable(inParts)).toEqual(comparable(atOnce));
  return inParts.breaks;
}

/** Amounts by their values: a sum from which something was taken away keeps more digits after the point. */
function comparable(value: unknown): unknown {
  if (value instanceof Decimal) return value.normalized();
  if (Array.isArray(value)) return value.map(comparable);
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, comparable(each)]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each)]));
}

async function everything({ store, config }: Workplace, swept: SweptKeys, at: Instant) {
  const answering = answeringTargets(config.ledger.exports);
  const payouts = await knownPayouts(store);
  const deposits = await knownDeposits(store);
  const depositIds = deposits.map(({ resource }) => resource.depositId);
  const requested = await store.read(() => listRequestedDeposits(depositIds));
  const claims = await receiptClaims(store);
  const shownDeposits = openStates(deposits.map(({ resource }) => resource));
  const before = await store.read(() => statesBefore("deposit", shownDeposits));
  const firstAddresses = await store.read(() => listFirstAddresses(depositIds));
  const instructions = await store.read(() => listInstructions());
  const paidBy = new Map(instructions.map(({ payoutId, fields }) => [payoutId, fields]));
  const resources = payouts.map(({ resource }) =>
    withFeeBearer(resource, paidBy.get(resource.payoutId) ?? {}),
  );
  const departures = await store.read(() => departuresOfFailed(resources));
  const seen = [...payouts, ...deposits].map((one) => [one.id, sighted(one, swept)] as const);
  const side = await store.read(() => readLedgerSide());
  return {
    // All of them are compared, nothing is kept.
    ...(side !== undefined && { ledger: { ...side, keptOfUnbooked: [] } }),
    instructions,
    payouts: resources,
    deposits: deposits.map(({ resource }) => ({
      ...resource,
      ...present({
        requested: requested.get(resource.depositId),
        firstAddress: firstAddresses.get(resource.depositId),
        stateBefore: before.get(resource.depositId),
      }),
      claims: claims.claimsOf(resource.depositId),
      movedAway: claims.movedAwayFrom(resource.depositId),
    })),
    // Those that a balance has told apart wait no more.
    sentClaims: await sentClaims(store, "waiting"),
    balances: swept.balances,
    openings: await store.read(() => listBalances("opening")),
    paidAgain: await store.read(() => listPaidAgain()),
    submittedSince: await store.read(() => listSubmittedSince()),
    settled: await store.read(() => listSettledPayments()),
    troubledAnswers: await store.read(() => listTroubledAnswers()),
    unanswered: await store.read(() =>
      listUnanswered(answering, at, { olderThanHours: config.export.answerWithinHours }),
    ),
    statesBefore: await store.read(() => statesBefore("payout", openStates(resources))),
    departures: new Map([...departures].map(([id, departure]) => [id, departureText(departure)])),
    notShown: new Map(
      seen.flatMap(([id, { notShownSince: at }]) => (at === undefined ? [] : [[id, at] as const])),
    ),
    classes: new Map(seen.map(([id, { payoutClass }]) => [id, payoutClass])),
    ignoredPayoutIds: new Set(
      payouts.filter((one) => one.beforeBaseline).map(({ resource }) => resource.payoutId),
    ),
    ignoredDepositIds: new Set(
      deposits.filter((one) => one.beforeBaseline).map(({ resource }) => resource.depositId),
    ),
  };
}
