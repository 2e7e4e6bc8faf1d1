/** The destinations of earlier payments. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type BatchId,
  comparableDestination,
  endsOf,
  type Instruction,
  type Standing,
} from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import {
  findAddressesOf,
  findEarlierPayments,
  findPaidLookAlikes,
  findTwoPayeesAt,
  listNeverApprovedAt,
  listPaidDestinations,
} from "../../src/store/destinations.ts";
import { moveInstruction } from "../../src/store/instructions.ts";
import { recordSightings } from "../../src/store/observed.ts";
import { insertPayAgain } from "../../src/store/pay-again.ts";
import { run, sql, type Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { IS_ON_POSTGRES } from "../postgres.ts";
import { ADDRESS, drafts, NOW, openStore, storeApproved, tamper } from "./stored-batch.ts";

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

  // A payment that failed since has paid nothing.
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

test("a payee is known where a payment waits, was approved or was paid; only what was approved is asked about no more", async () => {
  const store = openStore();
  const usual = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
  const other = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
  const fresh = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";
  const known = [
    [usual, "Müller GmbH"],
    [usual, "Muller"],
    [other, "Schmidt & Co. KG"],
  ] as const;
  const stored = await storeApproved(
    store,
    drafts(known.length, (row) => ({
      destinationAddress: known[row - 1]?.[0],
      customerId: known[row - 1]?.[1],
    })),
  );
  const at = (payee: string, destination: string) => ({
    payee,
    destination: comparableDestination(destination),
  });
  const asked = [at("muller", usual), at("muller", other), at("schmidt", fresh)];
  const batch = stored[0]?.batchId;
  const muller = { payee: "muller", name: "Müller GmbH", batchId: batch, row: 1, destination: usual };
  const schmidt = { payee: "schmidt", name: "Schmidt & Co. KG", batchId: batch, row: 3, destination: other };
  const there = { payee: "muller", destination: usual, batchId: batch, id: expect.any(String) };
  const look = async (filter: Parameters<typeof findTwoPayeesAt>[1]) => ({
    never: await store.read(() => listNeverApprovedAt(asked, filter)),
    addresses: [...(await store.read(() => findAddressesOf(["muller", "nobody"], filter)))],
    payees: await store.read(() => findTwoPayeesAt([usual, other, fresh], filter)),
  });
  const payees = new Map([
    [usual, [muller]],
    [other, [schmidt]],
  ]);
  const expected = (isApproved: boolean) => ({
    never: isApproved ? asked.slice(1) : asked,
    addresses: [["muller", [{ ...there, isApproved }]]],
    payees,
  });
  expect(await look({})).toEqual(expected(true));
  await tamper(store, "update instruction set standing = 'received'");
  expect(await look({})).toEqual(expected(false));
  await tamper(store, "update instruction set standing = 'accepted'");
  expect(await look({})).toEqual(expected(true));
  const nothing = { never: asked, addresses: [], payees: new Map() };
  // The batch's own payments do not count.
  expect(await look({ than: batch })).toEqual(nothing);
  // Approved payments of a later batch count, unless they may have been approved after this one.
  const before = "B-000000" as BatchId;
  expect(await look({ than: before })).toEqual(expected(true));
  expect(await look({ than: before, onlyEarlier: true })).toEqual({ ...nothing, never: asked.slice(1) });
  await tamper(store, "update instruction set standing = 'received'");
  expect(await look({ than: before })).toEqual(nothing);
  for (const standing of ["refused", "withdrawn"]) {
    await tamper(store, `update instruction set standing = '${standing}'`);
    expect(await look({})).toEqual(nothing);
  }
});

test("among any payments exactly what is known is found: paid destinations, look-alikes, payees and their addresses", async () => {
  const ends = ["bc1qaaaa", "bc1qaaab", "1AAAA"].flatMap((start) =>
    ["0000wwww", "1111wwww", "2222zzzz"].map((rest) => `${start}${rest}`),
  );
  const payees = ["ann", "ben", "cy"];
  const payment = fc.record({
    destination: fc.constantFrom(...ends),
    payee: fc.constantFrom(...payees, undefined),
    standing: fc.constantFrom<Standing>(
      "accepted",
      "accepted",
      "received",
      "refused",
      "approved",
      "sending",
      "withdrawn",
    ),
  });
  const store = openStore();
  await fc.assert(
    fc.asyncProperty(fc.array(payment, { minLength: 1, maxLength: 30 }), async (payments) => {
      await tamper(store, "delete from instruction");
      await storePaid(store, payments);
      const accepted = payments.filter(({ standing }) => standing === "accepted");
      const paid = new Set(accepted.map(({ destination }) => destination));
      expect(new Set(await store.read(() => listPaidDestinations(ends)))).toEqual(paid);

      const alike = await store.read(() => findPaidLookAlikes(ends));
      for (const one of ends) {
        const others = [...paid].filter((other) => other !== one && haveSameEnds(one, other));
        const found = alike.get(one)?.destination;
        expect(found === undefined ? others.length === 0 : others.includes(found)).toBe(true);
      }

      const asked = payees.flatMap((payee) => ends.map((destination) => ({ payee, destination })));
      const known = payments.filter(({ standing }) => !["refused", "withdrawn"].includes(standing));
      const approved = known.filter(({ standing }) => standing !== "received");
      const isAmong = (some: typeof payments, pair: { payee: string; destination: string }) =>
        some.some(({ payee, destination }) => payee === pair.payee && destination === pair.destination);
      const never = asked.filter((pair) => !isAmong(approved, pair));
      expect(await store.read(() => listNeverApprovedAt(asked, {}))).toEqual(never);

      const two = await store.read(() => findTwoPayeesAt(ends, {}));
      const addresses = await store.read(() => findAddressesOf(payees, {}));
      for (const destination of ends) {
        const there = new Set(
          known.flatMap((each) => (each.destination === destination ? (each.payee ?? []) : [])),
        );
        const found = (two.get(destination) ?? []).map(({ payee }) => payee);
        expect(found).toEqual([...there].toSorted().slice(0, 2));
      }
      for (const payee of payees) {
        const found = (addresses.get(payee) ?? []).map(({ destination, isApproved }) => [
          destination,
          isApproved,
        ]);
        const expected = ends
          .filter((destination) => isAmong(known, { payee, destination }))
          .map((destination) => [destination, isAmong(approved, { payee, destination })]);
        expect(found.toSorted()).toEqual(expected.toSorted());
      }
    }),
    { numRuns: IS_ON_POSTGRES ? 20 : 100 },
  );
});

test("of 10,000 payments to one destination none hides the one that decides", async () => {
  const store = openStore();
  const heavy = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
  const alike = "bc1qw508xxxxxxxxxxxxxxxxxxxxxxxxxxxxxf3t4";
  const lastAlike = "bc1qw508zzzzzzzzzzzzzzzzzzzzzzzzzzzzzf3t4";
  const [first] = await storePaid(store, [{ destination: heavy, payee: "mm", standing: "refused" }]);
  const copies = (destination: string, payee: string, standing: Standing, from: number, count: number) =>
    tamper(
      store,
      `with recursive n (n) as (select ${from} union all select n + 1 from n where n < ${from + count - 1})
      insert into instruction (id, batch_id, row, line, reference, folded_reference, payee, fields, currency, amount,
        destination, standing, changed_at)
      select 'c-' || n, '${first?.batchId}', n, n, 'C-' || n, 'c-' || n, '${payee}', '{"customerId":"${payee}"}', 'BTC',
        '0.' || n, '${destination}', '${standing}', '${NOW}' from n`,
    );
  await copies(heavy, "mm", "accepted", 10, 5_000);
  await copies(heavy, "mm", "refused", 6_010, 2_000);
  await copies(alike, "mm", "refused", 8_010, 3_000);
  await storePaid(store, [
    { destination: heavy, payee: "zz", standing: "accepted" },
    { destination: lastAlike, payee: "mm", standing: "accepted" },
    { destination: lastAlike, payee: "qq", standing: "accepted" },
    { destination: lastAlike, payee: "qq", standing: "accepted" },
  ]);
  expect(await store.read(() => listPaidDestinations([heavy, alike, lastAlike]))).toEqual([heavy, lastAlike]);
  const asked = ["mm", "qq", "zz"].map((payee) => ({ payee, destination: heavy }));
  expect(await store.read(() => listNeverApprovedAt(asked, {}))).toEqual(asked.slice(1, 2));
  const payees = (await store.read(() => findTwoPayeesAt([heavy], {}))).get(heavy);
  expect(payees?.map(({ payee }) => payee)).toEqual(["mm", "zz"]);
  const addresses = await store.read(() => findAddressesOf(["mm", "qq", "zz"], {}));
  const newestFirst = [...addresses].map(([payee, some]) => [payee, some.map((each) => each.destination)]);
  expect(newestFirst.toSorted()).toEqual([
    ["mm", [lastAlike, heavy]],
    ["qq", [lastAlike]],
    ["zz", [heavy]],
  ]);
  const unpaid = `${heavy.slice(0, 8)}${"y".repeat(29)}${heavy.slice(-4)}`;
  expect((await store.read(() => findPaidLookAlikes([unpaid]))).get(unpaid)?.destination).toBe(heavy);
  await tamper(store, `delete from instruction where destination = '${heavy}'`);
  expect((await store.read(() => findPaidLookAlikes([unpaid]))).get(unpaid)?.destination).toBe(lastAlike);
});

interface Paid {
  readonly destination: string;
  readonly payee?: string | undefined;
  readonly standing: Standing;
}

/** A batch of payments with these standings. */
async function storePaid(store: Store, payments: readonly Paid[]): Promise<readonly Instruction[]> {
  const stored = await storeApproved(
    store,
    drafts(payments.length, (row) => ({
      reference: crypto.randomUUID(),
      destinationAddress: payments[row - 1]?.destination,
      customerId: payments[row - 1]?.payee,
    })),
  );
  await store.write(function* (): Transaction<void> {
    for (const { id, row } of stored)
      yield* run(sql`update instruction set standing = ${payments[row - 1]?.standing} where id = ${id}`);
  });
  return stored;
}

function haveSameEnds(one: string, other: string): boolean {
  const [ends, others] = [endsOf(one), endsOf(other)];
  return ends?.start === others?.start && ends?.end === others?.end;
}
