/**
 * Screening against history gives a long file, which uses a sieve, the same result as a short one, which looks up each
 * row.
 */
import { expect, test } from "vitest";
import { paymentOf, SeenDestinations } from "../../src/files/reading/screening/screened-payment.ts";
import { type History, openHistory } from "../../src/files/screening/history.ts";
import type { DraftInstruction } from "../../src/model/index.ts";
import { moveBatch, moveInstruction } from "../../src/store/instructions.ts";
import { openPlace } from "../site/workplace.ts";
import { drafts, storeApproved } from "../store/stored-batch.ts";

const DAY_MS = 86_400_000;

test("a long file is told of every reference, destination and payment that a short one is told of", async () => {
  const { workplace } = openPlace();
  const { store } = workplace;
  const lately = new Date().toISOString();
  const longAgo = new Date(Date.now() - 100 * DAY_MS).toISOString();
  const known = { old: rows("OLD", 300), recent: rows("NEW", 2_100), refused: rows("BAD", 50) };
  const stored = [
    ...(await storeApproved(store, known.old, longAgo)),
    ...(await storeApproved(store, known.recent, lately)),
  ];
  // Old payments count only if they stayed in doubt.
  const unknown = new Set(stored.slice(0, 100).map(({ id }) => id));
  const [refused] = await storeApproved(store, known.refused, lately);
  await store.write(function* () {
    for (const { id, row } of stored) {
      if (row % 3 === 0) continue;
      yield* moveInstruction(id, { to: "sending", at: lately });
      if (unknown.has(id)) {
        yield* moveInstruction(id, { to: "in doubt", at: lately });
        continue;
      }
      yield* moveInstruction(id, { to: "accepted", at: lately });
    }
    if (refused !== undefined) yield* moveBatch(refused.batchId, "approved", "withdrawn", lately);
  });

  const asked = [...known.old, ...known.recent, ...known.refused, ...rows("NONE", 300)];
  const short = await answers(openHistory(workplace), asked);
  const long = openHistory(workplace);
  for (let first = 0; first < 3100; first += 100) await long.earlierUses(references(rows(`X${first}`, 100)));
  expect(await answers(long, asked)).toEqual(short);
  expect(short).toMatchObject({ used: { length: 2_450 }, paid: { length: 1_533 }, made: { length: 2_167 } });
});

/** Drafts, each to a different destination. */
function rows(name: string, count: number): DraftInstruction[] {
  return drafts(count, (row) => ({ reference: `${name}-${row}`, destinationAddress: `1${name}x${row}` }));
}

function references(asked: readonly DraftInstruction[]): string[] {
  return asked.map(({ fields }) => fields.reference);
}

async function answers(history: History, asked: readonly DraftInstruction[]) {
  const seen = new SeenDestinations();
  const payments = asked.map((draft) => paymentOf(draft, seen));
  const used = await history.earlierUses(references(asked));
  return {
    used: references(used.map(({ instruction }) => instruction)).sort(),
    paid: [...(await history.paidBefore(payments.map(({ destination }) => destination)))].sort(),
    made: [...(await history.madeBefore(payments))].sort(),
  };
}
