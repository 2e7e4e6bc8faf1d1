import { describe, expect, test } from "vitest";
import type { ObservedDeposit, ObservedFunds, ObservedPayout } from "../../../src/model/index.ts";
import { amountOf } from "../../../src/money/index.ts";
import type { ReconciliationPolicy } from "../../../src/nights/rules/index.ts";
import { type ReconciliationInput, reconcile } from "./reconcile-at-once.ts";
import {
  CONFIGURED,
  deposit,
  inputOf,
  instruction,
  NOW,
  POLICY,
  payoutOf,
  RECENTLY,
  received,
  SAVINGS,
  TREASURY,
  YESTERDAY,
} from "./world.ts";

const balanceOf = (custodyAccountId: typeof TREASURY, total: string) => ({
  custodyAccountId,
  total: amountOf(total, "BTC"),
  observedAt: NOW,
});
const openingOf = (custodyAccountId: typeof TREASURY, total: string, observedAt = YESTERDAY) => ({
  custodyAccountId,
  total: amountOf(total, "BTC"),
  observedAt,
});

function prove(parts: Partial<ReconciliationInput>, policy: Partial<ReconciliationPolicy> = {}) {
  const { balanceProof, breaks } = reconcile(inputOf(parts), { ...POLICY, ...CONFIGURED, ...policy });
  const rows = balanceProof.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value?.toString()])),
  );
  return { rows, balanceBreaks: breaks.filter(({ kind }) => kind === "balance") };
}

