/** `paydrop serve` */
import { jobs } from "../../../jobs/index.ts";
import { runScheduler } from "../../daemon/scheduler.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { textTable } from "../render/text-table.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Runs until SIGINT or SIGTERM; what is on its way then is awaited. */
export function serveCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(
    session,
    async (workplace) => {
      const schedule = jobs.map(({ name, defaultSchedule }) => ({
        job: name,
        schedule: workplace.config.schedule[name] ?? defaultSchedule,
      }));
      session.output.answer({ serves: schedule }, () => serveText(schedule));
      await runScheduler(workplace, jobs, session.signal);
      return EXIT.done;
    },
    "info",
  );
}

function serveText(schedule: readonly { readonly job: string; readonly schedule: string }[]): string {
  const rows = schedule.map((one) => [one.job, one.schedule]);
  return `${textTable([{ title: "job" }, { title: "runs at" }], rows)}\npaydrop serves; Ctrl-C stops it`;
}
