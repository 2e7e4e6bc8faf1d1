/**
 * The three answers to a sender's file (it awaits approval, it must be corrected, it was paid), with their
 * summaries.
 */
import { writeFile } from "node:fs/promises";
import { writeWhole } from "../../context/files.ts";
import type { Problem } from "../../faults/index.ts";
import type { BatchReading } from "../../model/batch-reading.ts";
import {
  ANSWER_COLUMNS,
  type Batch,
  type ControlTotal,
  countOf,
  plainWords,
  problemsColumn,
  SENT_BEFORE_CODES,
  type SentBefore,
  STANDING_WORDS,
  sentBeforeWords,
} from "../../model/index.ts";
import { hasOwnReferences, type PaymentLine, type SheetReading } from "../../model/sheet-reading.ts";
import { oneLine } from "../../writing/cell-text.ts";
import { type Answer, FINDINGS_MAX, inWords, leftOut, type SummaryGroup } from "./answer.ts";
import { writeAnswerCsv } from "./answer-csv.ts";
import { writeAnswerXlsx } from "./answer-xlsx.ts";
import { kindsGroup, otherLines, readingGroups, totalFacts } from "./reading-summary.ts";

const { problems: _, reference: OWN_REFERENCE, ...BATCH_COLUMNS } = ANSWER_COLUMNS;

/** The result of one line, by our columns. Amounts have all digits. `reference`: one that Paydrop assigned. */
export type LineResult = Readonly<
  Partial<Record<keyof typeof BATCH_COLUMNS | "reference", string | undefined>>
>;

/** The content of an answer about a batch. */
export interface BatchAnswer extends Pick<Answer, "grid" | "path"> {
  readonly batch: Pick<Batch, "id" | "fileName" | "fileSha256" | "digest" | "controlTotals">;
  readonly reading: Omit<BatchReading, "csv" | "sender">;
  /** By line. `reading` tells which lines are not payments of the batch. */
  readonly results: ReadonlyMap<number, LineResult>;
}

/**
 * `NAME.accepted.*`: the sender's file with the standing of every row, and what awaits approval. `groups`: further
 * facts for an approver.
 */
export function writeAcceptedAnswer(answer: BatchAnswer, groups: readonly SummaryGroup[]): Promise<string[]> {
  const { batch, reading } = answer;
  const awaiting: SummaryGroup = {
    heading: "What awaits approval",
    facts: [
      ["Batch", batch.id],
      ["Digest", batch.digest],
      ...totalFacts(batch.controlTotals),
      ["SHA-256 of the file", batch.fileSha256],
    ],
  };
  const toAccept: SummaryGroup = {
    heading: "What the approver must accept",
    facts: reading.questions.map(
      ({ text, value }) => [text, value === undefined ? "" : `or leave its rows out: ${value}`] as const,
    ),
  };
  const payments = countOf(batch.controlTotals);
  return writeAnswer({
    ...linesOf(answer, { standing: ANSWER_COLUMNS.standing }),
    summary: {
      sentence:
        `${batch.fileName} was accepted: ` +
        `${payments} ${payments === 1 ? "payment awaits" : "payments await"} approval.`,
      groups: [toAccept, awaiting, ...groups, kindsGroup(reading.warnings)],
      findings: reading.warnings,
      background: readingGroups(reading),
    },
  });
}

/** `NAME.results.*`: the sender's file with the outcome of every row. `sums`: of the payments of each standing. */
export function writeResultsAnswer(
  answer: BatchAnswer,
  sums: ReadonlyMap<string, readonly ControlTotal[]>,
): Promise<string[]> {
  const rank = ([standing]: Outcome) => OUTCOMES.indexOf(standing);
  const outcomes = [...sums].toSorted((one, other) => rank(one) - rank(other));
  return writeAnswer({
    ...linesOf(answer, BATCH_COLUMNS),
    summary: {
      sentence: `${answer.batch.fileName}: ${outcomesText(outcomes)}.`,
      groups: [
        { heading: "Payments that a person must look at", facts: toLookAt(answer) },
        ...outcomes.map(([heading, totals]) => ({ heading, facts: totalFacts(totals) })),
      ],
      findings: [],
      background: readingGroups(answer.reading),
    },
  });
}

