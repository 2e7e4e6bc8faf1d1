/** The state of a batch's approvals: one value, by the rule, the approvals that hold, the payment and the instant. */
import { describe, expect, test } from "vitest";
import { problem } from "../../src/faults/index.ts";
import type { Approval } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import {
  type AskedPayment,
  approvalEnds,
  type GivenApprovals,
  isApproved,
  judgeApprovals,
} from "../../src/people/index.ts";

const AT = "2026-11-20T09:30:00.000Z";
const APPROVERS = ["ann", "bob", "eve"];
type Policy = Parameters<typeof judgeApprovals>[1];
const BY_ONE: Policy = {
  rules: [{ upTo: { BTC: Decimal.of("0.5") }, people: 1, approvers: APPROVERS }],
  validDays: 30,
  coolingMinutes: 60,
};
const BY_TWO: Policy = { ...BY_ONE, rules: [{ people: 2, approvers: APPROVERS }] };

/** "bob 19": bob, on the 19th of November; without a day, at `AT`. */
function given(...texts: readonly string[]): Approval[] {
  return texts.map((text) => {
    const [person = "", day] = text.split(" ");
    const decidedAt = day === undefined ? AT : day.includes("T") ? day : `2026-11-${day}T09:30:00.000Z`;
    return { person, roles: ["approver"], digest: "0".repeat(64), decidedAt, approved: "{}" };
  });
}

/** What is known of the approvals beside themselves. */
type Known = Pick<GivenApprovals, "lastAt" | "notHolding">;

function judged(
  policy: Policy,
  people: readonly string[],
  unfit?: string,
  { amount = "0.5", lastAt, notHolding }: Known & { amount?: string } = {},
) {
  const controlTotals = [{ currency: "BTC", count: 1, amount: Decimal.of(amount) }];
  const whyUnfit = ({ person }: Approval) => (person === unfit ? "another address" : undefined);
  const approvals = given(...people);
  return judgeApprovals({ sums: { controlTotals }, approvals, whyUnfit, lastAt, notHolding }, policy);
}

const expired = problem("SIGNATURE_EXPIRED", { person: "bob", when: AT });
const invalid = problem("SIGNATURE_INVALID", { person: "bob", reason: "decision" });
const fitsNot = (why: string, missing: number) => ({ kind: "does not fit", missing, why });

describe("the state of approvals", () => {
  type Case = [
    what: string,
    policy: Policy,
    people: readonly string[],
    state: object,
    payment?: Partial<AskedPayment & Known>,
    unfit?: string,
  ];
  const until = (instant: string) => ({ kind: "approved until", until: instant });
  const runOut = { kind: "run out", missing: 1 };
  const END = "2026-12-20T09:30:00.000Z";
  test.each<Case>([
    ["nobody", BY_TWO, [], { kind: "none", missing: 2 }],
    ["one of two", BY_TWO, ["bob"], { kind: "partial", missing: 1 }],
    ["one who is no longer listed", BY_TWO, ["mallory", "bob"], { kind: "partial", missing: 1 }],
    ["enough", BY_TWO, ["eve", "bob"], until(END)],
    [
      "the oldest of the newest that suffice, in any order",
      BY_TWO,
      ["bob 19", "ann 21", "eve 20"],
      until(END),
    ],
    ["the newest suffices", BY_ONE, ["bob 19", "ann 21"], until("2026-12-21T09:30:00.000Z")],
    ["the last moment", BY_ONE, ["bob"], until(END), { at: "2026-12-20T09:29:59.999Z" }],
    ["the end", BY_ONE, ["bob"], runOut, { at: END }],
    ["one of two has run out, the newer one counts", BY_TWO, ["bob", "eve 22"], runOut, { at: END }],
    [
      "a later payment date",
      BY_ONE,
      ["bob"],
      until("2027-01-23T00:00:00.000Z"),
      { at: "2026-12-30T09:30:00.000Z", payOn: "2026-12-24" },
    ],
    [
      "the cooling time",
      BY_ONE,
      ["bob"],
      { kind: "held until", until: "2026-11-20T10:30:00.000Z" },
      { lastAt: AT },
    ],
    ["after the cooling time", BY_ONE, ["bob"], until(END), { lastAt: AT, at: "2026-11-20T10:30:00.000Z" }],
    ["held back by a run", BY_ONE, ["bob"], fitsNot("a new finding", 1), { heldBack: "a new finding" }],
    ["for another way of sending", BY_ONE, ["bob"], fitsNot("another address", 1), {}, "bob"],
    ["too few, for another way of sending", BY_TWO, ["bob"], { kind: "none", missing: 2 }, {}, "bob"],
    ["one does not hold", BY_TWO, ["bob"], fitsNot(invalid.message, 1), { notHolding: invalid }],
    ["a signature has expired", BY_TWO, ["bob"], runOut, { notHolding: expired }],
    [
      "another way of sending explains more than an expired signature",
      BY_ONE,
      ["bob"],
      fitsNot("another address", 1),
      { notHolding: expired },
      "bob",
    ],
  ])("%s", (_what, policy, people, state, payment = {}, unfit) => {
    const found = judged(policy, people, unfit, payment).stateOf({ at: AT, ...payment });
    expect(found).toEqual(state);
    expect(isApproved(found)).toBe(!("missing" in state));
  });

  test("sums that no rule covers need nobody in particular, and are not approved", () => {
    const nobody = judged(BY_ONE, ["bob", "eve"], undefined, { amount: "0.6" });
    expect(nobody).toMatchObject({ peopleNeeded: undefined, isEnough: false });
    expect(nobody.stateOf({ at: AT })).toEqual({ kind: "partial", missing: undefined });
  });

  test.each([
    ["payable on the last of all days", "9999-12-31", 30],
    ["for ever, as it is configured", undefined, 200_000_000],
  ])("%s, it does not run out", (_what, payOn, validDays) => {
    const state = judged({ ...BY_ONE, validDays }, ["bob"]).stateOf({ at: AT, payOn });
    expect(state).toMatchObject({ kind: "approved until" });
  });
});

test.each([
  [undefined, "2026-12-20T09:30:00.000Z"],
  ["2026-11-01", "2026-12-20T09:30:00.000Z"],
  ["2026-12-24", "2027-01-23T00:00:00.000Z"],
])("payable on %s, an approval holds until %s", (payOn, ends) => {
  expect(approvalEnds(AT, payOn, 30)).toBe(ends);
});

describe("which approvals count toward a release", () => {
  test.each([
    ["given just now", "bob", true],
    ["in its last moment", "bob 2026-10-21T09:30:00.001Z", true],
    ["run out", "bob 2026-10-21T09:30:00.000Z", false],
    ["given before the clock was set back by a moment", "bob 2026-11-20T09:35:00.000Z", true],
    ["given while the clock was wrong", "bob 2029-11-19T09:30:00.000Z", false],
    ["by somebody whom the rule does not list", "mallory", false],
  ])("%s", (_what, text, counts) => {
    expect(judged(BY_TWO, [text]).countingAt(AT)).toEqual(counts ? given(text) : []);
  });
});
