/** Queries made every few minutes cost as much as the open payments, not as those that ended over the years. */
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Day, ENDED_PAYOUT_STATES, type PayoutId, payoutId } from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import { listAuditOfBatches, listReleasesBetween } from "../../src/store/audit.ts";
import { listApprovedOfLayout } from "../../src/store/batches.ts";
import {
  findAddressesOf,
  findEarlierPayments,
  findPaidLookAlikes,
  findTwoPayeesAt,
  listKnownPayees,
  listNamedDestinations,
  listNeverApprovedAt,
  listNeverPaidAt,
  listPaidDestinations,
} from "../../src/store/destinations.ts";
import { postgresStatement, postgresValues } from "../../src/store/engines/postgres-dialect.ts";
import { openPostgresStore } from "../../src/store/engines/postgres-store.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { listFailedSinceComparison } from "../../src/store/failed-payments.ts";
import { listDue, listPayoutsNotIn, listUnresolved } from "../../src/store/instructions.ts";
import { listHistory, listIdsNotIn, recordSightings } from "../../src/store/observed.ts";
import { listPaidAgain, listSubmittedSince } from "../../src/store/pay-again.ts";
import type { SqlRow, Transaction } from "../../src/store/sql.ts";
import { timesByStanding } from "../../src/store/standing-counts.ts";
import { isOvertaken, lastSentAt } from "../../src/store/submissions.ts";
import { findWitness, longestLagMs, recordSeen } from "../../src/store/visibility.ts";
import { newDatabase, query, testWithFile } from "../postgres.ts";
import {
  drafts,
  NOW,
  openStore,
  storeApproved,
  storeOneEnded,
  tamper,
  temporaryFolder,
} from "./stored-batch.ts";

const GROWING = "instruction|submission|observed|observation|audit";

/** The destination of all payments. */
const HEAVY = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

const QUESTIONS: readonly [what: string, () => Transaction<unknown>][] = [
  ["for the payouts on their way", () => listPayoutsNotIn(ENDED_PAYOUT_STATES, [])],
  ["for what a sweep asks by id", () => listIdsNotIn("payout", ENDED_PAYOUT_STATES, [])],
  ["for payouts that have failed", () => listFailedSinceComparison()],
  ["for the history of one payout", () => listHistory("payout", "p-1")],
  ["for what was paid again", () => listPaidAgain()],
  ["for how late a key's payouts have shown", () => longestLagMs("key-1")],
  ["for who submitted and approved a batch", () => listAuditOfBatches(["B-000001"])],
  ["for what was approved lately", () => listReleasesBetween(NOW, NOW)],
  ["for which destinations were paid", () => listPaidDestinations([HEAVY, "other"])],
  ["for what looks like an address", () => findPaidLookAlikes([HEAVY, "bc1qw508other7kv8f3t4"])],
  ["for which payees were ever named", () => listKnownPayees(["acme 1", "other"])],
  [
    "for whether a payment of a payee to an address was approved",
    () => listNeverApprovedAt([{ payee: "acme 1", destination: HEAVY }], {}),
  ],
  [
    "for whether a payee was paid at an address",
    () => listNeverPaidAt([{ payee: "acme 1", destination: HEAVY }], {}),
  ],
  ["for who else is known at an address", () => findTwoPayeesAt([HEAVY], {})],
  ["for the addresses of a payee", () => findAddressesOf(["acme 1", "other"], {})],
  ["for the last files of a layout", () => listApprovedOfLayout("layout", {}, 3)],
  ["for which addresses were ever named", () => listNamedDestinations([HEAVY, "other"])],
];
const MORE_QUESTIONS: typeof QUESTIONS = [
  ["for what may replace a failed payment", () => listSubmittedSince()],
  ["for whether a payout of a key was ever found", () => findWitness("key-1", true)],
  ["for whether a late nonce was overtaken", () => isOvertaken("key-1", 4_990n)],
  ["for whether the highest nonce was overtaken", () => isOvertaken("key-1", 5_000n)],
  ["for payments whose payout is not known", () => listUnresolved()],
  ["for how long payments have waited", () => timesByStanding(["in doubt", "held"])],
];

describe("reads no table that grows, nor all accepted payments,", () => {
  testWithFile.each(QUESTIONS)("%s", async (_what, question) => {
    const path = join(temporaryFolder(), "paydrop.sqlite");
    await openSqliteStore(path).close();
    const whole = new RegExp(`^SCAN (${GROWING})$|\\((kind|standing)=\\?\\)$`);
    expect(
      plansOf(path, question()).filter((step) => whole.test(step) && !step.includes("COVERING")),
    ).toEqual([]);
  });
});

