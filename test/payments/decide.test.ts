/** Maker and checker: who may approve, and how many are needed. */
import { describe, expect, test } from "vitest";
import { type Approval, type Batch, batchId, type ControlTotal } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { type ApprovalRule, peopleNeededFor, withApproval } from "../../src/people/decide.ts";

const AT = "2026-11-20T09:30:00.000Z";
const RULES: readonly ApprovalRule[] = [
  { upTo: { BTC: Decimal.of("0.5"), ETH: Decimal.of("10") }, people: 1 },
  { upTo: { BTC: Decimal.of("5") }, people: 2 },
];

function totals(...sums: readonly (readonly [string, string])[]): ControlTotal[] {
  return sums.map(([currency, amount]) => ({ currency, count: 1, amount: Decimal.of(amount) }));
}

function batchOf(controlTotals: readonly ControlTotal[], submittedBy = "ann"): Batch {
  return {
    id: batchId("B-000001"),
    fileSha256: "0".repeat(64),
    fileName: "payroll.csv",
    archivedAs: "/archive/payroll.csv",
    submittedBy,
    submittedAt: AT,
    digest: "0".repeat(64),
    rowCount: 1,
    controlTotals,
  };
}

function approvedBy(...people: readonly string[]): Approval[] {
  return people.map((person) => ({
    ...approver(person),
    digest: "0".repeat(64),
    decidedAt: AT,
    approved: "{}",
  }));
}

function approver(person: string) {
  return { person, roles: ["approver"] } as const;
}

describe("how many people", () => {
  test.each([
    ["the limit itself", totals(["BTC", "0.50000000"]), 1],
    ["one satoshi above it", totals(["BTC", "0.50000001"]), 2],
    ["two currencies within their limits", totals(["BTC", "0.5"], ["ETH", "10"]), 1],
    [
      "one of two currencies above its limit",
      totals(["BTC", "0.5"], ["ETH", "10.000000000000000001"]),
      undefined,
    ],
    ["a currency without a limit", totals(["LTC", "0.00000001"]), undefined],
    ["more than any rule covers", totals(["BTC", "5.1"]), undefined],
  ])("%s", (_what, sums, people) => {
    expect(peopleNeededFor({ controlTotals: sums }, RULES)).toBe(people);
  });

  test("a batch that no rule covers cannot be approved by anybody", () => {
    expect(withApproval(batchOf(totals(["LTC", "1"])), [], approver("bob"), RULES)).toMatchObject({
      code: "APPROVAL_RULE_MISSING",
      message: expect.stringContaining("1 LTC"),
    });
    expect(peopleNeededFor({ controlTotals: totals(["BTC", "1"]) }, [])).toBeUndefined();
  });

  test("a rule without limits covers everything, and the first rule that covers decides", () => {
    expect(peopleNeededFor({ controlTotals: totals(["XYZ", "1e30"]) }, [...RULES, { people: 3 }])).toBe(3);
    expect(peopleNeededFor({ controlTotals: totals(["BTC", "0.1"]) }, [{ people: 3 }, ...RULES])).toBe(3);
  });
});

describe("how many people for sums that are released together", () => {
  const batch = (amount: string, ofAll: string) => ({
    controlTotals: totals(["BTC", amount]),
    together: totals(["BTC", ofAll]),
  });

  test.each([
    ["within the same limit", "0.2", "0.5", 1],
    ["above it", "0.44", "0.89", 2],
    ["above every limit: as many as any rule asks for, and no refusal", "0.2", "9", 2],
    ["none covers the batch alone", "5.1", "5.1", undefined],
  ])("%s", (_what, alone, ofAll, people) => {
    expect(peopleNeededFor(batch(alone, ofAll), RULES)).toBe(people);
  });

  test("never fewer than for the batch alone", () => {
    const rules = [{ upTo: { BTC: Decimal.of("0.5") }, people: 3 }, { people: 1 }];
    expect(peopleNeededFor(batch("0.4", "0.9"), rules)).toBe(3);
  });
});

describe("who", () => {
  const two = batchOf(totals(["BTC", "1"]));

  test("the second person releases what two must approve, and the first does not", () => {
    expect(withApproval(two, [], approver("bob"), RULES)).toEqual({
      peopleNeeded: 2,
      approvedBy: ["bob"],
      isReleased: false,
    });
    expect(withApproval(two, approvedBy("bob"), approver("eve"), RULES)).toEqual({
      peopleNeeded: 2,
      approvedBy: ["bob", "eve"],
      isReleased: true,
    });
  });

  test.each(["ann", "Ann", " ann ", "ANN"])("the submitter never approves, as %j either", (person) => {
    expect(withApproval(two, [], approver(person), RULES)).toMatchObject({ code: "APPROVER_IS_SUBMITTER" });
  });

  test.each([
    ["bob", "BOB "],
    ["zo\u00eb", "zoe\u0308"],
    ["bob  smith", "Bob Smith"],
    ["bob", "\uff42ob"],
    ["Ann Groß", "ANN GROSS"],
    ["Ann O'Neil", "Ann O\u2019Neil"],
    ["Ann O'Neil", "ann o\u00b4neil"],
    ["Ann-Marie", "Ann\u2011Marie"],
    ["Ann-Marie", "Ann\u2013Marie"],
    ["İpek Kılıç", "IPEK KILIÇ"],
    ["Νίκος", "ΝΊΚΟΣ"],
  ])("one person counts once, also as %j and %j", (first, again) => {
    expect(withApproval(two, approvedBy(first), approver(again), RULES)).toMatchObject({ isReleased: false });
    expect(withApproval(batchOf(two.controlTotals, first), [], approver(again), RULES)).toMatchObject({
      code: "APPROVER_IS_SUBMITTER",
    });
  });
});

describe("who is listed", () => {
  const listed: ApprovalRule[] = [{ people: 2, approvers: ["Bob", "eve", "dan"] }];
  const batch = batchOf(totals(["BTC", "1"]), "inbox");

  test("approves, however the name is typed, and nobody else does", () => {
    expect(withApproval(batch, [], approver("bob "), listed)).toMatchObject({ approvedBy: ["bob "] });
    expect(withApproval(batch, [], approver("mallory"), listed)).toMatchObject({
      code: "APPROVER_NOT_LISTED",
      message: expect.stringContaining("Bob, eve, dan"),
    });
  });

  test("the submitter does not, listed or not", () => {
    expect(withApproval(batchOf(batch.controlTotals, "eve"), [], approver("eve"), listed)).toMatchObject({
      code: "APPROVER_IS_SUBMITTER",
    });
  });

  test("one who was taken off the list since counts no more towards a release", () => {
    expect(withApproval(batch, approvedBy("mallory"), approver("bob"), listed)).toMatchObject({
      approvedBy: ["bob"],
      isReleased: false,
    });
  });

  test("only the rule that covers the sums asks for its own", () => {
    const rules = [{ upTo: { BTC: Decimal.of("0.5") }, people: 1 }, ...listed];
    expect(withApproval(batchOf(totals(["BTC", "0.5"])), [], approver("mallory"), rules)).toMatchObject({
      isReleased: true,
    });
  });
});
