/**
 * A short night asks by id for elements that may have changed, and reads new ones, newest first. If it could miss
 * anything, it becomes a full night in the same run. The next full night finds changes in elements that it leaves
 * out; their age is reported.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import exceljs from "exceljs";
import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { nightReportText } from "../../src/cli/render/night-report-text.ts";
import { approveStep, payStep, submitFile, trackStep, type Workplace } from "../../src/index.ts";
import { DAY_MS, type Instant, shifted } from "../../src/model/index.ts";
import {
  baselineStep,
  lookSentence,
  type NightAsked,
  reconcileStep,
  reportBytes,
  reportStep,
} from "../../src/nights/index.ts";
import { listSightingsAfter } from "../../src/store/observed.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { Chance } from "../simulation/chance.ts";
import { ADDRESS, byClock, openSite, TREASURY } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { longTest } from "../slice.ts";
import { type Element, type Paging, startPlantedService } from "./planted/planted-service.ts";

const PAYMENTS = 30;
const PAGE_SIZE = 5;
const HONEST: Paging = { sizeMax: 500, isShuffled: false, isSorted: true, moves: false, miscount: 0 };
const OPEN_ONE = 3;
const OLD_ONE = 1;

/**
 * Thirty payouts, one created each day, the newest two months ago. All but one had ended when they were first seen,
 * in the baseline's night; that one ended forty days later, in a full night. The next night is one day later.
 */
async function atDay41() {
  const service = await startPlantedService(new Chance(1));
  const { workplace, folder } = openPlace({
    ...SANDBOX_SECRETS,
    PAYDROP_SERVICE_BASE_URL: service.url,
    PAYDROP_PAGING_SIZE: String(PAGE_SIZE),
  });
  const { openings } = await baselineStep(workplace, "ann");
  const file = join(folder, "a.csv");
  const rows = Array.from({ length: PAYMENTS }, (_, row) => `R-${row},0.000${100 + row},${ADDRESS},6200`);
  writeFileSync(file, `reference,amount,destinationAddress,generalLedgerName\n${rows.join("\n")}\n`);
  const { digest = "" } = await submitFile(workplace, file, "ann");
  await approveStep(workplace, digest, "ben");
  await payStep(workplace);
  await expect.poll(async () => (await trackStep(workplace)).open, { timeout: 30_000 }).toBe(0);
  const begin = workplace.context.clock.now();
  const day = (days: number): Instant => shifted(begin, days * DAY_MS);
  const sightings = await workplace.store.read(() => listSightingsAfter("payout", "", 1_000));
  const paid = sightings
    .map(({ raw }) => JSON.parse(raw) as Element)
    .sort((one, other) => rowOf(one) - rowOf(other))
    .map((element, index): Element => ({ ...element, createdDate: day(index - PAYMENTS - 60) }));
  const world = { payouts: paid, deposits: [] as Element[], paging: HONEST, unexplained: 0n };
  const opened = new Map(
    openings.map(({ custodyAccountId, total }) => [String(custodyAccountId), satoshis(total.value)]),
  );
  const night = async (days: number, asked: NightAsked = {}) => {
    const { payouts, deposits, paging, unexplained } = world;
    const balances = new Map(
      [...opened].map(([id, opening]) => {
        const own = payouts.filter(({ accountId }) => accountId === id);
        const sent = own.reduce((sum, payout) => sum + sentBy(payout), id === TREASURY ? unexplained : 0n);
        return [id, opening - sent];
      }),
    );
    service.show({ payouts, deposits, balances }, paging);
    service.asked.length = 0;
    const at = day(days);
    const report = await reconcileStep(
      byClock(workplace, () => at),
      asked,
    );
    const { look, openBreaks, incomplete, balanceProof } = report;
    return {
      look,
      incomplete,
      ties: balanceProof.every(({ ties }) => ties),
      open: openBreaks.map(({ kind, payoutId }) => `${kind} ${payoutId}`),
      searches: service.asked.length,
    };
  };
  const change = (index: number, changes: Element) => {
    world.payouts = world.payouts.map((each) =>
      each["payoutId"] === paid[index]?.["payoutId"] ? { ...each, ...changes } : each,
    );
    return String(paid[index]?.["payoutId"]);
  };
  const ended = paid[OPEN_ONE] ?? {};
  change(OPEN_ONE, { payoutState: "SENT" });
  expect((await night(0)).look).toEqual({ kind: "full", why: "first" });
  change(OPEN_ONE, ended);
  expect((await night(40)).look).toEqual({ kind: "full", why: "due" });
  return { workplace, folder, service, world, paid, night, change, day };
}

