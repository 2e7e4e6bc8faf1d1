/** Reads an ERP's answer to an export batch: a file that a person names, or those in `inbox/erp-answers`. */
import { basename } from "node:path";
import { fault, isProblem, type Problem, problem } from "../../faults/index.ts";
import { chunks } from "../../model/chunks.ts";
import { counted } from "../../model/counted.ts";
import type { Grid } from "../../model/grid.ts";
import { type AnswerForm, type AnswerTrouble, USUAL_ANSWER } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { DEFAULT_FILE_LIMITS, isAddressCell, openSentFile } from "../../readers/index.ts";
import { appendAudit } from "../../store/audit.ts";
import {
  ERP_ANSWER_READ,
  findUnnumbered,
  listUnanswered,
  numberEntries,
  takeAnswer,
  wasAnswerRead,
} from "../../store/erp-answers.ts";
import { ITEMS_PER_STATEMENT } from "../../store/sql.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { batchWindows, readJournal } from "../exports/journal.ts";
import { refuseUnknownTarget } from "../exports/targets.ts";
import { type AnswerRow, answerHash, readErpAnswer } from "../rules/erp-answer.ts";

export interface AnswerReport {
  readonly file: string;
  readonly target: string;
  readonly posted: number;
  readonly refused: number;
  /** Answers that had come before in the same words. */
  readonly repeated: number;
  /** Entries that this target got and has not answered, in all batches that nobody has excused. */
  readonly unanswered: number;
  /** Answers that changed nothing; each is a break of the next comparison. */
  readonly problems: readonly Problem[];
  /** All mistakes of the file. If there are any, none of its rows counts. */
  readonly mistakes: readonly Problem[];
}

/**
 * Takes the answer in the file at `path`. `target`: by default the only one that is configured to answer. Throws
 * ANSWER_TARGET_UNKNOWN, NAME_UNKNOWN, and the faults of a file that cannot be read.
 */
export async function answerStep(workplace: Workplace, path: string, target?: string): Promise<AnswerReport> {
  const file = basename(path);
  const name = target ?? onlyTarget(workplace);
  refuseUnknownTarget(workplace, name);
  const sheets = await readSheets(workplace, path);
  const form = formOf(workplace, name);
  const only = sheetIn(sheets);
  const { rows, problems } = isProblem(only)
    ? { rows: [], problems: [only] }
    : readErpAnswer(only, form, name);
  const mistakes = problems.map((found) => ({ ...found, file }));
  if (mistakes.length > 0) return { file, target: name, ...NOTHING, problems: [], mistakes };
  return take(workplace, name, file, rows);
}

/** "7 posted, 0 refused, 0 said before; 8 entries have no answer yet": shows that a file was cut off. */
export function answerInWords({ posted, refused, repeated, unanswered }: AnswerReport): string {
  const said = `${posted} posted, ${refused} refused, ${repeated} said before`;
  const have = unanswered === 1 ? "has" : "have";
  return unanswered === 0
    ? said
    : `${said}; ${counted(unanswered, "entry", "entries")} ${have} no answer yet`;
}

const NOTHING = { posted: 0, refused: 0, repeated: 0, unanswered: 0 };

function onlyTarget({ config }: Workplace): string {
  const all = config.ledger.exports;
  const answering = all.filter(({ answers }) => answers !== undefined);
  const [only, another] = answering.length > 0 ? answering : all;
  if (only !== undefined && another === undefined) return only.name;
  const names = [only, another].flatMap((table) => table?.name ?? []);
  const targets = names.length === 0 ? "no target is configured" : `${names.join(" and ")} may have answered`;
  throw fault("ANSWER_TARGET_UNKNOWN", { targets });
}

function formOf({ config }: Workplace, target: string): AnswerForm {
  return config.ledger.exports.find(({ name }) => name === target)?.answers ?? USUAL_ANSWER;
}

