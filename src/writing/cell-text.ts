/**
 * Texts from outside made safe for one cell or line of a file that people and other programs open; quantities at their
 * scale.
 */
import { guardFormula } from "../model/index.ts";
import type { Amount, CurrencyScales } from "../money/index.ts";

/**
 * Replaces control characters, invisible characters and white space by single spaces. A backslash before a quote or at
 * the end becomes a slash: programs that take it for an escape (GnuCash, databases) would not see the cell's end.
 */
export function oneLine(text: string): string {
  if (!MAY_CHANGE.test(text)) return text;
  return text
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim()
    .replace(/\\(?="|$)/g, "/");
}

/** Anything but printable ASCII, a backslash, or a blank at either end or beside another one. */
const MAY_CHANGE = /[^ -[\]-~]|^ | $| {2}/;

export interface JournalFormat {
  /** ISO 4217; the currency of every debit and credit. */
  readonly functionalCurrency: string;
  readonly scales: CurrencyScales;
}

/** All digits of the currency, or more if the quantity has more: "0.05000000". */
export function quantityText({ currency, value }: Amount, scales: CurrencyScales): string {
  return value.rounded(Math.max(value.scale, scales.scaleOf(currency) ?? 0)).toString();
}

/** A single line for a CSV cell, guarded so that no program takes it for a formula. */
export function textCell(text: string | undefined): string {
  return guardFormula(oneLine(text ?? ""));
}

/**
 * As RFC 4180 has it: commas, and lines that end with CRLF. Written here, because it is most of what a journal of
 * years takes to write; a test compares it with csv-stringify.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  let text = "";
  for (const row of rows) text += `${row.map(quotedCell).join(",")}\r\n`;
  return text;
}

function quotedCell(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const NEEDS_QUOTES = /[",\r\n]/;
