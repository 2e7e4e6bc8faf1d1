/** Everything that a seed decides: the file, the policies of both sides, and what goes wrong when. */
import { Chance } from "./chance.ts";
import { drawCrashInIntake, drawFault, drawStopOrder } from "./draw-fault.ts";
import { drawOddity } from "./draw-oddity.ts";
import type { Fault } from "./faults.ts";
import { PAYROLLS, payrollOf } from "./payroll.ts";
import type { Temper } from "./people.ts";

export interface SeedPlan {
  readonly seed: number;
  readonly payroll: number;
  readonly rows: number;
  readonly nonceRule: "unknown" | "unique" | "increasing";
  /** What the service does about nonces; always within what `nonceRule` claims, which with `unknown` is nothing at all. */
  readonly serviceNonces: "unique" | "increasing" | "window" | "any";
  /** With `increasing`: how far below the highest nonce another one may still arrive, by the configuration and at the service. */
  readonly nonceWindow: number | undefined;
  readonly nonceBurnedByRefusal: boolean;
  /** With two, each pays from one of the two custody accounts, and the service shows neither what the other one created. */
  readonly clientKeys: 1 | 2;
  /** What the service says to a key that looks for another key's payouts: that there are none, or 403. */
  readonly foreignLookUps: "empty" | "refused";
  /** How many payouts a page of a look-up holds. */
  readonly pageSize: number;
  /** Whether the configuration states how long the service remembers nonces. */
  readonly memoryStated: boolean;
  readonly singleUse: boolean;
  readonly concurrency: number;
  readonly ratePerSecond: number;
  /** How long every payout takes to show. */
  readonly visibilityLagMs: number;
  readonly onFiles: boolean;
  readonly faults: readonly Fault[];
  /** Who decides between the runs. */
  readonly people: Temper;
  /** The file lies in the inbox when the seed begins; else it has been taken in and approved. */
  readonly fromInbox: boolean;
  /** At rest, the file and what was answered are dropped in the inbox once more. */
  readonly droppedAgain: boolean;
}

/** Every so many seeds one runs on files of the operating system. */
const FILES_EVERY = 100;
/** Every so many seeds the file is dropped again; it costs as much as a fifth of a seed. */
const DROPPED_AGAIN_EVERY = 4;

export function seedPlan(seed: number): SeedPlan {
  const chance = new Chance(seed);
  const payroll = chance.between(0, PAYROLLS - 1);
  const rows = payrollOf(payroll).rows.length;
  const nonceRule = chance.pick(["unknown", "unique", "unique", "increasing"] as const);
  const lanes = drawLanes(seed, nonceRule);
  const plan = {
    seed,
    payroll,
    rows,
    nonceRule,
    serviceNonces:
      nonceRule === "unknown"
        ? chance.pick(["unique", "increasing", "window", "any", "any"] as const)
        : lanes.nonceWindow === undefined
          ? nonceRule
          : "window",
    nonceBurnedByRefusal: chance.happens(0.3),
    memoryStated: chance.happens(0.8),
    singleUse: chance.happens(0.3),
    concurrency: chance.between(1, 16),
    ratePerSecond: chance.pick([20, 200, 10_000]),
    visibilityLagMs: chance.pick([0, 0, 300, 2000, 90_000]),
    onFiles: seed % FILES_EVERY === 0,
    droppedAgain: seed % DROPPED_AGAIN_EVERY === 0,
    ...lanes,
    ...drawWhatHappens(chance, rows),
  } as const;
  return { ...plan, faults: [...plan.faults, ...drawOddities(seed, plan)] };
}

/** From streams of their own: what was drawn before a seed knew of these is drawn as before. */
function drawLanes(
  seed: number,
  nonceRule: SeedPlan["nonceRule"],
): Pick<SeedPlan, "clientKeys" | "foreignLookUps" | "nonceWindow" | "pageSize"> {
  const chance = new Chance(seed ^ 0x3c6ef372);
  const clientKeys = chance.happens(0.15) ? 2 : 1;
  const foreignLookUps = chance.pick(["empty", "refused"] as const);
  const nonceWindow = chance.pick([1, 2, 4, 8, 16]);
  const pageSize = chance.pick([200, 200, 200, 7, 2]);
  const isWindowStated = chance.happens(0.4) && nonceRule === "increasing";
  return { clientKeys, foreignLookUps, pageSize, nonceWindow: isWindowStated ? nonceWindow : undefined };
}

function drawOddities(seed: number, { rows, clientKeys }: Pick<SeedPlan, "rows" | "clientKeys">): Fault[] {
  const chance = new Chance(seed ^ 0x510e527f);
  const faults: Fault[] = [];
  if (clientKeys === 2 && chance.happens(0.3)) {
    const effect = { kind: "second-process", laterMs: chance.between(0, 2000) } as const;
    faults.push({ on: "creation", nth: chance.between(1, rows), times: 1, effect });
  }
  const odd = new Chance(seed ^ 0x1f83d9ab);
  for (let oddities = odd.pick([0, 0, 0, 1, 1, 2]); oddities > 0; oddities -= 1)
    faults.push(drawOddity(odd, rows));
  return faults;
}

function drawWhatHappens(chance: Chance, rows: number): Pick<SeedPlan, "faults" | "people" | "fromInbox"> {
  const faults = Array.from({ length: chance.between(1, 6) }, () => drawFault(chance, rows));
  const people = chance.pick(["absent", "absent", "absent", "careful", "erring"] as const);
  if (chance.happens(0.15)) faults.push(drawStopOrder(chance, rows));
  const fromInbox = chance.happens(0.15);
  if (fromInbox) faults.push(drawCrashInIntake(chance));
  return { faults, people, fromInbox };
}
