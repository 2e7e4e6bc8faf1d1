/** The allow list: a table with columns `address` and, for people, `name`. One invalid line refuses it all. */
import { fault, type Problem, problem } from "../../faults/index.ts";
import { comparableDestination, isUuid, type Row, type Table } from "../../model/index.ts";
import { looksLikePrivateKey } from "../../model/private-key.ts";
import { recognizeAddress } from "../destinations/address.ts";
import { noAddress } from "../destinations/no-address.ts";

export interface AllowList {
  /** The file's name, for messages. */
  readonly file: string;
  /** Names by destination (in comparable form); "" if the list gives none. */
  readonly names: ReadonlyMap<string, string>;
}

/** Whether a line is the header of an allow list. */
export function isAllowListHeader(cells: readonly string[]): boolean {
  return columnOf(cells, "address") >= 0;
}

/** Throws ALLOW_LIST_INVALID at the first line without a destination. Iterates over the table once. */
export async function readAllowList(table: Table, file: string): Promise<AllowList> {
  const names = new Map<string, string>();
  const [address, name] = [columnOf(table.header, "address"), columnOf(table.header, "name")];
  for await (const window of table.windows()) {
    for (const row of window) {
      const text = textAt(row, address);
      const wrong = row.problems[0] ?? wrongAddress(text);
      if (wrong !== undefined) {
        const where = { file, line: row.line, key: "destinations.allowList" };
        throw fault("ALLOW_LIST_INVALID", { reason: wrong.message }, where);
      }
      names.set(comparableDestination(text), textAt(row, name));
    }
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
  return noAddress(text, recognized.malformed, "known");
}

function columnOf(header: readonly string[], name: string): number {
  return header.findIndex((text) => text.trim().toLowerCase() === name);
}

function textAt(row: Row, position: number): string {
  return row.cells[position]?.text.trim() ?? "";
}
