/** The one layout of every problem: where, what, how to fix it. */
import type { Problem } from "../../faults/index.ts";
import type { Colors } from "../output.ts";

export function problemText(problem: Problem, colors: Colors): string {
  const place = placeOf(problem);
  const head = `${colors.red(problem.code)}${place === "" ? "" : ` in ${colors.bold(place)}`}`;
  return `${head}\n  ${shown(problem.message)}\n  ${colors.green("fix:")} ${shown(problem.fix)}`;
}

/** Many problems stay readable: grouped by code, the first few of each in full, the others counted. */
export function problemsText(problems: readonly Problem[], colors: Colors, shownPerCode = 5): string {
  const groups = [...Map.groupBy(problems, ({ code }) => code).values()];
  return groups
    .map((group) => {
      const texts = group.slice(0, shownPerCode).map((problem) => problemText(problem, colors));
      const others = group.length - shownPerCode;
      if (others > 0) texts.push(`  ... and ${others} more ${group[0]?.code}; \`--json\` lists them all`);
      return texts.join("\n");
    })
    .join("\n");
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
  return shown(parts.filter((part) => part !== undefined && part !== "" && part !== 0).join(", "));
}

/** A hostile file must not steer the terminal: control characters are shown, not sent. */
export function shown(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
