/**
 * Retention removes what is old and needed for nothing, and nothing else; and whatever it removed stays known: an old
 * file that is dropped again is no new one, and whoever asks for it hears when it was removed.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { retentionJob } from "../../jobs/retention.ts";
import { listKeptAside } from "../../src/files/intake/kept-aside.ts";
import {
  approveStep,
  exportAgainStep,
  exportStep,
  fileToRepair,
  ledgerStep,
  payStep,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { type NoticeMessage, shifted } from "../../src/model/index.ts";
import { baselineStep, nightStep } from "../../src/nights/index.ts";
import { evidenceFileStep } from "../../src/payments/evidence-file-step.ts";
import { writeResults } from "../../src/payments/write-results.ts";
import { retentionStep } from "../../src/retention/index.ts";
import { listAudit, verifyAudit } from "../../src/store/audit.ts";
import { keepMessages, listMessages } from "../../src/store/notices.ts";
import { insertRemovals } from "../../src/store/retention.ts";
import { ADDRESS, byClock } from "../site/service.ts";
import { openPlace, openSandboxFor, type Place } from "../site/workplace.ts";
import { tamper } from "../store/stored-batch.ts";

const DAYS = 400;
const DAY_MS = 86_400_000;
const SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const PAID = `reference,amount,destinationAddress,customerId\nP-1,0.01,${ADDRESS},Zoe\nP-2,0.02,${ADDRESS},Zoe\n`;
/** For the retention only: nothing is booked by it. */
const CLOSED = "2098-12-31";
const KEPT = {
  ...{ archiveDays: 365, answersDays: 365, suspectedDays: 365, nightsDays: 365 },
  ...{ exportsDays: 365, noticesDays: 365 },
};

let site: Place;

function put(name: string, text: string): string {
  writeFileSync(join(site.folder, name), text);
  return join(site.folder, name);
}

/** The place, so many days later, with everything closed and kept for a year. */
function later(changes: Partial<Workplace["config"]["ledger"]> = {}, days = DAYS): Workplace {
  const { workplace } = site;
  const ledger = { ...workplace.config.ledger, closedThrough: CLOSED, ...changes };
  const config = { ...workplace.config, ledger, retention: KEPT };
  const now = () => shifted(workplace.context.clock.now(), days * DAY_MS);
  return byClock({ ...workplace, config }, now);
}

const removed = async (workplace: Workplace, isDryRun = true) => {
  const { kinds } = await retentionStep(workplace, { isDryRun });
  return Object.fromEntries(kinds.map(({ kind, count, needed }) => [kind, [count, needed]]));
};

const filesIn = (name: string) =>
  readdirSync(join(site.folder, name)).filter((file) => !file.startsWith("retention-"));

/** One batch is paid, compared, booked and exported; one waits; one file came back, and one held a key. */
beforeAll(async () => {
  site = openPlace((await openSandboxFor()).environment);
  const { workplace } = site;
  await baselineStep(workplace, "ann");
  const { digest = "" } = await submitFile(workplace, put("paid.csv", PAID), "alice");
  await approveStep(workplace, digest, "bob");
  await payStep(workplace);
  await nightStep(workplace);
  const book = async () => {
    await trackStep(workplace);
    await nightStep(workplace);
    await ledgerStep(workplace);
    await exportStep(workplace);
    expect((await removed(later()))["archive"]).toEqual([1, 0]);
  };
  await vi.waitFor(book, { timeout: 40_000 });
  const rows = `reference,amount,destinationAddress\nWAITS-1,0.01,${ADDRESS}\n`;
  await submitFile(workplace, put("waits.csv", rows), "alice");
  await submitFile(workplace, put("back.csv", rows.replace("WAITS-1,0.01", "BACK-1,much")), "alice");
  await submitFile(workplace, put("seed.csv", rows.replace("WAITS-1", SEED)), "alice");
  const message = {
    ...{ key: "k", event: "waiting", about: "B-000001", channel: "mail", recipient: "a@example.com" },
    ...{ subject: "s", body: "b", writtenAt: workplace.context.clock.now(), attempts: 1 },
  } as NoticeMessage;
  const ended = { ...message, endedAt: message.writtenAt, outcome: "delivered" } as NoticeMessage;
  const waits = { ...message, key: "w", nextAt: message.writtenAt };
  await workplace.store.write(() => keepMessages([ended, waits]));
});

