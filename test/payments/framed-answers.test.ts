/** Each payment is made once and reported correctly, for every framing of the answers to its creations. */
import { describe, expect, test } from "vitest";
import { payStep } from "../../src/index.ts";
import { listInstructions } from "../read-all.ts";
import { openBehindProxy } from "../site/behind-proxy.ts";
import { FRAMINGS, type Framing } from "../site/framings.ts";
import { settled } from "../site/service.ts";
import { contradictions, followAdvice, orFault } from "../site/service-ledger.ts";
import { sliceOf } from "../slice.ts";
import type { Passage } from "../tcp-proxy.ts";

/** More than are sent side by side, so that odd answers meet requests under way, and others follow them. */
const ROWS = 16;

// They spend most of their time waiting.
describe.concurrent("the answers to creations, framed", () => {
  test.for(sliceOf(Object.entries(FRAMINGS), 4))("%s", async ([, frame], context) => {
    const way = { isOdd: true, framed: 0 };
    const passage = () => framingCreations(frame, way);
    const { workplace, sandbox } = await openBehindProxy("unique", passage, context, ROWS);
    // On a busy machine the look before the first creation may take too long.
    for (let run = 0; way.framed === 0 && run < 3; run += 1) await orFault(payStep(workplace));
    expect(way.framed).toBeGreaterThan(0);
    way.isOdd = false;
    const rowsNow = () => workplace.store.read(() => listInstructions());
    const isPaid = async () => (await rowsNow()).every(({ standing }) => standing !== "approved");
    // In later runs the looks may take too long as well.
    for (let run = 0; run < 2 || (run < 10 && !(await isPaid())); run += 1) await orFault(payStep(workplace));
    await followAdvice(workplace);
    expect(await contradictions(settled(workplace), sandbox)).toEqual([]);
    const rows = await rowsNow();
    expect(rows.map(({ standing }) => standing)).toEqual(rows.map(() => "accepted"));
    expect(sandbox.creations().map(({ reference }) => reference)).toHaveLength(rows.length);
  });
});

/** The sandbox writes each answer at once, and the gateway has one request on a connection at a time. */
function framingCreations(frame: Framing, way: { readonly isOdd: boolean; framed: number }): Passage {
  let isCreation = false;
  return {
    asked: (bytes, _client, service) => {
      const [, method, path] = /^(GET|POST|PUT) (\S+) HTTP/.exec(bytes.toString("latin1")) ?? [];
      if (method !== undefined) isCreation = method === "POST" && path?.includes("find") === false;
      service.write(bytes);
    },
    answered: (bytes, client) => {
      if (!way.isOdd || !isCreation) return void client.write(bytes);
      way.framed += 1;
      frame(bytes, client);
    },
  };
}
