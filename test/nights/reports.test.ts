/** The report of a night: kept as it was first made, for a period, and written to files after each night. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY_MS, dayIn, shifted } from "../../src/model/index.ts";
import { assignBreakStep, nightStep, reportStep, settleStep } from "../../src/nights/index.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { startOddService } from "../gateway/odd-service.ts";
import { depositOf, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { openPlace } from "../site/workplace.ts";

/** Noon in Madrid, so many days from now. Every zone has the same date at that time. */
const noon = (days: number) =>
  `${shifted(new Date().toISOString(), days * DAY_MS).slice(0, 10)}T11:00:00.000Z`;
const dayOf = (days: number) => dayIn("Europe/Madrid", noon(days));

const depositId = (end: string) => `6f1cbb7e-0000-4000-8000-0000000000${end}`;
const refusal = (code: string) => expect.objectContaining({ problem: expect.objectContaining({ code }) });

test("a night is shown as it was, after later nights have changed everything", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.balance = OPENING + 0.123456789012345;
  await night(noon(1));
  await assignBreakStep(workplace, { names: ["treasury-btc"], owner: "ann", person: "ann" });
  await night(noon(2));
  const then = await reportStep(workplace, { night: dayOf(2) });
  expect(then.night).toMatchObject({
    day: dayOf(2),
    breaks: {
      alarms: 1,
      settled: 0,
      atStake: [{ currency: "BTC" }],
      listed: [{ kind: "balance", owner: "ann" }],
    },
  });
  await settleStep(workplace, { names: ["treasury-btc"], person: "tess", reason: "the bank knows" });
  shown.balance = OPENING;
  shown.deposits = [depositOf(depositId("01"), [receiptOf("aa", 0.5)])];
  await night(noon(3));
  await night(noon(400));
  expect(await reportStep(workplace, { night: dayOf(2) })).toEqual(then);
  expect(await reportStep(workplace, { night: then.number })).toEqual(then);
});

test("the balance proof is kept to the last digit, with the head of the audit record", async () => {
  const { shown, night, workplace } = await scriptedNights({ pays: ["INV-1"] });
  shown.balance = 4.94321098;
  await night(noon(1));
  const { night: kept } = await reportStep(workplace);
  const row = kept.proof.find(({ account }) => account === "treasury-btc");
  expect(row).toMatchObject({ opening: "5", received: "0", found: "4.94321098", currency: "BTC" });
  expect(kept.audit.entries).toBeGreaterThan(0);
  expect(kept.audit.head).toMatch(/^[0-9a-f]{64}$/);
});

test("of two nights of one day the last one is shown, and both are lines of the period", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.balance = OPENING + 0.5;
  await night(noon(1));
  shown.balance = OPENING;
  await night(shifted(noon(1), 3_600_000));
  const { night: last, trend } = await reportStep(workplace, { night: dayOf(1) });
  expect(last.breaks.alarms).toBe(0);
  expect(trend.nights.filter(({ day }) => day === dayOf(1)).map(({ alarms }) => alarms)).toEqual([1, 0]);
});

test("a period has its nights, and what opened and closed in it", async () => {
  const { shown, night, workplace } = await scriptedNights();
  shown.balance = OPENING + 0.5;
  await night(noon(1));
  shown.balance = OPENING;
  await night(noon(2));
  shown.balance = OPENING + 0.25;
  await night(noon(3));
  const { period, trend, night: last } = await reportStep(workplace, { from: dayOf(2), to: dayOf(3) });
  expect(last.day).toBe(dayOf(3));
  expect(trend.nights.map(({ day, alarms }) => [day, alarms])).toEqual([
    [dayOf(2), 0],
    [dayOf(3), 1],
  ]);
  expect(period?.opened.map(({ found }) => found)).toEqual(["0.25"]);
  expect(period?.closed.map(({ found }) => found)).toEqual(["0.5"]);
  const all = await reportStep(workplace, { from: dayOf(0) });
  expect(all.period?.opened).toHaveLength(2);
});

test("each change is counted in one night: by account, and what arrived by ledger project", async () => {
  const { shown, night, workplace } = await scriptedNights({ pays: ["INV-1"] });
  const changes = async (days: number) => {
    await night(noon(days));
    const { accounts, projects } = (await reportStep(workplace)).night;
    return { accounts: accounts.map(({ account: _, custodyAccountId: __, ...sums }) => sums), projects };
  };
  const payment = { currency: "BTC", count: 1, amount: "0.05" };
  shown.payout = { payoutState: "SENDING", generalLedgerProject: "ALPHA" };
  shown.deposits = [depositOf(depositId("01"), [receiptOf("aa", 0.5), receiptOf("bb", 0.25)])];
  expect(await changes(1)).toEqual({
    accounts: [{ payouts: [payment], deposits: [{ currency: "BTC", count: 1, amount: "0.75" }] }],
    projects: [],
  });
  expect(await changes(2)).toEqual({ accounts: [], projects: [] });
  shown.payout = { payoutState: "COMPLETED", generalLedgerProject: "ALPHA" };
  const arrived = {
    accounts: [{ payouts: [payment], deposits: [] }],
    projects: [{ project: "ALPHA", arrived: [payment] }],
  };
  expect(await changes(3)).toEqual(arrived);
  // Another change of the payout does not count as a second arrival.
  shown.payout = { payoutState: "COMPLETED", generalLedgerProject: "BETA" };
  expect(await changes(4)).toEqual({ ...arrived, projects: [] });
});

