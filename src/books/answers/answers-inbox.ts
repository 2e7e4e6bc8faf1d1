/**
 * `inbox/erp-answers`: the folder where an ERP or accounting drops answers. Each is read once and moved to the
 * archive. A text of the same name in the outbox reports what was found.
 */
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { listFolder, makeFolder, writeWhole } from "../../context/files.ts";
import { isProblem, orProblem, type Problem, problem } from "../../faults/index.ts";
import { exclusively } from "../../workplace/exclusively.ts";
import { erpAnswersFolder } from "../../workplace/folders.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { type AnswerReport, answerInWords, answerStep } from "./answer-step.ts";

export interface AnswersReport {
  readonly answers: readonly AnswerReport[];
  /** Files that could not be read; they have left the inbox, and the outbox says why. And folders of no target. */
  readonly problems: readonly Problem[];
}

/** The files in a folder that are fully written. */
export type ReadyIn = (folder: string) => Promise<readonly string[]>;

/**
 * Takes every answer in the folder, and in its subfolders that are named like a target. A missing folder counts as
 * empty. Does nothing while another process takes files in.
 */
export async function erpAnswersStep(workplace: Workplace, readyIn: ReadyIn): Promise<AnswersReport> {
  const folder = erpAnswersFolder(workplace.config);
  if (!existsSync(folder)) return NONE;
  const taken = await exclusively(workplace, "intake", (alone) => takeAll(alone, folder, readyIn));
  return taken === undefined ? NONE : taken.result;
}

const NONE: AnswersReport = { answers: [], problems: [] };

async function takeAll(workplace: Workplace, folder: string, readyIn: ReadyIn): Promise<AnswersReport> {
  const answers: AnswerReport[] = [];
  const problems: Problem[] = [];
  const targets = new Set(workplace.config.ledger.exports.map(({ name }) => name));
  const folders = (await listFolder(folder)).filter((entry) => entry.isDirectory());
  const below = folders.filter(({ name }) => targets.has(name));
  for (const { name } of folders.filter((entry) => !targets.has(entry.name)))
    if ((await readyIn(join(folder, name))).length > 0)
      problems.push({ ...unknownTarget(workplace, name), file: name });
  const places = [
    { place: folder, target: undefined },
    ...below.map(({ name }) => ({ place: join(folder, name), target: name })),
  ];
  for (const { place, target } of places)
    for (const name of await readyIn(place)) {
      const path = join(place, name);
      const read = await orProblem(() => answerStep(workplace, path, target));
      await moveToArchive(workplace, path, read);
      if (isProblem(read)) problems.push({ ...read, file: name });
      else answers.push(read);
    }
  return { answers, problems };
}

/** Of a folder with files: nobody would hear that they lie there. */
function unknownTarget({ config }: Workplace, name: string): Problem {
  const how = `Name the folder like a target: ${config.ledger.exports.map((table) => table.name).join(", ")}.`;
  return problem("NAME_UNKNOWN", { what: `export target ${name}`, how });
}

/** Writes the text first, so that it exists when people notice that the file is gone. */
async function moveToArchive(
  { config, context }: Workplace,
  path: string,
  read: AnswerReport | Problem,
): Promise<void> {
  const name = basename(path);
  const bare = name.slice(0, name.length - extname(name).length);
  const first = `${bare}-${context.clock.now().replace(/\D/g, "").slice(0, 14)}`;
  const outbox = join(config.folders.outbox, "erp-answers");
  const archive = join(config.folders.archive, "erp-answers");
  await makeFolder(outbox);
  await makeFolder(archive);
  const isTaken = (stem: string) =>
    existsSync(join(outbox, `${stem}.txt`)) || existsSync(join(archive, `${stem}${extname(name)}`));
  let stem = first;
  for (let number = 2; isTaken(stem); number += 1) stem = `${first}-${number}`;
  const words = `${wordsOf(name, read).join("\n")}\n`;
  await writeWhole(join(outbox, `${stem}.txt`), (temporaryPath) => writeFile(temporaryPath, words));
  await rename(path, join(archive, `${stem}${extname(name)}`));
}

function wordsOf(name: string, read: AnswerReport | Problem): string[] {
  if (isProblem(read)) return [`${name} was not read: ${read.message}`, read.fix];
  const { target, problems, mistakes } = read;
  if (mistakes.length > 0) return [`${name} was refused; none of its rows counts:`, ...mistakes.map(lineOf)];
  return [`${name} of ${target}: ${answerInWords(read)}`, ...problems.map(lineOf)];
}

function lineOf({ line, column, cell, message, fix }: Problem): string {
  const where = [line && `line ${line}`, column && `column ${column}`, cell].filter(Boolean).join(", ");
  return `${where === "" ? "" : `${where}: `}${message}. ${fix}`;
}
