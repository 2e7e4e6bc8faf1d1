/**
 * A process that has given up root's rights, to which no permission applies, and runs what it is asked for by a
 * message.
 */
import {
  doctorStep,
  type Environment,
  Fault,
  intakeStep,
  openWorkplace,
  stderrLog,
} from "../../src/index.ts";

export interface Order {
  readonly step: "intake" | "doctor";
  readonly config: string;
  readonly environment: Environment;
}

async function carriedOut({ step, config, environment }: Order): Promise<unknown> {
  if (step === "doctor") return doctorStep(config, environment, new AbortController().signal);
  const workplace = openWorkplace(config, environment, stderrLog("silent"));
  try {
    return await intakeStep(workplace);
  } catch (error) {
    if (error instanceof Fault) return { files: [], waiting: [], problems: [error.problem] };
    throw error;
  } finally {
    await workplace.close();
  }
}

const user = Number(process.argv[2]);
if (process.getuid?.() === 0) {
  process.setgid?.(user);
  process.setuid?.(user);
}
process.on("message", async (order: Order) => process.send?.(await carriedOut(order)));
