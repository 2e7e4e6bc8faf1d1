/**
 * Money that the service lists under another deposit than before, or under two: it came once, is booked once, and
 * is reported. Each case runs for three nights beside an ordinary one that looks like it.
 */
import { expect, test } from "vitest";
import { settleHeldStep } from "../../src/books/index.ts";
import { explainNamedStep, trackStep } from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { baselineStep, reconcileStep, settleStep } from "../../src/nights/index.ts";
import type { SandboxSeedInput } from "../../src/sandbox/index.ts";
import { seededDeposit } from "../../src/sandbox/seed.ts";
import { depositOf, nightAt, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { ADDRESS, openSite, type Site, TREASURY } from "../site/service.ts";

type Deposit = NonNullable<SandboxSeedInput["deposits"]>[number];

const HOUR = 3_600_000;
const idOf = (name: string) => `6f1cbb7e-0000-4000-8000-0000000000${name}`;
const [A, B, C] = [idOf("a1"), idOf("b1"), idOf("c1")];

const deposit = (depositId: string, changes: Partial<Deposit> = {}): Deposit => ({
  depositId,
  accountId: TREASURY,
  reference: `ORDER-${depositId.slice(-2)}`,
  ...changes,
});
const ADDRESSES = [ADDRESS, "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"];
const part = (amount: string, others: object = {}) => ({ amount, confirmAfterMs: 0, ...others });

/** A site after its baseline; `night` compares, books, and returns the news since the night before. */
async function threeNights(deposits: readonly Deposit[]) {
  const site = await openSite();
  await baselineStep(site.workplace, "ann");
  for (const each of deposits) site.sandbox.operator.openDeposit(seededDeposit.parse(each));
  site.sandbox.operator.passTime(1);
  return { ...site, night: (hours = 0) => nightAfter(site, hours) };
}

async function nightAfter({ sandbox, workplace }: Site, hours: number) {
  if (hours > 0) sandbox.operator.passTime(hours * HOUR);
  return nightAt(workplace);
}

test.each([
  ["the duplicate of its deposit", { duplicatedFromDepositId: A }],
  ["any other deposit", {}],
])("a receipt that moves to %s is booked once and named", async (_where, how) => {
  const moving = part("0.007", { afterMs: 2_000, movesTo: { depositId: B, afterMs: HOUR } });
  const { night, sandbox } = await threeNights([
    deposit(A, { expiryAfterMs: 1_000, parts: [moving] }),
    deposit(B, how),
    deposit(C, { parts: [part("0.007")] }),
  ]);
  sandbox.operator.passTime(3_000);
  const first = await night();
  expect(first).toMatchObject({ open: ["deposit-late"], ties: true });
  expect(first.booked).toEqual(["deposit-apply c1", "deposit-receipt a1", "deposit-receipt c1"]);

  const second = await night(1);
  expect(second).toMatchObject({ open: ["receipt-moved"], ties: true, held: [] });
  expect(second.breaks[0]?.sentence).toMatch(
    /^Deposit 6f1cbb7e\.\.\.00b1 \("ORDER-b1"\) now lists the receipt of 0\.007 BTC in \w+, which deposit 6f1cbb7e\.\.\.00a1/,
  );
  expect(second.booked).toEqual(["deposit-apply b1", "deposit-receipt b1", "deposit-reverse a1"]);
  const third = await night();
  expect(third).toMatchObject({ open: ["receipt-moved"], fresh: [], ties: true, booked: [], held: [] });
  expect([first, second, third].map(({ treasury }) => treasury)).toEqual(["0.014", "0.014", "0.014"]);
});

test("a replaced receipt and one with a fee count once, confirmed", async () => {
  const replaced = { fee: "0.0001", confirmAfterMs: 2 * HOUR, replacedAfterMs: HOUR / 2 };
  const { night } = await threeNights([deposit(A, { parts: [part("0.007", replaced)] })]);
  expect(await night()).toMatchObject({ open: [], ties: true, booked: [] });
  expect(await night(1)).toMatchObject({ open: [], ties: true, booked: [] });
  const third = await night(1);
  expect(third.booked).toEqual(["deposit-apply a1", "deposit-receipt a1"]);
  expect(third).toMatchObject({ open: [], ties: true, held: [], treasury: "0.007" });
  // The first transaction is still listed, unconfirmed.
  expect(third.reasons).toEqual([expect.stringContaining("seems to have replaced it")]);
});

test("a receipt that moves before it is booked, and one that moves back, are booked where they are listed", async () => {
  const late = { confirmAfterMs: 2 * HOUR, movesTo: { depositId: B, afterMs: HOUR } };
  const { night, workplace } = await threeNights([
    deposit(A, { parts: [part("0.007", late)] }),
    deposit(B, { duplicatedFromDepositId: A }),
  ]);
  expect(await night()).toMatchObject({ open: [], booked: [] });
  expect(await night(1)).toMatchObject({ open: ["receipt-moved"], ties: true, booked: [] });
  const third = await night(1);
  expect(third.booked).toEqual(["deposit-apply b1", "deposit-receipt b1"]);
  expect(third).toMatchObject({ open: ["receipt-moved"], fresh: [], ties: true, treasury: "0.007" });
  const [moved] = (await reconcileStep(workplace)).openBreaks;
  const decision = { names: [moved?.id ?? ""], person: "tess", reason: "one order" };
  await settleStep(workplace, decision);
  expect(await night()).toMatchObject({ open: [], ties: true, booked: [] });
});

test("a receipt that moved out of what the baseline covers is neither received nor booked again", async () => {
  const site = await openSite();
  const { operator } = site.sandbox;
  operator.openDeposit(
    seededDeposit.parse(deposit(A, { parts: [part("0.007", { movesTo: { depositId: B, afterMs: HOUR } })] })),
  );
  operator.passTime(1);
  await baselineStep(site.workplace, "ann");
  operator.openDeposit(seededDeposit.parse(deposit(B, { duplicatedFromDepositId: A })));
  expect(await nightAfter(site, 0)).toMatchObject({ open: [], ties: true, booked: [] });
  const second = await nightAfter(site, 1);
  expect(second).toMatchObject({ open: ["receipt-moved"], ties: true, booked: [] });
  expect(second.reasons).toEqual([`it came from deposit ${A}, which the baseline sets aside`]);
  expect(await nightAfter(site, 0)).toMatchObject({ fresh: [], ties: true, booked: [] });
});

test("what a deposit and its duplicate both list is one movement, and named", async () => {
  const { night } = await threeNights([
    deposit(A, { parts: [part("0.007")] }),
    deposit(B, {
      duplicatedFromDepositId: A,
      listsOriginal: true,
      parts: [part("0.002", { afterMs: HOUR })],
    }),
    deposit(C, { duplicatedFromDepositId: A }),
  ]);
  const first = await night();
  expect(first).toMatchObject({ open: ["deposit-duplicated"], ties: true, treasury: "0.007", held: [] });
  expect(first.booked).toEqual(["deposit-apply a1", "deposit-receipt a1"]);
  const second = await night(1);
  expect(second).toMatchObject({ open: ["deposit-duplicated"], fresh: [], ties: true, treasury: "0.009" });
  expect(await night()).toMatchObject({ fresh: [], ties: true, booked: [], treasury: "0.009" });
});

test("what ordinary deposits receive in equal amounts opens nothing, and each is booked", async () => {
  const { night } = await threeNights([
    deposit(A, { parts: [part("0.007"), part("0.007", { afterMs: HOUR })] }),
    deposit(B, { parts: [part("0.007")] }),
    deposit(C, { duplicatedFromDepositId: A, parts: [part("0.007", { afterMs: HOUR })] }),
  ]);
  expect(await night()).toMatchObject({ open: [], ties: true, treasury: "0.014", held: [] });
  expect(await night(1)).toMatchObject({ open: [], ties: true, treasury: "0.028", held: [] });
  expect(await night()).toMatchObject({ open: [], ties: true, booked: [], held: [] });
});

test("two unrelated deposits that list the same receipt are held and named, until one of them lists it no more", async () => {
  const { shown, night, workplace } = await scriptedNights();
  const receipt = receiptOf("f", 0.007, { transactionId: "TX-1" });
  shown.balance = OPENING + 0.007;
  shown.deposits = [depositOf(A, [receipt]), depositOf(B, [receipt])];
  const first = await night();
  expect(first).toMatchObject({ open: ["receipt-claimed-twice"], ties: true, booked: [] });
  expect(first.held).toEqual(["LEDGER_FACT_UNCLEAR a1", "LEDGER_FACT_UNCLEAR b1"]);
  for (const id of [A, B])
    expect(await explainNamedStep(workplace, id)).toMatchObject([{ breaks: [first.breaks[0]?.sentence] }]);
  expect(await night()).toMatchObject({ fresh: [], ties: true, booked: [] });
  shown.deposits = [depositOf(A, []), depositOf(B, [receipt])];
  const third = await night();
  expect(third).toMatchObject({ open: ["receipt-moved"], ties: true, treasury: "0.007", held: [] });
});

test("one of three deposits books their receipt once a controller has settled the others", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.balance = OPENING + 0.007;
  shown.deposits = [A, B, C].map((id) => depositOf(id, [receiptOf("f", 0.007)]));
  const { breaks } = await night();
  expect(breaks.map(({ depositId, expected }) => [depositId, expected])).toEqual([
    [A, B],
    [A, C],
  ]);
  for (const [name, booked] of [[A, []] as const, [C, ["deposit-apply b1", "deposit-receipt b1"]] as const]) {
    await settleHeldStep(workplace, { names: [name], person: "tess", reason: "it paid another order" });
    expect(await night()).toMatchObject({ ties: true, booked });
  }
  expect(await night()).toMatchObject({ fresh: [], ties: true, booked: [], held: [], treasury: "0.007" });
});

