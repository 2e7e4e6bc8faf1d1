/**
 * `node test/intake/write-golden-verdicts.ts` prints what today's reader makes of every golden file, in the form of
 * `golden/old-verdicts.jsonl`; with `changes`, only what differs from it, as entries of `golden/changed-verdicts.ts`
 * whose rule is to be filled in.
 */
import { goldenFiles } from "./golden-files.ts";
import { differencesFrom, oldVerdicts, verdictsOf } from "./golden-verdict.ts";

const now = await verdictsOf(goldenFiles());
if (process.argv[2] === "changes") {
  for (const change of differencesFrom(oldVerdicts(), now)) print({ ...change, rule: "" });
} else {
  for (const verdict of now) print(verdict);
}

function print(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
