/**
 * Files that an honest or a hurried sender drops and that would pay the wrong thing if they were read as they
 * stand: one file a case. `node test/files/wrong-payments/make-files.ts` writes them into `files/`.
 */
import { addressOf } from "../bitcoin-addresses.ts";
import { type ExcelSheet, excelFile, relation, SharedStrings } from "../corpus/make/excel-package.ts";
import { cell, type MakeCell, number, row, shared } from "../corpus/make/sheet-cells.ts";
import type { ZipPart } from "../zip-writer.ts";

/**
 * refused: the file, or the row, comes back. asked: which column, sheet or value is meant. waiting: until a person who
 * sees why has accepted it. shown: paid only after a preview that shows the text beside its row.
 */
export type Must = "refused" | "asked" | "waiting" | "shown";

export interface WrongPayment {
  readonly file: string;
  readonly about: string;
  /** Any of these answers does. */
  readonly must: readonly Must[];
  /** Reference and amount of payments that must not be paid without that answer. */
  readonly never: readonly (readonly [reference: string, amount: string])[];
  readonly bytes: () => string | Buffer;
}

const [A, B, C, D] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)] as const;
const OWN = addressOf(99);
const TYPO = `${A.slice(0, 12)}${A.charAt(12) === "q" ? "p" : "q"}${A.slice(13)}`;
const HEADER = ["reference", "amount", "destinationAddress"] as const;
const GOOD = [
  ["INV-1", "0.01", A],
  ["INV-2", "0.02", B],
  ["INV-3", "0.05", C],
] as const;
const ALL = GOOD.map(([reference, amount]) => [reference, amount] as const);

type Lines = readonly (readonly string[])[];

function csv(lines: Lines, delimiter = ","): string {
  return lines.map((cells) => `${cells.join(delimiter)}\n`).join("");
}

interface Book {
  readonly sheets?: readonly ExcelSheet[];
  readonly name?: string;
  /** By reference to a cell, instead of its text. */
  readonly cells?: Readonly<Record<string, string>>;
  readonly above?: Lines;
  readonly after?: string;
  readonly relations?: string;
  readonly parts?: readonly ZipPart[];
  readonly contentTypes?: string;
  readonly amountStyle?: number;
}

/** The good rows as a workbook, with amounts in number cells. */
function book({ name = "Payouts", cells = {}, above = [], ...more }: Book = {}): Buffer {
  const strings = new SharedStrings();
  const lines: Lines = [...above, HEADER, ...GOOD];
  const rows = lines.map((line, index) =>
    row(
      index + 1,
      line.map((text, column): MakeCell => {
        const place = `${String.fromCharCode(65 + column)}${index + 1}`;
        const given = cells[place];
        if (given !== undefined) return cell('t="inlineStr"', `<is>${given}</is>`);
        return /^0\.\d+$/.test(text) ? number(text, more.amountStyle ?? 0) : shared(strings, text);
      }),
    ),
  );
  const { after, relations, sheets = [] } = more;
  const sheet = {
    name,
    rows: rows.join(""),
    ...(after ? { after } : {}),
    ...(relations ? { relations } : {}),
  };
  return excelFile({
    sheets: [sheet, ...sheets],
    strings,
    ...(more.parts === undefined ? {} : { parts: more.parts }),
    ...(more.contentTypes === undefined ? {} : { contentTypes: more.contentTypes }),
  });
}

const run = (text: string, property = "") =>
  `<r>${property === "" ? "" : `<rPr>${property}</rPr>`}<t>${text}</t></r>`;
const RAISED = '<vertAlign val="superscript"/>';
const SPREADSHEETML = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** A second visible sheet with a payout of its own. */
function otherSheet(name: string): ExcelSheet {
  const inline = (text: string) => cell('t="inlineStr"', `<is><t>${text}</t></is>`);
  return { name, rows: row(1, HEADER.map(inline)) + row(2, ["INV-8", "0.8", D].map(inline)) };
}

