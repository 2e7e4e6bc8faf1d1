/** Matching finds exactly the planted matches. An amount alone never decides; a revoked decision leaves nothing. */
import { describe, expect, test } from "vitest";
import {
  type Matched,
  type MatchedExpectation,
  match,
  type OpenReceipt,
  openReceipts,
  sumsByCustomer,
} from "../../src/expected/index.ts";
import { decisionOf, KINDS, POLICY, planted } from "./planted.ts";

const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);

function standingText({
  state,
  isOverdue,
  lateDays,
  open,
  over,
  isDuplicated,
  arriving,
}: MatchedExpectation): string {
  return [
    state,
    isOverdue && "is overdue",
    lateDays > 0 && `${lateDays} days late`,
    state === "partly received" && `${open.normalized()} open`,
    !over.isZero() && `${over.normalized()} over`,
    isDuplicated && "paid twice",
    !arriving.isZero() && `${arriving.normalized()} arriving`,
  ]
    .filter(Boolean)
    .join(", ");
}

function openText({ candidates, owedAlikeBy, repeats }: OpenReceipt): string {
  if (owedAlikeBy.length > 0) return `alike ${owedAlikeBy.join(", ")}`;
  if (candidates.length === 0)
    return repeats === undefined ? "nobody" : `nobody, repeats ${repeats.reference}`;
  return candidates
    .map(({ parts, evidence }) => {
      const references = parts.map(({ expectation }) => expectation.reference).join(" ");
      return `may be ${references}: ${evidence.join(", ")}`;
    })
    .join(" | ");
}

function found(matched: Matched, receipts: Parameters<typeof openReceipts>[0]) {
  return {
    standings: Object.fromEntries(
      matched.standings.map((each) => [each.expectation.reference, standingText(each)]),
    ),
    open: Object.fromEntries(
      openReceipts(receipts, matched, POLICY).map((each) => [each.receipt.key, openText(each)]),
    ),
  };
}

describe("among expectations and receipts", () => {
  test.each(SEEDS)("finds exactly the planted matches (seed %i)", (seed) => {
    const { expectations, receipts, standings, open } = planted(seed);
    const shuffled = receipts.toSorted((a, b) => ((a.key.length * seed) % 7) - ((b.key.length * seed) % 7));
    const matched = match(expectations, shuffled, [], POLICY);
    expect(found(matched, shuffled)).toEqual({
      standings: Object.fromEntries(standings),
      open: Object.fromEntries(open),
    });
    expect(KINDS.length).toBeGreaterThanOrEqual(13);
  });

  test.each(SEEDS)("taking back a decision restores all sums (seed %i)", (seed) => {
    const { expectations, receipts } = planted(seed);
    const before = match(expectations, receipts, [], POLICY);
    const decisions = openReceipts(receipts, before, POLICY).flatMap(({ receipt, candidates }, at) => {
      const [candidate] = candidates;
      return (candidate?.parts ?? []).map(({ expectation, quantity }, place) =>
        decisionOf(at * 10 + place, expectation.id, receipt, { currency: "BTC", value: quantity }),
      );
    });
    expect(decisions.length).toBeGreaterThan(0);
    const matched = match(expectations, receipts, decisions, POLICY);
    expect(sumsByCustomer(matched.standings)).not.toEqual(sumsByCustomer(before.standings));
    // No money counts for two expectations: the shares add up to the amounts that arrived and count.
    const counted = matched.standings.flatMap(({ shares }) => shares);
    for (const receipt of receipts) {
      const used = counted
        .filter(({ receipt: of }) => of.key === receipt.key)
        .map(({ quantity }) => quantity);
      const sum = used.reduce(
        (all, each) => all.plus(each),
        receipt.amount.value.minus(receipt.amount.value),
      );
      expect(sum.compare(receipt.amount.value)).toBeLessThanOrEqual(0);
    }
    const after = match(expectations, receipts, [], POLICY);
    expect(sumsByCustomer(after.standings)).toEqual(sumsByCustomer(before.standings));
    expect(found(after, receipts)).toEqual(found(before, receipts));
  });

  test.each(SEEDS)("never proposes one of two customers who owe the same amount (seed %i)", (seed) => {
    const { expectations, receipts } = planted(seed);
    const matched = match(expectations, receipts, [], POLICY);
    for (const { receipt, candidates } of openReceipts(receipts, matched, POLICY))
      for (const { parts } of candidates) {
        const [part] = parts;
        const isKnown =
          receipt.customerId !== undefined && receipt.customerId === part?.expectation.customerId;
        const alike = matched.standings.filter(
          ({ open, expectation }) =>
            open.equals(receipt.amount.value) && expectation.customerId !== part?.expectation.customerId,
        );
        expect(isKnown || alike.length === 0).toBe(true);
      }
  });

  test("a receipt keeps its decision if the service adds its id later", () => {
    const { expectations, receipts } = planted(1);
    const before = match(expectations, receipts, [], POLICY);
    const [open] = openReceipts(receipts, before, POLICY).filter(({ candidates }) => candidates.length === 1);
    const [part] = open?.candidates[0]?.parts ?? [];
    if (open === undefined || part === undefined) throw new Error("no candidate is planted");
    const decision = decisionOf(1, part.expectation.id, open.receipt);
    const renamed = receipts.map((each) => (each === open.receipt ? { ...each, key: "its-id" } : each));
    const matched = match(expectations, renamed, [decision], POLICY);
    const standing = matched.standings.find(({ expectation }) => expectation.id === part.expectation.id);
    expect(standing?.state).toBe("received");
  });
});
