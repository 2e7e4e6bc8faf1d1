/** `paydrop serve` */
import { EventEmitter } from "node:events";
import { jobs } from "../../../jobs/index.ts";
import { type Hints, startCallbacks } from "../../daemon/callbacks.ts";
import type { Listener } from "../../daemon/listen.ts";
import { startMonitoring } from "../../daemon/monitoring.ts";
import { runScheduler } from "../../daemon/scheduler.ts";
import { type TimetableEntry, timetable } from "../../daemon/timetable.ts";
import { UnrecordedRuns } from "../../daemon/unrecorded-runs.ts";
import { minuteText } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { channelsText, runNotices } from "../../notices/index.ts";
import { doctorStep } from "../../setup/doctor-step.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { packageVersion } from "../package-folder.ts";
import { trialLine } from "../render/people-text.ts";
import { lines } from "../render/text-parts.ts";
import { textTable } from "../render/text-table.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Runs until SIGHUP, SIGINT or SIGTERM, then waits for everything in flight. */
export function serveCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(
    session,
    async (workplace) => {
      const trial = trialLine(workplace);
      if (trial !== undefined) workplace.context.log.warn(trial);
      const serves = timetable(workplace.config, jobs);
      const { timeZone } = workplace.config.ledger;
      const hints: Hints = new EventEmitter();
      const notices = channelsText(workplace);
      const unrecorded = new UnrecordedRuns();
      const monitoring = await startMonitoring(workplace, packageVersion(), unrecorded);
      const callbacks = await startCallbacks(workplace, hints).catch(async (error: unknown) => {
        await monitoring?.close();
        throw error;
      });
      const desk = await startServedDesk(session, workplace, hints).catch(async (error: unknown) => {
        await Promise.all([monitoring?.close(), callbacks?.close()]);
        throw error;
      });
      const urls = present({
        monitoring: monitoring?.url,
        callbacks: callbacks?.url,
        desk: desk?.url,
        notices,
      });
      session.output.answer({ serves, timeZone, ...urls }, () => serveText(serves, timeZone, urls));
      try {
        await Promise.all([
          runScheduler(workplace, jobs, session.signal, hints, unrecorded),
          notices === undefined
            ? undefined
            : runNotices(workplace, session.signal, (figures) => unrecorded.among(figures)),
        ]);
      } finally {
        await Promise.all([monitoring?.close(), callbacks?.close(), desk?.close()]);
      }
      return EXIT.done;
    },
    "info",
  );
}

/** Loads the desk's modules only if a desk is configured. */
async function startServedDesk(
  { configPath, environment, signal }: Session,
  workplace: Workplace,
  hints: Hints,
): Promise<Listener | undefined> {
  const { desk } = workplace.config;
  if (desk === undefined) return undefined;
  const { startDesk } = await import("../../desk/server.ts");
  const doctor = () => doctorStep(configPath, environment, signal);
  return startDesk(workplace, desk, { hints, doctor });
}

function serveText(
  serves: readonly TimetableEntry[],
  timeZone: string,
  {
    monitoring,
    callbacks,
    desk,
    notices,
  }: Partial<Record<"monitoring" | "callbacks" | "desk" | "notices", string>>,
): string {
  const rows = serves.map(({ job, schedule, nextRunAt }) => [job, schedule, minuteText(nextRunAt)]);
  const columns = ["job", `runs at (${timeZone})`, "next"];
  return lines(
    textTable(columns, rows),
    monitoring && `monitoring is served at ${monitoring}: /health, /health/live, /metrics`,
    callbacks && `callbacks are received at ${callbacks}`,
    desk && `the desk is open at ${desk}`,
    notices && `notices go by ${notices}`,
    "Paydrop is serving; Ctrl-C stops it",
  );
}
