/**
 * Takes in a file of expected receipts whole, or returns it with every mistake on its cell. Archives the original
 * unchanged before reading it. Recognises a file that comes again, and a corrected answer.
 */
import { writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { writeWhole } from "../context/files.ts";
import { Fault, type Problem, problem, SECRET_CODES } from "../faults/index.ts";
import { inWords } from "../files/answers/index.ts";
import { type Upload, waitingUpload } from "../files/files-step.ts";
import { removeAnswer } from "../files/intake/answer-files.ts";
import { copyToArchive, ownFile, type SentBytes } from "../files/intake/archive.ts";
import { keepAside } from "../files/intake/kept-aside.ts";
import { fileNameAt, isNameWithheld, safeName, sentStem, unusableName } from "../files/intake/sent-file.ts";
import { removeWithTotals } from "../files/intake/totals-file.ts";
import { type ControlTotal, controlTotals, type ExpectedFile } from "../model/index.ts";
import { present } from "../model/present.ts";
import { proveDecision } from "../proof/prove.ts";
import { requirePerson } from "../proof/required-person.ts";
import { appendAudit } from "../store/audit.ts";
import {
  expectedFileNamed,
  findExpectations,
  findExpectedFile,
  forgetRejectedFile,
  insertExpectations,
  isExpectedStemTaken,
  recordExpectedFile,
} from "../store/expected.ts";
import type { Transaction } from "../store/sql.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { openFolder, openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { oneLine } from "../writing/cell-text.ts";
import { answerPath, answersFolder, writeExpectedAnswer, writeMistakes } from "./answer-files.ts";
import { type KeptReading, type ReadFile, readExpectedFile } from "./read-file.ts";
import { isWaiting } from "./status.ts";

export interface ExpectedFileReport {
  /** The sender's name of the file. */
  readonly file: string;
  readonly sha256: string;
  /**
   * accepted: all its rows are expected. known: it came before. rejected: it has mistakes. refused: it could not be
   * read, or is not a file of expected receipts.
   */
  readonly verdict: "accepted" | "known" | "rejected" | "refused";
  /** The file's number, if its rows are expected. */
  readonly number?: number;
  /** A person must approve it before it counts. */
  readonly waits: boolean;
  readonly rowsRead: number;
  readonly totals: readonly ControlTotal[];
  /** The file that it corrects. */
  readonly corrects?: string;
  readonly unread: readonly string[];
  readonly problems: readonly Problem[];
  /** Paths of the written files. */
  readonly answers: readonly string[];
}

interface Taking {
  readonly takenBy: string;
  /** Whether that person is present to sign the file. */
  readonly signs?: boolean;
  /** Whether the file is Paydrop's own, so that no other program writes to it. */
  readonly isOurs?: boolean;
}

/** As `takeExpectedFile`, by a person who signs it. Throws the same faults, and CONFIGURATION_DIFFERS. */
export async function expectFileStep(
  workplace: Workplace,
  path: string,
  person: string,
  name = fileNameAt(workplace.config, path),
  { isOurs = false }: Pick<Taking, "isOurs"> = {},
): Promise<ExpectedFileReport> {
  await checkAgreement(workplace);
  return takeExpectedFile(workplace, path, name, { takenBy: person, signs: true, isOurs });
}

/**
 * As `expectFileStep`, for an uploaded file, which is removed once it is taken in. Throws NAME_UNKNOWN for an old
 * upload.
 */
export async function expectUploadStep(
  workplace: Workplace,
  { key, name }: Upload,
  person: string,
): Promise<ExpectedFileReport> {
  const path = waitingUpload(workplace, { key, name });
  const report = await expectFileStep(workplace, path, person, safeName(name), { isOurs: true });
  await removeWithTotals(path);
  return report;
}

/**
 * Takes in the file at `path`; `name`: its sender's name for it. Throws USAGE without a person, FILE_TOO_LARGE,
 * FILE_CHANGED, OUTPUT_UNWRITABLE, and the faults of `proveDecision`.
 */
export async function takeExpectedFile(
  workplace: Workplace,
  path: string,
  name: string,
  taking: Taking,
): Promise<ExpectedFileReport> {
  requirePerson(taking.takenBy);
  const unusable = unusableName(name);
  if (unusable !== undefined) throw new Fault(unusable);
  await openFolders(workplace, "archive", "outbox");
  await openFolder(answersFolder(workplace.config), "folders.outbox");
  const copy = await (taking.isOurs === true ? ownFile : copyToArchive)(workplace, path, name);
  const known = await workplace.store.read(() => findExpectedFile(copy.sha256));
  if (known?.verdict === "accepted" && !isNameWithheld(name)) return knownFile(workplace, known, name);
  const read = await readOrRefuse(workplace, copy, name);
  if (!("grid" in read)) return refuse(workplace, copy, name, read, taking);
  if (read.problems.length > 0) return reject(workplace, copy, name, read, taking);
  return (
    (await accept(workplace, copy, name, read, taking)) ?? takeExpectedFile(workplace, path, name, taking)
  );
}

async function readOrRefuse(
  workplace: Workplace,
  copy: SentBytes,
  name: string,
): Promise<ReadFile | Problem> {
  try {
    if (isNameWithheld(name)) return problem("FILE_NAME_IS_SECRET", {});
    return await readExpectedFile(workplace, copy.path);
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.next !== "correct-file") throw error;
    return { ...error.problem, file: name };
  }
}

const NOTHING = { waits: false, rowsRead: 0, totals: [], unread: [], problems: [], answers: [] };