/** The visible sheets, or the first if none is. */
async function readSheets({ config }: Workplace, path: string): Promise<readonly Grid[]> {
  const limits = { ...DEFAULT_FILE_LIMITS, ...present(config.files.limits), macros: config.files.macros };
  const sent = await openSentFile(path, { limits });
  try {
    const visible = sent.sheets.filter(({ visibility }) => visibility === "visible");
    const grids: Grid[] = [];
    for (const { name } of visible.length > 0 ? visible : sent.sheets.slice(0, 1))
      grids.push(await sent.readSheet(name));
    return grids;
  } finally {
    await sent.close();
  }
}

/** The only sheet with cells: the answers of a second one would be lost. A payment file must not look as if read. */
function sheetIn(sheets: readonly Grid[]): Grid | Problem {
  for (const { lines } of sheets) {
    const found = lines.find(({ cells }) => cells.some(isAddressCell));
    if (found !== undefined) return problem("ANSWER_NOT_AN_ANSWER", {}, { line: found.line });
  }
  const filled = sheets.filter(({ lines }) => lines.length > 0);
  const [first, second] = filled;
  if (first === undefined) return problem("FILE_EMPTY", {});
  if (second === undefined) return first;
  const what = `both ${first.sheet} and ${second.sheet} have cells`;
  const how = "Save each sheet with answers as a file of its own.";
  return problem("ANSWER_CELL_UNREADABLE", { what, how }, present({ sheet: second.sheet }));
}

async function take(
  workplace: Workplace,
  target: string,
  file: string,
  rows: readonly AnswerRow[],
): Promise<AnswerReport> {
  const { store, context } = workplace;
  await numberOlderBatches(workplace, target, rows);
  const answer = answerHash(rows);
  const isReadBefore = answer !== undefined && (await store.read(() => wasAnswerRead(target, answer)));
  const counts = { ...NOTHING };
  const problems: Problem[] = [];
  const at = context.clock.now();
  for (const some of chunks(rows, ITEMS_PER_STATEMENT)) {
    const outcomes = await store.write(function* () {
      const taken = [];
      for (const row of some)
        taken.push({ row, outcome: yield* takeAnswer(target, row, { file, at, isReadBefore }) });
      return taken;
    });
    for (const { row, outcome } of outcomes) {
      if (outcome === "posted" || outcome === "refused" || outcome === "repeated") counts[outcome] += 1;
      else problems.push(changedNothing(target, row, outcome, file));
    }
  }
  const { posted, refused, repeated } = counts;
  const detail = { file, posted, refused, repeated, changedNothing: problems.length, ...present({ answer }) };
  await store.write(() =>
    appendAudit({ at, person: "paydrop", action: ERP_ANSWER_READ, subject: target, detail }),
  );
  const waiting = await store.read(() => listUnanswered([target], at));
  const unanswered = waiting.reduce((sum, { entries }) => sum + entries, 0);
  return { file, target, ...counts, unanswered, problems, mistakes: [] };
}

function changedNothing(
  target: string,
  { saidOf, verdict, line }: AnswerRow,
  reason: AnswerTrouble,
  file: string,
) {
  return problem("ANSWER_CHANGED_NOTHING", { target, saidOf, verdict, reason }, { file, line });
}

/** An earlier version kept no positions. They follow from the order of the journal, which never changes. */
async function numberOlderBatches(
  workplace: Workplace,
  target: string,
  rows: readonly AnswerRow[],
): Promise<void> {
  const { store } = workplace;
  const numbers = new Set(rows.flatMap(({ document }) => document?.number ?? []));
  for (const number of numbers) {
    const batch = await store.read(() => findUnnumbered(target, number));
    if (batch === undefined) continue;
    const { seqs } = await readJournal(workplace, batchWindows(store, batch));
    let from = 1;
    for (const some of chunks(seqs, ITEMS_PER_STATEMENT)) {
      const at = from;
      await store.write(() => numberEntries(batch, some, at));
      from += some.length;
    }
  }
}
