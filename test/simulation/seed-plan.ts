/** Everything that a seed determines: the file, the policies of both sides, and what goes wrong when. */
import { Chance } from "./chance.ts";
import { drawCrashInIntake, drawFault, drawStopOrder } from "./draw-fault.ts";
import { drawMutations, drawOddity, drawOutlivingMemory } from "./draw-oddity.ts";
import type { Fault } from "./faults.ts";
import { PAYROLLS, payrollOf } from "./payroll.ts";
import type { Temper } from "./people.ts";

export interface SeedPlan {
  readonly seed: number;
  readonly payroll: number;
  readonly rows: number;
  readonly nonceRule: "unknown" | "unique" | "increasing";
  /** How the service treats nonces; always within what `nonceRule` claims, which for `unknown` is nothing at all. */
  readonly serviceNonces: "unique" | "increasing" | "window" | "any";
  /**
   * With `increasing`: how far below the highest nonce another may still arrive, by the configuration and at the
   * service.
   */
  readonly nonceWindow: number | undefined;
  readonly nonceBurnedByRefusal: boolean;
  /** With two, each pays from one of the two custody accounts, and the service shows neither the other's payouts. */
  readonly clientKeys: 1 | 2;
  /** The service's answer to a key that looks for another key's payouts: none, or 403. */
  readonly foreignLookUps: "empty" | "refused";
  /** Payouts per page of a look-up. */
  readonly pageSize: number;
  /** With `unique`: how long the service remembers nonces, as configured; if not configured, it never forgets. */
  readonly memoryDays: number | undefined;
  /** False: our codes are right whatever our clock shows, as if a person typed them. */
  readonly codesTellTime: boolean;
  /** The error of the service's own clock, which dates payouts. */
  readonly serviceClockOffMs: number;
  readonly singleUse: boolean;
  readonly concurrency: number;
  readonly ratePerSecond: number;
  /** How long every payout takes to show. */
  readonly visibilityLagMs: number;
  readonly onFiles: boolean;
  readonly faults: readonly Fault[];
  /** Who decides between the runs. */
  readonly people: Temper;
  /** They also recall unsent payments, and submit them again. */
  readonly takesBack?: boolean;
  /** The file is in the inbox when the seed begins; otherwise it has been taken in and approved. */
  readonly fromInbox: boolean;
  /** At rest, the file and the answers are dropped in the inbox again. */
  readonly droppedAgain: boolean;
}

/** One seed in this many runs on files of the operating system. */
const FILES_EVERY = 100;
/** One seed in this many drops the file again, which costs a quarter of a seed. */
const DROPPED_AGAIN_EVERY = 8;
const HOUR_MS = 3_600_000;

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
    memoryDays: chance.happens(0.8) ? drawMemoryDays(seed) : undefined,
    codesTellTime: !new Chance(seed ^ 0x2b3e6c1f).happens(0.2),
    serviceClockOffMs: drawClockOff(seed),
    singleUse: chance.happens(0.3),
    concurrency: chance.between(1, 16),
    ratePerSecond: chance.pick([20, 200, 10_000]),
    visibilityLagMs: chance.pick([0, 0, 300, 2000, 90_000]),
    onFiles: seed % FILES_EVERY === 0,
    takesBack: new Chance(seed ^ 0x7c2e9a35).happens(0.4),
    droppedAgain: seed % DROPPED_AGAIN_EVERY === 0,
    ...lanes,
    ...drawWhatHappens(chance, rows),
  } as const;
  return { ...plan, faults: [...plan.faults, ...drawOddities(seed, plan)] };
}

/** Separate streams, so that the draws of older seeds stay as they were. */
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

/** Longer than a seed lasts, or so short that its doubts and requests outlive it. */
function drawMemoryDays(seed: number): number {
  return new Chance(seed ^ 0x5be0cd19).happens(0.25) ? 1 : 3650;
}

function drawClockOff(seed: number): number {
  const chance = new Chance(seed ^ 0x428a2f98);
  return chance.happens(0.85) ? 0 : chance.pick([-26, -2, -0.05, 0.05, 2, 26]) * HOUR_MS;
}

function drawOddities(
  seed: number,
  {
    rows,
    clientKeys,
    nonceRule,
    memoryDays,
  }: Pick<SeedPlan, "rows" | "clientKeys" | "nonceRule" | "memoryDays">,
): Fault[] {
  const chance = new Chance(seed ^ 0x510e527f);
  const faults: Fault[] = [];
  if (clientKeys === 2 && chance.happens(0.3)) {
    const effect = { kind: "second-process", laterMs: chance.between(0, 2000) } as const;
    faults.push({ on: "creation", nth: chance.between(1, rows), times: 1, effect });
  }
  const forgetful = new Chance(seed ^ 0x71374491);
  if (nonceRule === "unique" && memoryDays === 1) faults.push(...drawOutlivingMemory(forgetful, rows));
  const odd = new Chance(seed ^ 0x1f83d9ab);
  for (let oddities = odd.pick([0, 0, 0, 1, 1, 2]); oddities > 0; oddities -= 1)
    faults.push(...drawOddity(odd, rows));
  const mutating = new Chance(seed ^ 0x6a09e667);
  if (mutating.happens(0.3)) faults.push(...drawMutations(mutating, rows));
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
