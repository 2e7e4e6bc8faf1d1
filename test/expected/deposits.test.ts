/** Deposits for expectations: each is requested at most once; its address is shown only once a look confirms it. */
import { describe, expect, test } from "vitest";
import { expectedStep } from "../../src/expected/index.ts";
import { createDepositStep, giveStopOrder, listDoubts, trackStep } from "../../src/index.ts";
import { amountOf } from "../../src/money/index.ts";
import type { FaultEffect } from "../../src/sandbox/index.ts";
import { DEPOSIT, openSite, type Site } from "../site/service.ts";
import { answerRows, csv, expectations, expectText } from "./place.ts";

const create = (reference: string, amount = "0.5", currency = "BTC", until = "") =>
  `${reference},Ada,treasury-btc,${amount},${currency},2036-12-01,${until},yes`;

const fault = (operation: string, effect: FaultEffect, nth?: number) => ({
  ...{ operation, effect },
  ...(nth === undefined ? {} : { nth }),
});

const ANSWER = "receivables.expected.csv";
const PATH = "createDeposit";
const SYNC = "createDepositSynchronously";
const SYNCHRONOUSLY = { PAYDROP_EXPECTED_CREATE_BY: "synchronously" };
const FIND = "findDepositFilteredV2";

/** Runs several times, since the sandbox needs some steps for an address. */
async function settle({ workplace, sandbox }: Site, runs = 4) {
  const problems = [];
  for (let run = 0; run < runs; run += 1) {
    problems.push(...(await expectedStep(workplace)).problems);
    sandbox.operator.passTime(1_000);
  }
  return problems;
}

describe.each([
  ["by path", PATH, {}],
  ["synchronously", SYNC, SYNCHRONOUSLY],
] as const)("a deposit made %s", (_how, operation, changes) => {
  test("is requested once; its address is shown after a look-up by id", async () => {
    const site = await openSite({}, changes);
    await expectText(site, csv(create("INV-1"), create("INV-2", "100", "EUR")));
    expect(answerRows(site, ANSWER).get("INV-1")).toMatchObject({
      address: "",
      note: "no deposit is made yet",
    });
    expect(await settle(site)).toEqual([]);
    expect(site.arrived(operation)).toBe(2);
    const [first] = await expectations(site);
    expect(first).toMatchObject({
      depositId: expect.any(String),
      address: expect.stringMatching(/^bc1|^[13]/),
    });
    expect(answerRows(site, ANSWER).get("INV-1")).toMatchObject({
      address: first?.address,
      standing: "due",
      note: "",
    });
    const shown = site.sandbox.arrivals().filter((each) => each.operation === FIND);
    expect(shown.length).toBeGreaterThanOrEqual(2);
  });

  test("is requested once even if refused or in doubt, and then shows no address", async () => {
    const answer = (statusCode: number, error: string, committed: boolean) =>
      ({ kind: "answer", statusCode, body: `[{"error":"${error}","code":"WRONG"}]`, committed }) as const;
    const effects: readonly FaultEffect[] = [
      { kind: "cut-after-commit" },
      { kind: "half-body" },
      answer(502, "error during deposit creation", true),
      { kind: "cut-before-read" },
      answer(400, "no such customer", false),
    ];
    const faults = effects.map((effect, index) => fault(operation, effect, index + 1));
    const site = await openSite({ faults }, changes);
    const references = ["INV-1", "INV-2", "INV-3", "INV-4", "INV-5", "INV-6"];
    await expectText(site, csv(...references.map((reference) => create(reference))));
    const problems = await settle(site);
    expect(problems.filter(({ code }) => code === "EXPECTED_REFUSED")).toMatchObject([
      { reference: "INV-5" },
    ]);
    expect(problems).toContainEqual(
      expect.objectContaining({ code: "EXPECTED_IN_DOUBT", reference: "INV-4" }),
    );
    expect(site.arrived(operation)).toBe(6);
    expect((await listDoubts(site.workplace)).changes).toHaveLength(1);
    const rows = answerRows(site, ANSWER);
    const hasAddress = references.filter((reference) => rows.get(reference)?.["address"] !== "");
    expect(hasAddress).toEqual(["INV-1", "INV-2", "INV-3", "INV-6"]);
    expect(rows.get("INV-5")?.["note"]).toContain("no such customer");
  });
});

test("does not repeat a deposit that the service already has under the reference, nor show its address", async () => {
  const site = await openSite();
  site.sandbox.operator.openDeposit({
    ...{ depositId: "0d5d6e8a-0000-4000-8000-000000000001", accountId: DEPOSIT.custodyAccountId },
    ...{ reference: "INV-1", callbackUrl: "https://elsewhere.example/hook", listsOriginal: false, parts: [] },
  });
  await expectText(site, csv(create("INV-1")));
  expect(await settle(site)).toMatchObject([{ code: "EXPECTED_AT_SERVICE" }]);
  expect(site.arrived(PATH)).toBe(0);
  expect(answerRows(site, ANSWER).get("INV-1")).toMatchObject({ address: "" });
});

test("does not use a deposit that a person requested with other terms", async () => {
  const site = await openSite();
  await expectText(site, csv(create("INV-1")));
  await createDepositStep(site.workplace, {
    ...DEPOSIT,
    reference: "INV-1",
    requestedAmount: amountOf("0.7", "BTC"),
  });
  expect(await settle(site)).toMatchObject([{ code: "EXPECTED_AT_SERVICE" }]);
  expect(site.arrived(PATH)).toBe(1);
  expect(await expectations(site)).toMatchObject([{ refused: expect.any(String) }]);
});

