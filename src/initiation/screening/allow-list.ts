/** The allow list: a table with columns `address` and, for people, `name`. One invalid line refuses it all. */
import { fault, type Problem, problem } from "../../faults/index.ts";
import { type Line, textOf } from "../../model/grid.ts";
import { comparableDestination, isUuid } from "../../model/index.ts";
import { looksLikePrivateKey } from "../../model/private-key.ts";
import { escapedText } from "../../model/shown-text.ts";
import { recognizeAddress } from "../address.ts";

export interface AllowList {
  /** The file's name, for messages. */
  readonly file: string;
  /** Names by destination (in comparable form); "" if the list gives none. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * From the line that names a column `address` on. Throws ALLOW_LIST_INVALID without such a line, and at the first line
 * below it without a destination.
 */
export function readAllowList(lines: readonly Line[], file: string): AllowList {
  const names = new Map<string, string>();
  const at = lines.findIndex((line) => columnOf(line, "address") >= 0);
  const [header, ...rows] = lines.slice(at < 0 ? lines.length : at);
  if (header === undefined)
    throw fault("ALLOW_LIST_INVALID", { reason: "no line names a column `address`" }, { file });
  const [address, name] = [columnOf(header, "address"), columnOf(header, "name")];
  for (const row of rows) {
    const text = textAt(row, address);
    const wrong = wrongAddress(text);
    if (wrong !== undefined) {
      const where = { file, line: row.line, key: "destinations.allowList" };
      throw fault("ALLOW_LIST_INVALID", { reason: wrong.message }, where);
    }
    names.set(comparableDestination(text), textAt(row, name));
  }
  return { file, names };
}

function wrongAddress(text: string): Problem | undefined {
  if (isUuid(text)) return undefined;
  if (text === "")
    return problem("ADDRESS_MALFORMED", { text, network: "known", reason: "the cell is empty" });
  const recognized = recognizeAddress(text);
  if (!("malformed" in recognized)) return undefined;
  if (looksLikePrivateKey(text)) return problem("ADDRESS_IS_SECRET", {});
  const { malformed: reason } = recognized;
  return problem("ADDRESS_MALFORMED", { text: escapedText(text), network: "known", reason });
}

function columnOf({ cells }: Line, name: string): number {
  return cells.findIndex((cell) => textOf(cell).trim().toLowerCase() === name);
}

function textAt({ cells }: Line, position: number): string {
  return textOf(cells[position] ?? "").trim();
}
