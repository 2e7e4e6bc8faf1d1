/** `ledger verify` finds entries that posting step by step can have missed. */
import { expect, test } from "vitest";
import { ledgerStep, ledgerVerifyStep } from "../../src/books/index.ts";
import { createPayoutStep, trackStep, type Workplace } from "../../src/index.ts";
import { run, sql } from "../../src/store/sql.ts";
import { depositOf, OPENING, receiptOf, SAVINGS, scriptedNights } from "../site/scripted-nights.ts";
import { ADDRESS, openSite } from "../site/service.ts";

test("agrees with what was posted, and counts it", async () => {
  const { workplace } = await bookedSite();
  expect(await ledgerVerifyStep(workplace)).toMatchObject({ entries: 1, payouts: 1, differences: [] });
});

test("names a sum that is one cent off", async () => {
  const { workplace } = await bookedSite();
  await workplace.store.write(() => run(sql`update ledger_sum set debit = debit || '1' where debit <> '0'`));
  const { differences } = await ledgerVerifyStep(workplace);
  expect(differences.length).toBeGreaterThan(0);
  for (const difference of differences) expect(difference).toMatch(/^The running sums of .* add up to /);
});

test("names an entry that should be there and is not, and one that books what was never shown", async () => {
  const { workplace } = await bookedSite();
  await workplace.store.write(() => run(sql`update entry set source_id = 'another'`));
  const [payout] = await workplace.store.read(() => sightings());
  expect((await ledgerVerifyStep(workplace)).differences).toEqual([
    `payout:${payout?.id}:settle:1 books another, which was never seen.`,
    `payout:${payout?.id}:settle:1 should be posted.`,
  ]);
});

test("agrees where an address that made a payout an own transfer is shown as ours no longer", async () => {
  const { shown, night, workplace } = await scriptedNights({ pays: ["PAY-1"] });
  const sentFunds = { ...receiptOf("a", 0.05, inOneHour()), fee: { currency: "BTC", amount: 0.0001 } };
  shown.payout = { payoutState: "COMPLETED", sentFunds };
  shown.balance = OPENING - 0.0501;
  const open = (receiverAddress: string) =>
    depositOf(DEPOSIT, [], { accountId: SAVINGS, depositState: "CREATED", receiverAddress });
  const nights = [];
  for (const address of [ADDRESS, "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"]) {
    shown.deposits = [open(address)];
    const { booked } = await night(inOneHour().confirmedDate);
    const { differences } = await ledgerVerifyStep(workplace);
    nights.push({ booked: booked.map((each) => each.split(" ")[0]), differences });
  }
  expect(nights).toEqual([
    { booked: ["transfer"], differences: [] },
    { booked: ["payout-reverse", "payout-settle"], differences: [] },
  ]);
});

const DEPOSIT = "6f1cbb7e-0000-4000-8000-0000000000a1";

function inOneHour() {
  const at = new Date(Date.now() + 3_600_000).toISOString();
  return { createdDate: at, confirmedDate: at };
}

function* sightings() {
  return (yield sql`select id from observed where kind = 'payout'`) as unknown as readonly {
    readonly id: string;
  }[];
}

async function bookedSite(): Promise<{ readonly workplace: Workplace }> {
  const { workplace } = await openSite({ stepMs: 1 });
  const cells = {
    ...{ reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS },
    generalLedgerName: "Contractors",
  };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  expect(await ledgerStep(workplace)).toMatchObject({ posted: 1, problems: [] });
  return { workplace };
}
