/**
 * The calendar, from the file to the sandbox, by a clock that the test moves: a Friday, a weekend and a Monday on which
 * the clock of Madrid has just been set back.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jobs } from "../../jobs/index.ts";
import { payJob } from "../../jobs/pay.ts";
import { timetable } from "../../src/daemon/index.ts";
import {
  approveStep,
  explainStep,
  intakeStep,
  listDoubts,
  overviewOf,
  payStep,
  statusOf,
  statusOfBatches,
  submitFile,
} from "../../src/index.ts";
import type { Instant } from "../../src/model/index.ts";
import type { ServerOptions } from "../../src/sandbox/index.ts";
import { keepSlot } from "../../src/store/slots.ts";
import { deskOf, trialVisitor, unescaped } from "../desk/visitor.ts";
import { ADDRESS, byClock, openSite } from "../site/service.ts";

const CALENDAR = {
  PAYDROP_CALENDAR: JSON.stringify({
    daysOff: ["Saturday", "Sunday"],
    cutOff: "16:00",
    sendHours: { from: "08:00", to: "18:00" },
  }),
  PAYDROP_LEDGER_TIME_ZONE: "Europe/Madrid",
};

/** Before and after 25 October 2026, a Sunday on which 02:00 to 03:00 comes twice. */
const FRIDAY_NOON = "2026-10-23T10:00:00.000Z";
const FRIDAY_LATE = "2026-10-23T14:00:00.000Z";
const SATURDAY = "2026-10-24T09:00:00.000Z";
const MONDAY_EARLY = "2026-10-26T06:59:00.000Z";
const MONDAY = "2026-10-26T07:00:00.000Z";
const MONDAY_TEXT = "2026-10-26 08:00 (Europe/Madrid)";

const textOf = (html: string) => unescaped(html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " "));

const LOST_ANSWER = { operation: "createPayoutV2", nth: 1, effect: { kind: "cut-after-commit" } } as const;

async function openOffice(changes: Record<string, string> = {}, options: ServerOptions = {}) {
  const site = await openSite(options, { ...CALENDAR, ...changes });
  const at = (now: Instant) => byClock(site.workplace, () => now);
  const submit = async (now: Instant, name: string, rows: readonly string[]) => {
    const path = join(site.folder, `${name}.csv`);
    writeFileSync(path, ["reference,amount,destinationAddress,payOn", ...rows].join("\n"));
    return submitFile(at(now), path, "alice");
  };
  const overview = async (now: Instant) => {
    const workplace = at(now);
    return overviewOf(workplace, await statusOfBatches(workplace), await listDoubts(workplace));
  };
  /** The texts of the desk's pages, as an approver sees them. */
  const desk = async (now: Instant) => {
    const visitor = await trialVisitor(await deskOf(at(now)), "ben");
    return async (path: string) => textOf((await visitor.get(path)).text);
  };
  return { ...site, at, submit, overview, desk };
}

/** Each of another amount, so that none is a repeat. */
let rows = 0;
function row(reference: string, payOn = ""): string {
  rows += 1;
  return `${reference},0.00${rows},${ADDRESS},${payOn}`;
}

test("what is due on a day off goes on the next working day, and everybody is told so", async () => {
  const { at, folder, submit, overview, desk, arrived } = await openOffice();
  const taken = await submit(SATURDAY, "weekend", [row("SAT-1", "2026-10-24"), row("FRI-1", "2026-10-23")]);
  const ofDays = taken.warnings.filter(({ code }) => code.startsWith("PAY_ON"));
  expect(ofDays.map(({ code, message }) => [code, message])).toEqual([
    ["PAY_ON_DAY_OFF", "payOn 2026-10-24 is a day off, so it is paid on the next working day, 2026-10-26"],
    ["PAY_ON_PAST", "payOn 2026-10-23 is before today, 2026-10-24"],
  ]);
  await approveStep(at(SATURDAY), taken.digest ?? "", "bob");
  expect(await readFile(join(folder, "outbox/weekend.accepted.csv"), "utf8")).toContain(
    "so it is paid on the next working day, 2026-10-26",
  );
  const dayOff = { notBefore: "2026-10-26", dayOff: "2026-10-24" };
  expect(await statusOf(at(SATURDAY), "SAT-1")).toMatchObject([dayOff]);
  expect(await explainStep(at(SATURDAY), "SAT-1")).toMatchObject({
    leaves: { at: MONDAY, dayOff: "2026-10-24" },
  });
  expect(await overview(SATURDAY)).toMatchObject({
    rest: { why: "day off", until: MONDAY },
    later: { firstDay: "2026-10-26" },
  });
  await at(SATURDAY).store.write(() =>
    keepSlot({ job: "pay", dueAt: SATURDAY, how: "skipped", reason: "today is a day off" }, SATURDAY),
  );
  const page = await desk(SATURDAY);
  expect(await page("/")).toContain(`Sending rests: today is a day off; sending goes on at ${MONDAY_TEXT}.`);
  expect(await page("/jobs")).toMatch(/Sending rests: .* Not run as planned .* skipped today is a day off/);
  expect(await page(`/batches/${taken.batchId}`)).toMatch(/waits for 26 Oct 24 Oct is a day off/);
  for (const now of [SATURDAY, "2026-10-25T12:00:00.000Z", MONDAY_EARLY])
    expect(await payStep(at(now))).toMatchObject({ accepted: 0, stopped: { code: "SENDING_RESTS" } });
  expect(arrived("createPayoutV2")).toBe(0);
  expect(await payStep(at(MONDAY))).toMatchObject({ accepted: 2 });
  expect(await explainStep(at(MONDAY), "SAT-1")).not.toHaveProperty("leaves");
  expect((await overview(MONDAY)).rest).toBeUndefined();
});

