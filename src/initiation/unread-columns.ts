/** What the columns that are not read hold: few values, rare ones, or texts of every kind. */
import type { Line } from "../model/grid.ts";
import { textOf } from "../model/grid.ts";
import type { UnreadColumn, UnreadValue } from "../model/sheet-reading.ts";
import { shownWhole } from "../model/shown-text.ts";
import type { FoundColumns } from "./find-columns.ts";

/** A column with its values as written, by which rows are answered. */
export interface UnreadCells extends UnreadColumn {
  readonly texts: readonly string[];
}

/** As `UnreadValue`, while lines are added. */
interface Value {
  readonly text: string;
  count: number;
  readonly lines: number[];
}

const FEW_MAX = 10;
/** So many of a text column are shown apart from their rows. */
const EXAMPLES = 3;
const LINES_MAX = 100;

/** `lines`: those of payments. */
export function readUnread({ unread, header }: FoundColumns, lines: readonly Line[]): UnreadCells[] {
  return unread.map((position) => {
    const { filled, values } = valuesIn(position, lines);
    const kind = kindOf(filled, values.size, lines.length);
    const listed = [...values.values()].slice(0, kind === "text" ? EXAMPLES : undefined);
    return {
      position,
      heading: header[position] ?? "",
      kind,
      values: listed.map(
        ({ text, count, lines }): UnreadValue => ({ value: shownWhole(text), count, lines }),
      ),
      texts: listed.map(({ text }) => text),
    };
  });
}

/** The distinct values, of which no more are kept than a rare column can have. */
function valuesIn(position: number, lines: readonly Line[]) {
  const values = new Map<string, Value>();
  const valuesMax = Math.max(FEW_MAX, Math.floor(lines.length / 5)) + 1;
  let filled = 0;
  for (const { line, cells } of lines) {
    const cell = cells[position] ?? "";
    if (cell === "") continue;
    filled += 1;
    const text = unreadText(textOf(cell));
    const known = values.get(text);
    if (known === undefined) {
      if (values.size < valuesMax) values.set(text, { text, count: 1, lines: [line] });
      else if (5 * filled >= lines.length) break;
      continue;
    }
    known.count += 1;
    if (known.lines.length < LINES_MAX) known.lines.push(line);
  }
  return { filled, values };
}

/** As values are compared. */
export function unreadText(text: string): string {
  const trimmed = text.trim();
  return /[^ -~]/.test(trimmed) ? trimmed.normalize("NFC") : trimmed;
}

function kindOf(filled: number, distinct: number, rows: number): UnreadColumn["kind"] {
  if (filled === 0) return "empty";
  if (5 * filled < rows) return "rare";
  const isFew = distinct <= Math.max(FEW_MAX, rows / 10) && distinct < filled;
  return isFew || (filled === 1 && rows > 1) ? "few" : "text";
}
