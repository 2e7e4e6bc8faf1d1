/** The service's answers are stored raw; the history grows only by changes. */
import { expect, test } from "vitest";
import {
  isAnyNameUnsorted,
  listInTransaction,
  listPayoutsNamed,
  listResourcesNamed,
  listSightingsAfter,
  markBeforeBaseline,
  recordSightings,
  type Sighting,
  sortPayoutNames,
} from "../../src/store/observed.ts";
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

test("the same answer again changes only when it was last seen", async () => {
  const store = openStore();
  expect(await store.write(() => recordSightings("payout", [CREATED], DAY_1))).toEqual([{ seen: CREATED }]);
  expect(await store.write(() => recordSightings("payout", [CREATED], DAY_2))).toEqual([]);
  expect(await store.read(() => all(sql`select * from history`))).toHaveLength(1);
  expect(await store.read(() => listSightingsAfter("payout", "", 100))).toMatchObject([
    { raw: CREATED.raw, firstSeenAt: DAY_1, stateSeenAt: DAY_1, lastSeenAt: DAY_2 },
  ]);
});

test("an answer that is stored after a later look's leaves when it was last seen, unless the clock was set back", async () => {
  const store = openStore();
  const spelled = { ...CREATED, raw: '{"amount":0.1}' };
  const [before, behind] = ["2026-11-21T00:00:00.000Z", "2026-11-21T00:00:09.000Z"];
  for (const seen of [CREATED, spelled]) {
    for (const at of [before, behind, before]) await store.write(() => recordSightings("payout", [seen], at));
    expect(await store.read(() => listSightingsAfter("payout", "", 1))).toMatchObject([
      { raw: seen.raw, lastSeenAt: behind },
    ]);
  }
  await store.write(() => recordSightings("payout", [spelled], DAY_3));
  for (const seen of [spelled, CREATED]) {
    await store.write(() => recordSightings("payout", [seen], DAY_1));
    expect(await store.read(() => listSightingsAfter("payout", "", 1))).toMatchObject([
      { lastSeenAt: DAY_1 },
    ]);
    await store.write(() => recordSightings("payout", [seen], DAY_3));
  }
});

test("a new state reports the old one, and a change within a state keeps the state's time", async () => {
  const store = openStore();
  await store.write(() => recordSightings("payout", [CREATED], DAY_1));
  const sameState = { ...CREATED, raw: '{"amount":0.10,"sentFunds":null}' };
  expect(await store.write(() => recordSightings("payout", [sameState], DAY_2))).toEqual([
    { seen: sameState },
  ]);
  expect(await store.read(() => listSightingsAfter("payout", "", 100))).toMatchObject([
    { stateSeenAt: DAY_1, lastSeenAt: DAY_2 },
  ]);
  const sent = { ...CREATED, state: "SENT", raw: '{"state":"SENT"}' };
  expect(await store.write(() => recordSightings("payout", [sent], DAY_3))).toEqual([
    { seen: sent, stateBefore: "CREATED" },
  ]);
  expect(await store.read(() => listSightingsAfter("payout", "", 100))).toMatchObject([
    { state: "SENT", firstSeenAt: DAY_1, stateSeenAt: DAY_3, lastSeenAt: DAY_3 },
  ]);
  expect(await store.read(() => all(sql`select * from history`))).toHaveLength(3);
});

test("an element seen twice in one look is a change only if the second differs", async () => {
  const store = openStore();
  const sent = { ...CREATED, state: "SENT", raw: '{"state":"SENT"}' };
  expect(await store.write(() => recordSightings("payout", [CREATED, CREATED, sent], DAY_1))).toEqual([
    { seen: CREATED },
    { seen: sent, stateBefore: "CREATED" },
  ]);
});