function withComment(text: string): Buffer {
  const comments =
    `<comments xmlns="${SPREADSHEETML}"><authors><author>Ann</author></authors><commentList>` +
    `<comment ref="B3" authorId="0"><text><t>${text}</t></text></comment></commentList></comments>`;
  return book({
    relations: relation("rId1", "comments", "../comments1.xml"),
    parts: [{ name: "xl/comments1.xml", data: comments }],
    contentTypes:
      '<Override PartName="/xl/comments1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"/>',
  });
}

/** The number format of the fixtures that shows eight decimals, with a unit behind them. */
function inMillibitcoin(): Buffer {
  const styles =
    `<styleSheet xmlns="${SPREADSHEETML}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0.00&quot; mBTC&quot;"/></numFmts>` +
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills>' +
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    '<cellXfs count="2"><xf/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>';
  return book({ amountStyle: 1, parts: [{ name: "xl/styles.xml", data: styles }] });
}

const REMARKS = [
  "rent",
  "DO NOT PAY",
  "as agreed",
  "second part",
  "thanks",
  "see mail",
  "for May",
  "travel",
  "tools",
  "last one",
];

/** Ten rows with a column of the sender's own; a reference, an amount and a destination before it. */
function withColumn(heading: string, cells: readonly string[]): string {
  return csv([
    [...HEADER, heading],
    ...cells.map((text, index) => [`INV-${index + 1}`, `0.00${index + 1}`, addressOf(index + 1), text]),
  ]);
}

