/** The header line: which column of the file means which column of a payout. Cells are not looked at here. */
import { fault, type Problem, problem } from "../faults/index.ts";
import { isAnswerColumn } from "../model/answer-columns.ts";
import { type ColumnName, columnNames, payoutColumns } from "../model/columns.ts";
import { shownText } from "./shown-text.ts";

export interface Header {
  /** Where each recognised column stands, from 0; absent columns are left out. */
  readonly positions: ReadonlyMap<ColumnName, number>;
  /** The headers as the file has them, by position. */
  readonly texts: readonly string[];
  readonly unknownColumns: readonly string[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

type ColumnWords = ReadonlyMap<string, ColumnName>;

const KNOWN_COLUMNS_OF_A_HEADER = 3;
const MISSPELLING_EDITS_MAX = 2;
const MISSPELLING_LENGTH_MIN = 5;
const HEADER_LENGTH_MAX = 60;

/**
 * Whether a line's cells are the header of a payout file: reference and amount are among them, or three known columns.
 * `columns` are the sender's own headers (header -> column name).
 */
export function isPayoutHeader(
  cells: readonly string[],
  columns: Readonly<Record<string, string>> = {},
): boolean {
  const words = columnWords(columns);
  const known = new Set(cells.map((text) => words.get(wordOf(text))).filter((name) => name !== undefined));
  return known.size >= KNOWN_COLUMNS_OF_A_HEADER || (known.has("reference") && known.has("amount"));
}

/** Recognises every column of a header, with a problem for each that is missing or there twice. */
export function readHeader(texts: readonly string[], columns: Readonly<Record<string, string>>): Header {
  const words = columnWords(columns);
  const positions = new Map<ColumnName, number>();
  const textsByColumn = new Map<ColumnName, string[]>();
  const unknownColumns: string[] = [];
  for (const [position, text] of texts.entries()) {
    const name = words.get(wordOf(text));
    if (name === undefined) {
      if (text.trim() !== "" && !isAnswerColumn(text)) unknownColumns.push(text);
      continue;
    }
    if (!positions.has(name)) positions.set(name, position);
    textsByColumn.set(name, [...(textsByColumn.get(name) ?? []), text]);
  }
  return {
    positions,
    texts,
    unknownColumns,
    problems: [...repeatedColumns(textsByColumn), ...missingColumns(positions)],
    warnings: unknownColumns.flatMap((text) => misspelledColumn(text, words)),
  };
}

function repeatedColumns(textsByColumn: ReadonlyMap<ColumnName, readonly string[]>): Problem[] {
  return [...textsByColumn]
    .filter(([, texts]) => texts.length > 1)
    .map(([field, texts]) => {
      const columns = texts.map((text) => JSON.stringify(shownText(text))).join(" and ");
      return problem("COLUMN_REPEATED", { columns, field }, { column: field });
    });
}

function missingColumns(positions: ReadonlyMap<ColumnName, number>): Problem[] {
  const needed: ColumnName[] = ["reference", "amount"];
  if (!positions.has("destinationAccountId")) needed.push("destinationAddress");
  return needed
    .filter((column) => !positions.has(column))
    .map((column) => problem("COLUMN_MISSING", { column }, { column }));
}

/** A column of the sender's own passes through without a word; one that looks like a misspelling is said. */
function misspelledColumn(text: string, words: ColumnWords): Problem[] {
  const meant = closestColumn(wordOf(text), words);
  if (meant === undefined) return [];
  return [problem("COLUMN_MISSPELLED", { column: JSON.stringify(shownText(text)), meant }, { column: text })];
}

function closestColumn(word: string, words: ColumnWords): ColumnName | undefined {
  if (word.length < MISSPELLING_LENGTH_MIN || word.length > HEADER_LENGTH_MAX) return undefined;
  for (const [known, name] of words) {
    const close = Math.abs(known.length - word.length) <= MISSPELLING_EDITS_MAX;
    if (close && known.length >= MISSPELLING_LENGTH_MIN && edits(word, known) <= MISSPELLING_EDITS_MAX)
      return name;
  }
  return undefined;
}

/** Levenshtein's distance: how many letters to insert, delete or replace. */
function edits(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [at, other] of [...right].entries()) {
      const replaced = (previous[at] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

const builtInWords: ColumnWords = new Map(
  payoutColumns.flatMap(({ name, aliases }) =>
    [name, ...aliases].map((text) => [wordOf(text), name] as const),
  ),
);

function columnWords(columns: Readonly<Record<string, string>>): ColumnWords {
  const configured = Object.entries(columns);
  if (configured.length === 0) return builtInWords;
  const words = new Map(builtInWords);
  for (const [text, field] of configured) words.set(wordOf(text), configuredColumn(text, field));
  return words;
}

function configuredColumn(text: string, field: string): ColumnName {
  const name = columnNames.find((known) => known === field);
  if (name !== undefined) return name;
  const path = `files.columns.${text}`;
  const reason = `there is no payout column \`${field}\``;
  throw fault(
    "CONFIG_KEY_INVALID",
    { reason, path, hint: `: one of ${columnNames.join(", ")}` },
    { key: path },
  );
}

/** Letters and digits only: "Requested Amount", "requested_amount" and "requestedAmount" are one word. */
function wordOf(text: string): string {
  return text
    .slice(0, 4 * HEADER_LENGTH_MAX)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
