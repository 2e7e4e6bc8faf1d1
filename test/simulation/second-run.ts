/**
 * Everything once more at rest: the same bytes are dropped again under the same and another name, and then the answers.
 * Each must be reported, and nothing may come of it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type IntakeReport, intakeStep } from "../../src/files/intake-step.ts";
import { payStep } from "../../src/payments/pay-step.ts";
import { writeResults } from "../../src/payments/write-results.ts";
import { findFileByName } from "../../src/store/batches.ts";
import type { Workplace } from "../../src/workplace/workplace.ts";
import type { Oracle } from "./oracle.ts";
import { dropInInbox, FILE_NAME, type Place } from "./payroll.ts";
import type { SentCreations } from "./sent-creations.ts";

interface Rest {
  readonly place: Place;
  /** The bytes dropped at the beginning. */
  readonly csv: string;
  readonly oracle: Oracle;
  readonly sent: SentCreations;
}

/**
 * Pays, and then takes the same in again and pays, once for each way to submit it: nothing may leave, and every row
 * keeps its standing.
 */
export async function judgeSecondRun(
  workplace: Workplace,
  { place, csv, oracle, sent }: Rest,
): Promise<void> {
  const { folders } = place.config;
  const [before, sentBefore] = [oracle.stored.fingerprint(), sent.all.length];
  const takeInAgain = async (files: ReadonlyMap<string, string>) => {
    for (const [name, text] of files) dropInInbox(place, text, name);
    for (const sentence of notSaid([...files.keys()], await intakeStep(workplace))) oracle.break(sentence);
    await payStep(workplace);
    for (const folder of [folders.inbox, folders.work])
      for (const name of readdirSync(folder)) oracle.break(`${name} was dropped again and left in ${folder}`);
  };
  await payStep(workplace);
  await takeInAgain(new Map([FILE_NAME, `again-${FILE_NAME}`].map((name) => [name, csv])));
  await writeResults(workplace);
  const answers = await answersInMind(workplace, folders.outbox);
  if (answers.length === 0) oracle.break("the outbox holds no answer");
  await takeInAgain(new Map(answers.map((name) => [name, readFileSync(join(folders.outbox, name), "utf8")])));
  const more = sent.all.length - sentBefore;
  if (more > 0) oracle.break(`a second identical run sent ${more} creations`);
  if (oracle.stored.fingerprint() !== before) oracle.break("a second identical run moved a standing");
  oracle.judgeLife();
}

/** Answers to files that the database knows. A file whose writes were lost is new to it, and so is its answer. */
async function answersInMind({ store }: Workplace, outbox: string): Promise<string[]> {
  const answers: string[] = [];
  for (const name of readdirSync(outbox)) {
    const [, answered] = /^(.*)\.(?:accepted|rejected|results)\.csv$/.exec(name) ?? [];
    const file = await store.read(() => findFileByName(`${answered}.csv`));
    if (file !== undefined) answers.push(name);
  }
  return answers;
}

/** None of the files may be silently skipped, or be accepted. */
function* notSaid(names: readonly string[], { files, problems }: IntakeReport): Generator<string> {
  for (const { code, message } of problems) yield `dropped again: ${code} ${message}`;
  for (const name of names) {
    const report = files.find(({ file }) => file === name);
    if (report === undefined) yield `nothing is said of ${name}, which was dropped again`;
    else if (report.verdict === "accepted" || report.problems.length === 0)
      yield `${name} was dropped again and is ${report.verdict}`;
  }
}