test("two equal outputs of one transaction stay two, to one deposit or to two addresses, also when one is no longer shown", async () => {
  const { shown, night } = await scriptedNights();
  const output = receiptOf("e", 0.007, { transactionId: "TX-2" });
  const at = (receiverAddress: string) => ({ receiverAddress });
  shown.balance = OPENING + 0.028;
  const [a, b, c] = ADDRESSES.map(at);
  shown.deposits = [depositOf(A, [output], a), depositOf(B, [output], b), depositOf(C, [output, output], c)];
  expect(await night()).toMatchObject({ open: [], ties: true, treasury: "0.028", held: [] });
  expect(await night()).toMatchObject({ open: [], ties: true, booked: [], held: [] });
  shown.deposits = [depositOf(A, [], a), ...shown.deposits.slice(1)];
  const third = await night();
  expect(third.open).not.toContain("receipt-moved");
  expect(third).toMatchObject({ ties: false, booked: [] });
  expect(new Set(third.held)).toEqual(new Set(["LEDGER_POSTED_FACT_GONE a1"]));
});

test.each([
  ["its transactionId", { transactionId: "TX-3" }, {}],
  ["its txHash", { txHash: undefined, transactionId: "TX-3" }, { transactionId: "TX-3" }],
])(
  "a receipt that shows %s later, or under its duplicate, stays one movement",
  async (_id, before, after) => {
    const { shown, night } = await scriptedNights();
    shown.balance = OPENING + 0.007;
    shown.deposits = [depositOf(A, [receiptOf("d", 0.007, before)])];
    expect(await night()).toMatchObject({ open: [], ties: true, treasury: "0.007" });
    shown.deposits = [depositOf(A, [receiptOf("d", 0.007, { transactionId: "TX-3", ...after })])];
    expect(await night()).toMatchObject({ open: [], ties: true, treasury: "0.007", held: [] });
    shown.deposits = [
      ...shown.deposits,
      depositOf(B, [receiptOf("d", 0.007)], { duplicatedFromDepositId: A }),
      depositOf(C, [receiptOf("d", 0.007, { transactionId: "TX-3" })], { duplicatedFromDepositId: B }),
    ];
    const third = await night();
    expect(third).toMatchObject({ ties: true, treasury: "0.007", booked: [], held: [] });
    expect(new Set(third.open)).toEqual(new Set(["deposit-duplicated"]));
  },
);