describe("balance proof", () => {
  const asked = instruction(1);

  test("ties to the last digit: opening + received - sent - fees", () => {
    const { rows, balanceBreaks } = prove({
      instructions: [asked],
      payouts: [payoutOf(asked)],
      deposits: [deposit(1)],
      openings: [openingOf(TREASURY, "1")],
      balances: [balanceOf(TREASURY, "0.99747850")],
    });
    expect(rows).toMatchObject([
      {
        opening: "1",
        received: "0.0125",
        sent: "0.015",
        fees: "0.0000215",
        expected: "0.9974785",
        ties: "true",
      },
    ]);
    expect(balanceBreaks).toEqual([]);
  });

  test.each([
    ["what was sent", "1.0125", "note"],
    ["what was received", "0.98497850", "note"],
    ["both", "1", "note"],
    ["and one unit more", "0.99999999", "alarm"],
    ["what was received, though it is confirmed", "0.98497850", "alarm", "CONFIRMED"],
  ])(
    "a total that leaves out what is not confirmed yet (%s: %s) is told as %s",
    (_, total, severity, state = "UNCONFIRMED") => {
      const unconfirmed = { state };
      const sent = payoutOf(asked);
      const came = deposit(1);
      const { balanceBreaks } = prove({
        instructions: [asked],
        payouts: [{ ...sent, sentFunds: sent.sentFunds.map((funds) => ({ ...funds, ...unconfirmed })) }],
        deposits: [
          { ...came, receivedFunds: came.receivedFunds.map((funds) => ({ ...funds, ...unconfirmed })) },
        ],
        openings: [openingOf(TREASURY, "1")],
        balances: [balanceOf(TREASURY, total)],
      });
      expect(balanceBreaks).toMatchObject([{ severity }]);
    },
  );

  test("two payouts that both show the fee of their one transaction tie under the rule that is true, and the other rule is named", () => {
    const both = [asked, instruction(2)];
    const payouts = both.map((one) => {
      const sentFunds = payoutOf(one).sentFunds.map((funds) => ({ ...funds, txHash: "shared" }));
      return { ...payoutOf(one), sentFunds };
    });
    const fees = prove({ instructions: both, payouts, openings: [openingOf(TREASURY, "1")] }).rows[0];
    expect(fees).toMatchObject({ fees: "0.0000430", sharedFees: "0.0000215" });
    const once = { openings: [openingOf(TREASURY, "1")], balances: [balanceOf(TREASURY, "0.96997850")] };
    const { balanceBreaks } = prove({ instructions: both, payouts, ...once });
    expect(balanceBreaks[0]?.sentence).toContain("the other value of `ledger.batchFee` makes it tie");
    const under = prove({ instructions: both, payouts, ...once }, { batchFee: "wholeTransaction" });
    expect(under).toMatchObject({ rows: [{ fees: "0.0000215", ties: "true" }], balanceBreaks: [] });
  });

  test("of payouts of one transaction the lowest id bears the fee, in whatever order they come, among those that bear fees since the baseline", () => {
    const sharing = (row: number, fee: string, changes: Partial<ObservedPayout> = {}) => {
      const payout = payoutOf(instruction(row), changes);
      const [funds] = payout.sentFunds;
      return { ...payout, sentFunds: [{ ...funds, txHash: "shared", fee: amountOf(fee, "BTC") }] };
    };
    const openings = [openingOf(TREASURY, "1")];
    const whole = (parts: Partial<ReconciliationInput>) =>
      prove({ openings, ...parts }, { batchFee: "wholeTransaction" });
    const first = sharing(1, "0.00002");
    const second = sharing(2, "0.00003");
    const third = sharing(3, "0.00005");
    for (const payouts of [
      [first, second],
      [second, first],
      [first, third, second],
      [third, first, second],
    ])
      expect(whole({ payouts }).rows[0]).toMatchObject({ fees: "0.00002", unconfirmedOut: "0" });

    const unsaid = sharing(1, "0");
    expect(whole({ payouts: [unsaid, second] }).rows[0]).toMatchObject({ fees: "0.00003" });

    const payouts = [first, sharing(2, "0.00003", { subtractFee: true })];
    expect(whole({ payouts }).rows[0]).toMatchObject({ fees: "0.00005", sharedFees: "0" });
    const ignoredPayoutIds = new Set([first.payoutId]);
    expect(whole({ payouts: [first, second], ignoredPayoutIds }).rows[0]).toMatchObject({
      fees: "0.00005",
      sharedFees: "0",
    });

    const unconfirmed = {
      ...second,
      sentFunds: second.sentFunds.map((funds) => ({ ...funds, state: "UNCONFIRMED" })),
    };
    const balances = [balanceOf(TREASURY, "0.98498")];
    expect(whole({ payouts: [first, unconfirmed], balances }).balanceBreaks).toMatchObject([
      { severity: "note" },
    ]);
  });

  test("does not tie when one unit is missing, and tells every figure", () => {
    const { rows, balanceBreaks } = prove({
      instructions: [asked],
      payouts: [payoutOf(asked)],
      openings: [openingOf(TREASURY, "1")],
      balances: [balanceOf(TREASURY, "0.98497849")],
    });
    expect(rows[0]).toMatchObject({ difference: "-0.00000001", ties: "false" });
    expect(balanceBreaks).toMatchObject([
      {
        id: `balance:custody-account:${TREASURY}`,
        severity: "alarm",
        sentence:
          "Custody account treasury-btc should hold 0.9849785 BTC (opening 1 + received 0 + transferred in 0 - sent 0.015 - fees 0.0000215), but the service says 0.98497849 BTC: 0.00000001 BTC too little.",
      },
    ]);
  });

  test("does not count the fee twice under subtractFee, shown net or gross", () => {
    const net = instruction(1, { fields: { subtractFee: true } });
    const shownNet = payoutOf(net);
    const [funds] = shownNet.sentFunds;
    const shownGross = payoutOf(net, { sentFunds: [{ ...funds, amount: amountOf("0.015", "BTC") }] });
    for (const payout of [shownNet, shownGross]) {
      const { rows } = prove({
        payouts: [payout],
        openings: [openingOf(TREASURY, "1")],
        balances: [balanceOf(TREASURY, "0.985")],
      });
      expect(rows).toMatchObject([{ sent: "0.0149785", fees: "0.0000215", ties: "true" }]);
    }
  });

  test("nor where the fee comes on top and the sent amount holds it, as the ledger books it", () => {
    const asked = instruction(1);
    const [funds] = payoutOf(asked).sentFunds;
    const { rows, balanceBreaks } = prove({
      instructions: [asked],
      payouts: [payoutOf(asked, { sentFunds: [{ ...funds, amount: amountOf("0.0150215", "BTC") }] })],
      openings: [openingOf(TREASURY, "1")],
      balances: [balanceOf(TREASURY, "0.9849785")],
    });
    expect(rows).toMatchObject([{ sent: "0.015", fees: "0.0000215", ties: "true" }]);
    expect(balanceBreaks).toEqual([]);
  });

  test("counts unconfirmed movements in both directions, as the service's total does", () => {
    const { rows } = prove({
      payouts: [
        payoutOf(asked, {
          state: "SENDING",
          sentFunds: [{ amount: amountOf("0.015", "BTC"), state: "UNCONFIRMED" }],
        }),
      ],
      deposits: [
        deposit(1, {
          state: "RECEIVING_FUNDS",
          receivedFunds: [{ amount: amountOf("0.1", "BTC"), state: "UNCONFIRMED" }],
        }),
      ],
      openings: [openingOf(TREASURY, "1")],
      balances: [balanceOf(TREASURY, "1.085")],
    });
    expect(rows[0]?.["ties"]).toBe("true");
  });

  const transfer = instruction(2, { fields: { destinationAccountId: SAVINGS } });
  const { destinationAddress: _, ...toAccount } = transfer.fields;
  const own = payoutOf({ ...transfer, fields: toAccount });
  const bothAccounts = {
    payouts: [own],
    openings: [openingOf(TREASURY, "1"), openingOf(SAVINGS, "0")],
    balances: [balanceOf(SAVINGS, "0.015"), balanceOf(TREASURY, "0.9849785")],
  };

  test("credits an own transfer to the custody account that gets it", () => {
    const { rows } = prove(bothAccounts);
    expect(rows).toMatchObject([
      { custodyAccountId: TREASURY, sent: "0.015", ties: "true" },
      { custodyAccountId: SAVINGS, transferredIn: "0.015", received: "0", ties: "true" },
    ]);
  });

  test("a payout of which a part is not confirmed yet counts as not confirmed on both sides", () => {
    const [funds] = own.sentFunds;
    const part = { amount: amountOf("0.005", "BTC"), createdAt: RECENTLY, txHash: "tx-2b" };
    const sentFunds = [{ ...funds, amount: amountOf("0.01", "BTC") }, part];
    const balances = [balanceOf(SAVINGS, "0"), balanceOf(TREASURY, "1")];
    const { balanceBreaks } = prove({ ...bothAccounts, payouts: [{ ...own, sentFunds }], balances });
    expect(balanceBreaks).toMatchObject([{ severity: "note" }, { severity: "note" }]);
    expect(prove({ ...bothAccounts, balances }).balanceBreaks).toMatchObject([
      { severity: "alarm" },
      { severity: "alarm" },
    ]);
  });

  test("does not credit an own transfer twice when the receiving side lists it as a deposit too", () => {
    const seen = deposit(3, { custodyAccountId: SAVINGS, receivedFunds: [received("tx-2", "0.015")] });
    expect(prove({ ...bothAccounts, deposits: [seen] }).balanceBreaks).toEqual([]);
    const [{ txHash: _unshown, ...unhashed } = {}] = own.sentFunds;
    const byId = { ...own, sentFunds: [{ ...unhashed, transactionId: "id-2" }] };
    const listed = { ...received("tx-2", "0.015"), transactionId: "id-2" };
    const sameId = deposit(3, { custodyAccountId: SAVINGS, receivedFunds: [listed] });
    expect(prove({ ...bothAccounts, payouts: [byId], deposits: [sameId] }).balanceBreaks).toEqual([]);
    const another = deposit(4, { custodyAccountId: SAVINGS, receivedFunds: [received("tx-2", "0.015")] });
    expect(prove({ ...bothAccounts, deposits: [seen, another] }).balanceBreaks).toEqual([]);
    // Another output of the transaction, to another address, is separate money.
    const at = (receiverAddress: string, one: typeof seen) => ({ ...one, receiverAddress });
    const outputs = [at("bc1qone", seen), at("bc1qother", another)];
    expect(prove({ ...bothAccounts, deposits: outputs }).balanceBreaks).toHaveLength(1);
    const beside = deposit(5, { custodyAccountId: SAVINGS, receivedFunds: [received("tx-2", "0.002")] });
    expect(prove({ ...bothAccounts, deposits: [beside] }).balanceBreaks).toHaveLength(1);
    const [{ txHash: _hash, ...nameless } = {}] = own.sentFunds;
    const unnamed = deposit(6, {
      custodyAccountId: SAVINGS,
      receivedFunds: [{ amount: amountOf("0.015", "BTC") }],
    });
    const payouts = [{ ...own, sentFunds: [nameless] }];
    expect(prove({ ...bothAccounts, payouts, deposits: [unnamed] }).balanceBreaks).toHaveLength(1);
  });

  test.each([
    ["two transactions", "tx-2b", ["0.01", "0.005"], []],
    ["two transactions, of which one is listed", "tx-2b", ["0.01"], []],
    ["one transaction that is listed as a whole", "tx-2", ["0.015"], []],
    ["one transaction that is listed as a whole and in parts", "tx-2", ["0.015", "0.01"], ["alarm"]],
  ])("does not credit an own transfer twice that took %s", (_how, second, amounts, severities) => {
    const [funds] = own.sentFunds;
    const first = { ...funds, amount: amountOf("0.01", "BTC") };
    const sentFunds = [first, { ...first, amount: amountOf("0.005", "BTC"), fee: undefined, txHash: second }];
    const receivedFunds = amounts.map((amount, index) => received(index === 0 ? "tx-2" : second, amount));
    const seen = deposit(3, { custodyAccountId: SAVINGS, receivedFunds });
    const payouts = [{ ...own, sentFunds }] as ObservedPayout[];
    const { balanceBreaks } = prove({ ...bothAccounts, payouts, deposits: [seen] });
    expect(balanceBreaks.map(({ severity }) => severity)).toEqual(severities);
  });

  test("does not count funds twice that a duplicated deposit lists again", () => {
    const original = deposit(1);
    const copy = deposit(2, {
      duplicatedFromDepositId: original.depositId,
      receivedFunds: original.receivedFunds,
    });
    const openings = [openingOf(TREASURY, "0")];
    const balances = [balanceOf(TREASURY, "0.0125")];
    expect(prove({ deposits: [copy, original], openings, balances }).balanceBreaks).toEqual([]);
    const [first, ...others] = original.receivedFunds;
    for (const change of [{ txHash: "in-2" }, { amount: amountOf("0.001", "BTC") }, { txHash: undefined }]) {
      const anew = { ...copy, receivedFunds: [{ ...first, ...change } as ObservedFunds, ...others] };
      expect(prove({ deposits: [anew, original], openings, balances }).balanceBreaks).toHaveLength(1);
    }
    const named = { ...copy, receivedFunds: [{ ...first, transactionId: "2" } as ObservedFunds, ...others] };
    expect(prove({ deposits: [named, original], openings, balances }).balanceBreaks).toEqual([]);
    const nameless = { receivedFunds: [{ amount: amountOf("0.0125", "BTC") }] };
    const both = [
      { ...original, ...nameless },
      { ...copy, ...nameless },
    ];
    expect(prove({ deposits: both, openings, balances }).rows[0]?.["received"]).toBe("0.0250");
  });

  test("of what existed before the baseline counts only what moved after it", () => {
    const old = deposit(1, {
      receivedFunds: [
        received("before", "0.5", "2026-11-18T00:00:00.000Z"),
        received("after", "0.25", RECENTLY),
      ],
    });
    const { rows } = prove({
      deposits: [old],
      ignoredDepositIds: new Set([old.depositId]),
      openings: [openingOf(TREASURY, "1")],
      balances: [balanceOf(TREASURY, "1.25")],
    });
    expect(rows).toMatchObject([{ received: "0.25", ties: "true" }]);
  });

  test("takes a failed payout's funds for moved only when they name a transaction", () => {
    const unsent = payoutOf(asked, {
      state: "SEND_FAILED",
      sentFunds: [{ amount: amountOf("0.015", "BTC") }],
    });
    const openings = [openingOf(TREASURY, "1")];
    expect(
      prove({ payouts: [unsent], openings, balances: [balanceOf(TREASURY, "1")] }).balanceBreaks,
    ).toEqual([]);
    const left = payoutOf(asked, { state: "SEND_FAILED" });
    expect(
      prove({ payouts: [left], openings, balances: [balanceOf(TREASURY, "0.9849785")] }).balanceBreaks,
    ).toEqual([]);
  });

  test("takes a deposit's fee for a memo, or takes it off by policy", () => {
    const costing = deposit(1, {
      receivedFunds: [{ ...received("in", "0.0125"), fee: amountOf("0.0005", "BTC") }],
    });
    const openings = [openingOf(TREASURY, "0")];
    expect(
      prove({ deposits: [costing], openings, balances: [balanceOf(TREASURY, "0.0125")] }).balanceBreaks,
    ).toEqual([]);
    expect(
      prove(
        { deposits: [costing], openings, balances: [balanceOf(TREASURY, "0.012")] },
        { depositFee: "deducted" },
      ).balanceBreaks,
    ).toEqual([]);
    const other = prove({ deposits: [costing], openings, balances: [balanceOf(TREASURY, "0.012")] });
    expect(other.balanceBreaks[0]?.sentence).toContain("the other value of `ledger.depositFee` makes it tie");
  });

  test("does not prove a custody account without an opening or a balance, and says which is missing", () => {
    const ignoredPayoutIds = new Set([payoutOf(asked).payoutId]);
    const before = { payouts: [payoutOf(asked)], ignoredPayoutIds, balances: [balanceOf(TREASURY, "1")] };
    expect(prove(before).rows).toMatchObject([{ sent: "0", found: "1", ties: "false" }]);
    expect(prove({ balances: [balanceOf(TREASURY, "1")] }).balanceBreaks).toMatchObject([
      { severity: "warning", sentence: expect.stringContaining("has no opening balance") },
    ]);
    expect(prove({ openings: [openingOf(TREASURY, "1")] }).balanceBreaks).toMatchObject([
      { severity: "warning", sentence: expect.stringContaining("the service gave no balance") },
    ]);
  });

  test("names a configured custody account that the service shows nothing of, or in another currency", () => {
    const unproved = [
      {
        severity: "warning",
        sentence: expect.stringContaining("gave no balance in BTC for `paydrop reconcile baseline`"),
      },
    ];
    expect(prove({}).balanceBreaks).toMatchObject(unproved);
    const total = amountOf("1", "LTC");
    const inLitecoin = {
      openings: [{ ...openingOf(TREASURY, "1"), total }],
      balances: [{ ...balanceOf(TREASURY, "1"), total }],
    };
    expect(prove(inLitecoin).balanceBreaks).toMatchObject(unproved);
  });

  test("counts in the row what it could not count in a figure", () => {
    const odd = deposit(1, {
      receivedFunds: [{ txHash: "x" }, { ...received("y", "1"), amount: amountOf("1", "LTC") }],
    });
    const { rows } = prove({
      deposits: [odd],
      openings: [openingOf(TREASURY, "1")],
      balances: [balanceOf(TREASURY, "1")],
    });
    expect(rows[0]).toMatchObject({ uncountedMovements: "2", ties: "true" });

    const litecoin = payoutOf(instruction(3, { fields: { amount: amountOf("0.5", "LTC") } }));
    const [funds] = payoutOf(asked).sentFunds;
    const nothing = amountOf("0", "ETH");
    const foreignFee = payoutOf(asked, {
      sentFunds: [
        { ...funds, fee: amountOf("0.1", "LTC") },
        { amount: amountOf("7", "LTC"), fee: nothing, txHash: "b", confirmedAt: RECENTLY },
      ],
    });
    const both = prove({
      payouts: [{ ...litecoin, destinationAccountId: SAVINGS }, foreignFee],
      openings: [openingOf(TREASURY, "1"), openingOf(SAVINGS, "0")],
      balances: [balanceOf(TREASURY, "0.985"), balanceOf(SAVINGS, "0")],
    });
    expect(both.rows).toMatchObject([
      { sent: "0.015", uncountedMovements: "3", ties: "true" },
      { transferredIn: "0", uncountedMovements: "1", ties: "true" },
    ]);
  });

  test("says of a difference the same while money moves: what a person settled is not open again each day", () => {
    const openings = [openingOf(TREASURY, "1")];
    const foundWith = (deposits: ObservedDeposit[], total: string) =>
      prove({ deposits, openings, balances: [balanceOf(TREASURY, total)] }).balanceBreaks;
    const [before] = foundWith([], "1.5");
    const [after] = foundWith([deposit(1)], "1.5125");
    const said = { severity: "alarm", field: "difference", found: "0.5" };
    expect([before, after]).toMatchObject([said, said]);
    expect(foundWith([deposit(1)], "1.5")).toMatchObject([{ ...said, found: "0.4875" }]);
  });

  test("names a custody account that nobody configured, once money arrives there: its balance is asked of no one", () => {
    const elsewhere = deposit(1, { custodyAccountId: SAVINGS });
    const others = { openings: [openingOf(TREASURY, "1")], balances: [balanceOf(TREASURY, "1")] };
    const { balanceBreaks } = prove({
      ...others,
      deposits: [elsewhere, deposit(2, { custodyAccountId: SAVINGS })],
    });
    expect(balanceBreaks).toMatchObject([
      {
        custodyAccountId: SAVINGS,
        severity: "warning",
        sentence: expect.stringContaining(
          "It is not in `custodyAccounts`, so its balance was not read. Add it",
        ),
      },
    ]);
    const unpaid = deposit(1, { custodyAccountId: SAVINGS, receivedFunds: [] });
    expect(prove({ ...others, deposits: [unpaid] }).balanceBreaks).toEqual([]);
    const ignoredDepositIds = new Set([elsewhere.depositId]);
    expect(prove({ ...others, deposits: [elsewhere], ignoredDepositIds }).balanceBreaks).toEqual([]);
  });
});
