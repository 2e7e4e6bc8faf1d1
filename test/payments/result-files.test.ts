/** A result file is rewritten exactly when something in its batch is new, even if the batch is old. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { instructionsText } from "../../src/cli/render/status-text.ts";
import {
  approveStep,
  payAgainStep,
  payStep,
  recallStep,
  reopenStep,
  resolveDoubtStep,
  statusOf,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { ENDED_PAYOUT_STATES } from "../../src/model/index.ts";
import { findPayoutSighting, recordSightings } from "../../src/store/observed.ts";
import { insertPayAgain } from "../../src/store/pay-again.ts";
import { beginResults, endResults, listResultsDue } from "../../src/store/results-due.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

/** A batch of two payments with final payouts, and the path of its result file, already written. */
async function openEnded() {
  const site = await openSite();
  return { ...site, ...(await paid(site.workplace, site.folder)) };
}

async function paid(workplace: Workplace, folder: string) {
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
  return { results, batch };
}

test("nothing is written of a batch that has come to rest, also where its file was taken away", async () => {
  const { workplace, results } = await openEnded();
  expect(readFileSync(results, "utf8").match(/COMPLETED/g)).toHaveLength(2);
  rmSync(results);
  expect(await trackStep(workplace)).toMatchObject({ results: [] });
  expect(await trackStep(workplace, { allResults: true })).toMatchObject({ results: [results] });
  expect(readFileSync(results, "utf8").match(/COMPLETED/g)).toHaveLength(2);
});

test("what the service shows otherwise later is written", async () => {
  const { workplace, results } = await openEnded();
  const { store } = workplace;
  const [payoutId = ""] = /[0-9a-f-]{36}(?=,COMPLETED)/.exec(readFileSync(results, "utf8")) ?? [];
  const seen = await store.read(() => findPayoutSighting(payoutId));
  const raw = (seen?.raw ?? "").replace("COMPLETED", "CANCELLED");
  await store.write(() =>
    recordSightings("payout", [{ id: payoutId, state: "CANCELLED", raw }], new Date().toISOString()),
  );
  expect(await trackStep(workplace)).toMatchObject({ results: [results] });
  expect(readFileSync(results, "utf8")).toContain(`${payoutId},CANCELLED`);
});

test("a payment that was re-opened and refused once more is told as refused, and not as the file saw it in between", async () => {
  const { workplace, sandbox, folder } = await openSite();
  const refusal = (nth: number) => ({
    operation: "createPayoutV2",
    nth,
    effect: { kind: "answer", statusCode: 400, body: errorBody("WRONG"), committed: false } as const,
  });
  sandbox.setFaults([refusal(2)]);
  const { results } = await paid(workplace, folder);
  sandbox.setFaults([refusal(1)]);
  await reopenStep(workplace, { reference: "A-2", person: "tess", reason: "the account is enabled" });
  await trackStep(workplace);
  expect(readFileSync(results, "utf8")).toContain(",approved,");
  expect(await payStep(workplace)).toMatchObject({ refused: 1 });
  expect(await trackStep(workplace)).toMatchObject({ results: [results] });
  expect(readFileSync(results, "utf8")).not.toContain(",approved,");
  expect(await trackStep(workplace)).toMatchObject({ results: [] });
});