type Outcome = readonly [standing: string, totals: readonly ControlTotal[]];

/** The desk's words for a payment's standing; those that need action come first. */
const OUTCOMES: readonly string[] = [
  STANDING_WORDS.failed,
  ...(["refused", "in doubt", "held", "abandoned", "withdrawn"] as const).map((each) => STANDING_WORDS[each]),
  ...(["received", "approved", "sending", "accepted"] as const).map((each) => STANDING_WORDS[each]),
  STANDING_WORDS.arrived,
];

/** "1 failed, 6 arrived" */
function outcomesText(outcomes: readonly Outcome[]): string {
  const texts = outcomes.map(([standing, totals]) => {
    const count = countOf(totals);
    return `${count} ${count === 1 ? standing : standing.replace(/^waits /, "wait ")}`;
  });
  return texts.join(", ");
}

/** The lines with an error, in their order. */
function toLookAt({ results }: BatchAnswer): SummaryGroup["facts"] {
  const found = [...results].filter(([, { error = "" }]) => error !== "").toSorted(([a], [b]) => a - b);
  const facts = found.slice(0, FINDINGS_MAX).map(([line, { standing = "", error = "", note = "" }]) => {
    return [`Line ${line}, ${standing}`, note === "" ? error : `${error} - ${note}`] as const;
  });
  return [...facts, ...leftOut(found.length).map((text) => [text, ""] as const)];
}

/** Texts from the service become single visible lines. */
function linesOf({ grid, path, reading, results }: BatchAnswer, own: Readonly<Record<string, string>>) {
  const columns = hasOwnReferences(reading) ? { reference: OWN_REFERENCE, ...own } : own;
  const others = otherLines(reading).map(({ line = 0, what }) => [line, { standing: what }] as const);
  const leftOut = reading.otherLines.map(([line, standing]) => [line, { standing }] as const);
  const textsOf = (result: Readonly<Record<string, string | undefined>>) =>
    Object.keys(columns).map((name) => oneLine(result[name] ?? ""));
  const added = [...others, ...leftOut, ...results].map(([line, result]) => [line, textsOf(result)] as const);
  return { grid, path, reading, columns: Object.values(columns), added: new Map(added) };
}

export interface RejectedAnswer extends Pick<Answer, "grid" | "path" | "holdsSecret"> {
  readonly reading: SheetReading;
  /** The sender's own file name. */
  readonly file: string;
  readonly rows: readonly PaymentLine[];
  readonly fileProblems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** How many good rows were accepted although others were rejected. */
  readonly rowsAccepted: number;
  readonly sentBefore?: readonly SentBefore[];
  /** The place where the file is kept because it seems to contain a private key. */
  readonly keptAside?: string;
}

/**
 * `NAME.rejected.*`: the sender's file with the reasons beside every bad row, to be corrected and dropped again.
 * Good rows are returned as sent, with an empty problems cell.
 */
export function writeRejectedAnswer(rejected: RejectedAnswer): Promise<string[]> {
  const { file, rows, fileProblems, warnings, rowsAccepted, sentBefore, keptAside, ...sent } = rejected;
  const problems = [...fileProblems, ...rows.flatMap((row) => row.problems)];
  const findings = [...problems, ...warnings];
  const marked = Map.groupBy(problems, ({ line }) => line ?? sent.reading.headerLine);
  // The reasons of each row, and the outcome of rows that were accepted before.
  const added = new Map(rows.map(({ line, before }) => [line, [before?.message ?? ""]]));
  const { header } = sent.reading;
  for (const [line, found] of marked)
    added.set(line, [found.map((each) => inWords(each, header)).join("\n")]);
  // Assigned references come back with the corrected file and stay with their rows.
  const isOwn = rows.some(({ ownReference }) => ownReference !== undefined);
  for (const { line, ownReference = "" } of isOwn ? rows : [])
    added.set(line, [...(added.get(line) ?? [""]), ownReference]);
  const columns = [problemsColumn(file), ...(isOwn ? [OWN_REFERENCE] : [])];
  const aside = keptAside === undefined ? "" : ` ${keptAsideSentence(keptAside)}`;
  const sentence = `${rejectionOf(rejected)}${aside}`;
  const background = readingGroups(sent.reading);
  const summary = { sentence, groups: [kindsGroup(findings)], findings, background };
  return writeAnswer({ ...sent, columns, added, marked, summary });
}

