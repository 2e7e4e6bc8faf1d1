/** Sets up the state in which paying begins, and runs one seed on it with every way out of the simulation closed. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keyVariables } from "./client-keys.ts";
import { disk } from "./disk.ts";
import { files } from "./files.ts";
import { nothingLeft, withoutWayOut } from "./no-way-out.ts";
import {
  approvedImage,
  contextAtStart,
  dropInInbox,
  makeDatabase,
  type Place,
  payrollOf,
  placeIn,
  takeIn,
} from "./payroll.ts";
import { plant } from "./planted.ts";
import type { SeedPlan } from "./seed-plan.ts";
import type { SeedResult } from "./seed-result.ts";
import { Simulation } from "./simulation.ts";

/** `violation`: planted from when paying begins. */
export async function runSeed(
  plan: SeedPlan,
  root: string,
  tracing = false,
  violation?: string,
): Promise<SeedResult> {
  const folder = join(root, `seed-${plan.seed}`);
  const place = placeIn(folder, policyOf(plan));
  try {
    await layOut(plan, place, root);
    plant(violation);
    return await withoutWayOut(() => new Simulation(plan, place, tracing).run());
  } finally {
    plant(undefined);
    await nothingLeft();
    files.user = undefined;
    files.forget();
    disk.forgetEverything();
    disk.onFiles = false;
    disk.powerMayFail = false;
    rmSync(folder, { recursive: true, force: true });
  }
}

function policyOf(plan: SeedPlan): Record<string, string> {
  return {
    ...keyVariables(plan),
    PAYDROP_NONCE_RULE: plan.nonceRule,
    ...(plan.nonceWindow === undefined ? {} : { PAYDROP_NONCE_WINDOW: String(plan.nonceWindow) }),
    PAYDROP_PAGING_SIZE: String(plan.pageSize),
    ...(plan.nonceRule === "unique" && plan.memoryDays !== undefined
      ? { PAYDROP_NONCE_MEMORY_DAYS: String(plan.memoryDays) }
      : {}),
    PAYDROP_OTP_SINGLE_USE: String(plan.singleUse),
    PAYDROP_HTTP_CONCURRENCY: String(plan.concurrency),
    PAYDROP_HTTP_RATE_PER_SECOND: String(plan.ratePerSecond),
  };
}

/** The database at the beginning of paying. */
async function layOut(plan: SeedPlan, place: Place, root: string): Promise<void> {
  const path = place.config.databasePath;
  mkdirSync(dirname(path), { recursive: true });
  disk.onFiles = plan.onFiles;
  if (plan.fromInbox) {
    // The lane's lock asks the file system for the real path of the database.
    writeFileSync(path, "");
    await makeDatabase(place, plan.payroll);
    dropInInbox(place, payrollOf(plan.payroll).csv);
  } else if (plan.onFiles) {
    await takeIn(place, plan.payroll, contextAtStart(plan.payroll));
  } else {
    disk.restore(path, await approvedImage(root, plan));
    writeFileSync(path, "");
  }
  // The initial state is durable.
  disk.powerMayFail = plan.faults.some(({ effect }) => effect.kind === "reboot");
}