function rowOf(element: Element): number {
  return Number(String(element["reference"]).slice(2));
}

interface Sum {
  readonly amount: { readonly amount: number };
  readonly fee?: { readonly amount: number };
}

function sentBy(payout: Element): bigint {
  const funds = [payout["sentFunds"] ?? []].flat() as unknown as readonly Sum[];
  return funds.reduce((sum, { amount, fee }) => sum + bits(amount.amount) + bits(fee?.amount ?? 0), 0n);
}

function bits(bitcoins: number): bigint {
  return BigInt(Math.round(bitcoins * 1e8));
}

function satoshis(value: { toString(): string }): bigint {
  return bits(Number(value.toString()));
}

const stranger = (of: Element, createdDate: Instant, digit = "1"): Element & { payoutId: string } => ({
  ...of,
  payoutId: `6f1cbb7e-0000-4000-8000-0000000000e${digit}`,
  reference: `EXT-${digit}`,
  callbackUrl: "https://elsewhere.example/hook",
  sentFunds: {
    ...(of["sentFunds"] as object),
    txHash: digit.repeat(64),
    transactionId: `T-EXT-${digit}`,
  },
  createdDate,
});

const SHORT = { kind: "short", unseen: { payouts: 19, deposits: 0 } };

/** What all reports of the latest night say. */
async function reportsOf(workplace: Workplace) {
  const report = await reportStep(workplace);
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load((await reportBytes(report, "xlsx")) as unknown as ArrayBuffer);
  const cells: unknown[] = [];
  workbook.getWorksheet("Summary")?.eachRow((row) => void cells.push(row.getCell(1).value));
  return {
    html: (await reportBytes(report, "html")).toString(),
    json: JSON.parse((await reportBytes(report, "json")).toString()).night.look,
    cells,
    terminal: nightReportText(report, pc.createColors(false)),
  };
}

