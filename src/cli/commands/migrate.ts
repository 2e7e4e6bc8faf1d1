/** `paydrop migrate --from sqlite:PATH --to postgresql` */
import { loadConfig } from "../../config/index.ts";
import { systemClock } from "../../context/clock.ts";
import { migrateStep } from "../../setup/migrate-step.ts";
import type { MovedDatabase } from "../../store/engines/move-to-server.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { shown } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import type { Session } from "../session.ts";

export async function migrateCommand(
  { output, configPath, environment, signal }: Session,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ExitCode> {
  const config = loadConfig(configPath, environment);
  const moved = await migrateStep({ config, environment, clock: systemClock, signal }, from, to);
  output.answer(moved, movedText);
  output.say(
    `next: \`database: postgresql\` in ${configPath}, with DATABASE_URL in the environment; then \`paydrop doctor\`, ` +
      `\`paydrop status\` and \`serve\`. ${shown(config.databasePath)} is marked: it can be read, and is used no more`,
  );
  return EXIT.done;
}

function movedText({ place, tables, rows, payments, record }: MovedDatabase): string {
  const sums = payments.map(
    ({ currency, count, amount }) => `${counted(count, "payment")} over ${amount} ${currency}`,
  );
  return lines(
    `moved to ${place}: ${counted(rows, "row")} in ${tables} tables, each read back there and equal`,
    ...sums.map((sum) => `on both sides: ${sum}`),
    `the record verifies there: ${counted(record.entries, "entry", "entries")}, whose head is ${record.head}, ` +
      "and one of the move",
  );
}
