/** Files without references: Paydrop gives each payment one and writes it into the answer; equal payments wait. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveStep, payStep, recallStep, submitFile } from "../../src/index.ts";
import { type BatchId, DAY_MS, shifted } from "../../src/model/index.ts";
import { listByBatch } from "../../src/store/instructions.ts";
import { byClock, openSite } from "../site/service.ts";
import { addressOf } from "./bitcoin-addresses.ts";

const HEADER = "Payee,Wallet,Amount (BTC)";
const [ANA, BEN, CLEO, DAN] = ["Ana", "Ben", "Cleo", "Dan"].map(
  (name, at) => `${name},${addressOf(at + 1)},0.01${at}`,
) as [string, string, string, string];

async function openDesk(environment: Parameters<typeof openSite>[1] = {}) {
  const site = await openSite(
    {},
    { PAYDROP_FILES_SENDERS: '[{ name: acme, match: "acme-*.csv" }]', ...environment },
  );
  const send = (name: string, rows: readonly string[], header = HEADER, workplace = site.workplace) => {
    const path = join(site.folder, name);
    writeFileSync(path, `${[header, ...rows].join("\n")}\n`);
    return submitFile(workplace, path, "ann");
  };
  /** The references by payee. */
  const referencesOf = async (id: BatchId | undefined) => {
    const stored = await site.workplace.store.read(() => listByBatch(id ?? ("B-0" as BatchId)));
    return Object.fromEntries(
      stored.map(({ fields: { customerId = "", reference } }) => [customerId, reference]),
    );
  };
  return { ...site, send, referencesOf };
}

/**
 * The lines of an answer, by the payee's name, each with its last cell. In a rejected answer that is our reference.
 */
function answered(path: string | undefined): readonly string[][] {
  return readFileSync(path ?? "", "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.trim().split(","));
}

test("are asked about once, paid by references of ours, and answered with them", async () => {
  const { workplace, sandbox, send, referencesOf } = await openDesk();
  const report = await send("acme-1.csv", [ANA, BEN]);
  expect(report.reading?.questions.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^no column holds references: each payment gets one of Paydrop's own \(PD-\w{12}, PD-\w{12}\)$/,
    ),
  ]);
  const given = await referencesOf(report.batchId);
  const [header, ana, ben] = answered(report.answers[0]);
  expect(header?.[3]).toBe("paydrop: reference");
  expect([ana?.[3], ben?.[3]]).toEqual([given["Ana"], given["Ben"]]);
  await expect(approveStep(workplace, report.digest ?? "", "ben")).rejects.toMatchObject({
    problem: { code: "READING_NOT_ACCEPTED" },
  });
  await approveStep(workplace, report.digest ?? "", "ben", { acceptReading: 1 });
  await payStep(workplace);
  expect(sandbox.creations().map(({ reference }) => reference)).toEqual([given["Ana"], given["Ben"]]);
  const next = await send("acme-2.csv", [CLEO, DAN]);
  expect([next.verdict, next.reading?.questions, next.repeatedRows]).toEqual(["accepted", [], []]);
});

test("keep each row's reference where another row is moved, added or corrected", async () => {
  const { workplace, send, referencesOf } = await openDesk();
  const rejected = await send("acme-1.csv", [ANA, BEN, CLEO.replace("0.012", "0.x")]);
  expect(rejected.verdict).toBe("rejected");
  const [, ...before] = answered(rejected.answers[0]);
  const given = Object.fromEntries(before.slice(0, 2).map((cells) => [cells[0] ?? "", cells.at(-1) ?? ""]));
  const moved = await send("acme-1.csv", [BEN, DAN, CLEO, ANA]);
  const after = await referencesOf(moved.batchId);
  expect({ Ana: after["Ana"], Ben: after["Ben"] }).toEqual(given);
  expect(Object.values(given).every((each) => /^PD-/.test(each))).toBe(true);
  // A rejected payment is not paid, and its reference is free.
  await recallStep(workplace, { reference: moved.batchId ?? "", person: "ben", reason: "one row too many" });
  const third = await send("acme-1.csv", [ANA, CLEO, BEN]);
  expect(await referencesOf(third.batchId)).toEqual({
    Ana: after["Ana"],
    Ben: after["Ben"],
    Cleo: after["Cleo"],
  });
});

