/**
 * Many expectations while answers are lost, the service answers 502 or nothing, and processes are killed and
 * started again: each deposit is created once, and each answer is whole. EXPECTED_ROWS sets their number (500: `npm
 * run test:expected`).
 */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { expectedStep } from "../../src/expected/index.ts";
import { listDoubts, resolveChangeStep, searchDeposits } from "../../src/index.ts";
import type { FaultEffect } from "../../src/sandbox/index.ts";
import { endOf, startPaydrop } from "../cli/program.ts";
import { IS_ON_POSTGRES, query } from "../postgres.ts";
import { openSite, type Site } from "../site/service.ts";
import { answerRows, csv, drop, expectations } from "./place.ts";

const ROWS = Number.parseInt(process.env["EXPECTED_ROWS"] ?? "24", 10);
const ROWS_PER_FILE = Math.ceil(ROWS / 4);
const LIVES = Math.max(2, Math.floor(ROWS / 25));
const LASTS_MS = 60_000 + ROWS * 2_000;

const FAILED = (committed: boolean): FaultEffect => ({
  ...{ kind: "answer", statusCode: 502, committed },
  body: '[{"error":"error during deposit creation","code":"DEPOSIT_FAILED"}]',
});

/** About every tenth request meets one of these. */
const FAULTS: readonly [FaultEffect, chance: number][] = [
  [{ kind: "cut-after-commit" }, 0.06],
  [{ kind: "half-body" }, 0.04],
  [FAILED(true), 0.05],
  [FAILED(false), 0.03],
  [{ kind: "cut-before-read" }, 0.02],
];

describe.each([
  ["createDeposit", "path"],
  ["createDepositSynchronously", "synchronously"],
] as const)("%s for many expectations", (operation, by) => {
  const killed: number[] = [];

  test(`makes each of ${ROWS} deposits once despite lost answers and kills, and writes whole answers`, {
    timeout: LASTS_MS,
  }, async () => {
    const scripts = [
      ...FAULTS.map(([effect, chance]) => ({ operation, effect, chance })),
      { operation: "findDepositFilteredV2", effect: { kind: "cut-after-commit" } as const, chance: 0.02 },
    ];
    const site = await openSite({ randomSeed: 7, faults: scripts }, { PAYDROP_EXPECTED_CREATE_BY: by });
    const references = Array.from({ length: ROWS }, (_, at) => `INV-${String(at + 1).padStart(4, "0")}`);
    for (let from = 0; from < ROWS; from += ROWS_PER_FILE) {
      const rows = references.slice(from, from + ROWS_PER_FILE).map(rowOf);
      drop(site, csv(...rows), `file-${from / ROWS_PER_FILE}.csv`);
    }
    await site.workplace.close();
    for (let life = 0; life < LIVES; life += 1) killed.push(await liveAndDie(site, operation, life));
    const workplace = site.openAgain();
    await toTheEnd({ ...site, workplace });

    const kept = await expectations({ workplace });
    expect(kept.map(({ reference }) => reference).sort()).toEqual(references);
    site.sandbox.setFaults([]);
    const atService = new Map<string, number>();
    const { found } = await searchDeposits(workplace, { by: "path", limit: 10_000 });
    for (const { reference = "" } of found)
      if (references.includes(reference)) atService.set(reference, (atService.get(reference) ?? 0) + 1);
    expect([...atService].filter(([, count]) => count !== 1)).toEqual([]);
    expect([...atService.keys()].sort()).toEqual(references);
    const shownBy = new Map(found.map((each) => [each.reference, each.receiverAddress]));
    for (let file = 0; file < Math.ceil(ROWS / ROWS_PER_FILE); file += 1) {
      const rows = answerRows(site, `file-${file}.expected.csv`);
      expect(rows.size).toBe(Math.min(ROWS_PER_FILE, ROWS - file * ROWS_PER_FILE));
      for (const [reference, { address }] of rows) expect(address).toBe(shownBy.get(reference));
    }
  });

  // A kill that comes too late proves nothing.
  afterAll(() => expect(killed.filter((each) => each > 0).length).toBeGreaterThan(0));
});

function rowOf(reference: string, at: number): string {
  const amount = at % 3 === 0 ? "100.50,EUR" : `0.0${1 + (at % 9)},BTC`;
  return `${reference},Customer ${at % 7},treasury-btc,${amount},2036-12-31,,yes`;
}

/** One run of the program, killed after some creations have arrived; returns 1 if it was killed before its end. */
async function liveAndDie(site: Site, operation: string, life: number): Promise<number> {
  const child = startPaydrop(site.folder, ["--json", "deposits", "expect"], site.environment);
  const ended = endOf(child);
  const enough = site.arrived(operation) + 2 + ((life * 7) % 11);
  while (child.exitCode === null && site.arrived(operation) < enough) await wait(1);
  await wait((life * 3) % 8);
  child.kill("SIGKILL");
  const { exitCode } = await ended;
  // In PostgreSQL a killed process keeps its lane for a while.
  const { DATABASE_URL: url } = site.environment;
  if (IS_ON_POSTGRES) await query(url ?? "", "update paydrop.lease set until_ms = 0, free_ms = 0");
  return exitCode === null ? 1 : 0;
}

/**
 * Runs until nothing is missing. A person gives up deposits that the service never got; they are requested again.
 */
async function toTheEnd(site: Pick<Site, "workplace" | "sandbox">): Promise<void> {
  const { workplace, sandbox } = site;
  for (let run = 0; run < 60; run += 1) {
    await expectedStep(workplace);
    sandbox.operator.passTime(1_000);
    const missing = (await expectations({ workplace })).filter(({ address }) => address === undefined);
    if (missing.length === 0) {
      await expectedStep(workplace);
      return;
    }
    if (run % 5 !== 4) continue;
    for (const { change } of (await listDoubts(workplace)).changes) {
      const decision = { number: change.id, person: "tess", reason: "the service never got it" };
      const given = resolveChangeStep(workplace, decision, { by: "abandon" });
      await given.catch((error: unknown) => expect(String(error)).toMatch(/DECISION_REFUSED|SERVICE_/));
    }
  }
}
