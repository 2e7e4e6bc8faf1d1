/**
 * The record: `paydrop explain NAME or CODE`, `audit verify`, `audit evidence`, `evidence BATCH FILE` and
 * `backup FILE`
 */
import { createWriteStream, existsSync } from "node:fs";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { loadConfig } from "../../config/index.ts";
import { writeOnce } from "../../context/files.ts";
import { explainExpected } from "../../expected/index.ts";
import {
  type ExplainedFault,
  explainedFault,
  fault,
  isProblem,
  orProblem,
  similarCodes,
} from "../../faults/index.ts";
import { localMinuteText, standingInWords } from "../../model/index.ts";
import { formatAmount } from "../../money/index.ts";
import { evidenceFileStep } from "../../payments/evidence-file-step.ts";
import { evidenceStep } from "../../payments/evidence-step.ts";
import { backupStep } from "../../setup/backup-step.ts";
import { auditStep } from "../../views/audit-step.ts";
import { explainNamedStep, type OtherStory, type Story } from "../../views/explain-step.ts";
import { openStoreForReading, type Workplace } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode, exitCodeFor } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { decisionText } from "../render/people-text.ts";
import { shown } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { textTable } from "../render/text-table.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";

/**
 * Under --json one story is the document itself; several are in its member `stories`. Explaining a fault's code
 * needs no configuration, because the person may not have one that works.
 */
export async function explainCommand(session: Session, name: string): Promise<ExitCode> {
  const explained = explainedFault(name);
  if (explained !== undefined) {
    session.output.answer(explained, faultText);
    return EXIT.done;
  }
  if (LIKE_A_CODE.test(name) && !existsSync(session.configPath)) throw codeUnknown(name);
  return lookingIntoWorkplace(session, async (workplace) => {
    const stories = await storiesOf(workplace, name);
    const [story, another] = stories;
    const answer = story !== undefined && another === undefined ? story : { stories };
    session.output.answer(answer, (_, colors) =>
      stories
        .map((each) =>
          "kind" in each
            ? otherText(each, colors)
            : storyText(each, workplace.config.ledger.timeZone, colors),
        )
        .join("\n\n"),
    );
    return EXIT.done;
  });
}

/** The story of an expectation with this name comes first. */
async function storiesOf(workplace: Workplace, name: string): Promise<(Story | OtherStory)[]> {
  const expected = await explainExpected(workplace, name);
  if (expected === undefined) return explainNamedStep(workplace, name);
  const others = await orProblem(() => explainNamedStep(workplace, name));
  return [expected, ...(isProblem(others) ? [] : others)];
}

const LIKE_A_CODE = /^[A-Z]+(?:_[A-Z]+)+$/;
const SIMILAR_MAX = 5;

function codeUnknown(code: string) {
  const similar = similarCodes(code, SIMILAR_MAX).join(", ");
  const copied =
    similar === "" ? "Copy it from the message." : `Copy it from the message; there are ${similar}.`;
  const how = `${copied} Payments and batches are found where a configuration is.`;
  return fault("NAME_UNKNOWN", { what: `fault with the code ${code}`, how });
}

function faultText({ code, means, fix, next, afterwards }: ExplainedFault, colors: Colors): string {
  return lines(
    colors.red(code),
    `  ${means}`,
    `  ${colors.green("fix:")} ${fix}`,
    `  ${colors.green("then:")} ${afterwards}; a command that ends with it has exit code ${exitCodeFor(next)}`,
  );
}

function otherText({ kind, id, file, reference, state, ...story }: OtherStory, colors: Colors): string {
  const isBatch = kind === "batch";
  const title = colors.bold(`${kind} ${id || "without an id yet"}`);
  return lines(
    `${title} ${shown(file ?? reference ?? "")}${isBatch ? "" : `: ${state ?? "not seen yet"}`}`,
    ...storyLines(story),
    isBatch &&
      `\`paydrop status ${id}\` shows its payments, \`paydrop explain REFERENCE\` the history of one`,
    kind === "break" && `\`paydrop breaks show ${id}\` shows its values and its evidence`,
    kind !== "break" && !isBatch && bookedText(story),
  );
}

function leavingText({ leaves }: Story, timeZone: string): string | undefined {
  if (leaves === undefined) return undefined;
  const { at, dayOff, approvalEnds } = leaves;
  const moved = dayOff === undefined ? "" : `: ${dayOff} is a day off`;
  const ends =
    approvalEnds === undefined
      ? ""
      : `; its approval ends before, at ${localMinuteText(timeZone, approvalEnds)}`;
  return `  leaves at ${localMinuteText(timeZone, at)} at the earliest${moved}${ends}`;
}

