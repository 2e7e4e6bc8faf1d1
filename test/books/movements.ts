/** Payouts and deposits as the service shows them, and a chart, for the ledger's tests. */
import { parse } from "csv-parse/sync";
import {
  type Chart,
  deriveDeposits,
  inJournalOrder,
  type LedgerPolicy,
  postFacts,
  readChart,
} from "../../src/books/index.ts";
import {
  custodyAccountId,
  depositId,
  type ExpectedParty,
  type JournalEntry,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  payoutId,
} from "../../src/model/index.ts";
import { amountOf, currencyScales, Decimal } from "../../src/money/index.ts";
import { claimsAmong, derivationOf } from "./facts-at-once.ts";

export const HOT = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000001");
export const COLD = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000002");
export const NOON = "2026-11-20T12:00:00.000Z";

export const CHART_TEXT = `role,key,project,distribution,share,code,name
treasury,treasury-btc,,,,1510,assets:crypto:btc
treasury,cold-btc,,,,1520,assets:crypto:cold
receivable,,,,,1200,assets:ar
deposits-clearing,,,,,2210,liabilities:depositclearing
overpayments,,,,,2290,liabilities:overpayments
suspense,,,,,2999,liabilities:suspense
gl,Contractors,,,,6200,expenses:contractors
gl,Shared,,,0.5,6301,expenses:shared:one
gl,Shared,,,0.3,6302,expenses:shared:two
gl,Shared,,,0.2,6303,expenses:shared:three
network-fees,,,,,6810,expenses:networkfees
valuation-difference,,,,,7810,income:valuation
write-off,,,,,6890,expenses:writeoff
`;

const charts = new Map<string, Chart>();

/** Read once: a property books hundreds of times under the same chart, which nothing changes. */
export function chartOf(text: string): Chart {
  const known = charts.get(text);
  if (known !== undefined) return known;
  const { chart, problems } = readChart(chartLines(text), "csv");
  if (chart === undefined) throw new Error(JSON.stringify(problems));
  charts.set(text, chart);
  return chart;
}

/** Without the ways in which a spreadsheet program may write them: `openChart` reads those. */
export function chartLines(text: string) {
  const rows = parse(text, { relax_column_count: true }) as string[][];
  return rows.map((cells, index) => ({ line: index + 1, cells }));
}

export function policyWith(changes: Partial<LedgerPolicy> = {}): LedgerPolicy {
  return {
    confirmationsMin: 1,
    subtractFee: "memo",
    batchFee: "perPayout",
    depositValuation: "fixed",
    depositFee: "memo",
    depositLateBy: "createdDate",
    depositShort: "open",
    now: "2030-01-01T00:00:00.000Z",
    functionalCurrency: "EUR",
    timeZone: "Europe/Madrid",
    scales: currencyScales(),
    custodyAccounts: [
      { id: HOT, name: "treasury-btc", currency: "BTC" },
      { id: COLD, name: "cold-btc", currency: "BTC" },
    ],
    isInstructed: () => true,
    unfitting: () => undefined,
    ...changes,
  };
}

export const btc = (text: string) => amountOf(text, "BTC");
export const eur = (text: string) => amountOf(text, "EUR");
export const rateIntoEur = (text: string) => ({ rate: Decimal.of(text), from: "BTC", to: "EUR" });

export function funds(changes: Partial<ObservedFunds> = {}): ObservedFunds {
  return { confirmedAt: NOON, createdAt: NOON, state: "CONFIRMED", confirmations: 3, ...changes };
}

export function payout(id: string, changes: Partial<ObservedPayout> = {}): ObservedPayout {
  return {
    payoutId: payoutId(id),
    custodyAccountId: HOT,
    requestedAmount: btc("0.05"),
    state: "COMPLETED",
    subtractFee: false,
    generalLedgerName: "Contractors",
    sentFunds: [],
    stateSeenAt: NOON,
    ...changes,
  };
}

export function deposit(id: string, changes: Partial<ObservedDeposit> = {}): ObservedDeposit {
  return {
    depositId: depositId(id),
    custodyAccountId: HOT,
    state: "COMPLETED",
    receivedFunds: [],
    stateSeenAt: NOON,
    ...changes,
  };
}

/** The rate of `receipt`, in euro for a bitcoin. */
export const market = rateIntoEur("81000");

/** A request of 1000 euro at a fixed rate that is below the market's. */
export const fixed = {
  requestedInFiat: eur("1000"),
  requestedInCrypto: btc("0.0125"),
  fixedRate: rateIntoEur("80000"),
  expiresAt: "2026-11-20T13:00:00.000Z",
};

/** `amount`: in bitcoin. */
export function receipt(transactionId: string, amount: string, changes = {}): ObservedFunds {
  return funds({ transactionId, amount: btc(amount), rate: market, ...changes });
}

export interface Books {
  readonly payouts?: readonly ObservedPayout[];
  readonly deposits?: readonly ObservedDeposit[];
  /** The deposits as they were last shown with other receipts. */
  readonly before?: readonly ObservedDeposit[];
  readonly posted?: readonly JournalEntry[];
  readonly parties?: ReadonlyMap<string, ExpectedParty>;
  readonly policy?: LedgerPolicy;
  readonly chartText?: string;
}

/**
 * The whole way from observations to entries, in the program's order: payouts are posted before deposits are
 * derived.
 */
export function book({
  payouts = [],
  deposits = [],
  before,
  posted = [],
  parties = new Map(),
  policy = policyWith(),
  chartText,
}: Books) {
  const chart = chartOf(chartText ?? CHART_TEXT);
  const postedOf = (kinds: RegExp) => posted.filter(({ factId }) => kinds.test(factId));
  const derivation = derivationOf(deposits, policy);
  const transfers = derivation.noteTransfers(payouts, posted);
  const sent = derivation.derive(payouts);
  const paid = postFacts(sent, postedOf(/^payout:/), chart, policy);
  derivation.noteTransfers(transfers, [...postedOf(/^payout:/), ...paid.entries]);
  const context = { ...derivation.depositContext(claimsAmong(deposits, before)), parties };
  const received = deriveDeposits(deposits, context, posted, policy);
  const came = postFacts(received, postedOf(/^deposit:/), chart, policy);
  return {
    facts: [...sent.facts, ...received.facts],
    notBooked: [...sent.notBooked, ...received.notBooked],
    entries: inJournalOrder([...paid.entries, ...came.entries]),
    held: [...paid.held, ...came.held],
    problems: [...paid.problems, ...came.problems],
  };
}

/** "expenses:contractors 0.05 BTC 4061.73": a line that an accountant can read, debit positive. */
export function linesOf(entry: JournalEntry | undefined): string[] {
  return (entry?.lines ?? []).map(({ account, debit, credit, quantity }) => {
    const value = debit ?? credit?.negated() ?? "neither side";
    const moved = quantity === undefined ? "" : `${quantity.value.normalized()} ${quantity.currency} `;
    return `${account.name} ${moved}${value}`;
  });
}

export function codesOf(problems: readonly { readonly code: string }[]): string[] {
  return problems.map(({ code }) => code);
}
