/**
 * Cases that real services showed over three nights, each beside an ordinary one that looks like it: the first is
 * reported, once, and the second opens no break.
 */
import { describe, expect, test } from "vitest";
import { ledgerVerifyStep, settleHeldStep } from "../../src/books/index.ts";
import { explainStep } from "../../src/index.ts";
import { DAY_MS, shifted } from "../../src/model/index.ts";
import { baselineStep, reconcileStep, settleStep } from "../../src/nights/index.ts";
import { depositOf, OPENING, RATE, receiptOf, SAVINGS, scriptedNights } from "../site/scripted-nights.ts";
import { byClock } from "../site/service.ts";
import { longTest } from "../slice.ts";

const idOf = (name: string) => `6f1cbb7e-0000-4000-8000-0000000000${name}`;
const [A, B, C] = [idOf("a1"), idOf("b1"), idOf("c1")];
const now = () => new Date().toISOString();
const hoursAgo = (hours: number) => shifted(now(), -hours * 3_600_000);
const btc = (amount: number) => ({ currency: "BTC", amount });
const eur = (amount: number) => ({ currency: "EUR", amount });

const unconfirmed = (name: string, amount: number, hours: number) =>
  receiptOf(name, amount, {
    state: "UNCONFIRMED",
    createdDate: hoursAgo(hours),
    confirmedDate: undefined,
    confirmations: 0,
  });
const confirmed = (name: string, amount: number, changes: object = {}) =>
  receiptOf(name, amount, { createdDate: hoursAgo(1), confirmedDate: hoursAgo(1), ...changes });

/** A payout of 0.05 BTC with these funds; it costs no fee, so that the balance is easy to say. */
const sent = (payoutState: string, ...sentFunds: readonly object[]) => ({ payoutState, sentFunds });

