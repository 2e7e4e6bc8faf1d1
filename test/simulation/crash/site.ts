/** The folder, disk and service of one crash run, at the moment a person drops the file in the inbox. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dropInInbox, makeDatabase, type Place, payrollOf, placeIn } from "../payroll.ts";
import type { SeedPlan } from "../seed-plan.ts";

/** The shortest payroll. */
const PAYROLL = 0;
const ROWS = 12;

const CHART = `role,key,project,distribution,share,code,name
treasury,one,,,,1511,assets:crypto:one
treasury,two,,,,1512,assets:crypto:two
receivable,,,,,1200,assets:receivable
deposits-clearing,,,,,2210,liabilities:deposits clearing
overpayments,,,,,2290,liabilities:customer overpayments
suspense,,,,,2999,liabilities:suspense
network-fees,,,,,6810,expenses:network fees
valuation-difference,,,,,7810,income:valuation difference
write-off,,,,,6890,expenses:receivables written off
`;

/** A batch of twelve rows under one nonce policy; nothing goes wrong but the stops. */
export function planUnder(nonceRule: SeedPlan["nonceRule"]): SeedPlan {
  return {
    seed: 1,
    payroll: PAYROLL,
    rows: ROWS,
    nonceRule,
    serviceNonces: nonceRule === "unknown" ? "unique" : nonceRule,
    nonceWindow: undefined,
    clientKeys: 1,
    foreignLookUps: "empty",
    pageSize: 200,
    nonceBurnedByRefusal: true,
    memoryDays: 3650,
    codesTellTime: true,
    serviceClockOffMs: 0,
    singleUse: nonceRule === "unknown",
    concurrency: 4,
    ratePerSecond: 200,
    visibilityLagMs: 300,
    onFiles: false,
    faults: [],
    people: "absent",
    fromInbox: true,
    droppedAgain: true,
  };
}

export interface CrashSite {
  readonly place: Place;
  /** The dropped bytes. */
  readonly csv: string;
}

export async function layOut(folder: string, plan: SeedPlan): Promise<CrashSite> {
  const place = placeIn(folder, {
    PAYDROP_NONCE_RULE: plan.nonceRule,
    ...(plan.nonceRule === "unique" ? { PAYDROP_NONCE_MEMORY_DAYS: "3650" } : {}),
    PAYDROP_OTP_SINGLE_USE: String(plan.singleUse),
    PAYDROP_HTTP_CONCURRENCY: String(plan.concurrency),
  });
  const { databasePath } = place.config;
  mkdirSync(dirname(databasePath), { recursive: true });
  // The lane's lock asks the file system for the real path of the database.
  writeFileSync(databasePath, "");
  await makeDatabase(place, plan.payroll);
  writeFileSync(join(folder, "chart.csv"), CHART);
  const { csv } = payrollOf(plan.payroll, plan.rows);
  dropInInbox(place, csv);
  return { place, csv };
}