test.each([
  ["under another transactionId", { transactionId: "TX-4" }, { transactionId: "TX-5" }],
  ["with its hash in capitals", {}, { txHash: "A".repeat(64) }],
])("a receipt that moves %s is one movement", async (_how, before, after) => {
  const { shown, night } = await scriptedNights();
  shown.balance = OPENING + 0.007;
  shown.deposits = [depositOf(A, [receiptOf("a", 0.007, before)]), depositOf(B, [])];
  expect(await night()).toMatchObject({ open: [], treasury: "0.007" });
  shown.deposits = [depositOf(A, []), depositOf(B, [receiptOf("a", 0.007, after)])];
  expect(await night()).toMatchObject({ open: ["receipt-moved"], ties: true, treasury: "0.007", held: [] });
  expect(await night()).toMatchObject({ fresh: [], ties: true, booked: [], held: [] });
});

test("a receipt that an open deposit takes from an ended one between two nights is one movement", async () => {
  const { shown, night, workplace } = await scriptedNights();
  const [first, second] = ["6", "7"].map((name) => receiptOf(name, 0.007));
  const requested = { requestedAmountInCryptoAtFixedRate: first?.amount };
  const [a, b, c] = ADDRESSES.map((receiverAddress) => ({ receiverAddress, ...requested }));
  const open = depositOf(C, [], { ...c, depositState: "CREATED" });
  shown.balance = OPENING + 0.014;
  shown.deposits = [depositOf(A, [first ?? {}], a), depositOf(B, [second ?? {}], b), open];
  expect(await night()).toMatchObject({ open: [], ties: true, treasury: "0.014" });
  shown.deposits = [depositOf(A, [second ?? {}], a), depositOf(B, [], b), depositOf(C, [first ?? {}], c)];
  await trackStep(workplace);
  const moved = await night();
  expect(new Set(moved.open)).toEqual(new Set(["receipt-moved"]));
  expect(moved).toMatchObject({ ties: true, treasury: "0.014", held: [] });
  expect(await night()).toMatchObject({ fresh: [], ties: true, booked: [], held: [] });
});

