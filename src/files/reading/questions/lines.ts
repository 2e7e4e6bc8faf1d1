/**
 * Questions about lines and texts that are not payments: notes, titles, totals, the file's name, and how a CSV
 * ends.
 */
import { basename, extname } from "node:path";
import { type Grid, textOf } from "../../../model/grid.ts";
import { RunningTotals, senderTexts } from "../../../model/index.ts";
import { widthOf } from "../../../model/lines.ts";
import type { Note, Question, TotalLine, UnreadColumn } from "../../../model/sheet-reading.ts";
import { shownText, shownWhole } from "../../../model/shown-text.ts";
import { wordOf } from "../../../model/words.ts";
import { Decimal } from "../../../money/index.ts";
import { type CheckedRow, currenciesOf } from "../check-row.ts";
import { isTime, titleWord, withoutTime } from "../compared-text.ts";
import { currencyNamed, unitsInTitle } from "../units.ts";
import { type Asked, idOf, question, questionAboutRows } from "./question.ts";

/**
 * Titles above the columns and the name of the sheet are compared without numbers, other notes without days and
 * without the file's own count and sums, which differ each month: "4 payments", "Total: 0.094 BTC". A title that had
 * the sum is asked about again once it has another one.
 */
export function ofNote(
  { line, place, text }: Note,
  rows: readonly CheckedRow[],
  declared: ReadonlySet<string>,
): Question[] {
  const isTitle = place.startsWith("above the columns") || line === undefined;
  if (isTitle && isNameOfProgram(text)) return [];
  const isDeclared = (figure: string) =>
    declared.has(`${Decimal.parse(figure.replace(",", "."))?.normalized() ?? ""}`);
  const undeclared = text.replace(/(?<![\d.,])\d{1,18}(?:[.,]\d{1,18})?(?![\d.,]*\d)/g, (figure) =>
    isDeclared(figure) ? "" : figure,
  );
  const compared = isTitle ? titleWord(text) : withoutTime(undeclared);
  const named = otherNamed(text, rows);
  const parts = ["note", compared, ...(named === undefined ? [] : [named])];
  const lines = line === undefined ? [] : [line];
  const asked = question(parts, `${place}: "${text}"${named === undefined ? "" : `; ${named}`}`, lines);
  const figures = isTitle ? (text.match(/(?<![\d.,])\d{1,18}[.,]\d{1,18}(?![\d.,]*\d)/g) ?? []) : [];
  if (figures.length === 0) return [asked];
  const withSum = idOf([...parts, "sum"]);
  return [figures.some(isDeclared) ? { ...asked, id: withSum } : { ...asked, parts: [asked.id, withSum] }];
}

/**
 * "it names EUR, and BTC is paid", for a title, or the name of a sheet or file, that names another currency than is
 * paid.
 */
export function otherNamed(text: string, rows: readonly CheckedRow[]): string | undefined {
  const { currencies, hasOtherUnit } = unitsInTitle(text);
  const paid = currenciesOf(rows);
  const others = [...currencies].filter((currency) => !paid.has(currency));
  if (paid.size === 0 || (others.length === 0 && !hasOtherUnit)) return undefined;
  const what = others.length > 0 ? others.join(" and ") : "another unit than whole coins";
  return `it names ${what}, and the amounts are paid in ${[...paid].join(" and ")}`;
}

/** The number of payments, and their sums. */
export function declaredIn(rows: readonly CheckedRow[]): ReadonlySet<string> {
  const sums = new RunningTotals();
  for (const { amount } of rows) if (amount !== undefined) sums.add(amount);
  return new Set([`${rows.length}`, ...sums.totals().map(({ amount }) => `${amount.normalized()}`)]);
}

/**
 * Texts in the line of a total, beside its label and under columns that are not read: "not yet approved". A text that
 * only gives the number of rows is none.
 */
