/**
 * Answers to files of expected receipts, in `outbox/expected`. `NAME.expected.*` is the sender's file with the
 * state of each row, written again whenever a state changes. `NAME.rejected.*` has every mistake on its cell.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { Config } from "../config/index.ts";
import { fault, SECRET_CODES } from "../faults/index.ts";
import { type Answer, inWords, writeAnswer } from "../files/answers/index.ts";
import { EXPECTED_ANSWER_COLUMNS, problemsColumn } from "../model/answer-columns.ts";
import { counted } from "../model/counted.ts";
import { controlTotals, type ExpectedFile, localMinuteText } from "../model/index.ts";
import { formatAmount } from "../money/index.ts";
import { sha256Of } from "../readers/index.ts";
import { expectedFileNumbered, listExpectationsOf, noteExpectedAnswer } from "../store/expected.ts";
import { refuseRemoved, removedAt } from "../store/retention.ts";
import { openFolder } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { oneLine } from "../writing/cell-text.ts";
import { type KeptReading, openKept, type ReadFile } from "./read-file.ts";
import { notesOf, type ShownExpectation, STATE_WORDS, standingsOf } from "./status.ts";

export function answersFolder({ folders }: Pick<Config, "folders">): string {
  return join(folders.outbox, "expected");
}

export function answerPath(
  config: Pick<Config, "folders">,
  stem: string,
  kind: "expected" | "rejected",
  extension: string,
): string {
  return join(answersFolder(config), `${stem}.${kind}${extension}`);
}

/** Every mistake beside its row, and on its cell in a workbook. */
export function writeMistakes(
  path: string,
  file: string,
  { grid, columns, problems, rowsRead }: ReadFile,
  keptAside: string | undefined,
): Promise<string[]> {
  const { header, headerLine } = columns;
  const marked = Map.groupBy(problems, ({ line }) => line ?? headerLine);
  const texts = [...marked].map(
    ([line, found]) => [line, [found.map((each) => inWords(each, header)).join("\n")]] as const,
  );
  const bad = counted(marked.size, "row has a mistake", "rows have mistakes");
  const aside = keptAside === undefined ? "" : ` It is kept aside in ${keptAside}, and removed later.`;
  const sentence =
    `${file} was not taken in: ${bad}, and none of its ${counted(rowsRead, "row")} is expected. ` +
    `Correct them here and send this file in again.${aside}`;
  return writeAnswer({
    ...{
      path,
      grid,
      reading: { header, headerLine },
      columns: [problemsColumn(file)],
      added: new Map(texts),
      marked,
    },
    holdsSecret: problems.some(({ code }) => SECRET_CODES.has(code)),
    summary: { sentence, groups: [], findings: problems, background: [] },
  });
}

/**
 * Writes the answer of a file that was taken in, unless the same answer is already there. Returns the paths of the
 * written files, none if retention removed that answer. Throws REMOVED_BY_RETENTION and ARCHIVED_FILE_MISSING.
 */
export async function writeExpectedAnswer(workplace: Workplace, number: number): Promise<string[]> {
  const { store, config } = workplace;
  const file = await store.read(() => expectedFileNumbered(number));
  if (file?.reading === undefined) return [];
  const now = await fileNow(workplace, file);
  const path = answerPath(config, file.answerStem, "expected", extname(file.name));
  const said = JSON.stringify([now.sentence, now.facts, now.rows]);
  const answered = createHash("sha256").update(said).digest("hex");
  if (answered === file.answered && (existsSync(path) || (await isRemoved(store, file)))) return [];
  await openFolder(answersFolder(config), "folders.outbox");
  const written = await writeAnswer(await answerOf(workplace, file, path, now));
  await store.write(() => noteExpectedAnswer(number, answered));
  return written;
}

async function isRemoved(store: Workplace["store"], { sha256 }: ExpectedFile): Promise<boolean> {
  return (await store.read(() => removedAt("answers", sha256))) !== undefined;
}