describe("a short night", () => {
  test("asks for what may have changed; all reports say how old the rest is; a week later it is a full one", async () => {
    const { workplace, service, night, change, paid, day } = await atDay41();
    const { look, open, ties, searches } = await night(41);
    expect(look).toEqual({ ...SHORT, endedBefore: day(11), seenSince: day(40) });
    expect({ open, ties }).toEqual({ open: [], ties: true });
    const byId = service.asked.flatMap(({ body }) => body.payoutIds ?? []);
    expect(byId).toEqual([paid[OPEN_ONE]?.["payoutId"]]);
    expect(searches).toBe(4);
    const sentence = lookSentence(look, workplace.config.ledger.timeZone);
    expect(sentence).toMatch(
      /^A short night: 19 payouts and 0 deposits that had ended before .* were not asked for; the service showed them last on/,
    );
    const reports = await reportsOf(workplace);
    expect(reports).toMatchObject({ json: look, cells: expect.arrayContaining([sentence]) });
    for (const text of [reports.html, reports.terminal]) expect(text).toContain(sentence);

    const id = change(OLD_ONE, { generalLedgerName: "9999 Elsewhere" });
    for (const day of [44, 46]) expect(await night(day)).toMatchObject({ look: SHORT, open: [] });
    expect(await night(47)).toMatchObject({
      look: { kind: "full", why: "due" },
      open: [`ledger-field ${id}`],
    });
    expect((await night(48)).look.kind).toBe("short");

    await night(49, { full: true });
    const { html, cells, terminal } = await reportsOf(workplace);
    const why = "A full night, because it was ordered: the service was asked for everything.";
    expect(cells).toContain(why);
    for (const text of [html, terminal]) expect(text).toContain(why);
  });

  test("finds a change of one that has not ended, and becomes a full one where a balance does not tie", async () => {
    const { night, change, paid } = await atDay41();
    const id = change(OPEN_ONE, { payoutState: "SENDING" });
    expect(await night(41)).toMatchObject({
      look: SHORT,
      open: expect.arrayContaining([`state-went-back ${id}`]),
    });
    change(OPEN_ONE, { payoutState: "SEND_FAILED", sentFunds: undefined });
    expect((await night(42)).open).toContain(`failed ${id}`);
    const funds = paid[OLD_ONE]?.["sentFunds"] as unknown as Sum;
    const old = change(OLD_ONE, {
      sentFunds: { ...funds, amount: { currency: "BTC", amount: 0.0003 } } as never,
    });
    expect(await night(43)).toMatchObject({
      look: { kind: "full", why: "untied" },
      ties: true,
      open: expect.arrayContaining([`sent-amount ${old}`]),
    });
  });

  longTest(
    "finds what changed and is new; becomes a full one where the order or the count is off",
    async () => {
      const { night, change, world, paid, day } = await atDay41();
      const changed = change(OPEN_ONE, { generalLedgerName: "9999 Elsewhere" });
      expect(await night(41)).toMatchObject({ look: SHORT, open: [`ledger-field ${changed}`] });
      const news = ["1", "2"].map((digit, at) => stranger(paid[0] ?? {}, day(41.5 + at), digit));
      const open = [`ledger-field ${changed}`];
      for (const [at, one] of news.entries()) {
        world.payouts = [...world.payouts, one];
        open.push(`unexpected ${one.payoutId}`);
        const found = await night(42 + at);
        expect([found.look.kind, found.open.toSorted()]).toEqual(["short", open.toSorted()]);
      }
      world.paging = { ...HONEST, isSorted: false };
      expect((await night(44)).look).toEqual({ kind: "full", why: "unsorted" });
      world.paging = HONEST;
      const late = stranger(paid[0] ?? {}, day(-80), "3");
      world.payouts = [...world.payouts, late];
      expect(await night(45)).toMatchObject({
        look: { kind: "full", why: "miscounted" },
        open: expect.arrayContaining([`unexpected ${late.payoutId}`]),
      });
    },
  );

  longTest("finds the payout of a refused payment by its reference, whenever it was made", async () => {
    const { workplace, folder, night, world, paid, day } = await atDay41();
    const file = join(folder, "b.csv");
    writeFileSync(file, `reference,amount,destinationAddress\nLATE-1,0.0002,${ADDRESS}\n`);
    const { digest = "" } = await submitFile(workplace, file, "ann");
    await approveStep(workplace, digest, "ben");
    await workplace.store.write(function* () {
      yield {
        text: "update instruction set standing = 'refused', changed_at = ? where reference = 'LATE-1'",
        values: [day(41)],
      };
      yield {
        text: `insert into submission (instruction_id, attempt, key_id, nonce, operation, base_url, body_hash, intended_at, outcome)
          select id, 1, 'k', '1', 'createPayoutV2', '', '', ?, 'refused' from instruction where reference = 'LATE-1'`,
        values: [day(41)],
      };
    });
    const shown = { ...stranger(paid[0] ?? {}, day(-80)), reference: "LATE-1" };
    // The number stays the same, so the count reveals nothing.
    world.payouts = [...world.payouts.filter((each) => rowOf(each) !== 0), shown];
    world.unexplained = sentBy(paid[0] ?? {});
    const { look, open } = await night(41);
    expect(look.kind).toBe("short");
    expect(open).toEqual([expect.stringContaining(String(shown["payoutId"]))]);
  });

  longTest("becomes a full one where one that has not ended is shown no more", async () => {
    const { night, change, world, paid } = await atDay41();
    const id = change(OPEN_ONE, { payoutState: "SENT" });
    await night(41);
    world.payouts = world.payouts.filter(({ payoutId }) => payoutId !== id);
    world.unexplained = sentBy(paid[OPEN_ONE] ?? {});
    const { look, open } = await night(42);
    expect(look).toEqual({ kind: "full", why: "missing" });
    expect(open).toContain(`not-shown ${id}`);
  });

  longTest(
    "becomes no full one again for a balance difference that a full one has found, to the last digit",
    async () => {
      const { night, world } = await atDay41();
      world.unexplained = 5n;
      expect(await night(41)).toMatchObject({ look: { kind: "full", why: "untied" }, ties: false });
      const open = ["balance undefined"];
      expect(await night(42)).toMatchObject({ look: SHORT, ties: false, open });
      world.unexplained = 6n;
      expect(await night(43)).toMatchObject({ look: { kind: "full", why: "untied" }, open });
      expect((await night(44)).look.kind).toBe("short");
      expect((await night(50)).look).toEqual({ kind: "full", why: "due" });
    },
  );

  longTest("is none on request, after a baseline, and after a full one that was not complete", async () => {
    const { workplace, night, world } = await atDay41();
    expect((await night(41, { full: true })).look).toEqual({ kind: "full", why: "asked" });
    world.payouts = [...world.payouts, { payoutId: "unreadable" }];
    expect(await night(42, { full: true })).toMatchObject({
      incomplete: { code: "SERVICE_ANSWER_UNREADABLE" },
    });
    world.payouts = world.payouts.slice(0, -1);
    expect(await night(43)).toMatchObject({ look: { kind: "full", why: "first" }, incomplete: undefined });
    expect((await night(44)).look.kind).toBe("short");
    await baselineStep(workplace, "ann");
    expect((await night(45)).look).toEqual({ kind: "full", why: "first" });
  });

  longTest("that died leaves the next one right", async () => {
    const { night, change, service } = await atDay41();
    const id = change(OPEN_ONE, { generalLedgerName: "9999 Elsewhere" });
    service.outages.ofBalances = 100;
    await expect(night(41)).rejects.toMatchObject({ problem: { code: expect.stringMatching(/^SERVICE_/) } });
    service.outages.ofBalances = 0;
    expect(await night(42)).toMatchObject({
      look: SHORT,
      incomplete: undefined,
      open: [`ledger-field ${id}`],
    });
  });
});

