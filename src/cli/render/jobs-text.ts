/** Renders the scheduled jobs: when each last ran, how it ended, and when it runs next. */
import type { TimetableEntry } from "../../daemon/timetable.ts";
import { minuteText } from "../../model/index.ts";
import type { LastRun } from "../../store/runs.ts";
import { textTable } from "./text-table.ts";

export function jobsText(lastRuns: readonly LastRun[], timetable: readonly TimetableEntry[]): string {
  const columns = ["job", "last run", "outcome", "next, by `serve`"];
  const rows = timetable.map(({ job, nextRunAt }) => {
    const last = lastRuns.find((run) => run.job === job);
    const next = minuteText(nextRunAt);
    return last === undefined
      ? [job, "never", "", next]
      : [job, minuteText(last.startedAt), outcomeText(last), next];
  });
  return textTable(columns, rows);
}

function outcomeText({ endedAt, outcome = {} }: LastRun): string {
  if (endedAt === undefined) return "under way, or its process ended";
  return [outcome["outcome"], outcome["code"], outcome["message"]].filter(Boolean).join(": ");
}