test("whoever reads that a row was not paid is told to ask first, and under which reference it is paid again", async () => {
  const { workplace, sandbox, folder } = await openSite();
  const refusal = { kind: "answer", statusCode: 400, body: errorBody("WRONG"), committed: false } as const;
  sandbox.setFaults([{ operation: "createPayoutV2", nth: 2, effect: refusal }]);
  const { results } = await paid(workplace, folder);
  const noteOf = (reference: string) =>
    readFileSync(results, "utf8")
      .split("\r\n")
      .find((line) => line.startsWith(reference))
      ?.split(",")
      .at(-1);
  expect(noteOf("A-1")).toBe("");
  expect(noteOf("A-2")).toBe("ask treasury before you submit it again");
  const request = {
    reference: "A-2",
    newReference: "A-2-B",
    reason: "the account is enabled",
    person: "tess",
  };
  // As if the first attempt had died before it submitted the payment, and another process had then written the
  // results.
  const [, earlier] = await statusOf(workplace, "B-000001");
  if (earlier === undefined) throw new Error("the batch has two payments");
  const order = { earlierId: earlier.id, reference: "A-2-B", reason: request.reason, person: "tess", at: "" };
  await workplace.store.write(() => insertPayAgain(order));
  await trackStep(workplace);
  expect(noteOf("A-2")).toBe("ask treasury before you submit it again");
  const { submitted } = await payAgainStep(workplace, request);
  await trackStep(workplace);
  const told = "treasury pays it again as A-2-B: do not submit it again";
  expect(noteOf("A-2")).toBe(told);
  const [, second] = await statusOf(workplace, "B-000001");
  expect(second).toMatchObject({ standing: "refused", again: "A-2-B" });
  expect(instructionsText(await statusOf(workplace, "A-2"))).toContain("; paid again as A-2-B");
  await recallStep(workplace, { reference: submitted.batchId ?? "", person: "tess", reason: "not now" });
  await trackStep(workplace);
  expect(noteOf("A-2")).toBe("ask treasury before you submit it again");
});

test("a row in doubt is told as one of which nobody can tell whether it is paid, and not as one that was not", async () => {
  const { workplace, sandbox, folder } = await openSite();
  sandbox.setFaults([{ operation: "createPayoutV2", nth: 2, effect: { kind: "cut-before-read" } }]);
  const { results } = await paid(workplace, folder);
  expect(readFileSync(results, "utf8")).toMatch(
    /^A-2,.*,in doubt,.*,it is not known yet whether the payee is paid: no answer: .*,ask treasury before you submit it again$/m,
  );
});

