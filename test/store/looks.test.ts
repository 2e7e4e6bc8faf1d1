/** The results of looking for a doubt are stored look by look, in as few rows as possible. */
import { expect, test } from "vitest";
import { listLooks, recordLook } from "../../src/store/looks.ts";
import { openStore } from "./stored-batch.ts";

const at = (minute: number) => `2026-11-20T09:${minute}:00.000Z`;

test("repeated results are counted, a new one starts a new row, and the latest reason is kept", async () => {
  const store = openStore();
  const look = (saw: string, notSent: string | undefined, minute: number) =>
    store.write(() => recordLook(7, notSent === undefined ? { saw } : { saw, notSent }, at(minute)));
  await look("not found", "12 min are left", 10);
  await look("not found", "7 min are left", 15);
  await store.write(() => recordLook(8, { saw: "not found" }, at(16)));
  await look("not found, but the look was incomplete", undefined, 20);
  await look("not found", "2 min are left", 25);
  expect(await store.read(() => listLooks(7))).toEqual([
    { saw: "not found", notSent: "7 min are left", firstAt: at(10), lastAt: at(15), times: 2 },
    { saw: "not found, but the look was incomplete", firstAt: at(20), lastAt: at(20), times: 1 },
    { saw: "not found", notSent: "2 min are left", firstAt: at(25), lastAt: at(25), times: 1 },
  ]);
});