test.each([[[A, B, C]], [[B, C, A]], [[C, B, A]]])(
  "a receipt that moves on through %s, and back, is booked once wherever it is",
  async (ids) => {
    const { shown, night } = await scriptedNights();
    shown.balance = OPENING + 0.007;
    const receivedAt = (at: number) =>
      ids.map((id, place) =>
        depositOf(id, place === at ? [receiptOf("8", 0.007)] : [], { receiverAddress: ADDRESSES[place] }),
      );
    for (const [number, at] of [0, 1, 2, 0, 1].entries()) {
      shown.deposits = receivedAt(at);
      const open = number === 0 ? [] : ["receipt-moved"];
      expect(await night()).toMatchObject({ open, ties: true, treasury: "0.007", held: [] });
    }
  },
);

test("a receipt whose deposit is shown no more is booked where it is listed, until both are shown", async () => {
  const { shown, night } = await scriptedNights();
  const receipt = receiptOf("9", 0.007);
  const requestedAmountInCryptoAtFixedRate = receipt.amount;
  const [a, b] = ADDRESSES.map((receiverAddress) => ({
    receiverAddress,
    requestedAmountInCryptoAtFixedRate,
  }));
  const start = new Date().toISOString();
  const on = (day: number) => shifted(start, day * 24 * HOUR);
  shown.balance = OPENING + 0.007;
  shown.deposits = [depositOf(A, [receipt], a)];
  await night(on(0));
  expect(await night(on(1))).toMatchObject({ open: [], treasury: "0.007" });
  shown.deposits = [depositOf(B, [receipt], b)];
  const third = await night(on(2));
  expect(third).toMatchObject({ open: ["receipt-moved"], ties: true, treasury: "0.007", held: [] });
  expect(third.reasons).toEqual([`deposit ${B} lists this receipt now`]);
  expect(await night(on(3))).toMatchObject({ fresh: [], ties: true, booked: [], held: [] });
  shown.balance = OPENING + 0.014;
  shown.deposits = [depositOf(A, [receipt], a), depositOf(B, [receipt], b)];
  expect(await night(on(4))).toMatchObject({ open: [], ties: true, treasury: "0.014", held: [] });
  shown.deposits = [depositOf(B, [receipt], b)];
  expect((await night(on(5))).open).not.toContain("receipt-moved");
  shown.deposits = [];
  expect(await night(on(6))).toMatchObject({ ties: true, treasury: "0.014", booked: [] });
});

test("a duplicate that was booked before its original lists the receipt hands it over, once", async () => {
  const { shown, night } = await scriptedNights();
  const receipt = receiptOf("c", 0.007);
  shown.balance = OPENING + 0.007;
  const duplicate = depositOf(B, [receipt], { duplicatedFromDepositId: A });
  shown.deposits = [depositOf(A, []), duplicate];
  expect(await night()).toMatchObject({ open: [], booked: ["deposit-apply b1", "deposit-receipt b1"] });
  shown.deposits = [depositOf(A, [receipt]), duplicate];
  const second = await night();
  expect(second).toMatchObject({ open: ["deposit-duplicated"], ties: true, treasury: "0.007", held: [] });
  expect(second.booked).toEqual([
    "deposit-apply a1",
    "deposit-receipt a1",
    "deposit-reverse b1",
    "deposit-reverse b1",
  ]);
  expect(await night()).toMatchObject({ fresh: [], ties: true, booked: [], treasury: "0.007", held: [] });
});

test("a receipt that moved stays booked where it was until it can be booked where it is", async () => {
  const { shown, night } = await scriptedNights();
  shown.balance = OPENING + 0.007;
  shown.deposits = [depositOf(A, [receiptOf("b", 0.007)]), depositOf(B, [])];
  expect(await night()).toMatchObject({ treasury: "0.007" });
  shown.deposits = [depositOf(A, []), depositOf(B, [receiptOf("b", 0.007, { rate: undefined })])];
  const second = await night();
  expect(second).toMatchObject({ open: ["receipt-moved"], booked: [], treasury: "0.007" });
  expect(new Set(second.held)).toEqual(new Set(["LEDGER_POSTED_FACT_GONE a1", "LEDGER_RATE_MISSING b1"]));
  shown.deposits = [depositOf(A, []), depositOf(B, [receiptOf("b", 0.007)])];
  expect(await night()).toMatchObject({ fresh: [], treasury: "0.007", held: [] });
});
