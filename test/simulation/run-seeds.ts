/** A process of its own that runs the seeds it is sent; simulate.ts starts it with module-doors.ts loaded. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedPlan } from "./seed-plan.ts";
import { runSeed, type SeedResult } from "./simulation.ts";

export interface SeedOrder {
  readonly seed: number;
  readonly tracing: boolean;
}

const root = mkdtempSync(join(tmpdir(), "paydrop-simulation-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
process.on("disconnect", () => process.exit());
process.on("message", async ({ seed, tracing }: SeedOrder) => {
  process.send?.(await outcomeOf(seed, tracing));
});

async function outcomeOf(seed: number, tracing: boolean): Promise<SeedResult> {
  const plan = seedPlan(seed);
  try {
    return await runSeed(plan, root, tracing);
  } catch (error) {
    const broken = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    const { rows } = plan;
    return { seed, broken, apart: [], lives: 0, rows, sent: 0, created: 0, faultsMet: 0, standings: {}, trace: [] };
  }
}
