/** The documented exit codes, and the one that a problem leads to. */
import type { Next, Problem } from "../faults/index.ts";

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
