/**
 * Makes texts from outside safe for one cell or line of a file that people and other programs open; writes
 * quantities at their scale.
 */
import { guardFormula } from "../model/index.ts";
import type { Amount, CurrencyScales } from "../money/index.ts";

/**
 * Replaces control characters, invisible characters and white space by single spaces. A backslash before a quote or
 * at the end becomes a slash: programs that read it as an escape (GnuCash, databases) would not see the cell's end.
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

/** A single line for a CSV cell, guarded so that no program runs it as a formula. */
export function textCell(text: string | undefined): string {
  return guardFormula(oneLine(text ?? ""));
}

/**
 * CSV by RFC 4180: commas, and lines that end with CRLF. Written by hand, because it takes most of the time of
 * writing a long journal; a test compares it with csv-stringify.
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
