/** Lines and columns of the chart of accounts that never apply to a movement, and keys that can be confused. */
import { type ChartRow, comparableKey, foldedKey } from "./chart.ts";

/** A custody account in the configuration. */
export interface KnownAccount {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
}

export interface LineFinding {
  readonly line: number;
  readonly column: string;
  readonly reason: string;
}

/**
 * Keys that no custody account or currency has, for example after a renaming: their movements go to the line for
 * all.
 */
export function idleKeys(rows: readonly ChartRow[], accounts: readonly KnownAccount[]): readonly string[] {
  return [...new Set(rows.filter((row) => isUnknownKey(row, accounts)).map(({ key }) => key))];
}

function isUnknownKey({ role, key }: ChartRow, accounts: readonly KnownAccount[]): boolean {
  // The key of a receivable may be a customer's.
  if (key === "" || role === "gl" || role === "receivable") return false;
  return !accounts.some(({ name, id, currency }) => [name, id, currency].map(comparableKey).includes(key));
}

export function idleLines(rows: readonly ChartRow[], accounts: readonly KnownAccount[]): LineFinding[] {
  const byPlace = new Map(rows.map((row) => [placeOf(row, row.key), row]));
  return rows.flatMap((row): LineFinding[] => {
    const reason = whyIdle(row, accounts, (key) => byPlace.get(placeOf(row, key))?.line);
    return reason === undefined ? [] : [{ line: row.line, column: "key", reason }];
  });
}

function placeOf({ role, customer, reference }: ChartRow, key: string): string {
  return JSON.stringify([role, foldedKey(customer), foldedKey(reference), key]);
}

function whyIdle(
  row: ChartRow,
  accounts: readonly KnownAccount[],
  lineOf: (key: string) => number | undefined,
): string | undefined {
  const { role, key } = row;
  if (role === "gl" || key === "") return undefined;
  if (role === "suspense") return "suspense is for everything that no line maps, so its key has no effect";
  if (isUnknownKey(row, accounts)) return `no custody account or currency is called ${key}`;
  const named = accounts.find(({ name }) => comparableKey(name) === key);
  const byId = named && lineOf(named.id);
  if (byId !== undefined)
    return `line ${byId} has the id of the custody account ${key}, which counts before its name`;
  const inCurrency = accounts.filter(({ currency }) => currency === key);
  const isEachNamed = inCurrency.every(
    ({ id, name }) => (lineOf(id) ?? lineOf(comparableKey(name))) !== undefined,
  );
  return inCurrency.length > 0 && isEachNamed
    ? `each custody account in ${key} has a line of its own`
    : undefined;
}

const COLUMNS = ["key", "project", "distribution"] as const satisfies readonly (keyof ChartRow)[];

/** Values of general-ledger lines that can be confused. */
export function overlaps(rows: readonly ChartRow[]): LineFinding[] {
  const own = rows.filter(({ role }) => role === "gl");
  return [...COLUMNS.flatMap((column) => respelt(own, column)), ...namedLikeCodes(own)];
}

function respelt(rows: readonly ChartRow[], column: (typeof COLUMNS)[number]): LineFinding[] {
  const spellings = Map.groupBy(
    rows.filter((row) => row[column] !== ""),
    (row) => foldedKey(row[column]),
  );
  return [...spellings.values()].flatMap((some) => {
    const [first] = some;
    const other = some.find((row) => row[column] !== first?.[column]);
    if (first === undefined || other === undefined) return [];
    const reason =
      `"${first[column]}" (line ${first.line}) and "${other[column]}" differ in case or spaces alone: ` +
      `a value that is written otherwise fits neither`;
    return [{ line: other.line, column, reason }];
  });
}

/** Such a key counts as a name, and does not find the account with this code. */
function namedLikeCodes(rows: readonly ChartRow[]): LineFinding[] {
  const ofCode = new Map(rows.map((row) => [row.account.code, row]));
  return rows.flatMap(({ key, account, line }) => {
    const other = ofCode.get(key);
    if (key === "" || other === undefined || account.code === key) return [];
    const reason =
      `"${key}" is also the code of ${other.account.name} (line ${other.line}); as a GL account it ` +
      `is this line`;
    return [{ line, column: "key", reason }];
  });
}
