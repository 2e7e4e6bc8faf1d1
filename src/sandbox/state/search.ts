/** One page of payouts or deposits by filters and sort. By id or reference it reads an index, never the whole table. */
import type { Statement } from "better-sqlite3";
import type { SandboxDatabase } from "./database.ts";

export interface SearchRequest {
  /** Filters on indexed columns; an absent one filters nothing. */
  readonly ids: readonly string[] | undefined;
  readonly references: readonly string[] | undefined;
  readonly states: readonly string[] | undefined;
  readonly sort: readonly SortCriterion[];
  /** Counted from 0. */
  readonly page: number;
  readonly size: number;
  readonly nowMs: number;
  /** As if this many rows had come in before the page while pages were read; below zero, as if they had gone. */
  readonly rowsShifted: number;
}

export interface SortCriterion {
  /** One of the searched table's `sortable` names. */
  readonly property: string;
  readonly direction: "ASC" | "DESC";
}

export interface FoundPage<Row> {
  readonly rows: readonly Row[];
  readonly totalElements: number;
}

/** Names of a table's columns; constants of our own, never of a request. */
export interface SearchedTable {
  readonly table: "payout" | "deposit";
  /** What is read of a found row: all its columns, or the one whose value then stands for the row. */
  readonly columns: "*" | "answer";
  readonly id: "payout_id" | "deposit_id";
  readonly state: "payout_state" | "deposit_state";
  /** The column behind each property by which the table can be sorted. */
  readonly sortable: Readonly<Record<string, string>>;
  /** A condition on `nowMs` that a row must meet to be found at all. */
  readonly visible: string;
}

/** The search of one table. Its statements are prepared once for each combination of filters and sort. */
export function searchIn<Row>(database: SandboxDatabase, searched: SearchedTable) {
  const prepared = new Map<string, Statement<unknown[], unknown>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const fresh = database.prepare<unknown[], unknown>(sql).pluck(!sql.startsWith("SELECT *"));
    prepared.set(sql, fresh);
    return fresh;
  };
  return (request: SearchRequest): FoundPage<Row> => {
    const { countSql, pageSql, values } = searchStatements(searched, request);
    const offset = Math.max(0, request.page * request.size - request.rowsShifted);
    // One row beyond the page: where it is missing, the end is in sight and nothing needs to be counted.
    const read = statement(pageSql).all(...values, request.size + 1, offset) as Row[];
    const endsHere = read.length <= request.size && (read.length > 0 || offset === 0);
    if (endsHere) return { rows: read, totalElements: offset + read.length };
    const totalElements = statement(countSql).get(...values) as number;
    return { rows: read.slice(0, request.size), totalElements };
  };
}

/** The SQL of a search: one statement counts, one reads a page and takes its size and offset after `values`. */
export function searchStatements(searched: SearchedTable, request: SearchRequest) {
  const { conditions, values } = conditionsOf(searched, request);
  const where = `FROM ${searched.table} WHERE ${conditions.join(" AND ")}`;
  return {
    countSql: `SELECT count(*) ${where}`,
    pageSql: `SELECT ${searched.columns} ${where} ORDER BY ${orderOf(searched, request.sort)} LIMIT ? OFFSET ?`,
    values,
  };
}

function conditionsOf(searched: SearchedTable, request: SearchRequest) {
  const conditions = [searched.visible];
  const values: unknown[] = [request.nowMs];
  const filter = (column: string, wanted: readonly string[] | undefined) => {
    if (wanted === undefined) return;
    conditions.push(`${column} IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(wanted));
  };
  filter(searched.id, request.ids);
  filter("reference", request.references);
  filter(searched.state, request.states);
  return { conditions, values };
}

/** `seq` last, in the direction of the first criterion, makes every order total. */
function orderOf(searched: SearchedTable, sort: readonly SortCriterion[]): string {
  const criteria = sort.flatMap(({ property, direction }) => {
    const column = searched.sortable[property];
    return column === undefined ? [] : [`${column} ${direction}`];
  });
  return [...criteria, `seq ${sort[0]?.direction ?? "ASC"}`].join(", ");
}
