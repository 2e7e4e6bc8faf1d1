/** The documented exit codes, and how one follows from a problem, a run or a payout's creation. */

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

/** The meaning of each code, for the help and the reference. */
export const EXIT_MEANINGS = [
  ["0", "done, nothing left open"],
  ["1", "unexpected failure"],
  ["2", "usage or configuration"],
  ["3", "input rejected"],
  ["4", "a person is needed"],
  ["5", "the service refused or could not be reached, or another run is under way: try again"],
  ["129, 130, 143", "stopped by a signal"],
] as const;

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
