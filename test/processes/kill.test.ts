/**
 * `paydrop pay` is killed with SIGKILL at random moments and started again until a run sends nothing. KILL_RUNS and
 * KILL_FIRST_SEED choose the runs; a failure's title names the seed, which determines the policies and the moment each
 * life ends, but not the scheduling of two processes.
 */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type Ended, endOf, startPaydrop } from "../cli/program.ts";
import { IS_ON_POSTGRES } from "../postgres.ts";
import { IS_WHOLE } from "../slice.ts";
import { payToTheEnd } from "./judge.ts";
import { machines } from "./machines.ts";
import { approvedPayroll, ROWS } from "./payroll.ts";
import { type CountingService, startService } from "./service.ts";

const USUAL = IS_WHOLE ? "4" : IS_ON_POSTGRES ? "2" : "1";
const RUNS = Number.parseInt(process.env["KILL_RUNS"] ?? USUAL, 10);
const FIRST_SEED = Number.parseInt(process.env["KILL_FIRST_SEED"] ?? "1", 10);

/** A life ends this many milliseconds after its start, or after this many further creations have arrived. */
interface Life {
  readonly arrivals: number;
  readonly laterMs: number;
}

describe("killed at any moment, and started again, it", { concurrent: RUNS > 10 }, () => {
  const livesCutOff: number[] = [];
  const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index);
  test.each(seeds)("pays no row twice and loses none (KILL_FIRST_SEED=%i KILL_RUNS=1)", async (seed) => {
    const { nonceRule, latencyMs, lives } = planOf(seed);
    const { service, folder, variables, letTimePass } = await site(nonceRule, latencyMs);
    const printed: Ended[] = [];
    for (const life of lives) {
      const child = startPaydrop(folder, ["--json", "pay"], variables);
      const ended = endOf(child);
      await killAtItsMoment(child, service, life);
      printed.push(await ended);
      await letTimePass();
    }
    livesCutOff.push(printed.filter(({ exitCode }) => exitCode === null).length);
    await payToTheEnd(folder, service, variables, printed);
    await service.close();
  });

  // Kills that come too late prove nothing.
  afterAll(() => {
    const runsCutOff = livesCutOff.filter((lives) => lives > 0).length;
    if (RUNS >= 4) expect(runsCutOff, "runs that were cut off").toBeGreaterThan(livesCutOff.length / 2);
  });
});

/** In PostgreSQL a killed process keeps its lane for a while. */
async function site(nonceRule: string, latencyMs: number) {
  const changes = { PAYDROP_NONCE_RULE: nonceRule };
  if (IS_ON_POSTGRES) {
    const { folders, ...others } = await machines(1, changes, { latencyMs });
    return { ...others, folder: folders[0] ?? "" };
  }
  const service = await startService({ latencyMs });
  const variables = { ...service.variables, ...changes };
  return { service, folder: await approvedPayroll(variables), variables, letTimePass: async () => undefined };
}

/** The parts of a run that the seed determines. */
function planOf(seed: number) {
  const random = randomOf(seed);
  const upTo = (max: number) => Math.floor(random() * max);
  const life = (): Life =>
    random() < 0.2
      ? { arrivals: 0, laterMs: upTo(1000) }
      : { arrivals: 1 + upTo(ROWS.length / 2), laterMs: upTo(10) };
  return {
    nonceRule: ["unique", "unknown", "increasing"][(seed - 1) % 3] ?? "unknown",
    latencyMs: upTo(15),
    lives: Array.from({ length: 1 + upTo(2) }, life),
  };
}

/** Mulberry32: small, seeded, good enough to choose moments. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function killAtItsMoment(
  child: ReturnType<typeof startPaydrop>,
  service: CountingService,
  { arrivals, laterMs }: Life,
): Promise<void> {
  const enough = service.arrived() + arrivals;
  while (child.exitCode === null && service.arrived() < enough) await wait(1);
  await wait(laterMs);
  child.kill("SIGKILL");
}