describe("a deposit", () => {
  test("whose receipt was replaced counts the confirmed one; what is left is named once, and ended by a person", async () => {
    const { shown, night, workplace } = await scriptedNights();
    const asked = { requestedAmountInCryptoAtFixedRate: btc(0.007), depositState: "RECEIVING_FUNDS" };
    shown.balance = OPENING + 0.007;
    const left = unconfirmed("1", 0.007, 1);
    const beside = depositOf(B, [confirmed("3", 0.004), confirmed("4", 0.003)], asked);
    shown.deposits = [depositOf(A, [left], asked), beside];
    shown.balance = OPENING + 0.014;
    expect(await night()).toMatchObject({ open: [], ties: true });
    shown.deposits = [
      depositOf(A, [left, confirmed("2", 0.007)], { ...asked, depositState: "COMPLETED" }),
      beside,
    ];
    const second = await night();
    expect(second).toMatchObject({ open: [], ties: true, held: [], treasury: "0.014" });
    expect(second.booked).toEqual(["deposit-apply a1", "deposit-receipt a1"]);
    const third = await night(shifted(now(), 3 * 3_600_000));
    expect(third).toMatchObject({ open: ["unconfirmed-too-long"], ties: true });
    expect(third.breaks[0]).toMatchObject({ depositId: A, sentence: expect.stringContaining("settle this") });
    await settleStep(workplace, { names: [A], person: "tess", reason: "replaced" });
    expect(await night(shifted(now(), 4 * 3_600_000))).toMatchObject({ open: [], ties: true });
  });

  test("that is paid twice is over once the second payment is confirmed, and its balance ties all along", async () => {
    const { shown, night } = await scriptedNights();
    const asked = { requestedAmountInCryptoAtFixedRate: btc(0.007) };
    shown.deposits = [depositOf(A, [confirmed("1", 0.007), unconfirmed("2", 0.007, 1)], asked)];
    shown.balance = OPENING + 0.014;
    expect(await night()).toMatchObject({ open: [], ties: true });
    shown.deposits = [depositOf(A, [confirmed("1", 0.007), confirmed("2", 0.007)], asked)];
    expect(await night()).toMatchObject({ open: ["deposit-over"], ties: true });
    expect(await night()).toMatchObject({ fresh: [], ties: true });
  });

  test("with two unconfirmed receipts of one amount and a fee ties with one of them and with both", async () => {
    const { shown, night } = await scriptedNights();
    const both = [unconfirmed("1", 0.007, 1), unconfirmed("2", 0.007, 0.5)].map((each) => ({
      ...each,
      fee: btc(0.0001),
    }));
    shown.deposits = [depositOf(A, both, { depositState: "RECEIVING_FUNDS" })];
    for (const received of [0.007, 0.014]) {
      shown.balance = OPENING + received;
      expect(await night()).toMatchObject({ open: [], ties: true });
    }
  });

  test("whose receipt was replaced twice counts the confirmed one", async () => {
    const { shown, night } = await scriptedNights();
    const replaced = [unconfirmed("1", 0.007, 1), unconfirmed("2", 0.007, 0.5)];
    shown.deposits = [depositOf(A, [...replaced, confirmed("3", 0.007)])];
    shown.balance = OPENING + 0.007;
    const first = await night();
    expect(first).toMatchObject({ open: [], ties: true, held: [], treasury: "0.007" });
    expect(first.booked).toEqual(["deposit-apply a1", "deposit-receipt a1"]);
  });

  test("is applied once a controller has settled a receipt that stays unconfirmed", async () => {
    const { shown, night, workplace } = await scriptedNights();
    // Replaced by a transaction that pays less, since its fee is higher.
    shown.deposits = [depositOf(A, [unconfirmed("1", 0.00700001, 1), confirmed("2", 0.007)])];
    shown.balance = OPENING + 0.007;
    expect(await night()).toMatchObject({ booked: ["deposit-receipt a1"] });
    const settle = { names: [A], person: "tess", reason: "replaced" };
    await settleHeldStep(workplace, settle);
    expect(await night()).toMatchObject({ booked: ["deposit-apply a1"], held: [] });
    expect(await night()).toMatchObject({ booked: [], held: [] });
    expect(await ledgerVerifyStep(workplace)).toMatchObject({ differences: [] });
  });

  test("asked for in euro at a fixed rate is judged by that rate, unless it had expired", async () => {
    const { shown, night } = await scriptedNights();
    const other = {
      ...RATE,
      rate: 0.0000125,
      fromCurrency: RATE.toCurrency,
      toCurrency: RATE.fromCurrency,
    };
    const came: readonly (readonly [amount: number, changes: object, kind?: string, words?: string])[] = [
      [
        0.00125,
        {},
        "deposit-under",
        "0.00125 BTC of 0.0125 BTC: 0.01125 BTC (900 EUR at its fixed rate) are missing",
      ],
      [0.0135, {}, "deposit-over", "0.001 BTC too much (80 EUR at its fixed rate)"],
      [0.01, { expiryDate: hoursAgo(5) }, "deposit-late", ""],
      [0.0125, {}],
      // As near as the smallest units allow.
      [0.01234568, { fixedExchangeRate: { ...RATE, rate: 81000 } }],
      [0.0125, { fixedExchangeRate: other }],
    ];
    shown.balance = Number((OPENING + came.reduce((sum, [amount]) => sum + amount, 0)).toFixed(8));
    shown.deposits = came.map(([amount, changes], at) =>
      depositOf(idOf(`d${at}`), [confirmed(String(at), amount)], {
        requestedAmountInFiat: eur(1000),
        fixedExchangeRate: RATE,
        ...changes,
      }),
    );
    const first = await night();
    expect(first.ties).toBe(true);
    const expected = came.flatMap(([, , kind], at) => (kind === undefined ? [] : [[idOf(`d${at}`), kind]]));
    expect(first.breaks.map(({ depositId, kind }) => [depositId, kind]).sort()).toEqual(expected);
    for (const [at, [, , kind, words = ""]] of came.entries())
      if (kind !== undefined)
        expect(first.breaks.find(({ depositId }) => depositId === idOf(`d${at}`))?.sentence).toContain(words);
    // Each is booked by that rate, and a shortfall is named once.
    expect(first.held).toEqual(["LEDGER_SHORT d0", "LEDGER_SHORT d2"]);
    expect(first.booked).toEqual(
      ["apply", "receipt"].flatMap((kind) => came.map((_, at) => `deposit-${kind} d${at}`)),
    );
    expect(await night()).toMatchObject({ fresh: [], ties: true, booked: [], held: [] });
  });

  test("with money unconfirmed for longer than allowed is named, completed or not", async () => {
    const { shown, night } = await scriptedNights();
    const states = ["RECEIVING_FUNDS", "RECEIVING_FUNDS", "COMPLETED", "COMPLETED"];
    const id = (at: number) => idOf(`d${at}`);
    const asked = { requestedAmountInCryptoAtFixedRate: btc(0.006) };
    shown.balance = OPENING + 0.024;
    shown.deposits = states.map((depositState, at) =>
      depositOf(id(at), [unconfirmed(String(at), 0.006, at % 2 === 0 ? 5 : 1)], { ...asked, depositState }),
    );
    const { breaks } = await night();
    expect(breaks.map(({ kind, depositId }) => `${kind} ${depositId}`).sort()).toEqual(
      [0, 2].map((at) => `unconfirmed-too-long ${id(at)}`),
    );
    expect(await night()).toMatchObject({ fresh: [], ties: true });
    shown.deposits = states.map((_, at) =>
      depositOf(id(at), [confirmed(String(at), 0.006)], { ...asked, depositState: "COMPLETED" }),
    );
    expect(await night()).toMatchObject({ open: [], ties: true });
  });

  test("that goes back from COMPLETED is an alarm until it is completed again", async () => {
    const { shown, night } = await scriptedNights();
    shown.balance = OPENING + 0.007;
    const of = (depositState: string) => depositOf(A, [confirmed("1", 0.007)], { depositState });
    shown.deposits = [of("COMPLETED")];
    expect(await night()).toMatchObject({ open: [] });
    shown.deposits = [of("RECEIVING_FUNDS")];
    const second = await night();
    expect(second.breaks).toMatchObject([
      { kind: "state-went-back", severity: "alarm", expected: "COMPLETED" },
    ]);
    shown.deposits = [of("COMPLETED")];
    expect(await night()).toMatchObject({ open: [] });
  });
});

