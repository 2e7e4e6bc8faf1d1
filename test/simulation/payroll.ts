/**
 * The files that are paid: a fixed number, of 50 to 300 rows, taken in and approved once by the production steps on
 * real files. Each seed starts from the resulting database.
 */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, loadConfig } from "../../src/config/index.ts";
import type { Context } from "../../src/context/context.ts";
import { submitFile } from "../../src/files/submit-step.ts";
import { approveStep } from "../../src/payments/approve-step.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { askNobody } from "../../src/workplace/service.ts";
import { type Workplace, workplaceIn } from "../../src/workplace/workplace.ts";
import { Chance } from "./chance.ts";
import { ACCOUNTS, keyVariables } from "./client-keys.ts";
import { disk } from "./disk.ts";
import type { SeedPlan } from "./seed-plan.ts";
import { fillRoster, ROOT, signInSimulation } from "./signers.ts";

export const START_MS = Date.UTC(2026, 10, 20, 9, 30);

export interface PayrollRow {
  readonly reference: string;
  readonly accountId: string;
  readonly amount: string;
  readonly destinationAddress: string;
}

export interface Payroll {
  readonly rows: readonly PayrollRow[];
  readonly csv: string;
}

export const FILE_NAME = "payroll.csv";
export const PAYROLLS = 16;
const ROWS_MIN = 50;
const ROWS_MAX = 300;
const ADDRESSES = [
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
] as const;

/** Many short files and few long ones: what breaks rarely depends on the length, but the cost of a seed does. */
function rowsOf(number: number): number {
  return ROWS_MIN + Math.floor((ROWS_MAX - ROWS_MIN) * (number / (PAYROLLS - 1)) ** 12);
}

export function payrollOf(number: number, count = rowsOf(number)): Payroll {
  const chance = new Chance(number);
  const rows = Array.from({ length: count }, (_, index) => ({
    reference: `PAY-${number}-${index + 1}`,
    accountId: chance.pick(ACCOUNTS),
    // Amounts are sent without trailing zeros, so none ends in one.
    amount: `0.00${String(chance.between(0, 99_999)).padStart(5, "0")}${chance.between(1, 9)}`,
    destinationAddress: chance.pick(ADDRESSES),
  }));
  const lines = rows.map(
    ({ reference, accountId, amount, destinationAddress }) =>
      `${reference},${accountId},BTC,${amount},${destinationAddress},Payee at ${destinationAddress}`,
  );
  const header = "reference,accountId,currency,amount,destinationAddress,customerId";
  return { rows, csv: `${header}\n${lines.join("\n")}\n` };
}

export interface Place {
  readonly folder: string;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string>>;
}

/** A folder with its own configuration; `policy`: the keys in which seeds differ. */
export function placeIn(folder: string, policy: Readonly<Record<string, string>>): Place {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "paydrop.yaml");
  writeFileSync(path, CONFIGURATION);
  const environment = { ...keyVariables({ clientKeys: 1 }), ...policy };
  return { folder, config: loadConfig(path, environment), environment };
}

const CONFIGURATION = `
service: { baseUrl: "https://service.test", username: treasury-bot, callbackUrl: "https://pay.example.com/hook" }
limits: { perRow: { BTC: "1" }, perFile: { BTC: "100" }, perDay: { BTC: "100000" } }
approval: { rules: [{ people: 2 }] }
people: { installation: simulation, root: ["${ROOT}"] }
ledger: { functionalCurrency: EUR, timeZone: Europe/Madrid, chart: chart.csv }
`;

/** Drops the file as its sender would, long enough ago that it counts as complete. */
export function dropInInbox({ config }: Place, csv: string, name = FILE_NAME): void {
  const { inbox } = config.folders;
  mkdirSync(inbox, { recursive: true });
  const path = join(inbox, name);
  writeFileSync(path, csv);
  utimesSync(path, START_MS / 1000, START_MS / 1000);
}

/** Makes the database where the configuration says, with everybody on the roster. */
export async function makeDatabase(place: Place, number: number): Promise<void> {
  const workplace = workplaceAt(place, contextAtStart(number));
  await fillRoster(workplace);
  await workplace.store.close();
}

function workplaceAt({ config, environment }: Place, context: Context): Workplace {
  const store = openSqliteStore(config.databasePath);
  return workplaceIn(config, environment, context, store, askNobody, signInSimulation);
}

/** Takes a payroll in and approves it; the database is then where the configuration says. */
export async function takeIn(place: Place, number: number, context: Context): Promise<void> {
  const workplace = workplaceAt(place, context);
  await fillRoster(workplace);
  const file = join(place.folder, FILE_NAME);
  writeFileSync(file, payrollOf(number).csv);
  const { digest, problems } = await submitFile(workplace, file, "ann");
  if (digest === undefined) throw new Error(`the payroll was refused: ${JSON.stringify(problems)}`);
  await approveStep(workplace, digest, "bob");
  await approveStep(workplace, digest, "cleo");
  await workplace.store.close();
}

const images = new Map<string, Buffer>();

/** The database after a payroll was taken in and approved for a seed's client keys; made once per process. */
export async function approvedImage(
  root: string,
  { payroll: number, clientKeys }: Pick<SeedPlan, "payroll" | "clientKeys">,
): Promise<Buffer> {
  const name = `payroll-${number}-${clientKeys}`;
  let image = images.get(name);
  if (image === undefined) {
    const place = placeIn(join(root, name), keyVariables({ clientKeys }));
    await takeIn(place, number, contextAtStart(number));
    image = disk.imageOf(place.config.databasePath);
    disk.forgetEverything();
    images.set(name, image);
  }
  return image;
}

/** A context in which no time passes and nothing can be sent. */
export function contextAtStart(number: number): Context {
  const chance = new Chance(-1 - number);
  const ignore = () => undefined;
  return {
    clock: {
      now: () => new Date(START_MS).toISOString(),
      monotonicMs: () => 0,
      sleep: () => Promise.reject(new Error("taking a file in does not sleep")),
    },
    random: { uuid: () => chance.uuid() },
    transport: {
      send: () => Promise.reject(new Error("taking a file in sends nothing")),
      renewConnections: () => undefined,
      close: () => Promise.resolve(),
    },
    log: { info: ignore, warn: ignore, error: ignore },
  };
}
