/** `paydrop status [BATCH or REFERENCE]` and `jobs` */
import { jobTimes } from "../../../jobs/times.ts";
import { timetable } from "../../daemon/timetable.ts";
import { fault } from "../../faults/index.ts";
import { mustNotLast } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { readComparison } from "../../store/comparison.ts";
import { listLastRuns } from "../../store/runs.ts";
import { listSlots, listUnusualSlots } from "../../store/slots.ts";
import { statusOfBatches } from "../../views/batch-status.ts";
import { listDoubts } from "../../views/doubts.ts";
import { figuresOf } from "../../views/figures.ts";
import { learntDues } from "../../views/files-not-come.ts";
import { needsOf } from "../../views/needs.ts";
import { overviewOf } from "../../views/overview.ts";
import { type PaymentStatus, statusOf } from "../../views/payment-status.ts";
import { wrongRuns } from "../../views/run-result.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { incompleteText } from "../render/breaks-text.ts";
import { jobsText, overviewText, restLines, slotsText } from "../render/overview-text.ts";
import { trialLine } from "../render/people-text.ts";
import { shown, warningLines } from "../render/problem-text.ts";
import { batchesText, instructionsText } from "../render/status-text.ts";
import { lines } from "../render/text-parts.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if anything needs a person, or was left without an outcome. */
export function statusCommand(session: Session, which: string | undefined): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const trial = trialLine(workplace) === undefined ? {} : { isTrial: true };
    if (which !== undefined) {
      const payments = await statusOf(workplace, which);
      // Loaded only here, because it loads the modules that read files, which are most of the program.
      const { askedAboutNamed } = await import("../../payments/layout-step.ts");
      const { reading, open: questions } = await askedAboutNamed(workplace, which);
      const warnings = reading?.warnings ?? [];
      const answer = { ...trial, payments, warnings, questions };
      session.output.answer(answer, (_, colors) =>
        lines(
          instructionsText(payments),
          ...questions.map(({ text }) => colors.yellow(`asked about the file: ${shown(text)}`)),
          ...warningLines(warnings, colors),
          trialLine(workplace),
        ),
      );
      return payments.some(needsPerson) ? EXIT.personNeeded : EXIT.done;
    }
    const batches = await statusOfBatches(workplace);
    const doubts = await listDoubts(workplace);
    const { changes } = doubts;
    const needs = needsOf(await figuresOf(workplace));
    const overview = await overviewOf(workplace, batches, doubts);
    const schedule = timetable(workplace.config, jobTimes);
    const answer = { ...trial, overview, schedule, batches, changesInDoubt: changes };
    session.output.answer(answer, (_, colors) =>
      lines(
        overviewText(overview, schedule, workplace.config.ledger.timeZone, changes.length, colors),
        "",
        batchesText(batches, colors),
        trialLine(workplace),
      ),
    );
    const waits = needs.some(({ count, isPassing }) => count > 0 && isPassing !== true);
    return waits || doubts.underWay.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

function needsPerson({ standing, mustBeApprovedAnew, again }: PaymentStatus): boolean {
  return (
    mustNotLast(standing) || mustBeApprovedAnew === true || (standing === "refused" && again === undefined)
  );
}

/** Exits with 4 if the last run of a job failed, or the last comparison is incomplete. */
export function jobsCommand(
  session: Session,
  { slots: job }: { readonly slots?: string } = {},
): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async ({ config, store, context }) => {
    if (job !== undefined) {
      if (!jobTimes.some(({ name }) => name === job)) throw jobUnknown(job);
      const slots = await store.read(() => listSlots(job, SLOTS_SHOWN));
      session.output.answer({ job, slots }, () => slotsText(slots, config.ledger.timeZone));
      return EXIT.done;
    }
    const unusual = await store.read(() => listUnusualSlots(UNUSUAL_SHOWN));
    const schedule = timetable(config, jobTimes);
    const lastRuns = await store.read(() => listLastRuns());
    const { incomplete } = await store.read(() => readComparison());
    const learnt = await store.read(() => learntDues(config, context.clock.now()));
    const answer = schedule.map((entry) => ({
      ...entry,
      ...present({ lastRun: lastRuns.find(({ job }) => job === entry.job) }),
    }));
    const document = {
      jobs: answer,
      ...present({ incompleteComparison: incomplete }),
      unusualSlots: unusual,
      ...(learnt.length > 0 && { learntDues: learnt }),
    };
    const { timeZone } = config.ledger;
    session.output.answer(document, (_, colors) =>
      lines(
        jobsText(lastRuns, schedule),
        ...restLines(schedule, timeZone),
        ...learnt.map(({ sender, text }) => `files of ${sender}: ${text}`),
        unusual.length > 0 &&
          `\nSlots that were skipped or caught up on lately:\n${slotsText(unusual, timeZone)}`,
        incomplete && incompleteText(incomplete, colors),
      ),
    );
    const ended = await store.read(() => listLastRuns({ isEnded: true }));
    return wrongRuns(ended).length > 0 || incomplete !== undefined ? EXIT.personNeeded : EXIT.done;
  });
}

const SLOTS_SHOWN = 100;
const UNUSUAL_SHOWN = 10;

function jobUnknown(job: string) {
  const names = jobTimes.map(({ name }) => name).join(", ");
  return fault("NAME_UNKNOWN", { what: `job ${job}`, how: `The jobs are ${names}.` });
}