test("at the sandbox, where three days pass between payouts, a short night sees the newest and what comes then", async () => {
  const { workplace, sandbox } = await openSite({}, { PAYDROP_PAGING_SIZE: "2" });
  const here = workplace.context.clock.now();
  const payElsewhere = (reference: string) =>
    sandbox.operator.payElsewhere({
      ...{ accountId: TREASURY, reference, amount: "0.001", destinationAddress: ADDRESS, afterMs: 0 },
    });
  for (let round = 1; round <= 6; round += 1) {
    for (const row of [1, 2]) payElsewhere(`S-${round}-${row}`);
    sandbox.operator.passTime(3 * DAY_MS);
  }
  const later = (days: number) => byClock(workplace, () => shifted(here, days * DAY_MS));
  expect(await baselineStep(later(18), "ann")).toMatchObject({ payoutsBefore: 12 });
  const night = async (days: number) => {
    const before = sandbox.arrivals().length;
    const { look, openBreaks, balanceProof } = await reconcileStep(later(days));
    const asked = sandbox.arrivals().slice(before);
    return {
      look,
      open: openBreaks.map(({ kind, reference }) => `${kind} ${reference}`),
      ties: balanceProof.every(({ ties }) => ties),
      searches: asked.filter(({ operation }) => operation === "findPayoutFilteredV2").length,
    };
  };
  expect((await night(19)).look).toEqual({ kind: "full", why: "first" });
  expect((await night(50)).look).toEqual({ kind: "full", why: "due" });
  expect(await night(51)).toMatchObject({
    look: { kind: "short", unseen: { payouts: 8, deposits: 0 } },
    open: [],
    ties: true,
    searches: 2,
  });
  payElsewhere("EXT-1");
  sandbox.operator.passTime(DAY_MS);
  expect(await night(52)).toMatchObject({ look: { kind: "short" }, open: ["unexpected EXT-1"], ties: true });
});

longTest("everything of one custody account is asked for and compared again by its name", async () => {
  const { workplace, night, change, day } = await atDay41();
  const id = change(OLD_ONE, { generalLedgerName: "9999 Elsewhere" });
  expect(await night(41)).toMatchObject({ open: [] });
  expect(await night(42, { account: "savings-btc" })).toMatchObject({ look: { kind: "short" }, open: [] });
  const { look, open } = await night(43, { account: "treasury-btc" });
  expect(look).toMatchObject({
    kind: "short",
    unseen: { payouts: 0 },
    account: { name: "treasury-btc", payouts: PAYMENTS, deposits: 0 },
  });
  expect(open).toEqual([`ledger-field ${id}`]);
  await expect(
    reconcileStep(
      byClock(workplace, () => day(44)),
      { account: "nowhere" },
    ),
  ).rejects.toMatchObject({
    problem: {
      code: "NAME_UNKNOWN",
      message: "there is no custody account nowhere",
      fix: "The configuration has treasury-btc, savings-btc.",
    },
  });
});