test("a payout and a deposit of one id are two things, and the baseline marks only what it names", async () => {
  const store = openStore();
  await store.write(() => recordSightings("payout", [CREATED], DAY_1));
  await store.write(() => recordSightings("deposit", [CREATED], DAY_1));
  await store.write(() => markBeforeBaseline("deposit", ["p-1"], "set aside"));
  expect(await store.read(() => listSightingsAfter("payout", "", 100))).toMatchObject([
    { beforeBaseline: false },
  ]);
  expect(await store.read(() => listSightingsAfter("deposit", "", 100))).toMatchObject([
    { beforeBaseline: true },
  ]);
});

test("a payout is found by every name it ever had, and a deposit by none", async () => {
  const store = openStore();
  const found = async (...names: string[]) =>
    (await store.read(() => listPayoutsNamed(names))).map(({ id, name, raw }) => [id, name, raw]);
  const first = { ...CREATED, reference: "PAY-1" };
  const second = { ...CREATED, id: "p-2", reference: "PAY-2", callbackUrl: "https://hook/2" };
  await store.write(() => recordSightings("payout", [first, second], DAY_1));
  await store.write(() => recordSightings("deposit", [{ ...second, id: "d-2" }], DAY_1));
  expect(await found("PAY-1", "https://hook/2", "PAY-3")).toEqual([
    ["p-1", "PAY-1", CREATED.raw],
    ["p-2", "https://hook/2", CREATED.raw],
  ]);
  const renamed = { id: "p-2", reference: "EXT-9", state: "SENT", raw: "{}" };
  await store.write(() => recordSightings("payout", [renamed], DAY_2));
  expect(await found("PAY-2", "EXT-9")).toEqual([
    ["p-2", "EXT-9", "{}"],
    ["p-2", "PAY-2", "{}"],
  ]);
});

test("the names of many payouts are found before they are sorted in, and after", async () => {
  const store = openStore();
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    ...CREATED,
    ...{ id: `p-${index}`, reference: `PAY-${index}`, callbackUrl: `https://hook/${index}` },
  }));
  const found = async () =>
    (await store.read(() => listPayoutsNamed(["PAY-7", "https://hook/7", "PAY-999"]))).map(({ id, name }) => [
      id,
      name,
    ]);
  const expected = [
    ["p-7", "PAY-7"],
    ["p-7", "https://hook/7"],
    ["p-999", "PAY-999"],
  ];
  for (const at of [DAY_1, DAY_2]) {
    const seen = many.map((each) => ({ ...each, raw: `{"at":"${at}"}` }));
    await store.write(() => recordSightings("payout", seen, at));
    expect(await store.read(() => isAnyNameUnsorted())).toBe(true);
    expect(await found()).toEqual(expected);
    await store.write(() => sortPayoutNames());
    expect(await store.read(() => isAnyNameUnsorted())).toBe(false);
    expect(await found()).toEqual(expected);
  }
});

test("a payout or deposit is found by its transaction, however the service spells it", async () => {
  const store = openStore();
  const funds = ['{"txHash":"ab/1"}', '{ "txHash" : "ab\\/1" }', '[{"txHash":"cd"},{"txHash":"\\u0061b/1"}]'];
  const others = ['{"txHash":"cd","note":"ab/1"}', '"\\"txHash\\":\\"ab/1\\""', "null"];
  const payouts = [...funds, ...others].map((sentFunds, index) => ({
    id: `p-${index}`,
    state: "SENT",
    raw: `{"sentFunds":${sentFunds}}`,
  }));
  const deposit = { id: "d-1", state: "COMPLETED", raw: '{"receivedFunds": [{"txHash": "ab/1"}]}' };
  await store.write(() => recordSightings("payout", payouts, DAY_1));
  await store.write(() => recordSightings("deposit", [deposit], DAY_1));
  const named = await store.read(() => listResourcesNamed("ab/1"));
  expect(named.map(({ id }) => id)).toEqual(["d-1", "p-0", "p-1", "p-2"]);
  const listed = await store.read(() => listInTransaction("ab/1", "", 9));
  expect(listed.map(({ isIn }) => isIn)).toEqual([true, true, true, false, false, false]);
});
