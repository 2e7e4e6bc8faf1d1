/** The audit record is a chain: it reveals every change of the past. */
import { expect, test } from "vitest";
import { appendAudit, verifyAudit } from "../../src/store/audit.ts";
import type { Transaction } from "../../src/store/sql.ts";
import { NOW, openStore, tamper } from "./stored-batch.ts";

async function trail() {
  const store = openStore();
  for (const subject of ["B-000001", "B-000002", "B-000003", "B-000004"])
    await store.write(() =>
      appendAudit({ at: NOW, person: "ann", action: "approve", subject, detail: { released: 3 } }),
    );
  return store;
}

test("an untouched trail verifies, and its head changes with every entry", async () => {
  const store = await trail();
  const head = await verifyAudit(store);
  expect(head).toMatch(/^[0-9a-f]{64}$/);
  await store.write(() =>
    appendAudit({ at: NOW, person: "bob", action: "pay", subject: "PAY-1", detail: {} }),
  );
  expect(await verifyAudit(store)).not.toBe(head);
});

test.each(["ann\0", "\ud800ann"])(
  "a name that no database keeps as it is breaks no chain: %j",
  async (person) => {
    const store = openStore();
    await store.write(() =>
      appendAudit({ at: NOW, person, action: person, subject: person, detail: { person } }),
    );
    await verifyAudit(store);
  },
);

test.each([
  ["a changed person", "update audit set person = 'mallory' where seq = 2", 2],
  ["a changed instant", "update audit set at = '2020-01-01T00:00:00.000Z' where seq = 3", 3],
  ["a changed detail", "update audit set detail = '{}' where seq = 1", 1],
  [
    "a changed hash",
    "update audit set hash = '4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865' where seq = 4",
    4,
  ],
  ["a deleted entry", "delete from audit where seq = 2", 3],
  [
    "an entry before the first one",
    "insert into audit select -9, at, person, action, subject, detail, hash from audit where seq = 1",
    -9,
  ],
  ["a deleted beginning", "delete from audit where seq = 1", 2],
  [
    "a deleted entry with its successors renumbered",
    "delete from audit where seq = 2; update audit set seq = seq - 1 where seq > 2",
    2,
  ],
  [
    "two entries in each other's place",
    "update audit set seq = -2 where seq = 2; update audit set seq = 2 where seq = 3; update audit set seq = 3 where seq = -2",
    2,
  ],
  [
    "text moved from one field to its neighbour",
    "update audit set person = 'ann\",\"approve', action = '' where seq = 2",
    2,
  ],
])("%s breaks the chain there", async (_what, statement, seq) => {
  const store = await trail();
  for (const one of statement.split("; ")) await tamper(store, one);
  await expect(verifyAudit(store)).rejects.toMatchObject({
    problem: { code: "AUDIT_CHAIN_BROKEN", message: expect.stringContaining(`entry ${seq}`) },
  });
});

test("a trail longer than what is read at once verifies, and shows a change at its end", async () => {
  const store = await trail();
  await store.write(function* (): Transaction<void> {
    for (let count = 5; count <= 2_500; count += 1)
      yield* appendAudit({ at: NOW, person: "ann", action: "pay", subject: `PAY-${count}`, detail: {} });
  });
  expect(await verifyAudit(store)).toMatch(/^[0-9a-f]{64}$/);
  await tamper(store, "delete from audit where seq = 2499");
  await expect(verifyAudit(store)).rejects.toMatchObject({
    problem: { message: expect.stringContaining("entry 2500") },
  });
});
