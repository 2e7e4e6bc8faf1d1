/**
 * Plain SQL as values. A transaction is a generator that yields statements and gets their rows back: SQLite runs it
 * synchronously to its end, so that nothing can interleave; another engine may await each statement.
 */
import { invariant } from "../faults/index.ts";

export type SqlValue = string | number | null;

export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Rows as the driver gives them; each query names the columns it expects. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

export type Transaction<Result> = Generator<Statement, Result, readonly SqlRow[]>;

type Value = SqlValue | undefined | readonly SqlValue[];

/**
 * sql`select * from batch where id = ${id}`, or `id in ${ids}` for a list: values never become SQL text. A
 * statement as a value is a part of the text and brings its own values.
 */
export function sql(parts: TemplateStringsArray, ...given: readonly (Value | Statement)[]): Statement {
  if (hasNoPart(given)) return { text: textOf(parts, given), values: given.map(bound) };
  return {
    text: joinedText(parts, given),
    values: given.flatMap((value) => (isStatement(value) ? value.values : bound(value))),
  };
}

/** All of the conditions; at least one must be given. */
export function allOf(conditions: readonly Statement[]): Statement {
  return joined(conditions, " and ");
}

/** Any of the conditions, in parentheses; at least one must be given. */
export function anyOf(conditions: readonly Statement[]): Statement {
  return sql`(${joined(conditions, " or ")})`;
}

function joined(conditions: readonly Statement[], by: string): Statement {
  return {
    text: conditions.map(({ text }) => text).join(by),
    values: conditions.flatMap(({ values }) => values),
  };
}

function hasNoPart(given: readonly (Value | Statement)[]): given is readonly Value[] {
  return !given.some(isStatement);
}

function isStatement(value: Value | Statement): value is Statement {
  return typeof value === "object" && value !== null && "text" in value;
}

function bound(value: Value): SqlValue {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);
}

/** Joined once per call site, so that the prepared statement is found by a string whose hash is cached. */
const texts = new WeakMap<TemplateStringsArray, string>();

function textOf(parts: TemplateStringsArray, values: readonly Value[]): string {
  let text = texts.get(parts);
  if (text === undefined) {
    text = joinedText(parts, values);
    texts.set(parts, text);
  }
  return text;
}

function joinedText(parts: TemplateStringsArray, given: readonly (Value | Statement)[]): string {
  return parts.map((part, at) => (at < given.length ? part + placeholder(part, given[at]) : part)).join("");
}

function placeholder(before: string, value: Value | Statement): string {
  if (isStatement(value)) return value.text;
  if (Array.isArray(value)) return "(select value from json_each(?))";
  // A bare "limit ?" makes SQLite plan the query again for each value. PostgreSQL takes an integer for 32 bits.
  return before.endsWith("limit ") ? "cast(? as bigint)" : "?";
}

export function* all<Row>(statement: Statement): Transaction<readonly Row[]> {
  return (yield statement) as unknown as readonly Row[];
}

export function* first<Row>(statement: Statement): Transaction<Row | undefined> {
  return (yield statement)[0] as unknown as Row | undefined;
}

/** The values of the one column that the statement selects. */
export function* column<Value>(statement: Statement): Transaction<Value[]> {
  return (yield statement).map((row) => Object.values(row)[0] as Value);
}

/** The one value that the statement selects; undefined if it is null or there is no row. */
export function* single<Value>(statement: Statement): Transaction<Value | undefined> {
  return (yield* column<Value | null>(statement))[0] ?? undefined;
}

/** The second column that the statement selects, by the first. */
export function* mapOf<Key, Value>(statement: Statement): Transaction<Map<Key, Value>> {
  return new Map((yield statement).map((row) => Object.values(row) as [Key, Value]));
}

/** Whether the statement finds any row. */
export function* finds(statement: Statement): Transaction<boolean> {
  return (yield statement).length > 0;
}

/** The one figure that the statement selects; 0 for the sum of no rows. */
export function* countOf(statement: Statement): Transaction<number> {
  return (yield* single<number>(statement)) ?? 0;
}

