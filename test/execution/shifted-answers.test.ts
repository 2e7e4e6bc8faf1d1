/**
 * A connection that gives every request the answer to the one before: something between us and the service has said one answer twice.
 * HTTP/1.1 does not tell which request an answer belongs to.
 */
import { expect, onTestFinished, test } from "vitest";
import { listInstructions } from "../at-once.ts";
import { type Passage, startTcpProxy } from "../tcp-proxy.ts";
import { openLane, sandbox } from "./lane.ts";

/** Says the n-th answer that begins so twice: once more when the next request comes over the same connection, before its own answer. */
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
