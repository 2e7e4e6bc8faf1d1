/** What the service said is kept raw; the history grows only by change. */
import { expect, test } from "vitest";
import { keepSightings, listSightings, markBeforeBaseline, type Sighting } from "../../src/store/observed.ts";
import { all, sql } from "../../src/store/sql.ts";
import { openStore } from "./stored-batch.ts";

const CREATED: Sighting = {
  id: "p-1",
  reference: "PAY-1",
  state: "CREATED",
  raw: '{"amount":0.10}',
};
const [DAY_1, DAY_2, DAY_3] = [
  "2026-11-20T00:00:00.000Z",
  "2026-11-21T00:00:00.000Z",
  "2026-11-22T00:00:00.000Z",
];

test("the same answer again changes nothing but when it was last seen", async () => {
  const store = openStore();
  expect(await store.write(() => keepSightings("payout", [CREATED], DAY_1))).toEqual([{ seen: CREATED }]);
  expect(await store.write(() => keepSightings("payout", [CREATED], DAY_2))).toEqual([]);
  expect(await store.read(() => all(sql`select * from observation`))).toHaveLength(1);
  expect(await store.read(() => listSightings("payout"))).toMatchObject([
    { raw: CREATED.raw, firstSeenAt: DAY_1, stateSeenAt: DAY_1, lastSeenAt: DAY_2 },
  ]);
});

test("a new state tells the old one, and a change within a state keeps the day of the state", async () => {
  const store = openStore();
  await store.write(() => keepSightings("payout", [CREATED], DAY_1));
  const sameState = { ...CREATED, raw: '{"amount":0.10,"sentFunds":null}' };
  expect(await store.write(() => keepSightings("payout", [sameState], DAY_2))).toEqual([{ seen: sameState }]);
  expect(await store.read(() => listSightings("payout"))).toMatchObject([
    { stateSeenAt: DAY_1, lastSeenAt: DAY_2 },
  ]);
  const sent = { ...CREATED, state: "SENT", raw: '{"state":"SENT"}' };
  expect(await store.write(() => keepSightings("payout", [sent], DAY_3))).toEqual([
    { seen: sent, stateBefore: "CREATED" },
  ]);
  expect(await store.read(() => listSightings("payout"))).toMatchObject([
    { state: "SENT", firstSeenAt: DAY_1, stateSeenAt: DAY_3, lastSeenAt: DAY_3 },
  ]);
  expect(await store.read(() => all(sql`select * from observation`))).toHaveLength(3);
});

test("what is seen twice in one look is a change only where the second answer differs", async () => {
  const store = openStore();
  const sent = { ...CREATED, state: "SENT", raw: '{"state":"SENT"}' };
  expect(await store.write(() => keepSightings("payout", [CREATED, CREATED, sent], DAY_1))).toEqual([
    { seen: CREATED },
    { seen: sent, stateBefore: "CREATED" },
  ]);
});

test("a payout and a deposit of one id are two things, and the baseline marks only what it names", async () => {
  const store = openStore();
  await store.write(() => keepSightings("payout", [CREATED], DAY_1));
  await store.write(() => keepSightings("deposit", [CREATED], DAY_1));
  await store.write(() => markBeforeBaseline("deposit", ["p-1"]));
  expect(await store.read(() => listSightings("payout"))).toMatchObject([{ beforeBaseline: false }]);
  expect(await store.read(() => listSightings("deposit"))).toMatchObject([{ beforeBaseline: true }]);
});
