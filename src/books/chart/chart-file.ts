/** Reads the chart of accounts from the configured file, a CSV or a workbook. */
import { basename } from "node:path";
import { ConfigFault } from "../../config/index.ts";
import { Fault, fault } from "../../faults/index.ts";
import { type Grid, type SheetHead, textOf } from "../../model/grid.ts";
import { DEFAULT_FILE_LIMITS, openSentFile } from "../../readers/index.ts";
import type { Chart } from "./look-up.ts";
import { REQUIRED_COLUMNS, readChart } from "./read-chart.ts";
import { type TargetNames, targetNames } from "./target-names.ts";

/** Throws CHART_UNUSABLE, or a ConfigFault with every mistake in the chart. */
export async function openChart(path: string): Promise<Chart> {
  const where = { key: "ledger.chart", file: path };
  const { lines, format, sheet } = await chartGrid(path);
  const { chart, problems } = readChart(lines, format);
  const place = sheet === undefined ? where : { ...where, sheet };
  if (problems.length > 0) throw new ConfigFault(problems.map((found) => ({ ...found, ...place })));
  if (chart === undefined) throw fault("CHART_UNUSABLE", { reason: `${path} has no rows` }, where);
  return chart;
}

/**
 * If the chart has no column `account.TARGET`, it names no accounts for targets, and its other mistakes do not
 * matter. Throws as `openChart`.
 */
export async function openTargetNames(path: string): Promise<TargetNames> {
  const { lines } = await chartGrid(path);
  const isNaming = lines[0]?.cells.some((cell) => textOf(cell).trim().startsWith("account.")) === true;
  return targetNames(path, isNaming ? (await openChart(path)).rows : []);
}

async function chartGrid(path: string): Promise<Grid> {
  try {
    const sent = await openSentFile(path, { limits: DEFAULT_FILE_LIMITS, knownNames: countNames });
    try {
      return await sent.readSheet(sheetOf(sent.sheets, path));
    } finally {
      await sent.close();
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.code === "CHART_UNUSABLE") throw error;
    const { message, line, cell, sheet } = error.problem;
    const where = { key: "ledger.chart", file: path, ...(line && { line }), ...(cell && { cell }) };
    const reason = `${path}: ${message}`;
    throw fault("CHART_UNUSABLE", { reason }, { ...where, ...(sheet && { sheet }) }, { cause: error });
  }
}

function countNames(cells: readonly string[]): number {
  return cells.filter((cell) => REQUIRED_COLUMNS.includes(cell)).length;
}

/** The sheet that begins with the columns of a chart. Throws if several do, because neither can be preferred. */
function sheetOf(sheets: readonly SheetHead[], path: string): string {
  const visible = sheets.filter(({ visibility }) => visibility === "visible");
  const charts = visible.filter(
    ({ lines: [head] }) =>
      countNames((head?.cells ?? []).map((cell) => textOf(cell).trim())) === REQUIRED_COLUMNS.length,
  );
  if (charts.length > 1) {
    const names = charts.map(({ name }) => `"${name}"`).join(" and ");
    const reason = `${basename(path)} has a chart on the sheets ${names}; leave one`;
    throw fault("CHART_UNUSABLE", { reason }, { key: "ledger.chart", file: path });
  }
  return (charts[0] ?? visible[0] ?? sheets[0])?.name ?? "";
}