export function ofTotalRemarks(
  { classified, grid, columns }: Asked,
  declared: ReadonlySet<string>,
): Question[] {
  const wanted = new Set(classified.totals.map(({ line }) => line));
  const unread = new Set(columns.unread);
  const mayHoldRemark = (position: number) => unread.has(position) || position >= columns.header.length;
  const isCount = (text: string) => declared.has(/^(\d{1,18}) \p{L}+$/u.exec(text)?.[1] ?? "");
  const isRemark = (text: string) =>
    /\p{L}/u.test(text) && !isCount(text) && currencyNamed(text.replace(/[\d.,'\s]/g, "")) === undefined;
  return (wanted.size === 0 ? [] : grid.lines).flatMap(({ line, cells }) => {
    if (!wanted.has(line)) return [];
    const label = cells.findIndex((cell) => /\p{L}/u.test(textOf(cell)));
    const remarks = cells
      .filter((_, position) => position !== label && mayHoldRemark(position))
      .map((cell) => shownWhole(textOf(cell).trim()))
      .filter(isRemark);
    if (remarks.length === 0) return [];
    const text = remarks.join(", ");
    return [question(["note", titleWord(text)], `the total in line ${line} also says "${text}"`, [line])];
  });
}

/** A text beside the names of the columns, over nothing and after an empty column, may be a remark: "DRAFT". */
export function ofRemarks({ unread }: Asked): Question[] {
  const isEmpty = ({ kind }: UnreadColumn) => kind === "empty";
  const nameless = new Set(
    unread.filter((each) => isEmpty(each) && each.heading === "").map(({ position }) => position),
  );
  return unread
    .filter((each) => isEmpty(each) && each.heading !== "" && nameless.has(each.position - 1))
    .map(({ heading }) =>
      question(
        ["note", withoutTime(heading)],
        `beside the names of the columns: "${shownWhole(heading)}"`,
        [],
      ),
    );
}

/** A second table below the first may be another month's. Pages of a printed list repeat the names without a gap. */
export function ofRepeatedNames({ classified: { repeatedNames } }: Asked): Question[] {
  const [line, another] = repeatedNames;
  if (line === undefined) return [];
  const where = another === undefined ? `line ${line}` : `line ${line} and others`;
  const text = `the names of the columns are repeated in ${where}: the rows below are paid as well`;
  return [question(["repeated names"], text, repeatedNames)];
}

export function ofFileName({ policy: { fileName }, rows }: Asked): Question[] {
  const name = basename(fileName, extname(fileName));
  const named = otherNamed(name, rows);
  if (named === undefined) return [];
  return [
    question(["file name", titleWord(name), named], `the file is called "${shownText(name)}": ${named}`, []),
  ];
}

/**
 * For a CSV, asks in every file about rows that lack cells which others have, and about an end within an amount or
 * a reference, where the cell does not show that it was cut off.
 */
export function ofCsv({ grid: { csv, lines }, columns: { header, positions }, rows }: Asked): Question[] {
  if (csv === undefined) return [];
  const questions: Question[] = [];
  const short = rows.filter(({ sent }) => widthOf(sent) < header.length);
  if (short.length > 0 && short.length < rows.length) {
    const count = short.length === 1 ? "1 row has" : `${short.length} rows have`;
    const text = `${count} fewer cells than the others, so cells may have slipped into other columns`;
    questions.push(questionAboutRows("short rows", text, short));
  }
  const { line, cells } = lines.at(-1) ?? { line: 0, cells: [] };
  const isRead = (["amount", "reference"] as const).some((name) => positions.get(name) === cells.length - 1);
  if (csv.endsOpen === true && isRead && rows.at(-1)?.line === line) {
    const text =
      `the file ends without a line break, after "${shownText(textOf(cells.at(-1) ?? ""))}": it may ` +
      `have been cut off`;
    questions.push(question(["open end"], text, [line]));
  }
  return questions;
}

/** Asks about a total that may be a payment whose destination was forgotten. */
export function ofTotal({ line, own, amount, firstLine, lastLine }: TotalLine): Question[] {
  if (own === undefined) return [];
  const text =
    `line ${line} was read as the total ${amount} of lines ${firstLine} to ${lastLine} and is not paid, ` +
    `but it has a name of its own: "${shownText(own)}"`;
  return [question(["total", wordOf(own), amount], text, [line])];
}

/**
 * Texts outside the cells are notes. So is the name of a sheet, unless a program gave it or it only gives a time.
 */
export function notesBeside({ outside, sheet }: Grid, header: readonly string[]): Note[] {
  const notes = senderTexts(outside, header).map(({ place, text }) => ({ place, text: shownWhole(text) }));
  if (sheet === undefined || isNameOfProgram(sheet) || isTime(sheet)) return notes;
  return [{ place: "the name of the sheet", text: shownWhole(sheet) }, ...notes];
}

/** Numbers writes such a name above an exported table too. */
function isNameOfProgram(name: string): boolean {
  return DEFAULT_SHEET_NAME.test(name);
}

/** Names that spreadsheet programs give to a first sheet or table, and names that say only that it holds payments. */
const DEFAULT_SHEET_NAME = new RegExp(
  [
    String.raw`^(?:(?:sheet|tabelle|feuil(?:le)?|hoja|foglio|planilha|folha|blad|arkusz|sayfa|лист)[ _]?\d*`,
    String.raw`|(?:table|tableau|tabla|tabella|tabela) \d+`,
    String.raw`|(?:worksheet|tabellenblatt|página|list|munka|ark|taul|工作表|シート|시트)[ _]?\d*`,
    String.raw`|sheet \d+ - table \d+|blatt \d+ - tabelle \d+`,
    "|payouts?|payments?|zahlungen|paiements|pagos|pagamenti|pagamentos",
    "|betalingen|płatności|ödemeler|платежи|выплаты",
    ")$",
  ].join(""),
  "i",
);
