/** One run of the job: files first, then deposits and addresses, then every answer that has changed. */
import { isProblem, orProblem, type Problem, problem } from "../faults/index.ts";
import { DAY_MS, shifted } from "../model/index.ts";
import { listExpectedFilesSince } from "../store/expected.ts";
import { exclusively } from "../workplace/exclusively.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { writeExpectedAnswer } from "./answer-files.ts";
import { createDeposits } from "./create-deposits.ts";
import { type ExpectedInboxReport, takeExpectedInbox } from "./inbox.ts";
import { lookUpAddresses } from "./look-up-addresses.ts";

export interface ExpectedReport extends ExpectedInboxReport {
  /** How many deposits were created, and how many addresses became ready to be shown. */
  readonly made: number;
  readonly found: number;
  /** How many answers were written again. */
  readonly answered: number;
}

/** Runs in one process at a time; if another one is running, returns a problem. Throws CONFIGURATION_DIFFERS. */
export async function expectedStep(workplace: Workplace, signal?: AbortSignal): Promise<ExpectedReport> {
  const done = await exclusively(workplace, "expected", (alone) => runAlone(alone, signal));
  const problems = [problem("UNDER_WAY", { work: "working on expected receipts" })];
  return done?.result ?? { files: [], waiting: [], problems, made: 0, found: 0, answered: 0 };
}

async function runAlone(workplace: Workplace, signal: AbortSignal | undefined): Promise<ExpectedReport> {
  const taken = await takeExpectedInbox(workplace, signal);
  const { made, problems: unmade } = await createDeposits(workplace, signal);
  const { found, problems: unfit } = await lookUpAddresses(workplace);
  const { answered, problems: unwritten } = await renewAnswers(workplace);
  const problems = [...taken.problems, ...unmade, ...unfit, ...unwritten];
  return { ...taken, made, found, answered, problems };
}

/** An answer that cannot be written does not stop the others. */
export async function renewAnswers(
  workplace: Workplace,
): Promise<{ readonly answered: number; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  let answered = 0;
  const since = shifted(workplace.context.clock.now(), -RENEWED_DAYS * DAY_MS);
  for (const { number, verdict, name } of await workplace.store.read(() => listExpectedFilesSince(since))) {
    if (verdict !== "accepted") continue;
    const written = await orProblem(() => writeExpectedAnswer(workplace, number));
    if (isProblem(written)) problems.push({ ...written, file: name });
    else if (written.length > 0) answered += 1;
  }
  return { answered, problems };
}

/** How long after a file came its answer is renewed. */
const RENEWED_DAYS = 400;
