/** The documented exit codes, and the one that a problem, a run or a payout's creation leads to. */

import type { Next, Problem } from "../faults/index.ts";
import type { CreatedPayout } from "../payments/create-payout-step.ts";
import type { ExecutionReport } from "../payments/sending/index.ts";

export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  inputRejected: 3,
  personNeeded: 4,
  service: 5,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_NEXT: Readonly<Record<Next, ExitCode>> = {
  "correct-file": EXIT.inputRejected,
  "correct-usage": EXIT.usage,
  "needs-person": EXIT.personNeeded,
  "will-retry": EXIT.service,
  "service-refused": EXIT.service,
  stopped: EXIT.unexpected,
};

export function exitCodeFor(next: Next): ExitCode {
  return BY_NEXT[next];
}

/** The exit code of the first problem; done without problems. */
export function exitCodeOf([first]: readonly Problem[]): ExitCode {
  return first === undefined ? EXIT.done : exitCodeFor(first.next);
}

/** Exits with 0 only if nothing is in doubt, held, refused or left unsent. */
export function exitCodeOfRun(report: ExecutionReport): ExitCode {
  const stillOpen = report.resolutions.some(({ now }) => now !== "accepted");
  if (stillOpen || report.inDoubt > 0 || report.held > 0 || report.refused > 0) return EXIT.personNeeded;
  return exitCodeOf(report.stopped === undefined ? report.problems : [report.stopped]);
}

export function exitCodeOfCreation({ instruction, execution }: CreatedPayout): ExitCode {
  if (instruction === undefined) return EXIT.inputRejected;
  return execution === undefined ? EXIT.personNeeded : exitCodeOfRun(execution);
}
