/** Detects the delimiter of a CSV file from its beginning. */
import type { FileLimits } from "../file-limits.ts";
import { HEADER_LINE_MAX } from "../table-layout.ts";
import { csvRecords } from "./csv-records.ts";

export interface Delimiter {
  readonly character: string;
  /** For people: "semicolons". */
  readonly name: string;
  /** Declared by a first line `sep=;`, which is not a row. */
  readonly isDeclared: boolean;
}

/**
 * The declared delimiter; otherwise the one with which a line is the header (the widest, if several); or, if no header
 * is known, the one that splits most lines into the same number of cells.
 */
export async function detectDelimiter(
  beginning: string,
  limits: FileLimits,
  isHeader: (cells: readonly string[]) => boolean = () => false,
): Promise<Delimiter> {
  const declared = /^"?sep=([^\p{L}\p{N}"\s]|\t)"?[ \t]*(?:[\r\n]|$)/iu.exec(beginning)?.[1];
  if (declared !== undefined) {
    return { character: declared, name: NAMES[declared] ?? declared, isDeclared: true };
  }
  const scored: { readonly character: string; readonly score: number }[] = [];
  for (const character of Object.keys(NAMES)) {
    const lines = await split(beginning, character, limits);
    const headerWidth = lines.find((cells) => isHeader(cells))?.length ?? 0;
    scored.push({ character, score: headerWidth * HEADER_WEIGHT + regularity(lines) });
  }
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

/** Splits lines exactly as the rows will be read, so that a quote in a title hides no header here either. */
async function split(
  beginning: string,
  character: string,
  limits: FileLimits,
): Promise<readonly (readonly string[])[]> {
  const lines: (readonly string[])[] = [];
  for await (const records of csvRecords(inPieces(beginning), character, limits)) {
    for (const { cells } of records) {
      lines.push(cells.map((cell) => cell.trim()));
      if (lines.length === HEADER_LINE_MAX) return lines;
    }
  }
  return lines;
}

async function* inPieces(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += PIECE_CHARACTERS)
    yield text.slice(from, from + PIECE_CHARACTERS);
}

const PIECE_CHARACTERS = 4096;

/** For the commonest width above one: number of lines times cells. */
function regularity(lines: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of lines) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  return Math.max(0, ...[...counts].map(([width, count]) => count * count * width));
}
