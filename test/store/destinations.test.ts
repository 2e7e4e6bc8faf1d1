/** Where money went before. */
import { expect, test } from "vitest";
import {
  type BatchId,
  comparableDestination,
  type Instruction,
  type Standing,
} from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import {
  findEarlierPayments,
  findPayeesNeverPaidAt,
  listPaidDestinations,
} from "../../src/store/destinations.ts";
import { moveInstruction } from "../../src/store/instructions.ts";
import { recordSightings } from "../../src/store/observed.ts";
import { insertPayAgain } from "../../src/store/pay-again.ts";
import type { Transaction } from "../../src/store/sql.ts";
import { ADDRESS, drafts, NOW, openStore, storeApproved, tamper } from "./stored-batch.ts";

test("a destination counts as paid once a payment to it was accepted, not before", async () => {
  const store = openStore();
  const [only] = await storeApproved(store, drafts(1));
  const paid = () => store.read(() => listPaidDestinations([ADDRESS, "other"]));
  expect(await paid()).toEqual([]);
  if (only === undefined) throw new Error("a batch of one has one instruction");
  await store.write(() => moveInstruction(only.id, { to: "sending", at: NOW }));
  expect(await paid()).toEqual([]);
  await store.write(() => moveInstruction(only.id, { to: "accepted", at: NOW }));
  expect(await paid()).toEqual([ADDRESS]);
});

test("a payment that is made again on purpose repeats nothing", async () => {
  const store = openStore();
  const [earlier] = await storeApproved(store, drafts(1));
  if (earlier === undefined) throw new Error("a batch of one has one instruction");
  const payment = { destination: ADDRESS, amount: amountOf("0.001", "BTC") };
  const found = () =>
    store.read(() =>
      findEarlierPayments(
        [
          { ...payment, reference: "AGAIN-1" },
          { ...payment, reference: "OTHER-1" },
        ],
        { since: "2026-11-01T00:00:00.000Z" },
      ),
    );
  expect([...(await found()).keys()]).toEqual(["AGAIN-1", "OTHER-1"]);
  const again = { earlierId: earlier.id, reference: "AGAIN-1", reason: "failed", person: "ann", at: NOW };
  await store.write(() => insertPayAgain(again));
  expect([...(await found()).keys()]).toEqual(["OTHER-1"]);
  const third = drafts(1, () => ({ reference: "PAY-0" }));
  await storeApproved(store, third, "2026-11-10T09:30:00.000Z");
  expect((await found()).get("AGAIN-1")?.reference).toBe("PAY-0");
});

test("the newest earlier payment is named, none of the same batch, and undecided ones until the same was paid since", async () => {
  const store = openStore();
  const same = (reference: string, currency = "BTC") =>
    drafts(1, () => ({ reference, amount: amountOf("0.5", currency) }));
  const move = async ([only]: readonly Instruction[], ...standings: readonly Standing[]) => {
    if (only === undefined) throw new Error("a batch of one has one instruction");
    for (const to of standings) await store.write(() => moveInstruction(only.id, { to, at: NOW }));
  };
  const stored: Instruction[] = [];
  for (const day of ["18", "20", "19"]) {
    stored.push(...(await storeApproved(store, same(`DAY-${day}`), `2026-11-${day}T09:30:00.000Z`)));
  }
  const earlierThan = async (since: string, before?: BatchId, currency = "BTC") => {
    const compared = { reference: "NEW", destination: ADDRESS, amount: amountOf("0.5", currency) };
    const found = await store.read(() => findEarlierPayments([compared], { since, before }));
    return found.get("NEW")?.reference;
  };
  expect(await earlierThan("2026-11-01T00:00:00.000Z")).toBe("DAY-20");
  expect(await earlierThan("2026-11-01T00:00:00.000Z", stored[1]?.batchId)).toBe("DAY-19");
  expect(await earlierThan("2026-11-01T00:00:00.000Z", undefined, "LTC")).toBeUndefined();
  const tooLate = "2026-11-20T09:30:00.000Z";
  expect(await earlierThan(tooLate)).toBeUndefined();

  const inDoubt = stored.slice(2);
  await move(inDoubt, "sending");
  expect(await earlierThan(tooLate)).toBeUndefined();
  await move(inDoubt, "in doubt");
  expect(await earlierThan(tooLate)).toBe("DAY-19");
  await move(inDoubt, "abandoned");
  expect(await earlierThan(tooLate)).toBe("DAY-19");

  await move(stored, "sending", "accepted");
  const litecoin = await storeApproved(store, same("SINCE-LTC", "LTC"), "2026-11-19T10:00:00.000Z");
  await move(litecoin, "sending", "accepted");
  const sent = await storeApproved(store, same("SINCE"), "2026-11-19T10:30:00.000Z");
  await move(sent, "sending");
  expect(await earlierThan(tooLate)).toBe("DAY-19");
  await move(sent, "accepted");
  expect(await earlierThan(tooLate)).toBeUndefined();

  // What failed since has paid nothing.
  const id = "01a2004c-de6b-7555-850c-1753d24b0e45";
  await tamper(store, `update instruction set payout_id = '${id}' where reference = 'SINCE'`);
  const showing = (state: string) =>
    store.write(() =>
      recordSightings("payout", [{ id, reference: "SINCE", state, raw: `{"payoutState":"${state}"}` }], NOW),
    );
  await showing("COMPLETED");
  expect(await earlierThan(tooLate)).toBeUndefined();
  await showing("SEND_FAILED");
  expect(await earlierThan(tooLate)).toBe("DAY-19");
});

test("a payee is known where it was paid; elsewhere its usual address and the other name there are found", async () => {
  const store = openStore();
  const usual = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
  const other = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
  const fresh = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";
  const paid = [
    [usual, "Müller GmbH"],
    [usual, "Muller"],
    [other, "Schmidt & Co. KG"],
  ] as const;
  const stored = await storeApproved(
    store,
    drafts(paid.length, (row) => ({
      destinationAddress: paid[row - 1]?.[0],
      customerId: paid[row - 1]?.[1],
    })),
  );
  await store.write(function* (): Transaction<void> {
    for (const { id } of stored)
      for (const to of ["sending", "accepted"] as const) yield* moveInstruction(id, { to, at: NOW });
  });
  const at = (payee: string, destination: string) => ({
    payee,
    destination: comparableDestination(destination),
  });
  const asked = [at("muller", usual), at("muller", other), at("schmidt", fresh)];
  expect(await store.read(() => findPayeesNeverPaidAt(asked, {}))).toEqual([
    { asked: 1, usual, otherName: "Schmidt & Co. KG", otherBatch: stored[0]?.batchId, otherRow: 3 },
    { asked: 2 },
  ]);
  expect(await store.read(() => findPayeesNeverPaidAt(asked, { before: stored[0]?.batchId }))).toEqual(
    asked.map((_, index) => ({ asked: index })),
  );
});