describe("a payout", () => {
  test("that was replaced by another transaction counts the confirmed one", async () => {
    const { shown, night } = await scriptedNights({ pays: ["INV-1"] });
    shown.balance = OPENING - 0.05;
    const first = unconfirmed("1", 0.05, 1);
    shown.payout = sent("SENT", first);
    expect(await night()).toMatchObject({ open: [], ties: true });
    shown.payout = sent("SENT", first, { ...unconfirmed("2", 0.05, 1), createdDate: hoursAgo(0.5) });
    expect(await night()).toMatchObject({ open: [], ties: true });
    shown.payout = sent("COMPLETED", first, confirmed("2", 0.05, { fee: btc(0.0001) }));
    shown.balance = OPENING - 0.0501;
    expect(await night()).toMatchObject({ open: [], ties: true });
    const later = await night(shifted(now(), 3 * 3_600_000));
    expect(later).toMatchObject({ open: ["unconfirmed-too-long"], ties: true });
  });

  test("that was really sent twice is an alarm", async () => {
    const { shown, night } = await scriptedNights({ pays: ["INV-1"] });
    shown.balance = OPENING - 0.1;
    shown.payout = sent("COMPLETED", confirmed("1", 0.05), confirmed("2", 0.05));
    expect(await night()).toMatchObject({ open: ["sent-amount"], ties: true });
  });

  describe("that lists the movement of another one", () => {
    const one = sent("COMPLETED", confirmed("1", 0.05));
    const claimed = ["sent-claimed-twice"];

    test("is named and held while the balance says that money left once, or says neither", async () => {
      const { shown, night, workplace } = await scriptedNights({ pays: ["INV-1", "INV-2"] });
      shown.payout = one;
      shown.balance = OPENING - 0.05;
      const first = await night();
      expect(first).toMatchObject({ open: claimed, ties: true, booked: [], treasury: undefined });
      expect(first.breaks[0]?.sentence).toMatch(
        /^Payout \S+ \(0\.05 BTC to \S+, "INV-\d"\) and payout \S+ list 0\.05 BTC in 1+, .* the money left once\./,
      );
      expect(first.held).toHaveLength(2);
      for (const reference of ["INV-1", "INV-2"])
        expect((await explainStep(workplace, reference)).breaks).toEqual([first.breaks[0]?.sentence]);
      shown.balance = OPENING - 0.07;
      expect(await night()).toMatchObject({ open: ["balance", ...claimed], ties: false, booked: [] });
      shown.balance = OPENING - 0.1;
      const last = await night();
      expect(last).toMatchObject({ open: [], ties: true, held: [], treasury: "-0.1" });
      shown.balance = OPENING - 0.05;
      expect(await night()).toMatchObject({ open: ["balance"], booked: [], held: [] });
      expect(await ledgerVerifyStep(workplace)).toMatchObject({ differences: [] });
    });

    longTest("is held alone where the other one was booked before", async () => {
      const { shown, night, workplace, payMore } = await scriptedNights({ pays: ["INV-1"] });
      shown.payout = one;
      shown.balance = OPENING - 0.05;
      expect(await night()).toMatchObject({ open: [], ties: true, treasury: "-0.05" });
      await payMore("INV-2");
      const second = await night();
      expect(second).toMatchObject({ open: claimed, ties: true, booked: [], treasury: "-0.05" });
      expect(second.held).toHaveLength(1);
      expect(await ledgerVerifyStep(workplace)).toMatchObject({ differences: [] });
    });

    test("is booked once a controller has settled the other one, which is booked only if it left too", async () => {
      const { shown, night, workplace } = await scriptedNights({ pays: ["INV-1", "INV-2"] });
      shown.payout = one;
      shown.balance = OPENING - 0.05;
      await night();
      const settle = { person: "tess", reason: "the transaction paid the other one" };
      await settleHeldStep(workplace, { names: ["INV-2"], ...settle });
      const ledgerSide = { ties: true, held: [], treasury: "-0.05" };
      expect(await night()).toMatchObject({ open: claimed, ...ledgerSide, booked: [expect.any(String)] });
      const [{ id } = { id: "" }] = (await night()).breaks;
      await settleStep(workplace, { names: [id], ...settle });
      expect(await night()).toMatchObject({ open: [], ...ledgerSide, booked: [] });
      expect(await ledgerVerifyStep(workplace)).toMatchObject({ differences: [] });
      shown.balance = OPENING - 0.1;
      expect(await night()).toMatchObject({ open: [], ties: true, held: [], treasury: "-0.1" });
    });

    longTest(
      "is booked for each once a person says so, and an alarm if the balance then says once",
      async () => {
        const { shown, night, workplace } = await scriptedNights({ pays: ["INV-1", "INV-2"] });
        shown.payout = one;
        shown.balance = OPENING - 0.11;
        const { breaks } = await night();
        const names = breaks.filter(({ kind }) => kind === "sent-claimed-twice").map(({ id }) => id);
        await settleStep(workplace, { names, person: "tess", reason: "two outputs" });
        expect(await night()).toMatchObject({ open: ["balance"], held: [], treasury: "-0.1" });
        shown.balance = OPENING - 0.05;
        expect(await night()).toMatchObject({
          open: ["ledger-treasury", ...claimed],
          ties: true,
          booked: [],
        });
      },
    );

    longTest("stays held and named after a baseline, whose balance includes it", async () => {
      const { shown, night, workplace } = await scriptedNights({ pays: ["INV-1", "INV-2"] });
      shown.payout = one;
      shown.balance = OPENING - 0.05;
      await night();
      await baselineStep(workplace, "ann");
      for (const _ of ["first", "second"])
        expect(await night()).toMatchObject({ open: claimed, ties: true, booked: [], treasury: undefined });
    });

    longTest(
      "opens nothing after a baseline where a balance has shown before that money left for each",
      async () => {
        const { shown, night, workplace } = await scriptedNights({ pays: ["INV-1", "INV-2"] });
        shown.payout = one;
        shown.balance = OPENING - 0.1;
        expect(await night()).toMatchObject({ open: [], treasury: "-0.1" });
        await baselineStep(workplace, "ann");
        expect(await night()).toMatchObject({ open: [], ties: true, booked: [], treasury: "-0.1" });
      },
    );

    longTest("counts once at the account that is paid too", async () => {
      const { shown, night, payTo } = await scriptedNights();
      await payTo(SAVINGS, "OWN-1", "OWN-2");
      shown.payout = one;
      shown.balance = OPENING - 0.05;
      shown.savings = 3.05;
      expect(await night()).toMatchObject({ open: claimed, ties: true, booked: [] });
      shown.balance = OPENING - 0.1;
      expect(await night()).toMatchObject({ open: claimed, ties: true, booked: [] });
      shown.savings = 3.1;
      expect(await night()).toMatchObject({ open: [], ties: true, held: [], treasury: "-0.1" });
    });

    test("is ordinary in every other case: another output, another transaction", async () => {
      const { shown, night, payMore } = await scriptedNights({ pays: ["INV-1"] });
      shown.payout = one;
      shown.balance = OPENING - 0.05;
      expect(await night()).toMatchObject({ open: [], ties: true });
      await payMore("INV-2");
      shown.payout = ({ payoutId }) =>
        sent("COMPLETED", confirmed("1", 0.05, { transactionId: `of ${payoutId}` }));
      shown.balance = OPENING - 0.1;
      expect(await night()).toMatchObject({ open: [], ties: true, held: [], treasury: "-0.1" });
    });
  });

  test("in two transactions that add up is no break, confirmed or not", async () => {
    const { shown, night } = await scriptedNights({ pays: ["INV-1"] });
    shown.balance = OPENING - 0.05;
    shown.payout = sent("SENT", confirmed("1", 0.03), unconfirmed("2", 0.02, 1));
    expect(await night()).toMatchObject({ open: [], ties: true });
    shown.payout = sent("COMPLETED", confirmed("1", 0.03), confirmed("2", 0.02));
    const booked = await night();
    expect(booked).toMatchObject({ open: [], ties: true, held: [], treasury: "-0.05" });
    expect(booked.booked).toHaveLength(1);
    expect(await night()).toMatchObject({ open: [], ties: true, booked: [] });
  });

  test("that goes back from COMPLETED is an alarm until it is completed again, on another day", async () => {
    const { shown, night } = await scriptedNights({ pays: ["INV-1"] });
    shown.balance = OPENING - 0.05;
    shown.payout = sent("COMPLETED", confirmed("1", 0.05));
    expect(await night()).toMatchObject({ open: [], ties: true });
    shown.payout = sent("SENT", unconfirmed("1", 0.05, 9));
    const second = await night();
    expect(second.breaks).toMatchObject([
      { kind: "state-went-back", severity: "alarm", expected: "COMPLETED", found: "SENT" },
    ]);
    // One matter, one break: it is not reported also as stuck or as unconfirmed for too long.
    expect(await night(shifted(now(), DAY_MS))).toMatchObject({ open: ["state-went-back"], fresh: [] });
    shown.payout = sent("COMPLETED", confirmed("1", 0.05));
    expect(await night()).toMatchObject({ open: [], ties: true });
  });

  test("that was SENDING and is CREATED has gone back, for a day too; once it was SENT, that is an alarm", async () => {
    const { shown, night } = await scriptedNights({ pays: ["INV-1"] });
    shown.payout = sent("SENDING");
    expect(await night()).toMatchObject({ open: [] });
    shown.payout = sent("CREATED");
    expect((await night()).breaks).toMatchObject([{ kind: "state-went-back", severity: "warning" }]);
    expect(await night(shifted(now(), DAY_MS))).toMatchObject({ open: ["state-went-back"], fresh: [] });
    const funds = confirmed("1", 0.05);
    shown.balance = OPENING - 0.05;
    shown.payout = sent("SENT", funds);
    expect(await night()).toMatchObject({ open: [], ties: true });
    shown.payout = sent("SIGNING", funds);
    expect((await night()).breaks).toMatchObject([{ kind: "state-went-back", severity: "alarm" }]);
  });

  test("that is authorized and waits for a cosigner again has not gone back", async () => {
    const { shown, night } = await scriptedNights({ pays: ["INV-1"] });
    for (const state of [
      "AUTHORIZED",
      "COSIGNER_AUTHORIZATIONS_PENDING",
      "COSIGNER_AUTHORIZED",
      "AUTHORIZED",
    ]) {
      shown.payout = sent(state);
      expect(await night()).toMatchObject({ open: [] });
    }
  });

  test.each(["SENT", "COMPLETED"])(
    "that is %s and unconfirmed for longer than allowed is one break, and none before",
    async (state) => {
      const { shown, night } = await scriptedNights({ pays: ["INV-1"] });
      shown.balance = OPENING - 0.05;
      shown.payout = sent(state, unconfirmed("1", 0.05, 1));
      expect(await night()).toMatchObject({ open: [], ties: true });
      expect(await night(shifted(now(), DAY_MS))).toMatchObject({ open: ["unconfirmed-too-long"] });
      shown.payout = sent("COMPLETED", confirmed("1", 0.05));
      expect(await night()).toMatchObject({ open: [], ties: true });
    },
  );
});