function storyText(story: Story, timeZone: string, colors: Colors): string {
  const { instruction, file, payoutState, again } = story;
  const { fields, standing, reason, batchId, row, payoutId } = instruction;
  return lines(
    `${colors.bold(shown(fields.reference))} ${formatAmount(fields.amount)}, ${shown(file)} row ${row}, batch ` +
      `${batchId}: ${standingInWords(standing, payoutState)}`,
    reason !== undefined && `  why: ${shown(reason)}`,
    leavingText(story, timeZone),
    payoutId && `  payout ${payoutId} ${payoutState ?? "not seen yet"}`,
    ...storyLines(story),
    bookedText(story),
    again && `paid again as ${shown(again)}`,
  );
}

function storyLines({ lines: events, breaks }: Pick<Story, "lines" | "breaks">): string[] {
  const rows = events.map(({ at, who, what }) => [`${at.slice(0, 10)} ${at.slice(11, 19)}`, who, what]);
  const breakLines = breaks.map((sentence) => `break: ${shown(sentence)}`);
  return [textTable(["when (UTC)", "who", "what"], rows), ...breakLines];
}

function bookedText({ entryIds }: Pick<Story, "entryIds">): string {
  return entryIds.length > 0
    ? `booked as ${entryIds.join(", ")}`
    : "not booked yet: nothing has settled, or `paydrop ledger` has not run since";
}

/**
 * Exits with 4 if the record has decisions that are neither proven nor taken over. Throws AUDIT_CHAIN_BROKEN if the
 * record was changed, and DATABASE_BEHIND_ANCHOR if its end is missing.
 */
export function auditVerifyCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const { head, hasAnchor, unproven } = await auditStep(workplace);
    const end = hasAnchor ? "" : "; without an anchor, a missing end would go unnoticed";
    session.output.answer({ intact: true, head, unproven }, () =>
      lines(
        `The record is intact. Its head is ${head}${end}`,
        unproven.length === 0
          ? "People of the roster have signed every decision in it."
          : `Not proven: ${counted(unproven.length, "decision")} in it:`,
        ...unproven.map(({ isTakenOver, ...each }) =>
          shown(`  entry ${each.seq}: ${decisionText(each)}${isTakenOver ? " (taken over since)" : ""}`),
        ),
      ),
    );
    return unproven.every(({ isTakenOver }) => isTakenOver) ? EXIT.done : EXIT.personNeeded;
  });
}

export function auditEvidenceCommand(session: Session, batch: string, folder: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await evidenceStep(workplace, batch, folder);
    session.output.answer(report, ({ folders }) =>
      lines(
        ...folders.map(
          ({ folder: written, changes, submissions, approvals }) =>
            `written to ${shown(written)}: ${counted(approvals, "approval")} of ${report.batch}, ` +
            `${counted(submissions, "submission")}, ${counted(changes, "change")} of the roster`,
        ),
        "docs/verifying.md says how to verify them without Paydrop, from the fingerprints of the root.",
      ),
    );
    return EXIT.done;
  });
}

/** Throws OUTPUT_EXISTS. */
export function evidenceCommand(session: Session, name: string, file: string): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    if (existsSync(file)) throw fault("OUTPUT_EXISTS", { path: file }, { file });
    const archive = await evidenceFileStep(workplace, name, "paydrop");
    await writeOnce(resolve(file), (temporaryPath) =>
      pipeline(archive.bytes, createWriteStream(temporaryPath)),
    );
    const { seq, head, manifest, files } = archive.sealed();
    const { removed } = archive;
    const report = { batch: archive.batch.id, path: file, files, manifest, entry: seq, head };
    const answer = { ...report, problems: removed === undefined ? [] : [removed] };
    session.output.answer(answer, () =>
      lines(
        removed && `It is without the sent file: ${shown(removed.message)}.`,
        `written: ${shown(file)}, ${counted(files, "file")} about ${report.batch}`,
        `The head is ${head} (entry ${seq} of the record). Give it to the auditor by another way than the file.`,
        "docs/evidence.md says how to verify it without Paydrop.",
      ),
    );
    return EXIT.done;
  });
}

export async function backupCommand(
  { output, configPath, environment, signal }: Session,
  path: string,
): Promise<ExitCode> {
  const config = loadConfig(configPath, environment);
  // A file is copied by its path, because one of an older version cannot be opened.
  const isOnServer = config.databaseEngine === "postgresql";
  const server = isOnServer ? openStoreForReading(config, environment, signal) : undefined;
  const report = await backupStep(config, path, server).finally(() => server?.close());
  output.answer(
    report,
    () => `written: ${shown(report.path)}, whose record is intact; its head is ${report.head}`,
  );
  output.say("keep it apart from the anchor file: once restored, it sends nothing until a person has looked");
  return EXIT.done;
}