test("after the cut-off nothing begins, and doubts are looked up outside of the send hours", async () => {
  const { at, submit, overview, arrived, sandbox } = await openOffice(
    {},
    { visibilityLagMs: 20_000, faults: [LOST_ANSWER] },
  );
  const taken = await submit(FRIDAY_NOON, "noon", [row("NOON-1"), row("NOON-2")]);
  await approveStep(at(FRIDAY_NOON), taken.digest ?? "", "bob");
  expect(await payStep(at(FRIDAY_NOON))).toMatchObject({ inDoubt: 1, accepted: 1 });
  const late = await submit(FRIDAY_LATE, "late", [row("LATE-1")]);
  await approveStep(at(FRIDAY_LATE), late.digest ?? "", "bob");
  const report = await payStep(at(FRIDAY_LATE));
  expect(report).toMatchObject({ accepted: 0, stopped: { code: "SENDING_RESTS" } });
  expect(await overview(FRIDAY_LATE)).toMatchObject({ rest: { why: "after the cut-off", until: MONDAY } });
  // Less than a one-time code is good for.
  sandbox.operator.passTime(20_000);
  await payStep(at(SATURDAY));
  expect(await statusOf(at(SATURDAY), "NOON-1")).toMatchObject([{ standing: "accepted" }]);
  expect(arrived("createPayoutV2")).toBe(2);
  expect(await payStep(at(MONDAY))).toMatchObject({ accepted: 1 });
});

test("an approval that ends before the next working day is reported, and is not sent under", async () => {
  const { at, submit, overview, desk } = await openOffice({ PAYDROP_APPROVAL_VALID_DAYS: "1" });
  const taken = await submit(FRIDAY_LATE, "short", [row("SHORT-1")]);
  await approveStep(at(FRIDAY_LATE), taken.digest ?? "", "bob");
  expect((await overview(FRIDAY_LATE)).runsOutFirst).toMatchObject([
    { batchId: taken.batchId, ends: "2026-10-24T14:00:00.000Z", goesAt: MONDAY },
  ]);
  const page = await desk(FRIDAY_LATE);
  expect(await page("/")).toContain(`The approval of ${taken.batchId} ends too early`);
  expect(await explainStep(at(FRIDAY_LATE), "SHORT-1")).toMatchObject({
    leaves: { at: MONDAY, approvalEnds: "2026-10-24T14:00:00.000Z" },
  });
  expect(await payStep(at(MONDAY))).toMatchObject({ accepted: 0, problems: [{ code: "APPROVAL_EXPIRED" }] });
});

test("a sender's file that did not come by its day is reported until it comes", async () => {
  const senders = JSON.stringify([{ name: "acme", folder: "inbox/acme", due: "Friday", graceHours: 2 }]);
  const { at, folder, submit, overview, desk } = await openOffice({ PAYDROP_FILES_SENDERS: senders });
  await submit("2026-10-20T09:00:00.000Z", "first", [row("FIRST-1")]);
  const seen = async (now: Instant) => (await overview(now)).filesNotCome.map(({ day }) => day);
  expect(await seen("2026-10-23T23:59:00.000Z")).toEqual([]);
  expect(await seen("2026-10-24T00:00:00.000Z")).toEqual(["2026-10-23"]);
  expect(await (await desk(SATURDAY))("/")).toContain("No file of acme came");
  mkdirSync(join(folder, "inbox/acme"), { recursive: true });
  writeFileSync(
    join(folder, "inbox/acme/pay.csv"),
    ["reference,amount,destinationAddress", row("ACME-1")].join("\n"),
  );
  await intakeStep(at(SATURDAY));
  expect(await seen(SATURDAY)).toEqual([]);
  expect(await seen("2026-10-31T12:00:00.000Z")).toEqual(["2026-10-30"]);
});

test("the jobs' next slots are those at which they do what they are for", async () => {
  const { workplace } = await openOffice();
  const rest = payJob.restAt?.(workplace.config, new Date().toISOString());
  const entry = timetable(workplace.config, jobs).find(({ job }) => job === "pay");
  expect(payJob.restAt?.(workplace.config, entry?.nextRunAt ?? "")).toBeUndefined();
  expect(Date.parse(entry?.nextRunAt ?? "")).toBeGreaterThanOrEqual(Date.parse(rest?.until ?? "1970-01-01"));
});
