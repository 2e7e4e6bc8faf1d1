/** Nonces rise with any change of the clock, and are never given out twice. */
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { allocateNonce, lastNonce } from "../../src/store/nonces.ts";
import { run, sql } from "../../src/store/sql.ts";
import { NOW, openStore, temporaryFolder } from "./stored-batch.ts";

const INT64_MAX = 2n ** 63n - 1n;

test("the first nonce is the clock in microseconds, or the floor", async () => {
  const store = openStore();
  const micros = BigInt(Date.parse(NOW)) * 1000n;
  expect(await store.write(() => allocateNonce("key-1", NOW, 0n))).toBe(micros);
  expect(await store.write(() => allocateNonce("key-2", NOW, micros + 77n))).toBe(micros + 77n);
});

test("every nonce is above every earlier one, also when the clock goes back, far forward or stands still", async () => {
  const instants = fc
    .date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString());
  await fc.assert(
    fc.asyncProperty(fc.array(instants, { minLength: 1, maxLength: 20 }), async (clock) => {
      const store = openStore();
      let before = 0n;
      for (const now of clock) {
        const nonce = await store.write(() => allocateNonce("key-1", now, 0n));
        expect(nonce > before && nonce <= INT64_MAX).toBe(true);
        before = nonce;
      }
      expect(await store.read(() => lastNonce("key-1"))).toBe(before);
    }),
    { numRuns: 30 },
  );
});

test("two stores on one file never give out the same nonce", async () => {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  const stores = [openStore(path), openStore(path)];
  const taken = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      stores[index % 2]?.write(() => allocateNonce("key-1", NOW, 0n)),
    ),
  );
  expect(new Set(taken).size).toBe(200);
});

test("the last int64 is given out, and nothing beyond it", async () => {
  const store = openStore();
  await store.write(() => run(sql`insert into lane values ('key-1', ${(INT64_MAX - 1n).toString()})`));
  expect(await store.write(() => allocateNonce("key-1", NOW, 0n))).toBe(INT64_MAX);
  const beyond = () => store.write(() => allocateNonce("key-1", NOW, 0n));
  await expect(beyond()).rejects.toMatchObject({ problem: { code: "NONCES_EXHAUSTED" } });
  await expect(beyond()).rejects.toMatchObject({ problem: { code: "NONCES_EXHAUSTED" } });
  expect(await store.read(() => lastNonce("key-1"))).toBe(INT64_MAX);
});

test("a clock that is years ahead for an hour does not carry the nonces along", async () => {
  const store = openStore();
  const before = await store.write(() => allocateNonce("key-1", NOW, 0n));
  const ahead = await store.write(() => allocateNonce("key-1", "2099-01-01T00:00:00.000Z", 0n));
  expect(ahead).toBe(before + 1n);
  const aYear = await store.write(() => allocateNonce("key-1", "2027-11-20T09:30:00.000Z", 0n));
  expect(aYear).toBe(BigInt(Date.parse("2027-11-20T09:30:00.000Z")) * 1000n);
});

test("nonces for several payouts at once rise one by one, and none of them is given twice", async () => {
  const store = openStore();
  const first = await store.write(() => allocateNonce("key-1", NOW, 0n, 5));
  expect(await store.read(() => lastNonce("key-1"))).toBe(first + 4n);
  expect(await store.write(() => allocateNonce("key-1", NOW, 0n))).toBe(first + 5n);
});

test("several nonces of which one is beyond int64 are refused together", async () => {
  const store = openStore();
  await expect(store.write(() => allocateNonce("key-1", NOW, INT64_MAX, 2))).rejects.toMatchObject({
    problem: { code: "NONCES_EXHAUSTED" },
  });
  expect(await store.write(() => allocateNonce("key-1", NOW, INT64_MAX - 1n, 2))).toBe(INT64_MAX - 1n);
});