/** Writes the file's answer again, because it may have been lost. */
async function knownFile(
  workplace: Workplace,
  known: ExpectedFile,
  file: string,
): Promise<ExpectedFileReport> {
  const { number, sha256 } = known;
  const said = problem("EXPECTED_FILE_KNOWN", { file: number }, { file });
  const waits = isWaiting(workplace, known);
  const answers = await writeExpectedAnswer(workplace, number);
  return { ...NOTHING, file, sha256, verdict: "known", number, waits, problems: [said], answers };
}

/** Undefined if one of its references was used after it was read. */
async function accept(
  workplace: Workplace,
  copy: SentBytes,
  name: string,
  read: ReadFile,
  { takenBy, signs = false }: Taking,
): Promise<ExpectedFileReport | undefined> {
  const { rows, rowsRead, grid, columns, corrects, unread } = read;
  const { sha256 } = copy;
  const totals = controlTotals(rows.map(({ amount }) => amount));
  if (signs) {
    const sums = totals.map(({ currency, count, amount }) => `${count}: ${amount} ${currency}`);
    const created = rows.filter(({ creates }) => creates).length;
    const detail = { file: name, expects: sums, deposits: String(created) };
    await proveDecision(workplace, { decision: "submit", person: takenBy, subject: sha256, detail });
  }
  const archivedAs = await copy.keep();
  const { headerLine, header } = columns;
  const reading: KeptReading = { headerLine, header, ...present({ sheet: grid.sheet, csv: grid.csv }) };
  const takenAt = workplace.context.clock.now();
  const stored = await workplace.store.write(function* () {
    const used = yield* findExpectations(rows.map(({ reference }) => reference));
    if (used.length > 0) return undefined;
    const corrected = corrects === undefined ? undefined : yield* expectedFileNamed(corrects);
    const freed = corrected?.verdict === "rejected" ? corrected.answerStem : undefined;
    if (freed !== undefined) yield* forgetRejectedFile(freed);
    const kept = { sha256, name, archivedAs, verdict: "accepted", takenAt, takenBy } as const;
    const answerStem = freed ?? (yield* freeStem(name, sha256));
    const number = yield* recordExpectedFile({ ...kept, answerStem, reading: JSON.stringify(reading) });
    yield* insertExpectations(number, rows);
    const detail = { file: name, sha256, rows: rows.length };
    yield* appendAudit({ at: takenAt, person: takenBy, action: "expect", subject: `file ${number}`, detail });
    return { number, freed };
  });
  if (stored === undefined) return undefined;
  const { number, freed } = stored;
  const answers = await writeExpectedAnswer(workplace, number);
  if (freed !== undefined)
    await removeAnswer(answerPath(workplace.config, freed, "rejected", extname(corrects ?? name)));
  const waits = workplace.config.expected.approval;
  const said = { file: name, sha256, verdict: "accepted", number, waits, rowsRead, totals } as const;
  return { ...said, unread, problems: [], answers, ...present({ corrects }) };
}

async function reject(
  workplace: Workplace,
  copy: SentBytes,
  name: string,
  read: ReadFile,
  { takenBy }: Taking,
): Promise<ExpectedFileReport> {
  const { sha256 } = copy;
  const isSecret = read.problems.some(({ code }) => SECRET_CODES.has(code));
  const aside = isSecret ? await keepAside(workplace, copy, name, takenBy) : undefined;
  const archivedAs = aside ?? (await copy.keep());
  const takenAt = workplace.context.clock.now();
  const stem = await workplace.store.write(function* () {
    const before = read.corrects === undefined ? undefined : yield* expectedFileNamed(read.corrects);
    const freed = before?.verdict === "rejected" && before.sha256 !== sha256 ? before.answerStem : undefined;
    if (freed !== undefined) yield* forgetRejectedFile(freed);
    const answerStem = freed ?? (yield* freeStem(name, sha256));
    const kept = { sha256, name, archivedAs, verdict: "rejected", takenAt, takenBy } as const;
    yield* recordExpectedFile({ ...kept, answerStem });
    return answerStem;
  });
  const place = answerPath(workplace.config, stem, "rejected", extname(name));
  const answers = await writeMistakes(place, name, read, aside);
  const { problems, rowsRead, unread, corrects } = read;
  const named = problems.map((each) => ({ ...each, file: name }));
  const said = { ...NOTHING, file: name, sha256, verdict: "rejected", rowsRead, unread } as const;
  return { ...said, problems: named, answers, ...present({ corrects }) };
}

/**
 * The beginning of the names of a file's answers: `NAME`, `NAME (2)`, ... A file that came before keeps its own.
 */
function* freeStem(name: string, sha256: string): Transaction<string> {
  const known = yield* findExpectedFile(sha256);
  const stem = basename(sentStem(name));
  if (known !== undefined && basename(sentStem(known.name)) === stem) return known.answerStem;
  let free = stem;
  for (let number = 2; yield* isExpectedStemTaken(free, sha256); number += 1) free = `${stem} (${number})`;
  return free;
}

/** The answer to a file without rows is a text under its whole name, so that it replaces no other answer. */
async function refuse(
  workplace: Workplace,
  copy: SentBytes,
  name: string,
  why: Problem,
  { takenBy }: Taking,
): Promise<ExpectedFileReport> {
  const isSecret = SECRET_CODES.has(why.code);
  const aside = isSecret ? await keepAside(workplace, copy, name, takenBy) : undefined;
  const path = join(answersFolder(workplace.config), `${basename(name)}.refused.txt`);
  const words = [
    oneLine(`${name} was not taken in; nothing in it is expected or paid: ${inWords(why, [])}`),
    ...(aside === undefined
      ? []
      : [oneLine(`It is kept aside in ${aside}, which only its owner can open, and removed later.`)]),
  ];
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, `${words.join("\n")}\n`));
  const { sha256 } = copy;
  return { ...NOTHING, file: name, sha256, verdict: "refused", problems: [why], answers: [path] };
}
