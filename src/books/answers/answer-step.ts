/** Reads an ERP's answer to an export batch: a file that a person names, or those in `inbox/erp-answers`. */
import { basename } from "node:path";
import { fault, type Problem, problem } from "../../faults/index.ts";
import { chunks } from "../../model/chunks.ts";
import type { Grid } from "../../model/grid.ts";
import { type AnswerForm, type AnswerTrouble, type ErpVerdict, USUAL_ANSWER } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { DEFAULT_FILE_LIMITS, isAddressCell, openSentFile } from "../../readers/index.ts";
import { appendAudit } from "../../store/audit.ts";
import { findUnnumbered, numberEntries, takeAnswer } from "../../store/erp-answers.ts";
import { ITEMS_PER_STATEMENT } from "../../store/sql.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { batchWindows, readJournal } from "../exports/journal.ts";
import { refuseUnknownTarget } from "../exports/targets.ts";
import { type AnswerRow, readErpAnswer } from "../rules/erp-answer.ts";

export interface AnswerReport {
  readonly file: string;
  readonly target: string;
  readonly posted: number;
  readonly refused: number;
  /** Answers that had come before in the same words. */
  readonly repeated: number;
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
  const grid = await readFirstSheet(workplace, path);
  const form = formOf(workplace, name);
  const address = addressIn(grid);
  const { rows, problems } = readErpAnswer(grid, form, name);
  const mistakes = (address === undefined ? problems : [address]).map((found) => ({ ...found, file }));
  if (mistakes.length > 0) return { file, target: name, ...NOTHING, problems: [], mistakes };
  return take(workplace, name, file, rows);
}

const NOTHING = { posted: 0, refused: 0, repeated: 0 };

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

async function readFirstSheet({ config }: Workplace, path: string): Promise<Grid> {
  const limits = { ...DEFAULT_FILE_LIMITS, ...present(config.files.limits), macros: config.files.macros };
  const sent = await openSentFile(path, { limits });
  try {
    const sheet = sent.sheets.find(({ visibility }) => visibility === "visible") ?? sent.sheets[0];
    return await sent.readSheet(sheet?.name ?? "");
  } finally {
    await sent.close();
  }
}

/** Detects a payment file in the wrong folder: it must not look as if it had been read. */
function addressIn({ lines }: Grid): Problem | undefined {
  const found = lines.find(({ cells }) => cells.some(isAddressCell));
  return found && problem("ANSWER_NOT_AN_ANSWER", {}, { line: found.line });
}

async function take(
  workplace: Workplace,
  target: string,
  file: string,
  rows: readonly AnswerRow[],
): Promise<AnswerReport> {
  const { store, context } = workplace;
  await numberOlderBatches(workplace, target, rows);
  const counts: Record<ErpVerdict | "repeated", number> = { ...NOTHING };
  const problems: Problem[] = [];
  const at = context.clock.now();
  for (const some of chunks(rows, ITEMS_PER_STATEMENT)) {
    const outcomes = await store.write(function* () {
      const taken = [];
      for (const row of some) taken.push({ row, outcome: yield* takeAnswer(target, row, file, at) });
      return taken;
    });
    for (const { row, outcome } of outcomes) {
      if (outcome === "posted" || outcome === "refused" || outcome === "repeated") counts[outcome] += 1;
      else problems.push(changedNothing(target, row, outcome, file));
    }
  }
  const detail = { file, ...counts, changedNothing: problems.length };
  await store.write(() =>
    appendAudit({ at, person: "paydrop", action: "erp answer read", subject: target, detail }),
  );
  return { file, target, ...counts, problems, mistakes: [] };
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
