/**
 * Checks a chart before it is used: gaps, overlaps, lines that never apply, and values that a target cannot hold.
 */

import { ConfigFault } from "../config/index.ts";
import { Fault, type Problem, problem } from "../faults/index.ts";
import type { LedgerSum } from "../model/index.ts";
import { type LEDGER_FIELDS, type LedgerTable, templateParts } from "../model/ledger-table.ts";
import { type LedgerValues, listLedgerValues } from "../store/instructions.ts";
import { listLedgerSums } from "../store/ledger-sums.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { generalLedgerInWords } from "./chart/chart.ts";
import { openChart } from "./chart/chart-file.ts";
import { idleLines, type LineFinding, overlaps } from "./chart/idle-lines.ts";
import { type Chart, lookUpGeneralLedger, lookUpRole, respeltIn } from "./chart/look-up.ts";
import { HLEDGER, targetNames } from "./chart/target-names.ts";
import { namedTables, refusedNamesInJournal, unfitBooking } from "./formats/named-tables.ts";

export interface ChartChecked {
  readonly file: string;
  readonly lines: number;
  /** Findings that should be corrected. */
  readonly findings: readonly Problem[];
  /** Notes that may stay as they are. */
  readonly notes: readonly Problem[];
}

/** `file`: a chart to check instead of the configured one. Changes nothing. */
export async function checkChartStep(workplace: Workplace, file?: string): Promise<ChartChecked> {
  const path = file ?? workplace.config.ledger.chart;
  const opened = await openChart(path).then((chart) => ({ chart }), mistakesIn);
  if (!("chart" in opened)) return { file: path, lines: 0, findings: opened, notes: [] };
  const { chart } = opened;
  const { rows } = chart;
  const seen = await workplace.store.read(() => listLedgerValues(idsOf(workplace)));
  const at = (found: LineFinding, code: "CHART_OVERLAP" | "CHART_LINE_IDLE") =>
    problem(code, { reason: found.reason }, { file: path, line: found.line, column: found.column });
  const accounts = workplace.config.custodyAccounts;
  return {
    file: path,
    lines: rows.length,
    findings: [
      ...gaps(workplace, chart, seen, path),
      ...overlaps(rows).map((found) => at(found, "CHART_OVERLAP")),
      ...idleLines(rows, accounts).map((found) => at(found, "CHART_LINE_IDLE")),
      ...idleTargets(workplace, chart, path),
      ...unfit(workplace, chart, path),
    ],
    notes: [
      ...respelt(chart, seen, path),
      ...placeless(workplace, chart, path),
      ...lostAccounts(await workplace.store.read(() => listLedgerSums()), chart, path),
    ],
  };
}

function mistakesIn(error: unknown): readonly Problem[] {
  if (error instanceof ConfigFault) return [error.problem, ...error.otherProblems];
  if (error instanceof Fault && error.problem.code === "CHART_UNUSABLE") return [error.problem];
  throw error;
}

function idsOf({ config }: Workplace): readonly string[] {
  return config.custodyAccounts.map(({ id }) => id);
}

/** Values of payments, and custody accounts, that no line maps. */
function gaps(
  { config }: Workplace,
  chart: Chart,
  seen: readonly LedgerValues[],
  file: string,
): readonly Problem[] {
  const unmapped = seen.filter(({ fields }) => lookUpGeneralLedger(chart, fields).length === 0);
  const without = config.custodyAccounts.filter(
    ({ id, name, currency }) => lookUpRole(chart, "treasury", { keys: [id, name, currency] }) === undefined,
  );
  const values = unmapped.map(({ fields, payments }) => {
    const where =
      `${payments === 1 ? "1 payment has" : `${payments} payments have`}: it is booked to suspense ` +
      `(${chart.suspense.code})`;
    return problem("CHART_GAP", { what: generalLedgerInWords(fields), where }, { file, column: "key" });
  });
  const treasuries = without.map(({ name }) => {
    const where = "is a custody account of the configuration";
    return problem("CHART_GAP", { what: `the treasury of ${name}`, where }, { file, column: "key" });
  });
  return [...values, ...treasuries];
}