test("removes nothing without `retention`, or before its days have passed", async () => {
  expect((await retentionStep(site.workplace)).kinds).toEqual([]);
  expect(retentionJob.isOn?.(site.workplace.config)).toBe(false);
  expect(retentionJob.isOn?.(later().config)).toBe(true);
  const early = await retentionStep(later({}, 364));
  expect(early.kinds.map(({ count, needed }) => count + needed)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(early.report).toBeUndefined();
});

describe("keeps old files that an open matter needs:", () => {
  const OF_FIRST = "(select id from instruction where batch_id = 'B-000001' and row = 1)";
  const PAYOUT = "(select payout_id from instruction where batch_id = 'B-000001' and row = 1)";
  const standing = (to: string) => `update instruction set standing = '${to}' where id = ${OF_FIRST}`;
  const cases: readonly [string, string, string][] = [
    ...["received", "approved", "sending", "in doubt", "held", "refused"].map(
      (each) => [`a payment is ${each}`, standing(each), standing("accepted")] as const,
    ),
    [
      "its payout goes on",
      `update observed set state = 'SENT' where id = ${PAYOUT}`,
      `update observed set state = 'COMPLETED' where id = ${PAYOUT}`,
    ],
    ["it was not compared", "update compared set id = 'x' || id", "update compared set id = substr(id, 2)"],
    [
      "a break about it is open",
      `insert into break_opening (seq, break_id, kind, severity, sentence, payout_id, opened_at) values (900, 'b', 'amount', 'alarm', 's', ${PAYOUT}, '2026-01-01T00:00:00.000Z')`,
      "delete from break_opening where seq = 900",
    ],
    [
      "its movement waits to be booked",
      `insert into unposted (kind, id, seq) select 'payout', payout_id, 1 from instruction where id = ${OF_FIRST}`,
      "delete from unposted",
    ],
    [
      "an entry was not exported",
      "update exported_entry set entry = entry + 1000",
      "update exported_entry set entry = entry - 1000",
    ],
  ].map(([name = "", change = "", undo = ""]) => [name, change, undo]);
  test.each(cases)("%s", async (_, change, undo) => {
    const { store } = site.workplace;
    const before = await removed(later());
    const [goes = 0, needed = 0] = before["archive"] ?? [];
    await tamper(store, change);
    const now = await removed(later());
    await tamper(store, undo);
    expect(now["archive"]).toEqual([goes - 1, needed + 1]);
    expect(await removed(later())).toEqual(before);
  });

  test("an open month and an unanswered export", async () => {
    const none = [expect.any(Number), expect.any(Number)];
    const { archive, nights, exports } = await removed(later({ closedThrough: undefined }));
    expect([archive, nights, exports]).toEqual([
      [1, 2],
      [0, none[1]],
      [0, none[1]],
    ]);
    const answers = { ...site.workplace.config.ledger.exports[0], name: "journal", answers: {} };
    const awaited = await removed(later({ exports: [answers] as never }));
    expect([awaited["archive"], awaited["exports"]]).toEqual([
      [1, 2],
      [0, none[1]],
    ]);
  });
});

test("removes old files with a report and one entry of the record, and still recognises them", async () => {
  const { workplace, folder } = site;
  const { store } = workplace;
  const nights = filesIn("nights").length;
  const planned = await removed(later());
  expect(planned).toMatchObject({ archive: [2, 1], suspected: [1, 0], notices: [1, 0] });
  const archived = filesIn("archive");
  const before = await store.read(() => listAudit(["B-000001"]));
  cpSync(join(folder, "ledger"), join(folder, "ledger-before"), { recursive: true });

  // Of a run whose process died after it had removed the file.
  const died = { kind: "archive", name: "0-died.csv", about: "0", sha256: "0", bytes: 1 } as const;
  await store.write(() => insertRemovals([{ ...died, datedAt: "2026-01-01", removedAt: "2027-12-31" }]));
  const report = await retentionStep(later());
  expect(Object.fromEntries(report.kinds.map(({ kind, count, needed }) => [kind, [count, needed]]))).toEqual(
    planned,
  );
  expect(report.problems).toEqual([]);
  expect(filesIn("archive")).toEqual([expect.stringContaining("waits.csv")]);
  expect(filesIn("outbox")).toEqual(["waits.accepted.csv", "waits.accepted.csv.txt"]);
  expect(await listKeptAside(workplace)).toEqual([]);
  expect(filesIn("nights")).toHaveLength(3);
  expect(nights).toBeGreaterThan(3);
  const messages = await store.read(() => listMessages(9));
  expect(messages.map(({ key, body, recipient }) => [key, body, recipient])).toEqual([
    ["w", "b", "a@example.com"],
    ["k", "", ""],
  ]);

  const written = JSON.parse(readFileSync(report.report ?? "", "utf8"));
  expect(written.removed.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(archived.filter((name) => !name.includes("waits"))),
  );
  const entries = await store.read(() => listAudit([(report.report ?? "").split("/").at(-1) ?? ""]));
  expect(entries).toMatchObject([
    { action: "retention", detail: { archive: 3, suspected: 1, notices: 1, sha256: expect.any(String) } },
  ]);
  expect(JSON.stringify(entries)).not.toContain(ADDRESS);
  await verifyAudit(store);
  expect(await store.read(() => listAudit(["B-000001"]))).toEqual(before);
  expect(filesIn("ledger")).toEqual(readdirSync(join(folder, "ledger-before")));
  expect((await retentionStep(later())).report).toBeUndefined();
});

test("recognises a removed file that is sent again, and its rows in another file", async () => {
  const { workplace, folder } = site;
  const again = await submitFile(workplace, put("another-name.csv", PAID), "alice");
  expect(again).toMatchObject({
    ...{ knownAs: "B-000001", problems: [{ code: "FILE_ALREADY_KNOWN" }] },
    answers: [join(folder, "outbox", "another-name.known.txt")],
  });
  const other = await submitFile(workplace, put("other.csv", PAID.replace(/P-2.*\n/, "")), "alice");
  expect(other.verdict).toBe("rejected");
  expect(other.sentBefore).toMatchObject([{ batchId: "B-000001" }]);
});

test("says when a file was removed to anybody who asks for it", async () => {
  const { workplace, folder } = site;
  const day = shifted(workplace.context.clock.now(), DAYS * DAY_MS).slice(0, 7);
  const gone = (key: string) => ({
    problem: {
      code: "REMOVED_BY_RETENTION",
      message: expect.stringMatching(new RegExp(`was removed on ${day}.*${key}`)),
    },
  });
  await expect(fileToRepair(workplace, "back.csv", "alice")).rejects.toMatchObject(gone("archiveDays"));
  for (const name of filesIn("ledger")) rmSync(join(folder, "ledger", name), { recursive: true });
  await expect(exportAgainStep(workplace, 1)).rejects.toMatchObject(gone("exportsDays"));
  rmSync(join(folder, "archive"), { recursive: true });
  const evidence = await evidenceFileStep(workplace, "B-000001", "bob");
  expect({ problem: evidence.removed }).toMatchObject(gone("archiveDays"));
  const { problems } = await writeResults(workplace, true);
  expect({ problem: problems[0] }).toMatchObject(gone("archiveDays"));
  expect(existsSync(join(folder, "outbox", "paid.results.csv"))).toBe(false);
});
