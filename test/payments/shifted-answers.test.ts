/**
 * A connection on which every request gets the answer to the one before, because a proxy repeated an answer.
 * HTTP/1.1 does not say which request an answer belongs to.
 */
import { expect, onTestFinished, test } from "vitest";
import { settleAll } from "../../src/payments/sending/settle.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { listInstructions } from "../read-all.ts";
import { tamper } from "../store/stored-batch.ts";
import { type Passage, startTcpProxy } from "../tcp-proxy.ts";
import { openLane, sandbox } from "./lane.ts";

/**
 * Repeats the n-th answer that begins like this, when the next request comes over the same connection, before that
 * request's own answer.
 */
function startDoubling(serviceUrl: string, beginning: string, nth: number): Promise<string> {
  let answers = 0;
  const passage = (): Passage => {
    let again: Buffer | undefined;
    return {
      asked: (bytes, client, service) => {
        if (again !== undefined) client.write(again);
        again = undefined;
        service.write(bytes);
      },
      answered: (bytes, client) => {
        if (bytes.toString("latin1").startsWith(beginning)) {
          answers += 1;
          if (answers === nth) again = bytes;
        }
        client.write(bytes);
      },
    };
  };
  return startTcpProxy(serviceUrl, passage, { onTestFinished });
}

test.each([
  ["a creation", "HTTP/1.1 202", 3, 1],
  ["a creation", "HTTP/1.1 202", 1, 4],
  ["a look-up", "HTTP/1.1 200", 1, 1],
  ["a look-up", "HTTP/1.1 200", 2, 4],
])(
  "where the answer to %s (%s) comes twice (the %i. of them, %i connections) no payment is taken for another's",
  async (_what, beginning, nth, connections) => {
    const service = await sandbox();
    const doubling = await startDoubling(service.url, beginning, nth);
    const policy = { nonceRule: "unique", concurrency: connections } as const;
    const lane = openLane(doubling, { policy, connections });
    await lane.approve(30);
    await lane.pay();
    await lane.pay();
    const owned = (await lane.store.read(() => listInstructions())).map(
      ({ payoutId, fields }) => `${fields.reference} ${payoutId}`,
    );
    const made = service.creations().map(({ reference, payoutId }) => `${reference} ${payoutId}`);
    expect(owned).toEqual(expect.arrayContaining(made));
    expect(made).toHaveLength(30);
  },
);

test("a stray refusal on a connection is not taken for good: the payout that it did not concern is held", async () => {
  const service = await sandbox();
  let creations = 0;
  const passage = (): Passage => ({
    asked: (bytes, client, to) => {
      const isCreation = bytes.toString("latin1").startsWith("POST /payouts/v2/create");
      if (isCreation) creations += 1;
      if (isCreation && creations === 3) {
        const body = errorBody("LATE");
        client.write(`HTTP/1.1 400 Bad Request\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      }
      to.write(bytes);
    },
    answered: (bytes, client) => void client.write(bytes),
  });
  const stray = await startTcpProxy(service.url, passage, { onTestFinished });
  const lane = openLane(stray, { policy: { nonceRule: "unknown", concurrency: 1 }, connections: 1 });
  await lane.approve(5);
  await lane.pay();
  await lane.pay();
  const standings = await lane.standings();
  expect(standings.filter((line) => line.endsWith("refused"))).toEqual([]);
  expect(standings).toContain("PAY-3 held");
  expect(service.creations()).toHaveLength(5);
});

test("if two answers written together name one payout, the first payment has it and the second is in doubt", async () => {
  const service = await sandbox();
  const lane = openLane(service.url);
  const instructions = await lane.approve(2);
  await lane.pay();
  const submissions = await lane.submissions();
  const [own] = await lane.store.read(() => listInstructions());
  const payoutId = own?.payoutId;
  if (payoutId === undefined) throw new Error("PAY-1 was not accepted");
  await tamper(lane.store, "update submission set outcome = null, payout_id = null");
  await tamper(lane.store, "update instruction set standing = 'sending', payout_id = null");
  const moment = { at: "2026-11-20T09:30:00.000Z", monotonicMs: 0 };
  const outcome = { kind: "accepted", payoutId, evidence: "answered 202" } as const;
  const answered = instructions.map((instruction, index) => ({
    submissionId: submissions[index]?.id ?? 0,
    instruction,
    outcome,
    moment,
  }));
  expect(await lane.store.write(() => settleAll(answered))).toMatchObject([
    { kind: "accepted", payoutId },
    { kind: "in doubt", evidence: expect.stringContaining("belongs to PAY-1") },
  ]);
  expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 in doubt"]);
});