function respelt(chart: Chart, seen: readonly LedgerValues[], file: string): readonly Problem[] {
  const found = seen.flatMap(({ fields }) => respeltIn(chart, fields));
  const values = new Map(found.map((each) => [`${each.field} ${each.value}`, each]));
  return [...values.values()].map(({ value, inChart }) =>
    problem("CHART_RESPELT", { value: `"${value}"`, inChart: `"${inChart}"` }, { file }),
  );
}

/** Accounts with entries that the chart lacks or calls otherwise. A later entry goes to the next line that fits. */
function lostAccounts(sums: readonly LedgerSum[], { rows }: Chart, file: string): readonly Problem[] {
  const namesOf = Map.groupBy(rows, ({ account }) => account.code);
  const booked = new Map(sums.map(({ code, name }) => [`${code} ${name}`, { code, name }]));
  return [...booked].flatMap(([account, { code, name }]) => {
    const lines = namesOf.get(code) ?? [];
    if (lines.some((line) => line.account.name === name)) return [];
    const [line] = lines;
    const why = line
      ? ({ reason: "renamed", name: line.account.name } as const)
      : ({ reason: "gone" } as const);
    return [problem("CHART_LEFT", { account, ...why }, { file, column: "code" })];
  });
}

/** Columns `account.TARGET` of targets that do not exist. */
function idleTargets({ config }: Workplace, { rows }: Chart, file: string): readonly Problem[] {
  const known = [HLEDGER, ...config.ledger.exports.map(({ name }) => name)];
  const named = new Set(rows.flatMap(({ accountNames }) => Object.keys(accountNames)));
  return [...named]
    .filter((target) => !known.includes(target))
    .map((target) => {
      const reason = `no target is called ${target}; there are ${known.join(", ")}`;
      return problem("CHART_LINE_IDLE", { reason }, { file, line: 1, column: `account.${target}` });
    });
}

/** Names for accounts, and other booked values, that the files of targets cannot hold. */
function unfit({ config, scales }: Workplace, { rows }: Chart, file: string): readonly Problem[] {
  const format = { functionalCurrency: config.ledger.functionalCurrency, scales };
  const names = targetNames(file, rows);
  const tables = namedTables(config.ledger.exports, names, format);
  const ofLines = tables.flatMap((named) =>
    rows.flatMap(
      ({ account, bookProject, bookDistribution, project, distribution, dimensions, party, line }) => {
        const booking = { project: bookProject || project, distribution: bookDistribution || distribution };
        const whom = party === undefined || /[{}]/.test(party.id) ? {} : { party };
        const reason = unfitBooking(named, { account, ...booking, dimensions, ...whom }, format);
        const target = named.table.name;
        return reason === undefined ? [] : [problem("CHART_UNFIT", { target, reason }, { file, line })];
      },
    ),
  );
  return [
    ...refusedNamesInJournal(names).values(),
    ...tables.flatMap(({ refusedNames }) => [...refusedNames.values()]),
    ...ofLines,
  ];
}

/** Dimensions that a target's columns do not have. */
function placeless({ config }: Workplace, { rows }: Chart, file: string): readonly Problem[] {
  const dimensions = [...new Set(rows.flatMap((row) => Object.keys(row.dimensions)))];
  return config.ledger.exports.flatMap((table) => {
    const fields = fieldsOf(table);
    return dimensions
      .filter(
        (name) => fields !== undefined && !fields.has("allDimensions") && !fields.has(`dimension.${name}`),
      )
      .map((dimension) => {
        const params = { target: table.name, dimension, field: `{dimension.${dimension}}` };
        return problem("CHART_PLACELESS", params, { file, line: 1, column: `dimension.${dimension}` });
      });
  });
}

/** Undefined for a journal, which has all fields. */
function fieldsOf({ kind, columns }: LedgerTable): ReadonlySet<string> | undefined {
  if (kind === "beancount") return undefined;
  const templates = columns.flatMap(({ value, next = "", otherwise = "" }) => [value, next, otherwise]);
  const fields = templates.flatMap((template) =>
    templateParts(template).flatMap(({ field = "" }) => field.split("|")),
  );
  return new Set(fields.flatMap((field) => (field === ANALYTIC ? ["dimension.analytic"] : [field])));
}

const ANALYTIC = "analyticDistribution" satisfies (typeof LEDGER_FIELDS)[number];