describe("reads on PostgreSQL only the few that have not ended", () => {
  let client: pg.Client;
  beforeAll(async () => {
    const url = await newDatabase();
    const store = openPostgresStore(url);
    await store.read(() => listFailedSinceComparison());
    await store.close();
    await query(url, MANY_ENDED);
    client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("set search_path = paydrop");
  });
  afterAll(() => client.end());

  test.each([...QUESTIONS, ...MORE_QUESTIONS])("%s", async (_what, question) => {
    expect(await rowsRead(client, question())).toBeLessThan(100);
  });
});

test("of the payments that wait, PostgreSQL reads the fields of few, also before it has counted them", async () => {
  const url = await newDatabase();
  const store = openPostgresStore(`${url}&options=-c%20track_functions%3Dall`);
  await storeApproved(store, drafts(3000));
  const due = await store.read(() => listDue({ today: "2026-11-28" as Day, except: [] }, undefined, 10));
  expect(due.map(({ row }) => row)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  await store.close();
  const calls = "select calls::integer from pg_stat_user_functions where funcname = 'json_extract'";
  // Of each: when it is due, and its custody account.
  await expect.poll(() => query(url, calls)).toEqual([{ calls: 20 }]);
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

testWithFile(
  "a repeat is looked for among what is recent or undecided, however often the same was paid",
  async () => {
    const path = join(temporaryFolder(), "paydrop.sqlite");
    const store = openSqliteStore(path);
    await storeOneEnded(store, { kind: "in doubt", evidence: "" }, 0);
    await store.close();
    const payment = { reference: "A", destination: HEAVY, amount: amountOf("0.001", "BTC") };
    const plan = plansOf(path, findEarlierPayments([payment], { since: NOW })).join();
    expect(plan).toMatch(
      /recent USING INDEX instruction_by_destination \(destination=\? AND amount=\? AND batch_id>\?\)/,
    );
    expect(plan).toMatch(/undecided USING INDEX instruction_undecided/);
  },
);

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

/** 5,000 settled payments, two of which are in doubt and three on their way. */
const MANY_ENDED = `
set search_path = paydrop;
insert into batch values ('B-000001', '0', 'a.csv', 'a.csv', 'ann', '${NOW}', '0', 5000, '[]');
insert into instruction (id, batch_id, row, line, reference, folded_reference, payee, fields, currency, amount, destination, standing, payout_id, changed_at)
  select 'i-' || n, 'B-000001', n, n, 'PAY-' || n, 'pay-' || n, 'acme ' || n % 100, '{"amount": "1", "currency": "BTC", "custodyAccountId": "a", "customerId": "Acme"}',
    'BTC', '1', '${HEAVY}',
    case when n <= 2 then 'in doubt' else 'accepted' end, case when n > 2 then 'p-' || n end, '${NOW}'
  from generate_series(1, 5000) as n;
insert into submission
  (instruction_id, attempt, key_id, nonce, operation, base_url, body_hash, intended_at, outcome, seen_after_ms)
  select id, 1, 'key-1', row::text, '', '', '', changed_at, standing, 5 from instruction;
insert into lane values ('key-1', '5000');
insert into observed (kind, id, state, raw, first_seen_at, state_seen_at, last_seen_at)
  select 'payout', payout_id, case when row <= 5 then 'CREATED' else 'COMPLETED' end, '{}', '${NOW}', '${NOW}', '${NOW}'
  from instruction where payout_id is not null;
insert into audit select row, changed_at, 'paydrop', 'payout accepted', reference, '{}', '' from instruction;
insert into audit values (5001, '${NOW}', 'ann', 'submit', 'B-000001', '{}', '');
analyze;
`;

/** How many rows of tables PostgreSQL reads for a transaction. */
async function rowsRead(client: pg.Client, transaction: Transaction<unknown>): Promise<number> {
  let count = 0;
  for (let step = transaction.next([]); !step.done; ) {
    const { text, lists } = postgresStatement(step.value.text);
    const values = postgresValues(step.value.values, lists);
    const explained = await client.query(`explain (analyze, format json) ${text}`, values);
    const [{ Plan: plan }] = explained.rows[0]["QUERY PLAN"] as [{ Plan: PlanNode }];
    count += rowsReadBy(plan);
    step = transaction.next((await client.query(text, values)).rows as SqlRow[]);
  }
  return count;
}

/** A step of PostgreSQL's plan with what it did; only steps that read a table or an index name a relation. */
interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

function rowsReadBy(node: PlanNode): number {
  const passed = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const own = node["Relation Name"] === undefined ? 0 : passed * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsReadBy(child), own);
}
