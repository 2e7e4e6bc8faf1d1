/** A new database has the same layout on both engines. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openPostgresStore } from "../../src/store/engines/postgres-store.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { finds, sql } from "../../src/store/sql.ts";
import { newDatabase, query } from "../postgres.ts";
import { temporaryFolder } from "./stored-batch.ts";

async function askNew(text: string): Promise<string[]> {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  await openSqliteStore(path).close();
  const database = new Database(path, { readonly: true });
  const found = database.prepare<[], string>(text).pluck().all();
  database.close();
  return found;
}

const COLUMNS = `select t.name || '.' || c.name || ' ' || lower(c.type) || iif(c."notnull" or c.pk, ' not null', '') || ' ' || c.pk
  from sqlite_schema as t, pragma_table_info(t.name) as c where t.type = 'table'`;
const POSTGRES_COLUMNS = `select relname || '.' || attname || ' ' || replace(format_type(atttypid, null), 'bigint', 'integer')
    || case when attnotnull then ' not null' else '' end || ' ' || coalesce(array_position(indkey::int2[], attnum) + 1, 0) as line
  from pg_class as t join pg_attribute on attrelid = t.oid and attnum > 0 and not attisdropped
    left join pg_index on indrelid = t.oid and indisprimary
  where relnamespace = 'paydrop'::regnamespace and relkind = 'r' and relname <> 'version'`;

const INDEXES = `select t.name || ' (' || (select group_concat(name) from pragma_index_info(i.name)) || ')'
    || iif(i."unique", ' unique', '') || iif(i.partial, ' partial', '')
  from sqlite_schema as t, pragma_index_list(t.name) as i where t.type = 'table' and i.origin <> 'pk'
    and i.name not in ('instruction_largest', 'instruction_search')`;
const POSTGRES_INDEXES = `select t.relname || ' (' || (select string_agg(attname, ',' order by place)
      from unnest(indkey) with ordinality as k (number, place) join pg_attribute on attrelid = indrelid and attnum = number) || ')'
    || case when indisunique then ' unique' else '' end || case when indpred is null then '' else ' partial' end as line
  from pg_index join pg_class as t on t.oid = indrelid
  where t.relnamespace = 'paydrop'::regnamespace and not indisprimary`;

test("on PostgreSQL it has the same columns and keys, and the indexes but those of SQLite alone", async () => {
  const url = await newDatabase();
  const store = openPostgresStore(url);
  await store.write(() => finds(sql`select 1 from lane`));
  await store.close();
  const asked = async (text: string) => (await query(url, text)).map(({ line }) => String(line)).toSorted();
  expect(await asked(POSTGRES_COLUMNS)).toEqual((await askNew(COLUMNS)).toSorted());
  expect(await asked(POSTGRES_INDEXES)).toEqual((await askNew(INDEXES)).toSorted());
});