export const WRONG_PAYMENTS: readonly WrongPayment[] = [
  {
    file: "mixed-marks.csv",
    about: "one column with 0,05, 1.250 and 0,5: is the second 1.25 or 1250?",
    must: ["refused"],
    never: [
      ["INV-1", "0.05"],
      ["INV-2", "1.25"],
      ["INV-2", "1250"],
      ["INV-3", "0.5"],
    ],
    bytes: () => csv([HEADER, ["INV-1", "0,05", A], ["INV-2", "1.250", B], ["INV-3", "0,5", C]], ";"),
  },
  {
    file: "raised-footnote-digit.xlsx",
    about: "0.01 with a raised 2 that points to a footnote, which joined is 0.012",
    must: ["refused"],
    never: [["INV-1", "0.012"]],
    bytes: () => book({ cells: { B2: run("0.01") + run("2", RAISED) } }),
  },
  {
    file: "part-struck-out.xlsx",
    about: "a struck-out 1 before 0.02, which joined is 10.02",
    must: ["refused"],
    never: [
      ["INV-2", "10.02"],
      ["INV-2", "0.02"],
    ],
    bytes: () => book({ cells: { B3: run("1", "<strike/>") + run("0.02") } }),
  },
  {
    file: "return-address-beside-payees.csv",
    about:
      "two columns of addresses with names of the sender's own; the payees' has a typo, the way back has none",
    must: ["asked", "refused"],
    never: ALL,
    bytes: () =>
      csv([
        ["Invoice", "Amount", "Where", "If it fails"],
        ...GOOD.map(([reference, amount, to], index) => [
          reference,
          amount,
          index === 0 ? TYPO : to,
          addressOf(50 + index),
        ]),
      ]),
  },
  {
    file: "return-address-beside-destination.csv",
    about: "the destination is named and has a typo; the sender's column beside it has none",
    must: ["refused"],
    never: [["INV-1", "0.01"]],
    bytes: () =>
      csv([
        [...HEADER, "Return address"],
        ...GOOD.map(([reference, amount, to], index) => [
          reference,
          amount,
          index === 0 ? TYPO : to,
          addressOf(50 + index),
        ]),
      ]),
  },
  {
    file: "own-wallet-only.csv",
    about: "the only column of addresses is the sender's own wallet, the same in all rows",
    must: ["asked", "refused"],
    never: ALL,
    bytes: () =>
      csv([
        ["Invoice", "Payee", "Amount", "Our wallet"],
        ...GOOD.map(([reference, amount]) => [reference, "Acme", amount, OWN]),
      ]),
  },
  {
    file: "do-not-pay-among-remarks.csv",
    about: "DO NOT PAY in one of ten remarks, each of which says something else",
    must: ["shown", "waiting", "asked", "refused"],
    never: [["INV-2", "0.002"]],
    bytes: () => withColumn("Remarks", REMARKS),
  },
  {
    file: "do-not-pay-in-a-sparse-column.csv",
    about: "DO NOT PAY as the only filled cell of a column",
    must: ["waiting", "asked", "refused"],
    never: [["INV-2", "0.002"]],
    bytes: () =>
      withColumn(
        "Remarks",
        REMARKS.map((text, index) => (index === 1 ? text : "")),
      ),
  },
  {
    file: "on-hold-in-status.csv",
    about: "a column of the sender's own with the values ok and on hold",
    must: ["waiting", "asked", "refused"],
    never: [["INV-4", "0.004"]],
    bytes: () =>
      withColumn(
        "State",
        REMARKS.map((_, index) => (index === 3 ? "on hold" : "ok")),
      ),
  },
  {
    file: "on-hold-in-a-known-column.csv",
    about: "on hold in the column of the payee, which is read",
    must: ["shown", "waiting", "asked", "refused"],
    never: [["INV-4", "0.004"]],
    bytes: () =>
      withColumn(
        "Payee",
        REMARKS.map((_, index) => (index === 3 ? "Acme - on hold" : "Acme")),
      ),
  },
  {
    file: "amount-in-euro-beside-btc.csv",
    about: "Amount holds euros, and a column BTC what is to be paid",
    must: ["asked", "refused"],
    never: [
      ["INV-1", "0.90"],
      ["INV-1", "0.9"],
      ["INV-2", "1"],
    ],
    bytes: () =>
      csv([
        ["reference", "Amount", "BTC", "destinationAddress"],
        ["INV-1", "0.90", "0.00001", A],
        ["INV-2", "1.00", "0.00002", B],
      ]),
  },
  {
    file: "unread-currency-column.csv",
    about: "a column whose cells are all EUR, under a name of the sender's own",
    must: ["asked", "refused"],
    never: ALL,
    bytes: () => csv([[...HEADER, "In"], ...GOOD.map((cells) => [...cells, "EUR"])]),
  },
  {
    file: "millibitcoin-in-title.csv",
    about: "a title says that the amounts are in mBTC",
    must: ["refused", "asked"],
    never: ALL,
    bytes: () => `Payouts of May in mBTC\n${csv([HEADER, ...GOOD])}`,
  },
  {
    file: "millibitcoin-in-heading.csv",
    about: "the amounts' heading says mBTC",
    must: ["refused", "asked"],
    never: ALL,
    bytes: () => csv([["reference", "amount (mBTC)", "destinationAddress"], ...GOOD]),
  },
  {
    file: "millibitcoin-in-sheet-name.xlsx",
    about: "the sheet's name says mBTC",
    must: ["refused", "asked"],
    never: ALL,
    bytes: () => book({ name: "Payouts mBTC" }),
  },
  {
    file: "millibitcoin-in-number-format.xlsx",
    about: "the amounts' number format shows mBTC",
    must: ["refused", "asked"],
    never: ALL,
    bytes: inMillibitcoin,
  },
  {
    file: "already-paid-above.csv",
    about: "a line above the rows says that they were paid",
    must: ["waiting", "asked", "refused"],
    never: ALL,
    bytes: () => `Already paid in October\n${csv([HEADER, ...GOOD])}`,
  },
  {
    file: "already-paid-section.csv",
    about: "a line between the rows says that those below it were paid",
    must: ["waiting", "asked", "refused"],
    never: [["INV-3", "0.05"]],
    bytes: () => csv([HEADER, ...GOOD.slice(0, 2), ["Already paid in October", "", ""], ...GOOD.slice(2)]),
  },
  {
    file: "second-header-swapped.csv",
    about: "a second header below the first rows has reference and payee in each other's place",
    must: ["refused"],
    never: [
      ["Acme", "0.05"],
      ["INV-3", "0.05"],
    ],
    bytes: () =>
      csv([
        ["reference", "payee", "amount", "destinationAddress"],
        ["INV-1", "Acme 1", "0.01", A],
        ["INV-2", "Acme 2", "0.02", B],
        ["payee", "reference", "amount", "destinationAddress"],
        ["Acme 3", "INV-3", "0.05", C],
      ]),
  },
  {
    file: "sheet-void.xlsx",
    about: "the only sheet is called Void",
    must: ["waiting", "asked", "refused"],
    never: ALL,
    bytes: () => book({ name: "Void" }),
  },
  {
    file: "second-sheet-void.xlsx",
    about: "a second sheet, Void, holds payouts as well",
    must: ["asked", "refused"],
    never: [["INV-8", "0.8"]],
    bytes: () => book({ sheets: [otherSheet("Void")] }),
  },
  {
    file: "note-swallows-rows.csv",
    about: "a quote opened in one note and closed in a later one: the rows between them are part of a cell",
    must: ["refused"],
    never: ALL,
    bytes: () =>
      `reference,amount,destinationAddress,note\nINV-1,0.01,${A},"see mail\nINV-2,0.02,${B},ok\nINV-3,0.05,${C},as agreed"\n`,
  },
  {
    file: "note-never-closed.csv",
    about: "a quote that is never closed swallows the rest of the file",
    must: ["refused"],
    never: ALL,
    bytes: () =>
      `reference,amount,destinationAddress,note\nINV-1,0.01,${A},ok\nINV-2,0.02,${B},"see mail\nINV-3,0.05,${C},ok\n`,
  },
  {
    file: "begins-again-inside-a-cell.csv",
    about: "after a broken quote a reader begins again within a note that quotes another payment",
    must: ["refused"],
    never: [["INV-9", "0.9"]],
    bytes: () =>
      `reference,amount,destinationAddress,note\nINV-1,0.01,${A},"he said "no" and wrote\nINV-9,0.9,${D},\nINV-2,0.02,${B},as before"\n`,
  },
  {
    file: "comment-hold.xlsx",
    about: "a comment at an amount says hold",
    must: ["shown", "waiting", "asked", "refused"],
    never: [["INV-2", "0.02"]],
    bytes: () => withComment("hold"),
  },
  {
    file: "footer-draft.xlsx",
    about: "the page footer says DRAFT",
    must: ["shown", "waiting", "asked", "refused"],
    never: ALL,
    bytes: () => book({ after: "<headerFooter><oddFooter>&amp;CDRAFT</oddFooter></headerFooter>" }),
  },
  {
    file: "only-a-counter.csv",
    about: "the only column with unique cells counts 1, 2, 3",
    must: ["asked", "refused"],
    never: [
      ["1", "0.01"],
      ["2", "0.02"],
      ["3", "0.05"],
    ],
    bytes: () =>
      csv([
        ["#", "Payee", "Amount", "Address"],
        ...GOOD.map(([, amount, to], index) => [`${index + 1}`, "Acme", amount, to]),
      ]),
  },
  {
    file: "equal-amount-without-destination.csv",
    about: "a second payment of the same amount lacks its destination: it is no total of the first",
    must: ["refused", "asked"],
    never: [["INV-1", "0.05"]],
    bytes: () => csv([HEADER, ["INV-1", "0.05", A], ["INV-2", "0.05", ""]]),
  },
  {
    file: "equal-amount-in-a-section.csv",
    about: "the same below a section heading, after two other payments",
    must: ["refused", "asked"],
    never: [["INV-3", "0.05"]],
    bytes: () =>
      csv([
        HEADER,
        ["INV-1", "0.01", A],
        ["INV-2", "0.02", B],
        ["Spain", "", ""],
        ["INV-3", "0.05", C],
        ["INV-4", "0.05", ""],
      ]),
  },
  ...(
    [
      ["case", "INV-1", "inv-1"],
      ["width", "INV-1", "ＩＮＶ-１"],
      ["composition", "CAFÉ-1", "CAFE\u0301-1"],
      ["spaces", "INV 1", "INV  1"],
    ] as const
  ).map(
    ([name, first, second]): WrongPayment => ({
      file: `references-that-fold-by-${name}.csv`,
      about: `${first} and ${second} are one reference to a person`,
      must: ["refused"],
      never: [[second, "0.02"]],
      bytes: () => csv([HEADER, [first, "0.01", A], [second, "0.02", B]]),
    }),
  ),
];
