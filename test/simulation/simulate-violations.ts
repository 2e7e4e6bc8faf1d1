/**
 * `npm run simulate:violations -- --seeds N --first-seed K`: plants each violation for the seed that is known to
 * catch it and for N others, by default the next ones, and counts those that do. `--renew` writes the shortest of
 * them into red-seeds.json where the known one does not any more; `--violation NAME` is for one alone.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { seedPlan } from "./seed-plan.ts";
import type { SeedResult } from "./seed-result.ts";
import { runSeeds, seedPlans } from "./seed-runs.ts";
import { RED_SEEDS, redSeeds, VIOLATIONS, type Violation } from "./violations.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    "first-seed": { type: "string" },
    processes: { type: "string", default: String(Math.min(availableParallelism(), 16)) },
    renew: { type: "boolean", default: false },
    violation: { type: "string" },
  },
});
const seeds = Number.parseInt(values.seeds, 10);
const processes = Number.parseInt(values.processes, 10);
const known = redSeeds();
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const renewed: Record<string, number> = { ...known };
const wanted = VIOLATIONS.filter(({ name }) => values.violation === undefined || name === values.violation);
let missed = 0;
for (const violation of wanted) missed += await count(violation);
if (values.renew) writeFileSync(RED_SEEDS, `${JSON.stringify(renewed, undefined, 2)}\n`);
say({ simulation: "violations", violations: wanted.length, missed, holds: missed === 0 });
process.exitCode = missed === 0 ? 0 : 1;

/** Returns 1 for a violation that no seed catches. */
async function count({ name, rule, violates }: Violation): Promise<number> {
  const first = known[name] ?? 1;
  const from = Number.parseInt(values["first-seed"] ?? String(first + 1), 10);
  const plans = [seedPlan(first), ...seedPlans(from, seeds)];
  const red: SeedResult[] = [];
  const onResult = (result: SeedResult) => {
    if (result.broken.length > 0) red.push(result);
    return false;
  };
  await runSeeds({ plans, processes, violation: { name, rule, violates }, onResult });
  const shortest = red.toSorted((one, other) => one.rows - other.rows || one.lives - other.lives)[0];
  if (shortest !== undefined && !red.some(({ seed }) => seed === known[name])) renewed[name] = shortest.seed;
  say({
    ...{ violation: name, rule, seeds: plans.length, red: red.length },
    ...{
      known: known[name],
      shortest: shortest?.seed,
      rows: shortest?.rows,
      why: shortest?.broken[0]?.slice(0, 120),
    },
  });
  return shortest === undefined ? 1 : 0;
}
