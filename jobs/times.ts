/**
 * The schedule of the jobs in the order of a payment's way: which ones the configuration enables, and when one
 * rests. Does not import their work, so that code which only shows the schedule loads quickly.
 */
import { calendarOf } from "../src/workplace/calendar.ts";
import type { Job } from "./job.ts";

/** The parts of a job that determine its schedule. */
export type JobTimes = Pick<Job, "name" | "catchesUp" | "isOn" | "restAt">;

const TIMES = {
  intake: {},
  expected: {},
  /** Doubts are looked up even during a rest. */
  pay: { restAt: (config, at) => calendarOf(config).restAt(at, "begin") },
  track: {},
  reconcile: { catchesUp: true },
  ledger: { catchesUp: true },
  digest: { catchesUp: true },
  retention: { catchesUp: true, isOn: ({ retention }) => retention !== undefined },
  backup: { catchesUp: true, isOn: ({ backup }) => backup !== undefined },
} as const satisfies Readonly<Record<Job["name"], Omit<JobTimes, "name">>>;

export function timesOf<Name extends Job["name"]>(name: Name) {
  return { name, ...TIMES[name] };
}

export const jobTimes: readonly JobTimes[] = [
  timesOf("intake"),
  timesOf("expected"),
  timesOf("pay"),
  timesOf("track"),
  timesOf("reconcile"),
  timesOf("ledger"),
  timesOf("digest"),
  timesOf("retention"),
  timesOf("backup"),
];
