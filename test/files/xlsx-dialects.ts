/**
 * Payouts as workbooks in every dialect that intake supports: kinds of cells, date systems, spellings of the package.
 */
import fc from "fast-check";
import type { ColumnName } from "../../src/model/columns.ts";
import { type ExcelSheet, escaped, excelParts, SharedStrings, STYLE } from "./corpus/make/excel-package.ts";
import {
  inStrictNamespaces,
  inUtf16,
  type Respell,
  withAbsoluteTargets,
  withoutReferences,
  withPrefixes,
} from "./corpus/make/package-spellings.ts";
import { cell, type MakeCell, row, serialOf } from "./corpus/make/sheet-cells.ts";
import type { PayoutSheet } from "./payout-sheet.ts";
import { zip } from "./zip-writer.ts";

export const xlsxDialects = fc.record({
  texts: fc.constantFrom("shared", "inline", "rich", "result of a formula"),
  numbers: fc.constantFrom("text", "shortest", "17 digits", "with a point", "result of a formula"),
  booleans: fc.constantFrom("text", "boolean"),
  dates: fc.constantFrom("text", "serial", "type d"),
  dateSystem: fc.constantFrom(1900, 1904),
  above: fc.nat({ max: 3 }),
  blankRows: fc.nat({ max: 2 }),
  otherSheet: fc.constantFrom(undefined, "visible", "veryHidden"),
  respellings: fc.subarray<Respell>([
    withAbsoluteTargets,
    inStrictNamespaces,
    withoutReferences,
    withPrefixes,
    inUtf16,
  ]),
  zipStyle: fc.record({ hasDataDescriptors: fc.boolean(), isZip64: fc.boolean() }),
});

export type XlsxDialect = typeof xlsxDialects extends fc.Arbitrary<infer Dialect> ? Dialect : never;

export function xlsxFile(sheet: PayoutSheet, dialect: XlsxDialect): Buffer {
  const strings = new SharedStrings();
  const text = textCells(strings, dialect.texts);
  const kinds = sheet.columns.map(({ name }) => name);
  const table = [
    ...Array.from({ length: dialect.above }, (_, index) => [text(`note ${index + 1}`)]),
    sheet.columns.map(({ header }) => text(header)),
    ...sheet.rows.flatMap((values) => [
      values.map((value, index) => cellOf(kinds[index], value, text, dialect)),
      ...Array.from({ length: dialect.blankRows }, () => kinds.map(() => EMPTY)),
    ]),
  ];
  const payouts = { name: "Payouts", rows: table.map((cells, index) => row(index + 1, cells)).join("") };
  const parts = excelParts({
    sheets: [...otherSheets(dialect), payouts],
    strings,
    ...(dialect.dateSystem === 1904 ? { workbookProperties: 'date1904="1"' } : {}),
  });
  return zip(
    dialect.respellings.reduce((spelled, respell) => respell(spelled), parts),
    dialect.zipStyle,
  );
}

const EMPTY: MakeCell = cell("", "");

function otherSheets({ otherSheet }: XlsxDialect): ExcelSheet[] {
  if (otherSheet === undefined) return [];
  const rows = row(1, [cell('t="inlineStr"', "<is><t>treasury-btc</t></is>")]);
  return [{ name: "Lists", rows, ...(otherSheet === "visible" ? {} : { state: otherSheet }) }];
}

function cellOf(
  column: ColumnName | undefined,
  value: string,
  text: (value: string) => MakeCell,
  dialect: XlsxDialect,
): MakeCell {
  if (value === "") return EMPTY;
  if (isNumber(column, value)) return numberCell(column, value, dialect.numbers) ?? text(value);
  if (column === "payOn") return dateCell(value, dialect) ?? text(value);
  const isYesNo = column !== undefined && YES_NO.has(column);
  return isYesNo && dialect.booleans === "boolean"
    ? cell('t="b"', `<v>${/^(?:true|yes|1)$/i.test(value) ? 1 : 0}</v>`)
    : text(value);
}

const YES_NO: ReadonlySet<ColumnName> = new Set([
  "subtractFee",
  "verifyBalance",
  "useCoinConsolidation",
  "batchingAllowed",
]);

/**
 * Amounts with more than 14 digits go into text cells: a spreadsheet keeps 15, and amounts that may have lost some are
 * refused.
 */
function isNumber(column: ColumnName | undefined, value: string): boolean {
  if (column === "amount") return value.replace(".", "").replace(/^0+/, "").length <= 14;
  if (column === "customFeeRate") return true;
  return (column === "reference" || column === "generalLedgerName") && /^[1-9]\d{0,13}$/.test(value);
}

function numberCell(
  column: ColumnName | undefined,
  value: string,
  form: XlsxDialect["numbers"],
): MakeCell | undefined {
  const double = Number(value);
  const shortest = String(double);
  switch (form) {
    case "text":
      return undefined;
    case "shortest":
      return cell("", `<v>${shortest}</v>`);
    case "17 digits": {
      // A cell that shows only eight of more decimals is refused, and so is a name with decimals.
      const isShort = column === "amount" && double === Number(double.toFixed(8));
      const style = isShort ? STYLE.bitcoin : STYLE.general;
      return cell(`s="${style}"`, `<v>${double.toExponential(16).toUpperCase()}</v>`);
    }
    case "with a point":
      return cell("", `<v>${/[.e]/.test(shortest) ? shortest : `${shortest}.0`}</v>`);
    case "result of a formula":
      return cell('t="n"', `<f>Z1*1</f><v>${shortest}</v>`);
  }
}

const DAYS_FROM_1900_TO_1904 = 1462;

function dateCell(day: string, { dates, dateSystem }: XlsxDialect): MakeCell | undefined {
  if (dates === "text") return undefined;
  if (dates === "type d") return cell('t="d"', `<v>${day}</v>`);
  const serial = Number(serialOf(day)) - (dateSystem === 1904 ? DAYS_FROM_1900_TO_1904 : 0);
  return cell(`s="${STYLE.germanDate}"`, `<v>${serial}</v>`);
}

/** A phonetic run is shown above the text for readers of Japanese, and is not part of it. */
const READING_AID = '<rPh sb="0" eb="1"><t>x</t></rPh>';

function textCells(strings: SharedStrings, form: XlsxDialect["texts"]): (value: string) => MakeCell {
  const run = (value: string) => `<t xml:space="preserve">${inXml(value)}</t>`;
  return (value) => {
    const half = Math.ceil(value.length / 2);
    switch (form) {
      case "shared":
        return cell('t="s"', `<v>${strings.item(run(value))}</v>`);
      case "inline":
        return cell('t="inlineStr"', `<is>${run(value)}${READING_AID}</is>`);
      case "rich": {
        const runs = [...splitAt(value, half)].map((part) => `<r><rPr><b/></rPr>${run(part)}</r>`).join("");
        return cell('t="s"', `<v>${strings.item(runs + READING_AID)}</v>`);
      }
      case "result of a formula":
        return cell('t="str"', `<f>T(Z1)</f><v>${inXml(value)}</v>`);
    }
  };
}

/** Neither half may end within a surrogate pair or within an escape. */
function splitAt(value: string, half: number): readonly string[] {
  const characters = [...value];
  const isSafe = !/_x|\r/.test(value);
  return isSafe ? [characters.slice(0, half).join(""), characters.slice(half).join("")] : [value];
}

/** XML would lose carriage returns, and text that looks like an escape would be read as one. */
function inXml(value: string): string {
  return escaped(value.replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")).replaceAll("\r", "_x000D_");
}