async function answerOf(
  workplace: Workplace,
  file: ExpectedFile,
  path: string,
  { sentence, facts, rows }: FileNow,
): Promise<Answer> {
  const reading = JSON.parse(file.reading ?? "{}") as KeptReading;
  const grid = await openKept(workplace, await archived(workplace, file), reading);
  const names = Object.keys(EXPECTED_ANSWER_COLUMNS) as (keyof typeof EXPECTED_ANSWER_COLUMNS)[];
  const added = new Map(rows.map(({ line, said }) => [line, names.map((name) => oneLine(said[name] ?? ""))]));
  return {
    ...{ path, grid, reading, columns: Object.values(EXPECTED_ANSWER_COLUMNS), added },
    summary: { sentence, groups: [{ heading: "What is expected", facts }], findings: [], background: [] },
  };
}

type AnswerTexts = Readonly<Partial<Record<keyof typeof EXPECTED_ANSWER_COLUMNS, string>>>;

interface FileNow {
  /** The state of the file, in one sentence. */
  readonly sentence: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly rows: readonly { readonly line: number; readonly said: AnswerTexts }[];
}

/** The present content of a file's answer. */
async function fileNow(workplace: Workplace, file: ExpectedFile): Promise<FileNow> {
  const expectations = await workplace.store.read(() => listExpectationsOf(file.number));
  const standings = await standingsOf(workplace, expectations, [file]);
  const { timeZone } = workplace.config.ledger;
  const counts = [...Map.groupBy(standings, ({ state }) => state)].map(
    ([state, some]) => `${some.length} ${STATE_WORDS[state]}`,
  );
  const totals = controlTotals(standings.map(({ expectation }) => expectation.amount));
  const waits = standings.some(({ state }) => state === "waits");
  const next = waits ? " It waits for approval." : "";
  return {
    sentence:
      `${file.name}: ${counted(standings.length, "receipt is", "receipts are")} expected ` +
      `(${counts.join(", ")}).${next}`,
    facts: [
      ["File", String(file.number)],
      ...totals.map(
        ({ currency, count, amount }) =>
          [`Total ${currency}`, `${amount.normalized()} in ${counted(count, "row")}`] as const,
      ),
      ["SHA-256 of the file", file.sha256],
    ],
    rows: standings.map((standing) => ({
      line: standing.expectation.line,
      said: answerTexts(standing, timeZone),
    })),
  };
}

function answerTexts(shown: ShownExpectation, timeZone: string): AnswerTexts {
  const { expectation, state, received, address } = shown;
  const { amount, depositId, rateAsked } = expectation;
  return {
    standing: STATE_WORDS[state],
    ...(depositId !== undefined && { depositId }),
    ...(address !== undefined && { address }),
    ...(rateAsked !== undefined &&
      depositId !== undefined && { rateUntil: localMinuteText(timeZone, rateAsked) }),
    ...(!received.isZero() && { received: formatAmount({ ...amount, value: received.normalized() }) }),
    note: notesOf(shown).join("; "),
  };
}

/** The archived copy, if it is unchanged: answers beside another file's rows would mislead. */
async function archived(
  { config, store }: Workplace,
  { archivedAs, sha256, number, name }: ExpectedFile,
): Promise<string> {
  const moved = join(config.folders.archive, archivedAs.split("/").at(-1) ?? "");
  for (const path of [archivedAs, moved])
    if (existsSync(path) && (await sha256Of(path)) === sha256) return path;
  const [what, where] = [`file ${number} of expected receipts`, { file: name }];
  const { timeZone } = config.ledger;
  await store.read(() => refuseRemoved({ kind: "archive", about: sha256, what, timeZone, where }));
  throw fault("ARCHIVED_FILE_MISSING", { batch: `file ${number}`, path: moved }, { file: name });
}

/** The answer of a file in the outbox; undefined if there is none. */
export async function expectedAnswer(
  { store, config }: Workplace,
  number: number,
): Promise<{ readonly name: string; readonly bytes: NodeJS.ReadableStream } | undefined> {
  const file = await store.read(() => expectedFileNumbered(number));
  if (file === undefined) return undefined;
  const kind = file.verdict === "accepted" ? "expected" : "rejected";
  const path = answerPath(config, file.answerStem, kind, extname(file.name));
  return existsSync(path) ? { name: basename(path), bytes: createReadStream(path) } : undefined;
}
