/** A process that runs the seeds sent to it; simulate.ts starts it with module-doors.ts loaded. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSeed } from "./run-seed.ts";
import type { SeedPlan } from "./seed-plan.ts";
import type { SeedResult } from "./seed-result.ts";

export interface SeedOrder {
  readonly plan: SeedPlan;
  readonly tracing: boolean;
  /** The name of the violation that is planted while the seed runs, if one is. */
  readonly violation?: string | undefined;
}

const root = mkdtempSync(join(tmpdir(), "paydrop-simulation-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
process.on("disconnect", () => process.exit());
process.on("message", async (order: SeedOrder) => {
  process.send?.(await outcomeOf(order));
});

async function outcomeOf({ plan, tracing, violation }: SeedOrder): Promise<SeedResult> {
  try {
    return await runSeed(plan, root, tracing, violation);
  } catch (error) {
    const broken = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    const { seed, rows } = plan;
    return {
      seed,
      broken,
      apart: [],
      lives: 0,
      rows,
      sent: 0,
      created: 0,
      faultsMet: 0,
      faultsByKind: {},
      standings: {},
      trace: [],
    };
  }
}
