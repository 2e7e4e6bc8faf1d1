/**
 * `node test/files/write-golden-verdicts.ts` prints every file of which today's reader makes something else than
 * the old one, as a line of `golden/changed-verdicts.jsonl`, with the rule under which it is listed; the rule is
 * empty where another verdict or none is listed.
 */
import { goldenFiles } from "./golden-files.ts";
import { changesFrom, listedChanges, oldVerdicts, verdictsOf } from "./golden-verdict.ts";

const listed = new Map(listedChanges().map(({ rule, ...change }) => [JSON.stringify(change), rule]));
for (const change of changesFrom(oldVerdicts(), await verdictsOf(goldenFiles())))
  process.stdout.write(`${JSON.stringify({ rule: listed.get(JSON.stringify(change)) ?? "", ...change })}\n`);