test("a break that comes, goes and comes again is new, also where somebody settled the first one", async () => {
  const { shown, night, workplace } = await scriptedNights();
  const of = (amount: number) =>
    depositOf(A, [confirmed("1", amount)], { requestedAmountInCryptoAtFixedRate: btc(0.007) });
  shown.balance = OPENING + 0.008;
  shown.deposits = [of(0.008)];
  expect(await night()).toMatchObject({ open: ["deposit-over"] });
  await settleStep(workplace, { names: [A], person: "tess", reason: "paid back" });
  expect(await night()).toMatchObject({ open: [] });
  [shown.balance, shown.deposits] = [OPENING + 0.007, [of(0.007)]];
  expect(await night()).toMatchObject({ open: [] });
  [shown.balance, shown.deposits] = [OPENING + 0.008, [of(0.008)]];
  expect(await night()).toMatchObject({ open: ["deposit-over"], fresh: ["deposit-over"] });
});

test("an answer without any element proves nothing, until what was shown is older than watchDays", async () => {
  const { shown, workplace } = await scriptedNights();
  const from = now();
  const on = async (day: number) => {
    const { depositSweep, problems } = await reconcileStep(
      byClock(workplace, () => shifted(from, day * DAY_MS)),
    );
    return { complete: depositSweep.complete, problems: problems.map(({ message }) => message) };
  };
  const whole = { complete: true, problems: [] };
  expect(await on(1)).toEqual(whole);
  [shown.balance, shown.deposits] = [OPENING + 0.01, [depositOf(A, [receiptOf("1", 0.01)])]];
  for (const day of [2, 4]) expect(await on(day)).toEqual(whole);
  shown.deposits = [];
  const empty = {
    complete: false,
    problems: [expect.stringContaining("although a deposit was shown until")],
  };
  for (const day of [5, 33]) expect(await on(day)).toEqual(empty);
  expect(await on(35)).toEqual(whole);
});