test("requests nothing before a complete look by reference", async () => {
  const site = await openSite({ faults: [fault(FIND, { kind: "wrong-filters" })] });
  await expectText(site, csv(create("INV-1")));
  expect(await settle(site, 1)).toMatchObject([{ code: "EXPECTED_NOT_SENT_YET" }]);
  expect(site.arrived(PATH)).toBe(0);
  site.sandbox.setFaults([]);
  await settle(site);
  expect(site.arrived(PATH)).toBe(1);
});

test("requests nothing under a stop order", async () => {
  const site = await openSite();
  await expectText(site, csv(create("INV-1")));
  await giveStopOrder(site.workplace, "dave", "audit");
  expect(await settle(site, 1)).toMatchObject([{ code: "SENDING_STOPPED" }]);
  expect(site.arrived(PATH)).toBe(0);
});

describe("a rate that the service says has expired", () => {
  const UNTIL = "2099-01-01T00:00:00Z";
  const EXPIRED = {
    kind: "answer",
    statusCode: 409,
    body: '[{"error":"expired","code":"CONFLICT_EXPIRED_XRATE"}]',
    committed: false,
  } as const;

  test("is left out of the next request, after a look that finds no deposit", async () => {
    const site = await openSite({ faults: [fault(PATH, EXPIRED, 1)] });
    await expectText(site, csv(create("INV-1", "100", "EUR", UNTIL)));
    expect(await settle(site)).toEqual([]);
    expect(site.arrived(PATH)).toBe(2);
    const [kept] = await expectations(site);
    expect(kept?.rateAsked).toBeUndefined();
    expect(answerRows(site, ANSWER).get("INV-1")).toMatchObject({ rateUntil: "", address: kept?.address });
  });

  test("is replaced by one for `expected.rateMinutes`", async () => {
    const site = await openSite(
      { faults: [fault(PATH, EXPIRED, 1)] },
      { PAYDROP_EXPECTED_RATE_MINUTES: "30" },
    );
    await expectText(site, csv(create("INV-1", "100", "EUR", UNTIL)));
    expect(await settle(site)).toEqual([]);
    const [kept] = await expectations(site);
    const minutes = (Date.parse(kept?.rateAsked ?? "") - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(20);
    expect(minutes).toBeLessThan(31);
  });

  test("leads to no second request if the look finds a deposit or is incomplete", async () => {
    const committed = { ...EXPIRED, committed: true };
    const site = await openSite({ faults: [fault(PATH, committed, 1)] });
    await expectText(site, csv(create("INV-1", "100", "EUR", UNTIL)));
    await settle(site);
    // It was created in spite of the answer.
    expect(site.arrived(PATH)).toBe(1);
    expect(await expectations(site)).toMatchObject([{ address: expect.any(String) }]);
    const unseen = await openSite({
      faults: [
        fault(PATH, EXPIRED, 1),
        fault(FIND, { kind: "wrong-filters" }, 2),
        fault(FIND, { kind: "wrong-filters" }, 3),
      ],
    });
    await expectText(unseen, csv(create("INV-1", "100", "EUR", UNTIL)));
    await settle(unseen);
    expect(unseen.arrived(PATH)).toBe(1);
  });
});

describe("an address", () => {
  const wrong = (field: string, value: string): FaultEffect => ({ kind: "wrong-echo", field, value });
  const BECH = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

  test.each([
    [
      "with a mistake in it",
      "receiverAddress",
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
      "is no address",
    ],
    ["of another network", "receiverAddress", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "not of Bitcoin"],
    ["of another reference", "reference", "INV-9", "reference INV-9 instead of INV-1"],
    ["of another customer", "customerId", "Eve", "customerId Eve instead of Ada"],
    ["of another account", "accountId", "6f1cbb7e-0000-4000-8000-000000000002", "accountId"],
  ])("%s is not shown", async (_what, field, value, why) => {
    const site = await openSite();
    await expectText(site, csv(create("INV-1")));
    site.sandbox.setFaults([fault(FIND, wrong(field, value))]);
    expect(await settle(site)).toMatchObject([
      { code: "EXPECTED_ADDRESS_UNFIT", message: expect.stringContaining(why) },
    ]);
    expect(answerRows(site, ANSWER).get("INV-1")).toMatchObject({ address: "" });
    site.sandbox.setFaults([]);
    await settle(site);
    expect(answerRows(site, ANSWER).get("INV-1")?.["address"]).toMatch(/^bc1|^[13]/);
  });

  test("that differs from the creation's answer is an alarm, and is not shown", async () => {
    const site = await openSite({}, SYNCHRONOUSLY);
    await expectText(site, csv(create("INV-1")));
    site.sandbox.setFaults([fault(FIND, wrong("receiverAddress", BECH))]);
    expect(await settle(site)).toMatchObject([{ code: "EXPECTED_ADDRESS_CHANGED" }]);
    expect(answerRows(site, ANSWER).get("INV-1")).toMatchObject({ address: "" });
  });

  test("that changes after it was shown is an alarm, and none is shown again, even if it changes back", async () => {
    const site = await openSite();
    await expectText(site, csv(create("INV-1")));
    await settle(site);
    const address = answerRows(site, ANSWER).get("INV-1")?.["address"];
    expect(address).toMatch(/^bc1|^[13]/);
    site.sandbox.setFaults([fault(FIND, wrong("receiverAddress", BECH))]);
    await trackStep(site.workplace);
    expect(await settle(site)).toMatchObject([
      { code: "EXPECTED_ADDRESS_CHANGED", message: expect.stringContaining(`from ${address} to ${BECH}`) },
    ]);
    site.sandbox.setFaults([]);
    await trackStep(site.workplace);
    await settle(site);
    const row = answerRows(site, ANSWER).get("INV-1");
    expect(row?.["address"]).toBe("");
    expect(row?.["note"]).toContain("changed the address");
  });
});
