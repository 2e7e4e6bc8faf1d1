/**
 * `npm run soak -- --days 35 --files 200 --seed 1 --from 2026-10-09 --every 10`: lets the daemon work for so many
 * virtual days, with a slot every ten minutes, and judges what it left behind. `--evidence FILE` keeps what was
 * judged.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { judge, judgeFigures } from "./judge.ts";
import { runSoak } from "./run-soak.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "35" },
    files: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    every: { type: "string", default: "10" },
    from: { type: "string", default: "2026-10-09" },
    evidence: { type: "string" },
  },
});
const plan = {
  from: values.from,
  days: Number.parseInt(values.days, 10),
  files: Number.parseInt(values.files, 10),
  seed: Number.parseInt(values.seed, 10),
  every: Number.parseInt(values.every, 10),
};
const startedMs = performance.now();
const { evidence, nights, ...counts } = await runSoak(plan);
const red = [...judge(evidence), ...judgeFigures(nights)];
if (values.evidence !== undefined) writeFileSync(values.evidence, JSON.stringify(evidence));
const say = (line: string) => process.stdout.write(`${line}\n`);
for (const sentence of red.slice(0, 20)) say(`red: ${sentence}`);
const kept = Map.groupBy(evidence.kept, ({ how, reason }) => wordsOf(how, reason));
say(
  JSON.stringify({
    soak: "daemon",
    ...plan,
    finished: Object.keys(evidence.expected).length,
    approved: evidence.approved.length,
    created: evidence.created.length,
    ...counts,
    slots: Object.values(evidence.due).flat().length,
    kept: Object.fromEntries([...kept].map(([what, rows]) => [what, rows.length])),
    heapMebibytes: nights.map(({ heapMebibytes }) => heapMebibytes),
    openFiles: nights.map(({ openFiles }) => openFiles),
    resources: nights.map(({ resources }) => resources),
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
    red: red.length,
    holds: red.length === 0,
  }),
);
process.exitCode = red.length === 0 ? 0 : 1;

/** "skipped: today is a day off", without the times. */
function wordsOf(how: string, reason: string | null): string {
  return reason === null ? how : `${how}: ${reason.split(";")[0]}`;
}
