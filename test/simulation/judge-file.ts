/** Compares the file with the database: every row is there once as filed, or the file still waits to be taken in. */
import { existsSync, readdirSync } from "node:fs";
import type { Evidence } from "./evidence.ts";

/** Each row of the file has one standing and its own amount, so counts and sums are those of the file. */
export function judgeFile(evidence: Evidence): void {
  const { rows, stored, verdict, world } = evidence;
  const instructions = stored.instructions();
  const known = new Map(instructions.map((one) => [one.reference, one]));
  const again = new Set(world.people.paidAgain.values());
  const more = instructions.filter(({ reference }) => again.has(reference)).length;
  if (known.size !== instructions.length || known.size !== rows.size + more)
    verdict.break(`${instructions.length} instructions for ${rows.size} rows and ${more} paid again`);
  for (const { reference, amount } of evidence.expected()) {
    const one = known.get(reference);
    if (one === undefined && !again.has(reference)) verdict.break(`row ${reference} is lost`);
    else if (one !== undefined && (one.amount !== amount || one.currency !== "BTC"))
      verdict.break(`row ${reference} is ${one.amount}`);
  }
}

/** Until a batch is stored, the file is still waiting, and nothing has left. */
export function judgeBeforeIntake({ place, verdict, world }: Evidence): void {
  const { inbox, work } = place.config.folders;
  const waiting = [inbox, work]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder));
  if (waiting.length !== 1) verdict.break(`${waiting.length} files wait to be taken in`);
  if (world.service.creations().length === 0) return;
  if (world.faults.hasLostWrites)
    verdict.note("after writes were lost: something was paid and is taken in anew");
  else verdict.break("something was paid that was never taken in");
}
