/** `paydrop retention` and `backup verify FILE` */
import { resolve } from "node:path";
import { loadConfig } from "../../config/index.ts";
import { systemClock } from "../../context/clock.ts";
import { isProblem, orProblem } from "../../faults/index.ts";
import { minuteText, RETENTION_WORDS } from "../../model/index.ts";
import { type RetentionReport, retentionStep } from "../../retention/index.ts";
import { type BackupVerified, backupVerifyStep } from "../../setup/backup-verify-step.ts";
import { auditLength } from "../../store/audit.ts";
import { withTrialRoot } from "../../workplace/trial-keys.ts";
import { openStoreForReading } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { textTable } from "../render/text-table.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";

export function retentionCommand(
  session: Session,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<ExitCode> {
  const open = dryRun ? lookingIntoWorkplace : inWorkplace;
  return open(session, async (workplace) => {
    const report = await retentionStep(workplace, { isDryRun: dryRun });
    session.output.answer(report, retentionText);
    return report.problems.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

function retentionText({ kinds, isDryRun, report, problems }: RetentionReport, colors: Colors): string {
  if (kinds.length === 0) return "Everything is kept: the configuration has no `retention`.";
  const went = isDryRun ? "would go" : "went";
  const columns = ["what", "days", went, "bytes", "oldest", "newest", "stays, needed"];
  const rows = kinds.map(({ kind, days, count, bytes, oldest, newest, needed }) => {
    const [from, to] = [oldest, newest].map((at) => (at === undefined ? "" : minuteText(at)));
    return [RETENTION_WORDS[kind], days, count, bytes, from, to, needed].map(String);
  });
  return lines(
    textTable(columns, rows),
    isDryRun ? "Nothing was removed." : report && `The report, whose hash is in the record: ${shown(report)}`,
    ...problemLines(problems, colors),
  );
}

/** Exits with 4 if anything is wrong with the backup. Works even if the database in use is lost. */
export async function backupVerifyCommand(
  { output, configPath, environment, signal }: Session,
  path: string,
): Promise<ExitCode> {
  const config = withTrialRoot(loadConfig(configPath, environment));
  const opened = await orProblem(async () => {
    const store = openStoreForReading(config, environment, signal);
    // The first read connects to the server.
    await store.read(() => auditLength());
    return store;
  });
  const live = isProblem(opened) ? undefined : opened;
  try {
    const report = await backupVerifyStep({ config, context: { clock: systemClock }, live }, resolve(path));
    output.answer(report, backupText);
    if (isProblem(opened))
      output.complain(`It was not compared with the database in use: ${opened.message}.`);
    return report.problems.length > 0 ? EXIT.personNeeded : EXIT.done;
  } finally {
    await live?.close();
  }
}

function backupText(
  { path, problems, record, night, journalEntries, isSealed, isCompared }: BackupVerified,
  colors: Colors,
): string {
  const ties = night?.ties === true ? "its balances tie" : "its balances did not tie in that night either";
  const isTying = problems.every(({ code }) => code !== "BACKUP_NOT_TYING");
  return lines(
    problems.length === 0
      ? `The backup is whole: ${shown(path)}`
      : colors.red(`Do not rely on ${shown(path)}`),
    record &&
      `The record is intact: ${counted(record.entries, "entry", "entries")}; its head is ${record.head}`,
    isTying && night && `Night ${night.number} of ${night.day} adds up; ${ties}.`,
    isTying &&
      journalEntries !== undefined &&
      `The sums of the books are those of ${counted(journalEntries, "entry", "entries")}.`,
    !isSealed &&
      problems.length === 0 &&
      "It has no file with its hash, so a changed byte may have gone unnoticed.",
    isCompared && "It was compared with the database in use.",
    ...problemLines(problems, colors),
  );
}
