/**
 * `npm run simulate -- --seeds N --first-seed K`: runs seeds, prints how many held, and for each that did not the
 * command to replay it. `--trace` shows what happened; `--violation NAME` plants one of the known violations.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { SeedResult } from "./seed-result.ts";
import { runSeeds, seedPlans } from "./seed-runs.ts";
import { VIOLATIONS } from "./violations.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    "first-seed": { type: "string", default: "1" },
    processes: { type: "string", default: String(Math.min(availableParallelism(), 16)) },
    trace: { type: "boolean", default: false },
    violation: { type: "string" },
  },
});
const seeds = Number.parseInt(values.seeds, 10);
const firstSeed = Number.parseInt(values["first-seed"], 10);
const processes = Math.min(Number.parseInt(values.processes, 10), seeds);
const say = (line: string) => process.stdout.write(`${line}\n`);

process.exitCode = await simulate();

async function simulate(): Promise<number> {
  const planted = VIOLATIONS.find(({ name }) => name === values.violation);
  const startedMs = performance.now();
  const red: SeedResult[] = [];
  const total = { seeds: 0, lives: 0, rows: 0, sent: 0, created: 0, faultsMet: 0 };
  const standings: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const apart = new Map<string, number>();
  await runSeeds({
    plans: seedPlans(firstSeed, seeds),
    processes,
    tracing: values.trace,
    ...(planted === undefined ? {} : { violation: planted }),
    onResult: (result) => {
      if (values.trace) say(result.trace.join("\n"));
      total.seeds += 1;
      for (const name of ["lives", "rows", "sent", "created", "faultsMet"] as const)
        total[name] += result[name];
      addTo(standings, result.standings);
      addTo(faults, result.faultsByKind);
      for (const kind of new Set(result.apart.map(kindOf))) apart.set(kind, (apart.get(kind) ?? 0) + 1);
      if (result.broken.length > 0) {
        red.push(result);
        tellRed(result);
      }
      return false;
    },
  });
  const seconds = (performance.now() - startedMs) / 1000;
  for (const [kind, count] of apart) say(`counted apart, in ${count} seeds: ${kind}`);
  say(`faults met: ${JSON.stringify(faults)}`);
  say(`standings at rest: ${JSON.stringify(standings)}`);
  say(
    JSON.stringify({
      simulation: "payouts",
      firstSeed,
      ...total,
      red: red.length,
      seconds: Math.round(seconds * 10) / 10,
      seedsPerSecond: Math.round((total.seeds / seconds) * 10) / 10,
      holds: red.length === 0,
    }),
  );
  return red.length === 0 ? 0 : 1;
}

function addTo(sums: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}

function tellRed({ seed, broken }: SeedResult): void {
  say(`seed ${seed} is red:`);
  for (const sentence of broken.slice(0, 5)) say(`  ${sentence}`);
  const planted = values.violation === undefined ? "" : ` --violation ${values.violation}`;
  say(`  replay: npm run simulate -- --first-seed ${seed} --seeds 1 --trace${planted}`);
}

/** References and identifiers differ between seeds, but not what happened. */
function kindOf(sentence: string): string {
  return sentence.replace(/PAY-\d+-\d+/g, "a row");
}
