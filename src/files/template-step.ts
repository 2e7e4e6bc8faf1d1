/** Writes a payout file to fill in, from the configuration and its chart of accounts. Overwrites nothing. */
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { type Chart, openChart } from "../books/index.ts";
import type { Config } from "../config/index.ts";
import { writeOnce } from "../context/files.ts";
import { fault } from "../faults/index.ts";
import { findCustodyAccount } from "../model/index.ts";
import {
  payoutTemplate,
  type TemplateColumn,
  type TemplateKnowledge,
  writeTemplateCsv,
  writeTemplateXlsx,
} from "./template/index.ts";

export interface TemplateReport {
  readonly path: string;
  readonly columns: readonly TemplateColumn[];
}

/**
 * Writes `NAME.csv` or `NAME.xlsx`; without a configuration it contains only what the interface fixes. Throws USAGE
 * for another extension, OUTPUT_EXISTS, OUTPUT_UNWRITABLE, and the faults of the chart of accounts.
 */
export async function templateStep(path: string, config: Config | undefined): Promise<TemplateReport> {
  const write = WRITERS.get(extname(path).toLowerCase());
  if (write === undefined) {
    const what = `the template must be a file NAME.csv or NAME.xlsx, not ${path}`;
    throw fault("USAGE", { what, how: "Name it, for instance, payouts.xlsx." });
  }
  if (existsSync(path)) throw fault("OUTPUT_EXISTS", { path }, { file: path });
  const template = payoutTemplate(config === undefined ? undefined : await knowledgeOf(config));
  await writeOnce(path, (temporaryPath) => write(temporaryPath, template));
  return { path, columns: template };
}

const WRITERS = new Map([
  [".csv", writeTemplateCsv],
  [".xlsx", writeTemplateXlsx],
]);

async function knowledgeOf({ custodyAccounts, files, ledger }: Config): Promise<TemplateKnowledge> {
  const chart = await openChart(ledger.chart);
  const { custodyAccount } = files.defaults;
  const names = typeof custodyAccount === "object" ? Object.values(custodyAccount) : [custodyAccount ?? ""];
  const byDefault = names.flatMap((name) => findCustodyAccount(name, custodyAccounts) ?? []);
  return {
    custodyAccounts: [...new Set([...byDefault, ...custodyAccounts])],
    isPayerOpen: [...Map.groupBy(custodyAccounts, ({ currency }) => currency)].some(
      ([code, accounts]) => accounts.length > 1 && !byDefault.some(({ currency }) => currency === code),
    ),
    generalLedgerNames: mapped(chart, "key"),
    generalLedgerProjects: mapped(chart, "project"),
    generalLedgerDistributions: mapped(chart, "distribution"),
  };
}

function mapped({ rows }: Chart, field: "key" | "project" | "distribution"): string[] {
  const texts = rows.filter(({ role }) => role === "gl").map((row) => row[field]);
  return [...new Set(texts)].filter((text) => text !== "");
}
