/** Which character separates the cells of a CSV file; judged from its beginning only. */
import { parse } from "csv-parse/sync";
import { HEADER_LINE_MAX } from "../table-layout.ts";

export interface Delimiter {
  readonly character: string;
  /** As people call it: "semicolons". */
  readonly name: string;
  /** Declared by a first line `sep=;`, which is no row. */
  readonly isDeclared: boolean;
}

/**
 * The declared delimiter; or the one under which a line is the header, the widest if several do; or, when nobody knows
 * the header, the one that splits most lines into the same number of cells.
 */
export function detectDelimiter(
  beginning: string,
  isHeader: (cells: readonly string[]) => boolean = () => false,
): Delimiter {
  const declared = /^"?sep=([^\p{L}\p{N}"\s]|\t)"?[ \t]*(?:[\r\n]|$)/iu.exec(beginning)?.[1];
  if (declared !== undefined) {
    return { character: declared, name: NAMES[declared] ?? declared, isDeclared: true };
  }
  const readings = Object.keys(NAMES).map((character) => ({ character, lines: split(beginning, character) }));
  const scored = readings.map(({ character, lines }) => ({
    character,
    score: (lines.find((cells) => isHeader(cells))?.length ?? 0) * HEADER_WEIGHT + regularity(lines),
  }));
  const best = scored.reduce((left, right) => (right.score > left.score ? right : left));
  return { character: best.character, name: NAMES[best.character] ?? best.character, isDeclared: false };
}

const NAMES: Readonly<Record<string, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "pipes",
};

const HEADER_WEIGHT = 1_000_000;

function split(beginning: string, character: string): readonly (readonly string[])[] {
  const lines = parse(beginning, {
    delimiter: character,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_error: true,
    to: HEADER_LINE_MAX,
  });
  return lines.map((cells) => cells.map((cell) => cell.trim()));
}

/** Lines times cells of the commonest width above one. */
function regularity(lines: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of lines) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  return Math.max(0, ...[...counts].map(([width, count]) => count * count * width));
}
