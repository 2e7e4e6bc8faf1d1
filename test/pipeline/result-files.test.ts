/** A result file is written again when something of its batch is new, and left alone when nothing is, however old the batch grows. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveStep, payStep, submitFile, trackStep } from "../../src/index.ts";
import { ENDED_PAYOUT_STATES } from "../../src/model/index.ts";
import { findSighting, keepSightings } from "../../src/store/observed.ts";
import { beginResults, endResults, listResultsDue } from "../../src/store/results-due.ts";
import { ADDRESS, openSite } from "./service.ts";

/** A batch of two payments whose payouts have ended, and the path of its result file, written of that. */
async function openEnded() {
  const site = await openSite();
  const { workplace, folder } = site;
  const file = join(folder, "a.csv");
  writeFileSync(
    file,
    `reference,amount,destinationAddress\nA-1,0.01,${ADDRESS}\nA-2,0.02,3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy\n`,
  );
  const { digest = "" } = await submitFile(workplace, file, "ann");
  await approveStep(workplace, digest, "ben");
  await payStep(workplace);
  const results = join(folder, "outbox", "a.results.csv");
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  const [batch] = await workplace.store.read(() => listResultsDue(true));
  if (batch === undefined) throw new Error("nothing has left approval");
  return { ...site, results, batch };
}

test("nothing is written of a batch that has come to rest, also where its file was taken away", async () => {
  const { workplace, results } = await openEnded();
  expect(readFileSync(results, "utf8").match(/COMPLETED/g)).toHaveLength(2);
  rmSync(results);
  expect(await trackStep(workplace)).toMatchObject({ results: [] });
  expect(await trackStep(workplace, { allResults: true })).toMatchObject({ results: [results] });
  expect(readFileSync(results, "utf8").match(/COMPLETED/g)).toHaveLength(2);
});

test("a batch whose original is gone is told, and keeps no other batch's results from its sender", async () => {
  const { workplace, folder, batch } = await openEnded();
  const file = join(folder, "b.csv");
  writeFileSync(file, `reference,amount,destinationAddress\nB-1,0.03,${ADDRESS}\n`);
  const { digest = "" } = await submitFile(workplace, file, "ann");
  await approveStep(workplace, digest, "ben");
  rmSync(batch.archivedAs);
  expect(await trackStep(workplace, { allResults: true })).toMatchObject({
    results: [join(folder, "outbox", "b.results.csv")],
    problems: [{ code: "FILE_NOT_FOUND", file: expect.stringContaining("a.csv") }],
  });
});

test("what the service shows otherwise later is written", async () => {
  const { workplace, results } = await openEnded();
  const { store } = workplace;
  const [payoutId = ""] = /[0-9a-f-]{36}(?=,COMPLETED)/.exec(readFileSync(results, "utf8")) ?? [];
  const seen = await store.read(() => findSighting("payout", payoutId));
  const raw = (seen?.raw ?? "").replace("COMPLETED", "CANCELLED");
  await store.write(() =>
    keepSightings("payout", [{ id: payoutId, state: "CANCELLED", raw }], new Date().toISOString()),
  );
  expect(await trackStep(workplace)).toMatchObject({ results: [results] });
  expect(readFileSync(results, "utf8")).toContain(`${payoutId},CANCELLED`);
});

test("a file that was being written when its process died, or while its payout changed, is written again", async () => {
  const { workplace, results, batch } = await openEnded();
  const { store } = workplace;
  const begin = () => store.write(() => beginResults(batch.id, ENDED_PAYOUT_STATES));
  expect(await begin()).toBe("accepted 2");
  expect(await trackStep(workplace)).toMatchObject({ results: [results] });

  const standings = (await begin()) ?? "";
  const [payoutId = ""] = /[0-9a-f-]{36}(?=,COMPLETED)/.exec(readFileSync(results, "utf8")) ?? [];
  const seen = await store.read(() => findSighting("payout", payoutId));
  const raw = (seen?.raw ?? "").replace("COMPLETED", "SENT");
  await store.write(() =>
    keepSightings("payout", [{ id: payoutId, state: "SENT", raw }], new Date().toISOString()),
  );
  await store.write(() => endResults(batch.id, standings));
  expect(await store.read(() => listResultsDue(false))).toMatchObject([{ id: batch.id }]);
  // Its payout is on its way again, so that there is no standing of rest to remember.
  expect(await begin()).toBeUndefined();
});