/** All rows as model objects: column names in camelCase, nulls left out. */
export function* objects<Type>(statement: Statement): Transaction<Type[]> {
  return (yield statement).map((row) => {
    const stated: Record<string, SqlValue> = {};
    for (const column in row) {
      const value = row[column] ?? null;
      if (value !== null) stated[inCamelCase(column)] = value;
    }
    return stated as Type;
  });
}

/** "intendedAt" for "intended_at". */
function inCamelCase(column: string): string {
  const known = CAMEL_CASE.get(column);
  if (known !== undefined) return known;
  const name = column.replace(/_([a-z])/g, (_underscore, letter: string) => letter.toUpperCase());
  CAMEL_CASE.set(column, name);
  return name;
}

/** Cache by column; a few hundred at most. */
const CAMEL_CASE = new Map<string, string>();

/** Runs a statement without a result; returns how many rows it changed. */
export function* run(statement: Statement): Transaction<number> {
  return ((yield statement)[0] as { readonly changed: number } | undefined)?.changed ?? 0;
}

/** Inserts the one row of "insert into ... returning id"; returns its id. */
export function* insertOne(statement: Statement): Transaction<number> {
  const row = yield* first<{ id: number }>(statement);
  invariant(row !== undefined, "an inserted row has an id");
  return row.id;
}

/**
 * Inserts rows, many per statement, to save round trips to a remote server. `into`: "insert into lane (key_id)";
 * `then`: what follows the rows, such as "on conflict".
 */
export function* insertRows(
  into: string,
  rows: readonly (readonly (SqlValue | undefined)[])[],
  then?: Statement,
): Transaction<void> {
  yield* countInserted(into, rows, then);
}

/** As `insertRows`; returns how many rows were inserted or changed. */
export function* countInserted(
  into: string,
  rows: readonly (readonly (SqlValue | undefined)[])[],
  then?: Statement,
): Transaction<number> {
  let changed = 0;
  for (const statement of insertStatements(into, rows, then)) changed += yield* run(statement);
  return changed;
}

/** As `insertRows`, with a `then` that ends in "returning ..."; the rows that it returns, in no order. */
export function* insertReturning<Row>(
  into: string,
  rows: readonly (readonly (SqlValue | undefined)[])[],
  then: Statement,
): Transaction<Row[]> {
  const returned: Row[] = [];
  for (const statement of insertStatements(into, rows, then)) returned.push(...(yield* all<Row>(statement)));
  return returned;
}

function* insertStatements(
  into: string,
  rows: readonly (readonly (SqlValue | undefined)[])[],
  then: Statement | undefined,
): Generator<Statement> {
  for (let from = 0; from < rows.length; ) {
    // Only three batch sizes, so that only three statements are prepared.
    const count = ROWS_TOGETHER.find((rowsMax) => rows.length - from >= rowsMax) ?? 1;
    const values: SqlValue[] = [];
    for (const row of rows.slice(from, from + count)) for (const value of row) values.push(value ?? null);
    const text = insertText(into, values.length / count, count, then?.text ?? "");
    yield { text, values: then === undefined ? values : values.concat(then.values) };
    from += count;
  }
}

/** Cached, so that the prepared statement is found by a string whose hash is cached; one entry per call site. */
const insertTexts = new Map<string, string>();

function insertText(into: string, columns: number, rows: number, then: string): string {
  const key = `${rows} ${columns} ${into} ${then}`;
  let text = insertTexts.get(key);
  if (text === undefined) {
    const row = `(${Array.from({ length: columns }, () => "?").join(", ")})`;
    text = `${into} values ${Array.from({ length: rows }, () => row).join(", ")} ${then}`;
    insertTexts.set(key, text);
  }
  return text;
}

const ROWS_TOGETHER = [50, 10] as const;

/**
 * The most items of a long list per statement: a server cancels a statement that runs too long, and ends the
 * session of a writer that pauses too long between two.
 */
export const ITEMS_PER_STATEMENT = 1_000;
