/** `paydrop serve` */
import { jobs } from "../../../jobs/index.ts";
import { runScheduler } from "../../daemon/scheduler.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Runs until SIGINT or SIGTERM; what is on its way then is awaited. */
export function serveCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(
    session,
    async (workplace) => {
      session.output.say("paydrop serves; Ctrl-C stops it");
      await runScheduler(workplace, jobs, session.signal);
      return EXIT.done;
    },
    "info",
  );
}
