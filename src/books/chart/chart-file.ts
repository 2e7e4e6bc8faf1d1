/** Reads the chart of accounts from the configured file. */
import { readFile } from "node:fs/promises";
import { ConfigFault } from "../../config/index.ts";
import { fault, readFailure } from "../../faults/index.ts";
import type { Chart } from "./chart.ts";
import { readChart } from "./read-chart.ts";

/** Throws CHART_UNUSABLE, or a ConfigFault with every mistake in the chart. */
export async function openChart(path: string): Promise<Chart> {
  const where = { key: "ledger.chart", file: path };
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw fault("CHART_UNUSABLE", { reason: `${path}: ${readFailure(cause)}` }, where, { cause });
  });
  const { chart, problems } = readChart(text);
  if (problems.length > 0) throw new ConfigFault(problems.map((found) => ({ ...found, ...where })));
  if (chart === undefined) throw fault("CHART_UNUSABLE", { reason: `${path} has no rows` }, where);
  return chart;
}
