/** `paydrop jobs` */
import { jobs } from "../../../jobs/index.ts";
import { timetable } from "../../daemon/timetable.ts";
import { present } from "../../model/present.ts";
import { wrongRuns } from "../../pipeline/status/run-result.ts";
import { listLastRuns } from "../../store/runs.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { jobsText } from "../render/jobs-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if the last run of a job that has ended went wrong. */
export function jobsCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async ({ config, store }) => {
    const schedule = timetable(config, jobs);
    const lastRuns = await store.read(() => listLastRuns());
    const answer = schedule.map((entry) => ({
      ...entry,
      ...present({ lastRun: lastRuns.find(({ job }) => job === entry.job) }),
    }));
    session.output.answer({ jobs: answer }, () => jobsText(lastRuns, schedule));
    const ended = await store.read(() => listLastRuns({ isEnded: true }));
    return wrongRuns(ended).length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}
