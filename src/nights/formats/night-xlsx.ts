/**
 * A report as a workbook: summary, proof, breaks with their ages, differences, accounts and ledger projects. Sums
 * are formulas with their results, so that a reader can follow each one.
 */
import type ExcelJS from "exceljs";
import { kindWords } from "../../model/break-words.ts";
import { DAY_MS, dayWords, localMinuteText, type NightProofRow } from "../../model/index.ts";
import { isExactInWorkbook } from "../../model/workbook-amount.ts";
import { Decimal } from "../../money/index.ts";
import {
  addFilter,
  addHead,
  addRow,
  addSheet,
  addTable,
  BOLD,
  LARGE,
  setSum,
  textOf,
} from "../../writing/workbook.ts";
import { AGE_BUCKETS } from "../rules/ageing.ts";
import type { Night, Sum } from "../rules/night.ts";
import { lookSentence } from "../rules/night-look.ts";
import { aboutOf, type NightReport, nightSentence, openBreaks, reportTitle } from "../rules/night-report.ts";
import { CLASSES, countIn } from "./night-parts.ts";

export async function nightXlsx(report: NightReport): Promise<Buffer> {
  // exceljs takes longer to load than most commands run, and takes a fifth of their memory.
  const { default: exceljs } = await import("exceljs");
  const workbook = new exceljs.Workbook();
  const { night } = report;
  workbook.created = workbook.modified = new Date(night.comparedAt);
  const summary = addSheet(workbook, "Summary", [44, 16, 22, 22, 22]);
  addProof(workbook, night);
  addBreaks(workbook, night);
  addDifferences(workbook, night);
  addAccounts(workbook, night);
  addProjects(workbook, night);
  if (report.period !== undefined) addPeriod(workbook, report);
  fillSummary(summary, report);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

const PROOF_COLUMNS = [
  ["Account", 20],
  ["Currency", 9],
  ["Opening", 13],
  ["+ received", 13],
  ["+ moved in", 13],
  ["− sent", 13],
  ["− fees", 13],
  ["= expected", 13],
  ["Service says", 13],
  ["Difference", 13],
  ["Ties", 9],
  ["Unconfirmed in", 13],
  ["Unconfirmed out", 13],
  ["Fees shown twice", 13],
  ["Fees on receipts", 13],
  ["Not counted", 9],
] as const;

function addProof(workbook: ExcelJS.Workbook, { proof }: Night): void {
  const sheet = addTable(workbook, "Proof", PROOF_COLUMNS);
  for (const row of proof) {
    const { account, currency, opening, received, transferredIn, sent, fees, expected, found } = row;
    const money = (amount: string | undefined) => ({ amount, currency });
    const proven = [opening, received, transferredIn, sent, fees, expected, found, row.difference];
    const further = [row.unconfirmedIn, row.unconfirmedOut, row.sharedFees, row.depositFees].map(money);
    const values = [account, currency, ...proven.map(money), "", ...further, row.uncountedMovements];
    addProofFormulas(addRow(sheet, values), row);
  }
  addFilter(sheet);
}

function addProofFormulas(
  row: ExcelJS.Row,
  { currency, ties, expected, found, difference, ...of }: NightProofRow,
): void {
  const at = row.number;
  const summed = [of.opening, of.received, of.transferredIn, of.sent, of.fees];
  const canExpect = summed.every((each) => each !== undefined && isExactInWorkbook(each));
  const canDiffer = [expected, found].every((each) => each !== undefined && isExactInWorkbook(each));
  setSum(row.getCell(8), `C${at}+D${at}+E${at}-F${at}-G${at}`, { amount: expected, currency }, canExpect);
  setSum(row.getCell(10), `I${at}-H${at}`, { amount: difference, currency }, canDiffer);
  const words = ties ? "ties" : difference === undefined ? "not known" : "off";
  row.getCell(11).value = canDiffer ? { formula: `IF(J${at}=0,"ties","off")`, result: words } : words;
}

const BREAK_COLUMNS = [
  ["Break", 9],
  ["How bad", 9],
  ["Kind", 20],
  ["About", 20],
  ["Account", 15],
  ["What differs", 56],
  ["At stake", 13],
  ["Currency", 9],
  ["Opened", 19],
  ["Open for, days", 9],
  ["Allowed, days", 9],
  ["Over its time", 9],
  ["Age", 13],
  ["Owner", 12],
  ["Payout or deposit", 21],
] as const;

function addBreaks(workbook: ExcelJS.Workbook, { breaks, timeZone }: Night): void {
  const sheet = addTable(workbook, "Breaks", BREAK_COLUMNS);
  for (const each of breaks.listed) {
    const { age, stake, openedAt } = each;
    addRow(sheet, [
      ...[each.opening, each.severity, kindWords(each), aboutOf(each), each.account ?? "", each.sentence],
      stake ?? "",
      stake?.currency ?? "",
      localMinuteText(timeZone, openedAt),
      Math.floor(age.ms / DAY_MS),
      age.allowedDays,
      age.isOver ? "yes" : "no",
      age.bucket,
      each.owner ?? "",
      each.payoutId ?? each.depositId ?? "",
    ]);
  }
  if (breaks.leftOut > 0) addRow(sheet, [`${breaks.leftOut} more are open and not listed here`]);
  addFilter(sheet);
}

function addDifferences(workbook: ExcelJS.Workbook, { breaks }: Night): void {
  const columns = [
    ["Break", 10],
    ["About", 26],
    ["Kind", 24],
    ["Field", 26],
    ["Expected", 44],
    ["Found", 44],
  ] as const;
  const sheet = addTable(workbook, "Differences", columns);
  for (const each of breaks.listed) {
    const { opening, field, expected = "nothing", found = "nothing" } = each;
    if (field !== undefined) addRow(sheet, [opening, aboutOf(each), kindWords(each), field, expected, found]);
  }
  addFilter(sheet);
}

function addAccounts(workbook: ExcelJS.Workbook, { accounts }: Night): void {
  const columns = [
    ["Account", 24],
    ["Currency", 10],
    ["Payouts seen to change", 14],
    ["Requested", 18],
    ["Deposits seen to change", 14],
    ["Received", 18],
    ["Account id", 38],
  ] as const;
  const sheet = addTable(workbook, "Accounts", columns);
  if (accounts.length === 0) addRow(sheet, ["nothing was seen to change"]);
  const rows = accounts.flatMap(({ account, custodyAccountId, payouts, deposits }) =>
    [...new Set([...payouts, ...deposits].map(({ currency }) => currency))].sort().map((currency) => {
      const [out, into] = [sumIn(payouts, currency), sumIn(deposits, currency)];
      return { account, custodyAccountId, currency, out, into };
    }),
  );
  for (const { account, custodyAccountId, currency, out, into } of rows)
    addRow(sheet, [account, currency, out.count, out, into.count, into, custodyAccountId]);
  addFilter(sheet);
  addTotals(sheet, [
    { column: 3, sums: rows.map(({ out }) => out) },
    { column: 5, sums: rows.map(({ into }) => into) },
  ]);
}

function addProjects(workbook: ExcelJS.Workbook, { projects }: Night): void {
  const columns = [
    ["Project", 34],
    ["Currency", 10],
    ["Payouts that arrived", 14],
    ["Requested", 18],
  ] as const;
  const sheet = addTable(workbook, "Ledger projects", columns);
  if (projects.length === 0) addRow(sheet, ["nothing arrived"]);
  const rows = projects.flatMap(({ project, arrived }) => arrived.map((sum) => ({ project, sum })));
  for (const { project, sum } of rows)
    addRow(sheet, [project === "" ? "(without a project)" : project, sum.currency, sum.count, sum]);
  addFilter(sheet);
  addTotals(sheet, [{ column: 3, sums: rows.map(({ sum }) => sum) }]);
}

function sumIn(sums: readonly Sum[], currency: string): Sum {
  return sums.find((each) => each.currency === currency) ?? { currency, count: 0, amount: "0" };
}

interface Totalled {
  /** The column of the counts; the sums are in the next one. */
  readonly column: number;
  /** The sums of each row. */
  readonly sums: readonly Sum[];
}

/** Below the rows, for each currency in column B, the sums of its rows. */
function addTotals(sheet: ExcelJS.Worksheet, columns: readonly Totalled[]): void {
  const last = sheet.rowCount;
  const currencies = [...new Set(columns.flatMap(({ sums }) => sums.map(({ currency }) => currency)))].sort();
  for (const currency of currencies) {
    const row = addRow(sheet, ["All", currency]);
    const sumOf = (column: number) => `SUMIFS(${range(column, last)},$B$2:$B$${last},B${row.number})`;
    for (const { column, sums } of columns) {
      const own = sums.filter((each) => each.currency === currency);
      row.getCell(column).value = { formula: sumOf(column), result: countIn(own) };
      const amount = Decimal.sum(own.map((each) => Decimal.of(each.amount))).toString();
      const canSum = own.every((each) => isExactInWorkbook(each.amount));
      setSum(row.getCell(column + 1), sumOf(column + 1), { amount, currency }, canSum);
    }
    row.font = BOLD;
  }
}

function range(column: number, last: number): string {
  const letter = String.fromCharCode(64 + column);
  return `$${letter}$2:$${letter}$${last}`;
}

function addPeriod(workbook: ExcelJS.Workbook, { trend, period, night }: NightReport): void {
  const titles = [
    ["Day", 12],
    ["Compared", 28],
    ["Comparison", 12],
    ["Alarms", 10],
    ["Warnings", 10],
    ["Notes", 10],
  ] as const;
  const nights = addTable(workbook, "Nights", titles);
  for (const { day, comparedAt, isComplete, alarms, warnings, notes } of trend.nights) {
    const at = localMinuteText(night.timeZone, comparedAt);
    addRow(nights, [day, at, isComplete ? "complete" : "incomplete", alarms, warnings, notes]);
  }
  addFilter(nights);
  const columns = [
    ["Break", 10],
    ["What", 10],
    ["How bad", 10],
    ["Kind", 24],
    ["About", 26],
    ["What differs", 60],
    ["At stake", 18],
    ["Currency", 10],
    ["Opened", 28],
    ["Closed", 28],
    ["Settled by", 20],
    ["Reason", 40],
  ] as const;
  const sheet = addTable(workbook, "Opened and closed", columns);
  const { opened = [], closed = [] } = period ?? {};
  const listed = [
    ...opened.map((each) => ["opened", each] as const),
    ...closed.map((each) => ["closed", each] as const),
  ];
  for (const [what, each] of listed) {
    const { opening, severity, sentence, stake, openedAt, closedAt, settledBy = "", reason = "" } = each;
    addRow(sheet, [
      ...[opening, what, severity, kindWords(each), aboutOf(each), sentence],
      stake ?? "",
      stake?.currency ?? "",
      localMinuteText(night.timeZone, openedAt),
      closedAt === undefined ? "" : localMinuteText(night.timeZone, closedAt),
      settledBy,
      reason,
    ]);
  }
  addFilter(sheet);
}

function fillSummary(sheet: ExcelJS.Worksheet, report: NightReport): void {
  const { night, number, period } = report;
  const { comparedAt, timeZone, audit, proof, problems, problemsLeftOut } = night;
  sheet.addRow([reportTitle(report)]).font = LARGE;
  sheet.addRow([
    `${period === undefined ? "" : `At its end, on ${dayWords(night.day)}: `}${textOf(nightSentence(night))}`,
  ]);
  if (night.look !== undefined) sheet.addRow([textOf(lookSentence(night.look, timeZone))]);
  sheet.addRow([]);
  addClasses(sheet, night);
  addHead(sheet, ["Balance proof", "", "", "", ""]);
  const ties = proof.filter((row) => row.ties).length;
  const counted = `COUNTIF(Proof!$K$2:$K$${proof.length + 1},"ties")`;
  addRow(sheet, ["Accounts that tie", { formula: counted, result: ties }]);
  addRow(sheet, ["Accounts", proof.length]);
  sheet.addRow([]);
  addAgeing(sheet, night);
  addHead(sheet, ["Record", "", "", "", ""]);
  addFact(sheet, "Compared", `${localMinuteText(timeZone, comparedAt)}, night ${number}`);
  addRow(sheet, ["Entries of the audit record", audit.entries]);
  addFact(sheet, "Hash of the last one", audit.head);
  for (const { code, message } of problems) addFact(sheet, code, message);
  if (problemsLeftOut > 0) addRow(sheet, ["More problems", problemsLeftOut]);
}

/** A text that may overflow into the empty cells to its right. */
function addFact(sheet: ExcelJS.Worksheet, label: string, text: string): void {
  const row = addRow(sheet, [label, ""]);
  row.getCell(2).value = textOf(text);
  row.getCell(2).alignment = {};
}

/** Accepted payments by the state of their payouts: each class a row, the total a formula. */
function addClasses(sheet: ExcelJS.Worksheet, { totals }: Night): void {
  addHead(sheet, ["Our payments", "Payments", "Sum", "Currency", ""]);
  const { accepted, payouts, deposits, unexpected } = totals;
  for (const { currency, count, amount } of accepted) {
    const first = sheet.rowCount + 1;
    const classes = CLASSES.map(([name, words]) => ({ words, sum: sumIn(totals[name], currency) }));
    for (const { words, sum } of classes) addRow(sheet, [words, sum.count, sum, currency]);
    const between = (column: string) => `SUM(${column}${first}:${column}${first + CLASSES.length - 1})`;
    const row = addRow(sheet, ["accepted", { formula: between("B"), result: count }, "", currency]);
    const canSum = classes.every(({ sum }) => isExactInWorkbook(sum.amount));
    setSum(row.getCell(3), between("C"), { amount, currency }, canSum);
    row.font = BOLD;
  }
  sheet.addRow([]);
  addHead(sheet, ["At the service", "Count", "Sum", "Currency", ""]);
  addRow(sheet, ["payouts of our payments", payouts.ofPayments]);
  addRow(sheet, ["payouts that no file asked for", payouts.unexpected]);
  for (const sum of unexpected) addRow(sheet, ["of these, with an amount", sum.count, sum, sum.currency]);
  addRow(sheet, ["second payouts of a payment", payouts.duplicate]);
  addRow(sheet, ["payouts from before the baseline", payouts.beforeBaseline]);
  addRow(sheet, ["deposits", deposits.seen - deposits.beforeBaseline]);
  addRow(sheet, ["of these, in a break", deposits.differ]);
  addRow(sheet, ["deposits from before the baseline", deposits.beforeBaseline]);
  sheet.addRow([]);
}

/** Open breaks by age, counted and summed from the sheet of breaks if that lists all of them. */
function addAgeing(sheet: ExcelJS.Worksheet, { breaks }: Night): void {
  const currencies = breaks.atStake.map(({ currency }) => currency);
  addHead(sheet, ["Open breaks", "Breaks", ...currencies.map((currency) => `At stake, ${currency}`)]);
  const last = breaks.listed.length + 1;
  const isWhole = breaks.leftOut === 0 && breaks.listed.length > 0;
  const canSum =
    isWhole && breaks.listed.every(({ stake }) => stake === undefined || isExactInWorkbook(stake.amount));
  const column = (letter: string) => `Breaks!$${letter}$2:$${letter}$${last}`;
  for (const bucket of AGE_BUCKETS) {
    const own = breaks.ageing.find((each) => each.bucket === bucket);
    const [count, atStake] = [own?.count ?? 0, own?.atStake ?? []];
    const at = sheet.rowCount + 1;
    const counted = { formula: `COUNTIF(${column("M")},A${at})`, result: count };
    const row = addRow(sheet, [bucket, isWhole ? counted : count]);
    for (const [index, currency] of currencies.entries()) {
      const amount = atStake.find((each) => each.currency === currency)?.amount ?? "0";
      const formula = `SUMIFS(${column("G")},${column("M")},A${at},${column("H")},"${currency.replaceAll('"', '""')}")`;
      setSum(row.getCell(index + 3), formula, { amount, currency }, canSum);
    }
  }
  const [first, end] = [sheet.rowCount - AGE_BUCKETS.length + 1, sheet.rowCount];
  const all = addRow(sheet, ["all", { formula: `SUM(B${first}:B${end})`, result: openBreaks(breaks) }]);
  for (const [index, sum] of breaks.atStake.entries()) {
    const letter = String.fromCharCode(67 + index);
    setSum(all.getCell(index + 3), `SUM(${letter}${first}:${letter}${end})`, sum, canSum);
  }
  all.font = BOLD;
  addRow(sheet, ["settled, and still there", breaks.settled]);
  sheet.addRow([]);
}
