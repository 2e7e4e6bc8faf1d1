/** The store keeps the missing elements, not the seen ones: the time when each was last seen follows from that. */
import { expect, test } from "vitest";
import {
  countPresent,
  endSweep,
  listAbsentAfter,
  listFirstSeen,
  noteAskedById,
} from "../../src/store/absent.ts";
import {
  listRecognised,
  listSightingsAfter,
  markBeforeBaseline,
  recordSightings,
} from "../../src/store/observed.ts";
import { all, sql } from "../../src/store/sql.ts";
import { openStore } from "./stored-batch.ts";

const [DAY_1, DAY_2, DAY_3, DAY_4] = [1, 2, 3, 4].map((day) => `2026-11-0${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
  string,
];

/** Payouts a and b, both seen on the first day. */
async function trial() {
  const store = openStore();
  const sightingOf = (id: string) => ({ id, state: "SENT", raw: `{"id":"${id}"}`, mark: `mark of ${id}` });
  const see = (id: string, at: string) => store.write(() => recordSightings("payout", [sightingOf(id)], at));
  const end = (at: string, ...missing: string[]) => store.write(() => endSweep("payout", at, missing));
  const lastSeen = async () =>
    Object.fromEntries(
      (await store.read(() => listSightingsAfter("payout", "", 9))).map((each) => [each.id, each.lastSeenAt]),
    );
  const uncompared = async () => {
    const rows = await store.read(() => all<{ id: string }>(sql`select id from uncompared order by id`));
    await store.write(() => all(sql`delete from uncompared`));
    return rows.map(({ id }) => id);
  };
  const recognised = async (at: string) =>
    [
      ...(await store.read(() => listRecognised("payout", ["mark of a", "mark of b"], at))).values(),
    ].toSorted();
  // Before the first comparison nothing is listed.
  await store.write(() =>
    all(sql`insert into compared_sum (policy, sums) values ('the policy', 'the sums')`),
  );
  for (const id of ["a", "b"]) await see(id, DAY_1);
  await end(DAY_1);
  await uncompared();
  return { store, see, end, lastSeen, uncompared, recognised };
}

test("what a sweep did not show was seen last when the sweep before it began, and stays so until it is shown again", async () => {
  const { store, see, end, lastSeen, uncompared, recognised } = await trial();
  await end(DAY_2);
  await end(DAY_3, "b");
  expect(await lastSeen()).toEqual({ a: DAY_3, b: DAY_2 });
  await end(DAY_4, "b");
  expect(await lastSeen()).toEqual({ a: DAY_4, b: DAY_2 });
  expect(await store.read(() => countPresent("payout"))).toBe(1);
  expect(await store.read(() => listAbsentAfter("payout", [], "", 9))).toMatchObject([
    { id: "b", lastSeenAt: DAY_2, firstSeenAt: DAY_1 },
  ]);
  expect(await uncompared()).toEqual(["b"]);
  // It must be read in full to end its absence.
  expect(await recognised(DAY_4)).toEqual(["a"]);
  await see("b", DAY_4);
  expect(await lastSeen()).toEqual({ a: DAY_4, b: DAY_4 });
  expect(await uncompared()).toEqual(["b"]);
  expect(await recognised(DAY_4)).toEqual(["a", "b"]);
});

test("what another look has shown while the sweep ran is not missing", async () => {
  const { see, end, lastSeen } = await trial();
  const meanwhile = DAY_2.replace("T00:00", "T00:05");
  await see("b", meanwhile);
  await end(DAY_2, "b");
  expect(await lastSeen()).toEqual({ a: DAY_2, b: meanwhile });
});

test("where the clock was set back, what is missing was seen last before the sweep", async () => {
  const { end, lastSeen, recognised } = await trial();
  const before = "2026-10-01T00:00:00.000Z";
  expect(await recognised(before)).toEqual([]);
  await end(before, "b");
  expect((await lastSeen())["b"]).toBe("2026-09-30T23:59:59.999Z");
});

test("that it was asked for by id is told to the comparison once", async () => {
  const { store, end, uncompared } = await trial();
  await end(DAY_2, "b");
  await uncompared();
  for (let night = 0; night < 2; night += 1) await store.write(() => noteAskedById("payout", ["a", "b"]));
  expect(await uncompared()).toEqual(["b"]);
  await store.write(() => noteAskedById("payout", ["b"]));
  expect(await uncompared()).toEqual([]);
});

test("a payout that was gone before the baseline is read in full when it is shown again", async () => {
  const { store, recognised } = await trial();
  await store.write(() => markBeforeBaseline("payout", ["a"], "gone"));
  await store.write(() => markBeforeBaseline("payout", ["b"], "set aside"));
  expect(await recognised(DAY_2)).toEqual(["b"]);
});

test("since when a state shows is told by those that are not missing", async () => {
  const { store, see, end } = await trial();
  await see("c", DAY_2);
  expect(await store.read(() => listFirstSeen("payout", ["SENT", "FAILED"]))).toEqual(
    new Map([["SENT", DAY_1]]),
  );
  await end(DAY_3, "a", "b");
  expect(await store.read(() => listFirstSeen("payout", ["SENT"]))).toEqual(new Map([["SENT", DAY_2]]));
});
