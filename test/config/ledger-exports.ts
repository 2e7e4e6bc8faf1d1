/** `ledger.exports` as loaded by the loader that every command uses. */
import type { LedgerTable } from "../../src/model/index.ts";
import { load, refused as refusedWith } from "./configuration.ts";

const withExport = (written: string) => `
service: { baseUrl: "https://pay.example.com/api", username: bot, callbackUrl: "https://us.example.com/hook" }
custodyAccounts: [{ name: main, id: "6f1cbb7e-0000-4000-8000-000000000001", currency: BTC }]
ledger: { functionalCurrency: EUR, timeZone: Europe/Madrid, chart: chart.csv, exports: [{ ${written} }] }
`;

/** The only export in the loaded configuration. */
export function configured(written: string): LedgerTable {
  const [table] = load(withExport(written)).ledger.exports;
  if (table === undefined) throw new Error("no export was configured");
  return table;
}

/** All problems of it. */
export function refused(written: string): string {
  return JSON.stringify(refusedWith(withExport(written)));
}
