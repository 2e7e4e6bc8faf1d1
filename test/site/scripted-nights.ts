/** Nights at a service that shows exactly what a test writes down, over HTTP, and has a true balance. */
import { createPayoutStep, type Environment, type Workplace } from "../../src/index.ts";
import type { BreakKind, Instant } from "../../src/model/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { FIND, startOddService } from "../gateway/odd-service.ts";
import { comparesTheSameInParts } from "./all-at-once.ts";
import { bookedBy } from "./booked-by.ts";
import { ADDRESS, byClock, TREASURY } from "./service.ts";
import { openPlace } from "./workplace.ts";

export const SAVINGS = "6f1cbb7e-0000-4000-8000-000000000002";
export const OPENING = 5;
export const RATE = {
  rate: 80000,
  fromCurrency: { currencyCode: "BTC" },
  toCurrency: { currencyCode: "EUR" },
};

/** What the service shows: deposits as they are, what it makes of our payouts, and the treasury's balance. */
export interface Shown {
  deposits: readonly object[];
  payout: object | ((element: Element) => object);
  balance: number;
  savings?: number;
}

type Element = Readonly<Record<string, unknown>>;

function payoutIn({ payout }: Shown, element: Element): object {
  return typeof payout === "function" ? payout(element) : payout;
}

/** After the baseline and as many payouts of 0.05 BTC as `pays` names. `settings`: of the environment. */
export async function scriptedNights({
  pays = [],
  settings = {},
}: {
  pays?: readonly string[];
  settings?: Environment;
} = {}) {
  const shown: Shown = { deposits: [], payout: {}, balance: OPENING };
  const service = await startOddService(
    ({ path, body: asked, honest, answer }) => {
      if (path === "/accounts/balance") return void answer(200, withBalances(honest().body, shown));
      if (path === "/deposits/v2/find") return void answer(200, pageOf(askedFor(asked, shown.deposits)));
      if (path !== FIND) return false;
      const { statusCode, body } = honest();
      const found = JSON.parse(body) as { results?: { content: Element[] } };
      const content = found.results?.content.map((element) => ({ ...element, ...payoutIn(shown, element) }));
      return void answer(statusCode, JSON.stringify({ ...found, results: { ...found.results, content } }));
    },
    { stepMs: 3_600_000 },
  );
  const place = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url, ...settings });
  const { workplace } = place;
  await baselineStep(workplace, "ann");
  for (const [index, reference] of pays.entries()) await payOne(workplace, reference, Math.min(index, 1));
  const payMore = (reference: string) => payOne(workplace, reference, 1);
  const payTo = async (destinationAccountId: string, ...references: readonly string[]) => {
    for (const [index, reference] of references.entries())
      await payOne(workplace, reference, Math.min(index, 1), { destinationAccountId });
  };
  return { ...place, shown, payMore, payTo, night: (now?: Instant) => nightAt(workplace, now) };
}

/** `acceptRepeats`: how many payments repeat an earlier one. */
async function payOne(
  workplace: Workplace,
  reference: string,
  acceptRepeats: number,
  to: Readonly<Record<string, string>> = { destinationAddress: ADDRESS },
): Promise<void> {
  const common = { reference, accountId: TREASURY, amount: "0.05", currency: "BTC" };
  await createPayoutStep(workplace, {
    cells: { ...common, ...to, generalLedgerName: "6200" },
    submittedBy: "ann",
    approvedBy: ["bob", "tess"],
    acceptRepeats,
  });
}

/** The deposits that a search by id asks for; otherwise all. */
function askedFor(body: string, deposits: readonly object[]): readonly object[] {
  const { depositIds } = JSON.parse(body) as { readonly depositIds?: readonly string[] };
  if (depositIds === undefined) return deposits;
  return deposits.filter((each) => "depositId" in each && depositIds.includes(String(each.depositId)));
}

function pageOf(content: readonly object[]): string {
  return JSON.stringify({ results: { content, totalPages: 1, totalElements: content.length } });
}

function withBalances(body: string, { balance, savings }: Shown): string {
  const shown = JSON.parse(body) as {
    balances: { accountId: string; btcBalance: { total: { amount: number } } }[];
  };
  for (const { accountId, btcBalance } of shown.balances) {
    if (accountId === TREASURY) btcBalance.total.amount = balance;
    if (accountId === SAVINGS && savings !== undefined) btcBalance.total.amount = savings;
  }
  return JSON.stringify(shown);
}

/** Compares at this time by our clock, and books. */
export async function nightAt(here: Workplace, now?: Instant) {
  const workplace = now === undefined ? here : byClock(here, () => now);
  const { openBreaks, comparedAt, balanceProof } = await reconcileStep(workplace);
  await comparesTheSameInParts(workplace);
  const { entries, problems, notBooked, trialBalance } = await bookedBy(workplace);
  const treasury = trialBalance.rows.find(({ name }) => name === "assets:crypto:treasury");
  const kinds = (some: typeof openBreaks) => some.map(({ kind }): BreakKind => kind);
  return {
    open: kinds(openBreaks),
    fresh: kinds(openBreaks.filter(({ openedAt }) => openedAt === comparedAt)),
    breaks: openBreaks,
    ties: balanceProof.every(({ ties }) => ties),
    booked: entries.map(({ kind, sourceId }) => `${kind} ${sourceId.slice(-2)}`).sort(),
    held: problems.map(({ code, depositId }) => `${code} ${depositId?.slice(-2)}`),
    reasons: notBooked.map(({ reason }) => reason),
    /** What the treasury holds by all entries. */
    treasury: treasury?.quantities.map(({ value }) => value.normalized().toString()).join(),
  };
}

/** A confirmed receipt, or what `changes` make of it. */
export function receiptOf(name: string, amount: number, changes: object = {}) {
  return {
    txHash: name.repeat(64).slice(0, 64),
    amount: { currency: "BTC", amount },
    createdDate: "2026-11-20T12:00:00.000Z",
    confirmedDate: "2026-11-20T12:10:00.000Z",
    state: "CONFIRMED",
    confirmations: 6,
    rate: RATE,
    ...changes,
  };
}

export function depositOf(depositId: string, receivedFunds: readonly object[], changes: object = {}) {
  return {
    depositId,
    accountId: TREASURY,
    reference: `ORDER-${depositId.slice(-2)}`,
    depositState: "COMPLETED",
    receivedFunds,
    ...changes,
  };
}
