/** The layout of every problem: where, what, and how to fix it. */
import type { Problem } from "../../faults/index.ts";
import type { Colors } from "../output.ts";

export function problemText(problem: Problem, colors: Colors): string {
  return `${reasonText(problem, colors)}\n${fixText(problem, colors)}`;
}

interface ProblemsLayout {
  readonly shownPerCode?: number;
  /** The place where the omitted ones can be read, as a clause. */
  readonly elsewhere?: string;
}

/** Keeps many problems readable: grouped by code, the first few in full, the others counted. */
export function problemLines(
  problems: readonly Problem[],
  colors: Colors,
  { shownPerCode = 5, elsewhere = "`--json` lists them all" }: ProblemsLayout = {},
): string[] {
  const byCode = Map.groupBy(problems, ({ code }) => code);
  return [...byCode].flatMap(([code, group]) => {
    const texts = groupTexts(group.slice(0, shownPerCode), colors);
    const others = group.length - shownPerCode;
    return others > 0 ? [...texts, `  ... and ${others} more ${code}; ${elsewhere}`] : texts;
  });
}

/** A heading and a few warnings of each code; none without warnings. */
export function warningLines(warnings: readonly Problem[], colors: Colors): string[] {
  if (warnings.length === 0) return [];
  return [colors.yellow("warnings"), ...problemLines(warnings, colors, { shownPerCode: 3 })];
}

/** A fix that all of them share is printed once, after the last. */
function groupTexts(group: readonly Problem[], colors: Colors): string[] {
  const [first] = group;
  const isOneFix = first !== undefined && group.every(({ fix }) => fix === first.fix);
  if (!isOneFix) return group.map((problem) => problemText(problem, colors));
  return [...group.map((problem) => reasonText(problem, colors)), fixText(first, colors)];
}

/** Place, excerpt and reason, as compilers print them. */
function reasonText(problem: Problem, colors: Colors): string {
  const { code, excerpt, cell, line = "", message } = problem;
  const place = placeOf(problem);
  const head = `${colors.red(code)}${place === "" ? "" : ` in ${colors.bold(place)}`}`;
  const held = excerpt === undefined ? [] : [`  ${colors.dim(`${cell ?? line} |`)} ${shown(excerpt)}`];
  return [head, ...held, `  ${shown(message)}`].join("\n");
}

function fixText({ fix }: Problem, colors: Colors): string {
  return `  ${colors.green("fix:")} ${shown(fix)}`;
}

function placeOf(problem: Problem): string {
  const { file, sheet, line, column, cell, key, operation, reference, payoutId, depositId } = problem;
  const parts = [
    file,
    sheet && `sheet ${sheet}`,
    line && `line ${line}`,
    column && `column ${column}${cell === undefined ? "" : ` (${cell})`}`,
    key && `key ${key}`,
    operation,
    reference && `reference ${reference}`,
    payoutId && `payout ${payoutId}`,
    depositId && `deposit ${depositId}`,
  ];
  return shown(parts.filter(Boolean).join(", "));
}

/** Escapes invisible characters: a hostile file must neither control the terminal nor hide a character. */
export function shown(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** U+2800 is the Braille pattern without dots. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
