/** What is asked every few minutes costs what is open, and not what has ended over the years. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { ENDED_PAYOUT_STATES, type PayoutId, payoutId } from "../../src/model/index.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { listFailedUntold } from "../../src/store/failed-payments.ts";
import { listPayoutsNotIn } from "../../src/store/instructions.ts";
import { listIdsNotIn, listPayoutHistory, recordSightings } from "../../src/store/observed.ts";
import type { SqlRow, Transaction } from "../../src/store/sql.ts";
import { lastSentAt } from "../../src/store/submissions.ts";
import { recordSeen } from "../../src/store/visibility.ts";
import { testWithFile } from "../postgres.ts";
import { NOW, openStore, storeOneEnded, tamper, temporaryFolder } from "./stored-batch.ts";

const GROWING = "instruction|submission|observed|observation";

describe("reads no table that grows, nor all accepted payments,", () => {
  testWithFile.each<[what: string, () => Transaction<unknown>]>([
    ["for the payouts on their way", () => listPayoutsNotIn(ENDED_PAYOUT_STATES, [])],
    ["for what a sweep asks by id", () => listIdsNotIn("payout", ENDED_PAYOUT_STATES, [])],
    ["for payouts that have failed", () => listFailedUntold()],
    ["for the history of one payout", () => listPayoutHistory("p-1")],
  ])("%s", async (_what, question) => {
    const path = join(temporaryFolder(), "paydrop.sqlite");
    await openSqliteStore(path).close();
    const whole = new RegExp(`^SCAN (${GROWING})$|\\((kind|standing)=\\?\\)$`);
    expect(
      plansOf(path, question()).filter((step) => whole.test(step) && !step.includes("COVERING")),
    ).toEqual([]);
  });
});

testWithFile("what was sent again is found among what was sent again", async () => {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  await openSqliteStore(path).close();
  expect(plansOf(path, lastSentAt("key-1")).join()).toContain("submission_resent");
});

test("on its way is what no look has shown yet, and what was not seen to have ended", async () => {
  const store = openStore();
  const [unseen, created, unknown, completed] = ["a", "b", "c", "d"].map((digit) =>
    payoutId(`0d5d6e8a-0000-4000-8000-00000000000${digit}`),
  ) as [PayoutId, PayoutId, PayoutId, PayoutId];
  for (const [index, id] of [unseen, created, unknown, completed].entries()) {
    const sent = await storeOneEnded(
      store,
      { kind: "accepted", payoutId: id, evidence: "202" },
      0,
      `PAY-${index}`,
    );
    await tamper(
      store,
      `update instruction set standing = 'accepted', payout_id = '${id}' where id = '${sent.id}'`,
    );
    if (id !== unseen) await store.write(() => recordSeen(sent.number, 5, "equal"));
  }
  const states = { [created]: "CREATED", [unknown]: "NEW_STATE", [completed]: "COMPLETED" };
  const sightings = Object.entries(states).map(([id, state]) => ({ id, state, raw: "{}" }));
  await store.write(() => recordSightings("payout", sightings, NOW));
  expect(await store.read(() => listPayoutsNotIn(ENDED_PAYOUT_STATES, []))).toEqual([
    unseen,
    created,
    unknown,
  ]);
  expect(await store.read(() => listIdsNotIn("payout", ENDED_PAYOUT_STATES, []))).toEqual([created, unknown]);
});

/** The steps of SQLite's plan for each statement of a transaction. */
function plansOf(path: string, transaction: Transaction<unknown>): string[] {
  const database = new Database(path);
  onTestFinished(() => void database.close());
  const steps: string[] = [];
  for (let step = transaction.next([]); !step.done; ) {
    const { text, values } = step.value;
    const plan = database.prepare(`explain query plan ${text}`).all(...values) as { detail: string }[];
    steps.push(...plan.map(({ detail }) => detail));
    step = transaction.next(database.prepare(text).all(...values) as SqlRow[]);
  }
  return steps;
}