test("after each night its page, its workbook and its document lie in the folder, readable as the configuration says", async () => {
  const { workplace } = await scriptedNights({
    settings: { PAYDROP_FILES_MODES: '{ file: "0600", folder: "0700" }' },
  });
  const { files, night, notWritten } = await nightStep(workplace);
  expect(notWritten).toBeUndefined();
  const folder = workplace.config.folders.nights;
  const { day } = (await reportStep(workplace)).night;
  const name = `${day}-${String(night).padStart(6, "0")}`;
  expect(readdirSync(folder).sort()).toEqual([`${name}.html`, `${name}.json`, `${name}.xlsx`]);
  expect(files).toHaveLength(3);
  for (const path of files) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"))).toEqual(await reportStep(workplace));
});

test("a report that cannot be written is told, and what was compared stays", async () => {
  const { workplace } = await scriptedNights();
  const { nights } = workplace.config.folders;
  rmSync(nights, { recursive: true, force: true });
  writeFileSync(nights, "a file where the folder should be");
  const { night, files, notWritten } = await nightStep(workplace);
  expect(notWritten?.code).toBe("OUTPUT_UNWRITABLE");
  expect(files).toEqual([]);
  expect((await reportStep(workplace)).number).toBe(night);
});

test("a day or period without a night, and a night and a period at once, get one sentence each", async () => {
  const { workplace, night } = await scriptedNights();
  await expect(reportStep(workplace)).rejects.toEqual(refusal("NAME_UNKNOWN"));
  await night(noon(1));
  for (const asked of [{ night: "2020-01-01" }, { night: 99 }, { to: "2020-01-01" }, { from: "2999-01-01" }])
    await expect(reportStep(workplace, asked)).rejects.toEqual(refusal("NAME_UNKNOWN"));
  const both = { night: dayOf(1), from: dayOf(1) };
  await expect(reportStep(workplace, both)).rejects.toEqual(refusal("USAGE"));
  const backwards = { from: dayOf(2), to: dayOf(1) };
  await expect(reportStep(workplace, backwards)).rejects.toEqual(refusal("USAGE"));
});

test("`reconcile --json` counts the changes and lists the first ones; `reconcile report` prints and writes", async () => {
  const deposits = Array.from({ length: 250 }, (_, index) =>
    depositOf(`6f1cbb7e-0000-4000-8000-${String(index).padStart(12, "0")}`, []),
  );
  const service = await startOddService(({ path, answer }) => {
    if (path !== "/deposits/v2/find") return false;
    const content = { content: deposits, totalPages: 1, totalElements: deposits.length };
    return void answer(200, JSON.stringify({ results: content }));
  });
  const { folder, environment } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const run = (...args: readonly string[]) => paydropInTurn(folder, args, environment);
  const compared = JSON.parse((await run("reconcile", "--json")).stdout);
  expect(compared.depositSweep.changesSeen).toBe(250);
  expect(compared.depositSweep.changes).toHaveLength(200);
  expect(compared.files).toHaveLength(3);
  expect((await run("reconcile", "report")).stdout).toContain("Balance proof:");
  const out = join(folder, "out");
  mkdirSync(out);
  for (const format of ["html", "xlsx", "json"]) {
    const written = await run("reconcile", "report", "--format", format, "--out", out, "--json");
    expect(JSON.parse(written.stdout).written).toMatch(new RegExp(`\\.${format}$`));
  }
  expect((await run("reconcile", "report", "--out", "month.xlsx", "--from", "2026-01-01")).exitCode).toBe(0);
  for (const wrong of [
    ["--night", "2026-02-31"],
    ["--night", "yesterday"],
    ["--format", "pdf"],
    ["--out", "month.xlsx"],
    ["--out", "month.pdf"],
    ["--out", "page.html", "--format", "xlsx"],
    ["--night", "2026-01-01", "--to", "2026-01-02"],
  ]) {
    const { exitCode, stderr, stdout } = await run("reconcile", "report", ...wrong);
    expect([wrong, exitCode, stdout]).toEqual([wrong, 2, ""]);
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(3);
  }
});