test("confirmations that count on, and what is written otherwise, are no change", async () => {
  const { shown, night, workplace } = await scriptedNights({ pays: ["INV-1"] });
  const at = "2026-11-20T12:00:00.000Z";
  const dated = (createdDate: string) => ({ createdDate, confirmedDate: createdDate });
  const showing = (amount: number, confirmations: number, createdDate: string) => {
    shown.deposits = [
      depositOf(A, [receiptOf("a", amount, { confirmations, ...dated(createdDate) })], {
        requestedAmountInCryptoAtFixedRate: btc(amount),
      }),
    ];
    shown.payout = sent("COMPLETED", confirmed("b", 0.05, { confirmations, ...dated(createdDate) }));
  };
  const respelt = <Shown extends object>(element: Shown): Shown =>
    JSON.parse(
      JSON.stringify(element)
        .replaceAll('"BTC"', '"btc"')
        .replaceAll(/[ab]{64}/g, (hash) => hash.toUpperCase()),
    );
  shown.balance = OPENING - 0.05 + 0.043;
  showing(0.043, 6, at);
  expect(await night()).toMatchObject({ open: [], ties: true });
  showing(4.3e-2, 150, "2026-11-20T17:30:00.000+0530");
  [shown.deposits, shown.payout] = [shown.deposits.map(respelt), respelt(shown.payout)];
  const { payoutSweep, depositSweep, breaks } = await reconcileStep(workplace);
  expect({ breaks, changes: [...payoutSweep.changes, ...depositSweep.changes] }).toEqual({
    breaks: [],
    changes: [],
  });
  expect(await night()).toMatchObject({ open: [], ties: true, booked: [] });
});

test("a rate that is filled in later and a negative fee are read as they are", async () => {
  const { shown, night } = await scriptedNights();
  const odd = (rate: object | null) => [
    depositOf(A, [confirmed("1", 0.01, { rate })]),
    depositOf(C, [confirmed("2", 0.02, { fee: btc(-0.001) })]),
  ];
  shown.balance = OPENING + 0.03;
  shown.deposits = odd(null);
  const first = await night();
  expect(first).toMatchObject({ open: [], ties: true });
  expect(first.held).toContain("LEDGER_RATE_MISSING a1");
  shown.deposits = odd(RATE);
  for (const _ of [2, 3])
    expect(await night()).toMatchObject({ open: [], ties: true, held: [], treasury: "0.03" });
});
