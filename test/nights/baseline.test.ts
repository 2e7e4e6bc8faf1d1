import { expect, test } from "vitest";
import { ledgerStep } from "../../src/books/index.ts";
import { createDepositStep, createPayoutStep } from "../../src/index.ts";
import { DAY_MS, shifted } from "../../src/model/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { DEPOSITS, PAYOUTS } from "../../src/observation/index.ts";
import { demoSeed } from "../../src/sandbox/index.ts";
import { recordSightings } from "../../src/store/observed.ts";
import { deposit, parseJson, payout } from "../../src/wire/index.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { livingLater } from "../quiet-seed.ts";
import { bookedBy } from "../site/booked-by.ts";
import { ADDRESS, byClock, DEPOSIT, openSite, TREASURY } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

const SAVINGS = "6f1cbb7e-0000-4000-8000-000000000002";
const ID_OF = (number: number) => `6f1cbb7e-0000-4000-8000-0000000000e${number}`;

test("a baseline tells what it could not read, which will be a break instead of being before our time", async () => {
  const content = [STRANGER, { ...STRANGER, payoutId: "unreadable" }];
  const shown = JSON.stringify({ results: { content, totalPages: 1, totalElements: 2 } });
  const odd = await startOddService(({ path, answer }) => (path === FIND ? void answer(200, shown) : false));
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  expect(await baselineStep(workplace, "ann")).toMatchObject({
    payoutsBefore: 1,
    problems: [{ code: "SERVICE_ANSWER_UNREADABLE", message: expect.stringContaining("payoutId") }],
  });
});

test("a custody account whose balance the service does not show is named by the baseline and by each comparison", async () => {
  interface Balances {
    balances: { accountId: string; btcBalance: { total: { currency: string; amount: number } } }[];
  }
  let changed = ({ balances: [first] }: Balances): Balances["balances"] => (first ? [first] : []);
  const odd = await startOddService(({ path, honest, answer }) => {
    if (path !== "/accounts/balance") return false;
    const body = JSON.parse(honest().body) as Balances;
    return void answer(200, JSON.stringify({ ...body, balances: changed(body) }));
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  const codes = async () => (await baselineStep(workplace, "ann")).problems.map(({ code }) => code);
  expect(await codes()).toEqual(["CUSTODY_ACCOUNT_NOT_SHOWN"]);
  const unproved = {
    severity: "warning",
    sentence: expect.stringMatching(/savings-btc has no opening balance/),
  };
  const ofBalances = async () =>
    (await reconcileStep(workplace)).breaks.filter(({ kind }) => kind === "balance");
  expect(await ofBalances()).toMatchObject([unproved]);

  changed = ({ balances }) =>
    balances.map(({ accountId }) => ({ accountId, btcBalance: { total: { currency: "LTC", amount: 3 } } }));
  expect(await codes()).toEqual(["CUSTODY_ACCOUNT_DIFFERS", "CUSTODY_ACCOUNT_DIFFERS"]);
  expect(await ofBalances()).toHaveLength(2);

  // A balance listed twice alike counts once; two different ones count as none.
  changed = ({ balances }) => [...balances, ...balances];
  expect(await codes()).toEqual([]);
  changed = ({ balances }) =>
    [3, 4].flatMap((amount) =>
      balances.map((each) => ({ ...each, btcBalance: { total: { currency: "BTC", amount } } })),
    );
  await expect(baselineStep(workplace, "ann")).rejects.toMatchObject({
    problem: { code: "SERVICE_ANSWER_UNREADABLE", message: expect.stringContaining("has 3 BTC and 4 BTC") },
  });
});

/**
 * A service whose one payout leaves during the first reading of balances; if `restless`, one more unit leaves at
 * each reading.
 */
async function serviceInMotion(restless: boolean) {
  const told = { readings: 0 };
  const odd = await startOddService(({ path, honest, answer }) => {
    if (path === "/accounts/balance") {
      const body = JSON.parse(honest().body) as { balances: [{ btcBalance: { total: { amount: number } } }] };
      told.readings += 1;
      body.balances[0].btcBalance.total.amount = 12 - (restless ? told.readings / 1024 : 0);
      answer(200, JSON.stringify(body));
      return true;
    }
    if (path !== FIND) return false;
    const sentFunds = { txHash: "4a5e", amount: STRANGER.requestedAmount };
    const state = told.readings > 0 ? { payoutState: "SENT", sentFunds } : { payoutState: "SENDING" };
    const content = [{ ...STRANGER, ...state }];
    answer(200, JSON.stringify({ results: { content, totalPages: 1, totalElements: 1 } }));
    return true;
  });
  return openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url }).workplace;
}

