/** `paydrop serve` */
import { jobs } from "../../../jobs/index.ts";
import { startMonitoring } from "../../daemon/monitoring.ts";
import { runScheduler } from "../../daemon/scheduler.ts";
import { type TimetableEntry, timetable } from "../../daemon/timetable.ts";
import { minuteText } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { packageVersion } from "../package-folder.ts";
import { textTable } from "../render/text-table.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Runs until SIGHUP, SIGINT or SIGTERM; what is on its way then is awaited. */
export function serveCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(
    session,
    async (workplace) => {
      const serves = timetable(workplace.config, jobs);
      const { timeZone } = workplace.config.ledger;
      const monitoring = await startMonitoring(workplace, packageVersion());
      session.output.answer({ serves, timeZone, ...present({ monitoring: monitoring?.url }) }, () =>
        serveText(serves, timeZone, monitoring?.url),
      );
      try {
        await runScheduler(workplace, jobs, session.signal);
      } finally {
        await monitoring?.close();
      }
      return EXIT.done;
    },
    "info",
  );
}

function serveText(serves: readonly TimetableEntry[], timeZone: string, monitoringUrl?: string): string {
  const rows = serves.map(({ job, schedule, nextRunAt }) => [
    job,
    schedule,
    nextRunAt === undefined ? "never" : minuteText(nextRunAt),
  ]);
  const columns = ["job", `runs at (${timeZone})`, "next"];
  const monitors =
    monitoringUrl === undefined ? [] : [`monitors ask at ${monitoringUrl}: /health, /health/live, /metrics`];
  return [textTable(columns, rows), ...monitors, "paydrop serves; Ctrl-C stops it"].join("\n");
}