test("come back in a corrected answer with their references, so that what was accepted is not paid twice", async () => {
  const { send } = await openDesk({ PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
  const first = await send("acme-1.csv", [ANA, BEN, CLEO.replace("0.012", "0.x")]);
  expect(first).toMatchObject({ verdict: "accepted", rowsAccepted: 2, rowsRejected: 1 });
  const path = first.answers.find((each) => each.endsWith("rejected.csv"));
  const text = readFileSync(path ?? "", "utf8")
    .replaceAll("0.x", "0.012")
    .trimEnd();
  const [header = "", ...rows] = text.split("\n");
  const corrected = await send("acme-1-again.csv", rows, header);
  expect(corrected).toMatchObject({ verdict: "accepted", rowsAccepted: 1, rowsAcceptedBefore: 2 });
  const changed = await send(
    "acme-1-third.csv",
    rows.map((row) => row.replace("0.010", "0.015")),
    header,
  );
  expect(changed.problems.map(({ code }) => code)).toContain("ROW_CHANGED_AFTER_ACCEPTANCE");
});

test.each(["accept", "warn"])(
  "have every payment wait that equals an earlier one, however long ago, under `onRepeat: %s`",
  async (onRepeat) => {
    const desk = await openDesk({ PAYDROP_REPEATS: `{ lookBackDays: 1, onRepeat: ${onRepeat} }` });
    const { workplace, sandbox, send, referencesOf } = desk;
    const first = await send("acme-1.csv", [ANA, BEN]);
    await approveStep(workplace, first.digest ?? "", "ben", { acceptReading: 1 });
    await payStep(workplace);
    const later = byClock(workplace, () => shifted(workplace.context.clock.now(), 40 * DAY_MS));
    const second = await send("acme-2.csv", [CLEO, BEN, ANA, ANA], HEADER, later);
    expect([second.verdict, second.repeatedRows]).toEqual(["accepted", [2, 3, 4]]);
    await expect(approveStep(later, second.digest ?? "", "ben")).rejects.toMatchObject({
      problem: { code: "REPEATS_NOT_ACCEPTED" },
    });
    await approveStep(later, second.digest ?? "", "ben", { acceptRepeats: 3 });
    await payStep(later);
    const paid = sandbox.creations().map(({ reference }) => reference);
    expect([paid.length, new Set(paid).size]).toEqual([6, 6]);
    expect(Object.values(await referencesOf(first.batchId))).not.toContain(
      (await referencesOf(second.batchId))["Ben"],
    );
  },
);

test("are refused where the company's own form of references does not allow ours", async () => {
  const { send } = await openDesk({ PAYDROP_REFERENCE_PATTERN: "INV-\\d+" });
  expect((await send("acme-1.csv", [ANA, BEN])).problems).toMatchObject([
    { code: "COLUMN_MISSING", column: "reference" },
  ]);
});

test("a corrected file under last month's name pays its own rows, and no row counts as last month's", async () => {
  const { workplace, folder, send } = await openDesk();
  const october = await send("acme-1.csv", [ANA, BEN, CLEO]);
  await approveStep(workplace, october.digest ?? "", "ben", { acceptReading: 1 });
  await payStep(workplace);
  const later = byClock(workplace, () => shifted(workplace.context.clock.now(), 30 * DAY_MS));
  const november = [ANA, BEN, CLEO.replace("0.012", "0.x")];
  const rejected = await send("acme-1.csv", november, HEADER, later);
  expect(rejected.verdict).toBe("rejected");
  const answer = readFileSync(rejected.answers[0] ?? "", "utf8").replace("0.x", "0.012");
  writeFileSync(join(folder, "acme-1.rejected.csv"), answer);
  const corrected = await submitFile(later, join(folder, "acme-1.rejected.csv"), "ann");
  expect(corrected).toMatchObject({ verdict: "accepted", rowsAccepted: 3, rowsAcceptedBefore: 0 });
});