test("a payout that leaves between the pages and the balances is before our time, and no balance is off for ever", async () => {
  const workplace = await serviceInMotion(false);
  expect(await baselineStep(workplace, "ann")).toMatchObject({ isAtRest: true, payoutsBefore: 1 });
  expect((await reconcileStep(workplace)).breaks.filter(({ kind }) => kind === "balance")).toEqual([]);
});

/** A service whose one payout is created and leaves between the sweep and the balances. */
async function serviceWithNewPayout(balance: (hasLeft: boolean) => number, asked = 1) {
  let sweeps = 0;
  const odd = await startOddService(({ path, honest, answer }) => {
    if (path === "/accounts/balance") {
      const body = JSON.parse(honest().body) as { balances: [{ btcBalance: { total: { amount: number } } }] };
      body.balances[0].btcBalance.total.amount = balance(sweeps >= asked);
      answer(200, JSON.stringify(body));
      return true;
    }
    if (path !== FIND) return false;
    const sentFunds = { txHash: "4a5e", amount: STRANGER.requestedAmount };
    const content = sweeps < asked ? [] : [{ ...STRANGER, payoutState: "SENT", sentFunds }];
    sweeps += 1;
    const results = { content, totalPages: content.length, totalElements: content.length };
    answer(200, JSON.stringify({ results }));
    return true;
  });
  return openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url }).workplace;
}

test("a payout that was made and has left since the sweep is before our time", async () => {
  const workplace = await serviceWithNewPayout(() => 12);
  expect(await baselineStep(workplace, "ann")).toMatchObject({ isAtRest: true, payoutsBefore: 1 });
  expect((await reconcileStep(workplace)).breaks.filter(({ kind }) => kind === "balance")).toEqual([]);
});

test("a payout that was made and has left since a comparison's sweep is no alarm of the balance", async () => {
  const sweepsOfBaseline = 2;
  const left = STRANGER.requestedAmount.amount;
  const workplace = await serviceWithNewPayout((hasLeft) => (hasLeft ? 12 - left : 12), sweepsOfBaseline + 1);
  expect(await baselineStep(workplace, "ann")).toMatchObject({ isAtRest: true, payoutsBefore: 0 });
  const { breaks } = await reconcileStep(workplace);
  expect(breaks.filter(({ kind }) => kind === "balance")).toEqual([]);
  expect(breaks.filter(({ kind }) => kind === "unexpected")).toHaveLength(1);
});

test("a baseline that money never stops moving under says so", async () => {
  const workplace = await serviceInMotion(true);
  expect(await baselineStep(workplace, "ann")).toMatchObject({ isAtRest: false });
});

test.each([
  ["what a comparison has seen", { isCompared: true, daysAhead: 0 }],
  ["what a comparison has seen by a clock that was a year ahead", { isCompared: true, daysAhead: 365 }],
  ["what it is the first to see", { isCompared: false, daysAhead: 0 }],
])(
  "a later baseline, as one more custody account needs it, keeps nothing from the books: %s",
  async (_what, { isCompared, daysAhead }) => {
    const { workplace, sandbox } = await openSite({ seed: livingLater(1_800_000) });
    const { clock } = workplace.context;
    await baselineStep(workplace, "ann");
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    sandbox.operator.passTime(3_600_000); // its seed then has a payout that nobody asked for, and deposits
    if (isCompared) await reconcileStep(byClock(workplace, () => shifted(clock.now(), daysAhead * DAY_MS)));
    expect(await baselineStep(workplace, "ann")).toMatchObject({ payoutsBefore: 0, payoutsBooked: 2 });

    const { entries } = await bookedBy(workplace);
    const booked = [...new Set(entries.map(({ reference }) => reference))].sort();
    expect(booked).toEqual(["DEP-2026-0001", "DEP-2026-0002", "DEP-2026-0003", "EXT-7731", "PAY-1"]);
  },
);

test("what was there before the first baseline is not booked, but for a payment of ours", async () => {
  const { workplace, sandbox } = await openSite({ seed: demoSeed });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  sandbox.operator.passTime(3_600_000);
  expect(await baselineStep(workplace, "ann")).toMatchObject({ payoutsBefore: 1, payoutsBooked: 1 });
  await baselineStep(workplace, "ann");
  const { entries } = await bookedBy(workplace);
  expect(entries.map(({ narration }) => narration)).toEqual([expect.stringContaining("PAY-1")]);
});

