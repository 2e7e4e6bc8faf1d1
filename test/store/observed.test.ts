/** What the service said is kept raw; the history grows only by change. */
import { expect, test } from "vitest";
import { keepSighting, listSightings, markBeforeBaseline, type Sighting } from "../../src/store/observed.ts";
import { all, sql } from "../../src/store/sql.ts";
import { openStore } from "./stored-batch.ts";

const CREATED: Sighting = {
  kind: "payout",
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
  expect(await store.write(() => keepSighting(CREATED, DAY_1))).toEqual({ changed: true });
  expect(await store.write(() => keepSighting(CREATED, DAY_2))).toEqual({ changed: false });
  expect(await store.read(() => all(sql`select * from observation`))).toHaveLength(1);
  expect(await store.read(() => listSightings("payout"))).toMatchObject([
    { raw: CREATED.raw, firstSeenAt: DAY_1, stateSeenAt: DAY_1, lastSeenAt: DAY_2 },
  ]);
});

test("a new state tells the old one, and a change within a state keeps the day of the state", async () => {
  const store = openStore();
  await store.write(() => keepSighting(CREATED, DAY_1));
  const sameState = { ...CREATED, raw: '{"amount":0.10,"sentFunds":null}' };
  expect(await store.write(() => keepSighting(sameState, DAY_2))).toEqual({ changed: true });
  expect(await store.read(() => listSightings("payout"))).toMatchObject([
    { stateSeenAt: DAY_1, lastSeenAt: DAY_2 },
  ]);
  const sent = { ...CREATED, state: "SENT", raw: '{"state":"SENT"}' };
  expect(await store.write(() => keepSighting(sent, DAY_3))).toEqual({
    changed: true,
    stateBefore: "CREATED",
  });
  expect(await store.read(() => listSightings("payout"))).toMatchObject([
    { state: "SENT", firstSeenAt: DAY_1, stateSeenAt: DAY_3, lastSeenAt: DAY_3 },
  ]);
  expect(await store.read(() => all(sql`select * from observation`))).toHaveLength(3);
});

test("a payout and a deposit of one id are two things, and the baseline marks only what it names", async () => {
  const store = openStore();
  await store.write(() => keepSighting(CREATED, DAY_1));
  await store.write(() => keepSighting({ ...CREATED, kind: "deposit" }, DAY_1));
  await store.write(() => markBeforeBaseline("deposit", ["p-1"]));
  expect(await store.read(() => listSightings("payout"))).toMatchObject([{ beforeBaseline: false }]);
  expect(await store.read(() => listSightings("deposit"))).toMatchObject([{ beforeBaseline: true }]);
});
