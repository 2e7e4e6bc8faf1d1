/** Detects the delimiter of a CSV file from its beginning. */
import { parse } from "csv-parse/sync";

export interface Delimiter {
  readonly character: string;
  /** For people: "semicolons". */
  readonly name: string;
  /** Declared by a first line `sep=;`, which is no row. */
  readonly isDeclared: boolean;
}

/** How many cells of a line name columns that are known; by default no names are known. */
export type KnownNames = (cells: readonly string[]) => number;

/**
 * The declared delimiter; otherwise the `known` one; otherwise the one with which a line has the most known names, and among equals the one that
 * splits most lines into the same number of cells.
 */
export function detectDelimiter(
  beginning: string,
  knownNames: KnownNames = () => 0,
  known?: string,
): Delimiter {
  const declared = /^"?sep=([^\p{L}\p{N}"\s]|\t)"?[ \t]*(?:[\r\n]|$)/iu.exec(beginning)?.[1];
  if (declared !== undefined)
    return { character: declared, name: NAMES[declared] ?? declared, isDeclared: true };
  if (known !== undefined) return { character: known, name: NAMES[known] ?? known, isDeclared: false };
  const scored = Object.keys(NAMES).map((character) => {
    const lines = firstLines(beginning, character);
    const known = Math.max(0, ...lines.map(knownNames));
    return { character, score: known * NAMES_WEIGHT + regularity(lines) };
  });
  const { character } = scored.reduce((left, right) => (right.score > left.score ? right : left));
  return { character, name: NAMES[character] ?? character, isDeclared: false };
}

const NAMES: Readonly<Record<string, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "pipes",
};

const NAMES_WEIGHT = 1_000_000;
const LINES_MAX = 60;

/** The beginning may break off within a quoted cell: what was read before that is enough to compare. */
function firstLines(beginning: string, delimiter: string): readonly string[][] {
  const lines: string[][] = [];
  try {
    parse(beginning, {
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: LINES_MAX,
      on_record: (cells: string[]) => {
        lines.push(cells.map((cell) => cell.trim()));
        return null;
      },
    });
  } catch {
    return lines;
  }
  return lines;
}

/** For the commonest width above one: number of lines times cells. */
function regularity(lines: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of lines) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  return Math.max(0, ...[...counts].map(([width, count]) => count * count * width));
}
