/** `paydrop serve` */
import { jobs } from "../../../jobs/index.ts";
import { runScheduler } from "../../daemon/scheduler.ts";
import { type TimetableEntry, timetable } from "../../daemon/timetable.ts";
import { minuteText } from "../../model/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { textTable } from "../render/text-table.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Runs until SIGHUP, SIGINT or SIGTERM; what is on its way then is awaited. */
export function serveCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(
    session,
    async (workplace) => {
      const serves = timetable(workplace.config, jobs);
      const { timeZone } = workplace.config.ledger;
      session.output.answer({ serves, timeZone }, () => serveText(serves, timeZone));
      await runScheduler(workplace, jobs, session.signal);
      return EXIT.done;
    },
    "info",
  );
}

function serveText(serves: readonly TimetableEntry[], timeZone: string): string {
  const rows = serves.map(({ job, schedule, nextRunAt }) => [
    job,
    schedule,
    nextRunAt === undefined ? "never" : minuteText(nextRunAt),
  ]);
  const columns = ["job", `runs at (${timeZone})`, "next"];
  return `${textTable(columns, rows)}\npaydrop serves; Ctrl-C stops it`;
}
