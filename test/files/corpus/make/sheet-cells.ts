/** Cells and rows of a sheet as XML, each with the reference of its place. */
import { escaped, type SharedStrings, STYLE } from "./excel-package.ts";
import payouts from "./payouts.json" with { type: "json" };

/** The XML of a cell at a reference such as "B2"; empty for no cell at all. */
export type MakeCell = (reference: string) => string;

export const nothing: MakeCell = () => "";

/** Any attributes, any content. */
export function cell(attributes: string, inner: string): MakeCell {
  return (reference) => `<c r="${reference}"${attributes === "" ? "" : ` ${attributes}`}>${inner}</c>`;
}

export function number(text: string, style: number = STYLE.general): MakeCell {
  return cell(style === 0 ? "" : `s="${style}"`, `<v>${text}</v>`);
}

export function shared(strings: SharedStrings, text: string, style: number = STYLE.general): MakeCell {
  return cell(`${style === 0 ? "" : `s="${style}" `}t="s"`, `<v>${strings.text(text)}</v>`);
}

export function inline(text: string): MakeCell {
  return cell('t="inlineStr"', `<is><t>${escaped(text)}</t></is>`);
}

/** A formula with its saved result, or without one. */
export function formula(source: string, result?: string, type = ""): MakeCell {
  const value = result === undefined ? "" : `<v>${escaped(result)}</v>`;
  return cell(type === "" ? "" : `t="${type}"`, `<f>${escaped(source)}</f>${value}`);
}

/** One row; `attributes` follow its number. */
export function row(line: number, cells: readonly MakeCell[], attributes = ""): string {
  const written = cells.map((make, index) => make(`${String.fromCharCode(65 + index)}${line}`)).join("");
  return `<row r="${line}" spans="1:${cells.length}"${attributes === "" ? "" : ` ${attributes}`} x14ac:dyDescent="0.25">${written}</row>`;
}

/** How a table of payouts is put into cells. */
export interface PayoutCells {
  text(text: string): MakeCell;
  amount(text: string): MakeCell;
  date(day: string): MakeCell;
}

/** As a person types it into Excel: shared texts, number cells, dates. */
export function typedCells(strings: SharedStrings): PayoutCells {
  return {
    text: (text) => shared(strings, text),
    amount: (text) => number(text === "0.00000546" ? "5.4600000000000002E-6" : text, STYLE.bitcoin),
    date: (day) => number(serialOf(day), STYLE.date),
  };
}

/** The header and the three payouts of payouts.json, from `line` on. */
export function payoutRows(
  cells: PayoutCells,
  line = 1,
): readonly (readonly [line: number, cells: readonly MakeCell[]])[] {
  const body = payouts.rows.map((values, index) => {
    const [reference = "", currency = "", amount = "", address = "", account = "", payee = "", day = ""] =
      values;
    return [
      line + 1 + index,
      [
        ...[reference, currency].map(cells.text),
        cells.amount(amount),
        ...[address, account, payee].map(cells.text),
        day === "" ? nothing : cells.date(day),
      ],
    ] as const;
  });
  return [[line, payouts.header.map(cells.text)], ...body];
}

/** The same as XML. */
export function payoutXml(cells: PayoutCells, line = 1): string {
  return payoutRows(cells, line)
    .map(([at, made]) => row(at, made))
    .join("");
}

/** Days since 1899-12-30, correct from March 1900 on. */
export function serialOf(day: string): string {
  return String((Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000);
}