/** The sentence that says where the file is kept and that it will be removed. */
export function keptAsideSentence(path: string): string {
  return (
    `It seems to hold a private key, so the file is not in the archive: it is kept aside in ${path}, ` +
    `which only its owner can open, and removed later.`
  );
}

function rejectionOf({
  file,
  grid,
  rows,
  fileProblems,
  rowsAccepted,
  sentBefore = [],
}: RejectedAnswer): string {
  const fresh = rows.filter(({ before, leftOut }) => before === undefined && leftOut === undefined);
  const known = plainWords(sentBeforeWords(sentBefore, fresh.length, rowsAccepted > 0));
  const isKnown = ({ problems, before }: PaymentLine) =>
    before !== undefined || problems.some(({ code }) => SENT_BEFORE_CODES.has(code));
  if (known !== "" && rows.every(isKnown)) return `${file} was not taken in. ${known}`;
  const bad = rows.filter(({ problems }) => problems.length > 0).length;
  const rejected = bad === 1 ? "1 row was rejected" : `${bad} rows were rejected`;
  const inRows =
    grid.format === "csv"
      ? `the rows with a reason in the column \`${problemsColumn(file)}\``
      : "the red cells";
  const correct = `Correct ${bad === 0 ? "what is listed below" : inRows} and drop this file again.`;
  if (rowsAccepted > 0) return `${file}: ${rejected} and ${rowsAccepted} accepted. ${known || correct}`;
  const next =
    known === ""
      ? correct
      : `${known} Delete the others here, correct what else has a reason, and drop this file again.`;
  const why = bad === 0 && fileProblems.length > 0 ? "the file as a whole cannot be accepted" : rejected;
  return `${file} was rejected: ${why}. Nothing in it is paid. ${next}`;
}

/**
 * Writes a new file in the sender's format, which appears completely or not at all. Returns the written paths.
 * Throws OUTPUT_UNWRITABLE and then leaves nothing behind.
 */
export async function writeAnswer({ summary, ...rest }: Answer): Promise<string[]> {
  const withFacts = (groups: readonly SummaryGroup[]) => groups.filter(({ facts }) => facts.length > 0);
  const [groups, background] = [withFacts(summary.groups), withFacts(summary.background)];
  const answer = { ...rest, summary: { ...summary, groups, background } };
  const { path, grid } = answer;
  if (grid.format === "xlsx") {
    await writeWhole(path, (temporaryPath) => writeAnswerXlsx(temporaryPath, answer));
    return [path];
  }
  const summaryPath = `${path}.txt`;
  await writeWhole(path, async (temporaryPath) => {
    await writeAnswerCsv(temporaryPath, answer);
    // Write the summary first: readers may take the answer as soon as it exists.
    await writeWhole(summaryPath, (textPath) => writeFile(textPath, summaryText(answer)));
  });
  return [path, summaryPath];
}

/** A CSV contains only lines, so that programs can read it. The text file beside it has the rest for people. */
function summaryText({ summary, reading }: Pick<Answer, "summary" | "reading">): string {
  const { sentence, groups, findings, background } = summary;
  const groupLines = ({ heading, facts }: SummaryGroup) => [
    "",
    heading,
    ...facts.map(([label, value]) => `  ${oneLine(value === "" ? label : `${label}: ${value}`)}`),
  ];
  const lines = [
    oneLine(sentence),
    ...groups.flatMap(groupLines),
    ...(findings.length === 0 ? [] : ["", "Problems and warnings"]),
    ...findings.slice(0, FINDINGS_MAX).map((found) => `  ${oneLine(inWords(found, reading.header))}`),
    ...leftOut(findings.length).map((text) => `  ${text}`),
    ...background.flatMap(groupLines),
  ];
  return `${lines.join("\n")}\n`;
}