test("what a deposit from before the baseline receives after it is not booked, and somebody is told", async () => {
  const { workplace, sandbox } = await openSite();
  const { depositId = "" } = await createDepositStep(workplace, DEPOSIT);
  const part = { afterMs: 0, confirmAfterMs: 0, confirmations: 1 };
  sandbox.operator.receiveFunds(depositId, [{ amount: "0.4", ...part }]);
  await baselineStep(workplace, "ann");
  expect(await ledgerStep(workplace)).toMatchObject({ posted: 0, notBooked: [] });

  sandbox.operator.receiveFunds(depositId, [{ amount: "0.6", ...part }]);
  sandbox.operator.passTime(60_000);
  expect((await reconcileStep(workplace)).balanceProof).toMatchObject([{ ties: true }, { ties: true }]);
  const reason = "it was there before the baseline, and 0.6 BTC moved since: book that in the ERP";
  expect(await ledgerStep(workplace)).toMatchObject({
    posted: 0,
    notBooked: [{ sourceId: depositId, reference: "DEP-1", reason }],
  });
});

test.each([
  ["shown on", true],
  ["gone", false],
])(
  "what the opening balances hold is not booked because another deposit, or the receiving side of a transfer, shows it later, its own being %s",
  async (_what, isShown) => {
    const { workplace } = await openSite();
    const { store } = workplace;
    const rate = { rate: 50_000, fromCurrency: { currencyCode: "BTC" }, toCurrency: { currencyCode: "EUR" } };
    const moved = (txHash: string, confirmedDate: string) => {
      const amount = { currency: "BTC", amount: 0.5 };
      return { txHash, transactionId: `of ${txHash}`, amount, confirmedDate, rate };
    };
    const see = (kind: "payout" | "deposit", id: string, shown: object) => {
      const state = "COMPLETED";
      const raw = JSON.stringify({
        [`${kind}Id`]: id,
        [`${kind}State`]: state,
        accountId: TREASURY,
        ...shown,
      });
      const sighting =
        kind === "payout"
          ? PAYOUTS.sightingOf(payout.parse(parseJson(raw)))
          : DEPOSITS.sightingOf(deposit.parse(parseJson(raw)));
      return store.write(() => recordSightings(kind, [{ ...sighting, raw }], new Date().toISOString()));
    };
    const [before, since] = [moved("aa", "2026-01-01T00:00:00Z"), moved("bb", new Date().toISOString())];
    const sent = moved("cc", "2026-01-01T00:00:00Z");
    const requestedAmount = sent.amount;
    await see("deposit", ID_OF(1), { receivedFunds: [before] });
    await see("payout", ID_OF(2), { requestedAmount, destinationAccountId: SAVINGS, sentFunds: sent });
    await baselineStep(workplace, "ann");

    if (isShown) await see("deposit", ID_OF(1), { receivedFunds: [before] });
    await see("deposit", ID_OF(3), { receivedFunds: [before] });
    await see("deposit", ID_OF(4), { accountId: SAVINGS, receivedFunds: [sent] });
    await see("deposit", ID_OF(5), { receivedFunds: [before, since], duplicatedFromDepositId: ID_OF(1) });
    const { entries, problems, notBooked } = await bookedBy(workplace);
    expect(entries.map(({ sourceId, kind }) => [sourceId, kind])).toEqual([
      [ID_OF(5), "deposit-receipt"],
      [ID_OF(5), "deposit-apply"],
    ]);
    const held = {
      code: "LEDGER_FACT_UNCLEAR",
      depositId: ID_OF(3),
      message: expect.stringContaining(ID_OF(1)),
    };
    expect(problems).toMatchObject(isShown ? [held] : []);
    const setAside = isShown ? [] : [ID_OF(3)];
    expect(notBooked.map(({ sourceId }) => sourceId)).toEqual([...setAside, ID_OF(4), ID_OF(5)]);
  },
);

test("a later baseline tells each alarm that ends with it, so that following one advice loses no other", async () => {
  const { workplace, folder, environment, sandbox } = await openSite();
  const baseline = () => paydropInTurn(folder, ["reconcile", "baseline"], environment);
  const paidElsewhere = async (reference: string) => {
    const payout = {
      accountId: TREASURY,
      reference,
      amount: "0.015",
      destinationAddress: ADDRESS,
      afterMs: 0,
    };
    sandbox.operator.payElsewhere(payout);
    const shown = () => paydropInTurn(folder, ["payouts", "find"], environment);
    await expect
      .poll(async () => (await shown()).stdout, { interval: 250 })
      .toMatch(new RegExp(`${reference}.* COMPLETED`));
  };
  await paidElsewhere("EXT-0");
  const first = await baseline();
  expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("before our time: 1 payout") });
  await paidElsewhere("EXT-1");
  await reconcileStep(workplace);
  const told = await baseline();
  expect(told.exitCode).toBe(4);
  expect(told.stdout).toMatch(
    /This closes these alarms; .*\n +alarm unexpected: Payout \S+ \(.*"EXT-1"\) exists/,
  );
  expect((await reconcileStep(workplace)).openBreaks).toEqual([]);
  const last = await baseline();
  expect(last).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining("alarm") });
});
