/**
 * The result of a decision: which part of a receipt belongs to which expectation, and on what evidence; or why that
 * is impossible.
 */
import type { Config } from "../../config/index.ts";
import { type Problem, problem, type Reason } from "../../faults/index.ts";
import type { ExpectationRow } from "../../model/index.ts";
import { Decimal, formatAmount } from "../../money/index.ts";
import type { CandidatePart, OpenReceipt } from "./candidates.ts";
import type { MatchedExpectation } from "./matching.ts";

export interface MatchChoice {
  readonly parts: readonly CandidatePart[];
  readonly evidence: readonly string[];
  /** The evidence is only the person's own knowledge, so their reason must state it. */
  readonly needsReason: boolean;
}

/**
 * Matches a receipt to one expectation, or to several of one customer. Problems: EXPECTED_MATCH_REFUSED.
 * `matchedTo`: the expectations that the receipt's deposit belongs to.
 */
export function matchChoice(
  open: OpenReceipt,
  chosen: readonly MatchedExpectation[],
  matchedTo: readonly ExpectationRow[],
): MatchChoice | Problem {
  const why = whyNot(open, chosen, matchedTo);
  if (why !== undefined) return problem("EXPECTED_MATCH_REFUSED", why);
  const wanted = new Set(chosen.map(({ expectation }) => expectation.id));
  const candidate = open.candidates.find(
    ({ parts }) =>
      parts.length === wanted.size && parts.every(({ expectation }) => wanted.has(expectation.id)),
  );
  if (candidate !== undefined) return { ...candidate, needsReason: false };
  const { receipt, free } = open;
  const known =
    receipt.customerId === undefined ? "customer not known" : `shown as customer ${receipt.customerId}`;
  const alike = open.owedAlikeBy.length > 0 ? [`${open.owedAlikeBy.join(", ")} owe the same`] : [];
  return {
    parts: partsOf(open, chosen, free),
    evidence: [known, ...alike, "decided by a person"],
    needsReason: true,
  };
}

function whyNot(
  { receipt, free }: OpenReceipt,
  chosen: readonly MatchedExpectation[],
  matchedTo: readonly ExpectationRow[],
): Reason<"EXPECTED_MATCH_REFUSED"> | undefined {
  const [first] = chosen;
  if (first === undefined) return { reason: "unnamed" };
  if (!receipt.isSettled) return { reason: "unconfirmed" };
  const ended = chosen.find(({ open }) => open.isZero());
  if (ended !== undefined) return { reason: "nothing", named: ended.expectation.reference };
  const waits = chosen.find(({ state }) => state === "waits");
  if (waits !== undefined) return { reason: "waits", named: waits.expectation.reference };
  const elsewhere = chosen.find(
    ({ expectation }) => expectation.custodyAccountId !== receipt.custodyAccountId,
  );
  if (elsewhere !== undefined) return { reason: "account", named: elsewhere.expectation.reference };
  const { customerId } = first.expectation;
  const isOne = chosen.every(({ expectation }) => expectation.customerId === customerId);
  if (chosen.length > 1 && (!isOne || customerId === undefined)) return { reason: "customers" };
  const other = matchedTo.find((each) => each.customerId !== customerId);
  if (other !== undefined) return { reason: "others", named: other.customerId ?? other.reference };
  const isSame = chosen.every(({ expectation }) => expectation.amount.currency === receipt.amount.currency);
  if (chosen.length > 1 && !isSame) return { reason: "currencies" };
  const rest = Decimal.sum(chosen.slice(0, -1).map(({ open }) => open));
  if (rest.compare(free) >= 0) {
    const amount = formatAmount({ currency: receipt.amount.currency, value: free.normalized() });
    return { reason: "short", amount };
  }
  return undefined;
}

/**
 * In the given order, each gets its open amount. The last one gets the rest, at most its open amount if that is in
 * the same currency.
 */
function partsOf(
  { receipt }: OpenReceipt,
  chosen: readonly MatchedExpectation[],
  free: Decimal,
): CandidatePart[] {
  let left = free;
  return chosen.map(({ expectation, open }, at) => {
    const isSame = expectation.amount.currency === receipt.amount.currency;
    const isLast = at === chosen.length - 1;
    const quantity = isSame && (!isLast || open.compare(left) < 0) ? open : left;
    left = left.minus(quantity);
    return { expectation, quantity };
  });
}

/** Why a person may not end the expectation in this way; undefined if they may. */
export function whyNotEnded(
  { expectation, state, received, arriving, open, shares }: MatchedExpectation,
  end: "settled short" | "withdrawn",
): Reason<"EXPECTED_END_REFUSED"> | undefined {
  if (expectation.ended !== undefined)
    return { reason: "ended", ended: expectation.ended, person: expectation.endedBy ?? "somebody" };
  if (open.isZero()) return { reason: "received" };
  if (!arriving.isZero()) return { reason: "arriving" };
  if (end === "settled short") return received.isZero() ? { reason: "nothing" } : undefined;
  if (shares.length > 0) return { reason: "part" };
  return state === "waits" || received.isZero() ? undefined : { reason: "share" };
}

type Account = Pick<Config["custodyAccounts"][number], "name" | "currency" | "voids">;

/** Why the service would not void a deposit of an account, as far as that is known before a request. */
export function whyNotVoided({
  name,
  currency,
  voids,
}: Account): Reason<"EXPECTED_VOID_NOT_ALLOWED"> | undefined {
  if (currency !== "BTC") return { reason: "currency", account: name, currency };
  if (voids === false) return { reason: "kind", account: name };
  return voids === undefined ? { reason: "unsaid", account: name } : undefined;
}