test("every line has a standing, also one that is no payment of the batch", async () => {
  const { workplace, folder } = await openSite({}, { PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
  const take = async (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content);
    const { digest = "", reading } = await submitFile(workplace, file, "ann");
    await approveStep(workplace, digest, "ben", { acceptReading: reading?.questions.length });
    await trackStep(workplace);
    return readFileSync(join(folder, "outbox", name.replace(".csv", ".results.csv")), "utf8");
  };
  const sent = `reference,amount,destinationAddress\nA-1,0.01,${ADDRESS}\nA-2,,${ADDRESS}\nPrepared by Ann,,\n`;
  const first = await take("a.csv", sent);
  expect(first).toMatch(/^A-1,.*,approved,(?:,)*$/m);
  expect(first).toMatch(/^A-2,.*,rejected,(?:,)*$/m);
  expect(first).toMatch(/^Prepared by Ann,.*,"a note: shown, not paid",(?:,)*$/m);
  const rejected = readFileSync(join(folder, "outbox", "a.rejected.csv"), "utf8");
  const second = await take("b.csv", rejected.replace("A-2,,", "A-2,0.02,"));
  expect(second).toMatch(
    /^A-1,.*,"this row was accepted before: approved \(not sent yet\) as B-000001, row 1",(?:,)*$/m,
  );
  expect(second).toMatch(/^A-2,.*,approved,(?:,)*$/m);
});

test("payments whose payouts were mixed up are told with their own once a person has put them right", async () => {
  const { workplace, sandbox, results } = await openEnded();
  const [one = "", two = ""] = sandbox.creations().map(({ payoutId }) => payoutId);
  for (const table of ["instruction", "submission"])
    for (const [of, instead] of [
      [one, "mixed up"],
      [two, one],
      ["mixed up", two],
    ])
      await tamper(workplace.store, `update ${table} set payout_id = '${instead}' where payout_id = '${of}'`);
  await trackStep(workplace, { allResults: true });
  expect(readFileSync(results, "utf8")).toContain(`,sent,${two},,`);
  const decision = { reference: "A-1", person: "tess", reason: "its callbackUrl says so" };
  await resolveDoubtStep(workplace, decision, { by: "accept", payoutId: one });
  await payStep(workplace);
  expect(await trackStep(workplace)).toMatchObject({ results: [results] });
  expect(readFileSync(results, "utf8").match(/COMPLETED/g)).toHaveLength(2);
});

test("a file that was being written when its process died, or while its payout changed, is written again", async () => {
  const { workplace, results, batch } = await openEnded();
  const { store } = workplace;
  const begin = () => store.write(() => beginResults(batch.id, ENDED_PAYOUT_STATES));
  expect(await begin()).toBe("accepted 2");
  expect(await trackStep(workplace)).toMatchObject({ results: [results] });

  const standings = (await begin()) ?? "";
  const [payoutId = ""] = /[0-9a-f-]{36}(?=,COMPLETED)/.exec(readFileSync(results, "utf8")) ?? [];
  const seen = await store.read(() => findPayoutSighting(payoutId));
  const raw = (seen?.raw ?? "").replace("COMPLETED", "SENT");
  await store.write(() =>
    recordSightings("payout", [{ id: payoutId, state: "SENT", raw }], new Date().toISOString()),
  );
  await store.write(() => endResults(batch.id, standings));
  expect(await store.read(() => listResultsDue(false))).toMatchObject([{ id: batch.id }]);
  // Its payout is on its way again, so the record has no result of a finished batch.
  expect(await begin()).toBeUndefined();
});

test("a batch whose file is not in the archive any more, or is another one there, is told; the others get their answers", async () => {
  const { workplace, results, folder, batch } = await openEnded();
  const other = join(folder, "b.csv");
  writeFileSync(other, `reference,amount,destinationAddress\nB-1,0.03,${ADDRESS}\n`);
  const { digest = "" } = await submitFile(workplace, other, "ann");
  await approveStep(workplace, digest, "ben");
  const taken = readFileSync(batch.archivedAs);
  const otherResults = join(folder, "outbox", "b.results.csv");
  const told = {
    results: [otherResults],
    problems: [
      {
        code: "ARCHIVED_FILE_MISSING",
        file: "a.csv",
        message: expect.stringContaining(batch.archivedAs),
      },
    ],
  };
  rmSync(batch.archivedAs);
  expect(await trackStep(workplace, { allResults: true })).toMatchObject(told);
  // Another file's rows differ: a result beside them would belong to another payment.
  writeFileSync(batch.archivedAs, taken.toString("utf8").replace("A-1,0.01", "A-9,0.01"));
  expect(await trackStep(workplace, { allResults: true })).toMatchObject(told);
  expect(readFileSync(results, "utf8")).not.toContain("A-9");
  writeFileSync(batch.archivedAs, taken);
  expect(await trackStep(workplace, { allResults: true })).toMatchObject({
    results: [results, otherResults],
    problems: [],
  });
});

test("a batch whose file cannot be read any more is told by its name; the others get their answers", async () => {
  const { folder, results, openAgain } = await openEnded();
  const strict = openAgain({ PAYDROP_FILES_LIMITS_BYTES_MAX: "100" });
  const other = join(folder, "b.csv");
  writeFileSync(other, `reference,amount,destinationAddress\nB-1,0.03,${ADDRESS}\n`);
  const { digest = "" } = await submitFile(strict, other, "ann");
  await approveStep(strict, digest, "ben");
  rmSync(results);
  expect(await trackStep(strict, { allResults: true })).toMatchObject({
    results: [join(folder, "outbox", "b.results.csv")],
    problems: [{ code: "FILE_TOO_LARGE", file: "a.csv" }],
  });
  expect(await trackStep(openAgain(), { allResults: true })).toMatchObject({ problems: [] });
  expect(existsSync(results)).toBe(true);
});

test("an archive that was moved is found where the configuration says it is now", async () => {
  const { folder, results, openAgain } = await openEnded();
  renameSync(join(folder, "archive"), join(folder, "kept"));
  rmSync(results);
  const moved = openAgain({ PAYDROP_FOLDERS_ARCHIVE: "kept" });
  expect(await trackStep(moved, { allResults: true })).toMatchObject({ results: [results], problems: [] });
});
