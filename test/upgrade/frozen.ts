/**
 * Installations of released versions, as they were: database, configuration, chart, archive, ledger files, the keys
 * of their people, and what their service last showed. They have payments in every standing, doubts, breaks,
 * entries and exports.
 */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import { openWorkplace, stderrLog, type Workplace } from "../../src/index.ts";
import { Anchor } from "../../src/store/anchor.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { newDatabase, query } from "../postgres.ts";
import { type RecordedService, recordedService } from "./recorded-service.ts";

type Row = Readonly<Record<string, unknown>>;

export interface Installation {
  readonly folder: string;
  readonly service: RecordedService;
  /** What the database holds, asked for without the program. */
  rows(statement: string): Promise<Row[]>;
  /** Changes what the database holds, as the version that left it might have. */
  change(statement: string): Promise<void>;
  /** Opens it with the present program, which brings it up to date. */
  open(): Workplace;
  /** The environment with which the present program runs in its folder. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A copy of the installation `name` of a version: "0.1.0/sqlite". */
export async function thaw(name: string): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "frozen-"));
  cpSync(join(import.meta.dirname, name), folder, { recursive: true });
  const database = gunzipSync(readFileSync(join(folder, "database.gz")));
  const configPath = join(folder, "paydrop.yaml");
  const config = readFileSync(configPath, "utf8");
  const port = /baseUrl: "http:\/\/127\.0\.0\.1:(\d+)"/.exec(config)?.[1] ?? "";
  const service = await recordedService(join(folder, "service"), Number.parseInt(port, 10));
  const isOnPostgres = /^database: postgresql$/m.test(config);
  const { rows, change, variables } = isOnPostgres
    ? await onPostgres(folder, String(database))
    : inFile(folder, database);
  const environment = { ...SANDBOX_SECRETS, ...variables };
  return {
    folder,
    service,
    rows,
    change,
    environment,
    open: () => {
      const workplace = openWorkplace(configPath, environment, stderrLog("silent"));
      onTestFinished(() => workplace.close());
      return workplace;
    },
  };
}

function inFile(folder: string, contents: Buffer) {
  const path = join(folder, "paydrop.sqlite");
  writeFileSync(path, contents);
  // The anchor names the file that it was beside, and this is another one.
  const point = new Anchor(join(folder, "anchor")).read();
  const anchor = new Anchor(`${path}.anchor`, path);
  if (point !== undefined) anchor.write(point);
  anchor.close();
  const rows = async (statement: string) => {
    const database = new Database(path, { readonly: true });
    try {
      return database.prepare<[], Row>(statement).all();
    } finally {
      database.close();
    }
  };
  const change = async (statement: string) => {
    const database = new Database(path);
    database.exec(statement);
    database.close();
  };
  return { rows, change, variables: {} };
}

async function onPostgres(folder: string, dump: string) {
  cpSync(join(folder, "anchor"), join(folder, "postgresql.anchor"));
  const url = await newDatabase();
  // Functions may name others that the dump creates later.
  await query(url, `set check_function_bodies = false; ${dump}`);
  const rows = (statement: string) => query(`${url}&options=-csearch_path%3Dpaydrop`, statement);
  const change = async (statement: string) => void (await rows(statement));
  return { rows, change, variables: { DATABASE_URL: url } };
}
