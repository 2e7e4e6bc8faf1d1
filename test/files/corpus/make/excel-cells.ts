/** Workbooks with every kind of cell, as Excel writes them. */
import { type ExcelSheet, excelFile, relation, SharedStrings, STYLE } from "./excel-package.ts";
import {
  cell,
  formula,
  inline,
  type MakeCell,
  nothing,
  number,
  payoutXml,
  row,
  shared,
  typedCells,
} from "./sheet-cells.ts";

export function excelCellFiles(): Readonly<Record<string, Buffer>> {
  return {
    "shared-strings.xlsx": payoutFile(),
    "inline-strings.xlsx": inlineFile(),
    "rich-and-phonetic-text.xlsx": richFile(),
    "escaped-text.xlsx": escapedFile(),
    "numbers.xlsx": tableFile(NUMBERS),
    "number-formats.xlsx": tableFile(FORMATTED),
    "numbers-as-text.xlsx": textNumbersFile(),
    "dates-1900.xlsx": tableFile(DATES),
    "dates-1904.xlsx": tableFile(DATES_1904, 'date1904="1"'),
    "booleans-and-errors.xlsx": tableFile(BOOLEANS_AND_ERRORS),
    "hyperlinks.xlsx": hyperlinkFile(),
    "formulas.xlsx": tableFile(FORMULAS),
    "formulas-without-results.xlsx": formulaPayouts(),
  };
}

type Line = readonly [reference: string, value: MakeCell, note: string];

/** A table of three columns: a name, the cell in question, and what Excel shows for it. */
function tableFile(lines: readonly Line[], workbookProperties?: string): Buffer {
  const strings = new SharedStrings();
  const header = row(
    1,
    ["reference", "amount", "shown"].map((text) => shared(strings, text)),
  );
  const body = lines.map(([reference, value, note], index) =>
    row(index + 2, [shared(strings, reference), value, note === "" ? nothing : shared(strings, note)]),
  );
  const sheets = [{ name: "Payouts", rows: header + body.join("") }];
  return excelFile({ sheets, strings, ...(workbookProperties === undefined ? {} : { workbookProperties }) });
}

function payoutFile(): Buffer {
  const strings = new SharedStrings();
  return excelFile({ sheets: [{ name: "Payouts", rows: payoutXml(typedCells(strings)) }], strings });
}

function inlineFile(): Buffer {
  const rows = payoutXml({ text: inline, amount: inline, date: inline });
  return excelFile({ sheets: [{ name: "Payouts", rows }] });
}

function richFile(): Buffer {
  const strings = new SharedStrings();
  const rich = (inner: string) => cell('t="s"', `<v>${strings.item(inner)}</v>`);
  const bold = '<rPr><b/><sz val="11"/><rFont val="Calibri"/></rPr>';
  const japanese =
    '<t>東京銀行</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><rPh sb="2" eb="4"><t>ギンコウ</t></rPh><phoneticPr fontId="1" type="fullwidthKatakana"/>';
  const rows = [
    row(
      1,
      ["reference", "amount", "payee"].map((text) => shared(strings, text)),
    ),
    row(2, [
      rich(`<r>${bold}<t xml:space="preserve">PAY-</t></r><r><t>1</t></r>`),
      number("0.05"),
      rich(`<r><t xml:space="preserve">Jürgen </t></r><r>${bold}<t>Müller</t></r>`),
    ]),
    row(3, [
      rich("<r><t>PAY-2</t></r>"),
      rich(`<r>${bold}<t>0.0000</t></r><r><t>0546</t></r>`),
      rich(japanese),
    ]),
    row(4, [
      cell('t="inlineStr"', "<is><r><t>PAY</t></r><r><t>-3</t></r></is>"),
      cell('t="inlineStr"', `<is><t>0.3</t><rPh sb="0" eb="1"><t>9</t></rPh></is>`),
      rich(
        `<r><t>東京</t></r><r>${bold}<t>支店</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>`,
      ),
    ]),
  ];
  return excelFile({ sheets: [{ name: "Payouts", rows: rows.join("") }], strings });
}

function escapedFile(): Buffer {
  const strings = new SharedStrings();
  const rich = (inner: string) => cell('t="s"', `<v>${strings.item(inner)}</v>`);
  const lines: readonly (readonly [string, MakeCell])[] = [
    ["PAY-1", rich("<t>first line_x000D_\nsecond line</t>")],
    ["PAY-2", rich("<t>_x005F_x000D_ as typed</t>")],
    ["PAY-3", rich('<t xml:space="preserve">  two spaces on each side  </t>')],
    ["PAY-4", rich("<t><![CDATA[<b>&amp;</b>]]></t>")],
    ["PAY-5", rich("<t>&lt;Müller &amp; &#83;öhne&gt; &quot;x&quot; &#x1F4B6;</t>")],
    ["PAY-6", rich("<t>tab_x0009_bell_x0007_end</t>")],
    ["PAY-7", rich('<t xml:space="preserve">  </t>')],
    ["PAY-8", cell('t="str"', "<f>A2&amp;CHAR(13)</f><v>PAY-1_x000D_</v>")],
    ["PAY-9", rich("<t>_x00e9_ _xZZZZ_ x000D_</t>")],
  ];
  const rows = [
    row(
      1,
      ["reference", "amount", "payee"].map((text) => shared(strings, text)),
    ),
    ...lines.map(([reference, payee], index) =>
      row(index + 2, [shared(strings, reference), number("1"), payee]),
    ),
  ];
  return excelFile({ sheets: [{ name: "Payouts", rows: rows.join("") }], strings });
}

/** Excel writes 17 digits if 15 do not identify the double, and an exponent below 1E-4. */
const NUMBERS: readonly Line[] = [
  ["one", number("1"), "1"],
  ["a tenth", number("0.1"), "0.1"],
  ["0.1 + 0.2", number("0.30000000000000004"), "0.3"],
  ["a satoshi", number("1E-8"), "0.00000001"],
  ["a satoshi, 17 digits", number("1.0000000000000001E-8"), "0.00000001"],
  ["546 satoshi", number("5.4600000000000002E-6"), "0.00000546"],
  ["15 digits", number("123456789.123457"), "123456789.123457"],
  ["17 digits", number("123456789.12345678"), "123456789.123457"],
  ["20 digits typed", number("1.2345678901234567E+19"), "12345678901234600000"],
  ["21 million", number("21000000"), "21000000"],
  ["negative", number("-0.5"), "-0.5"],
  ["zero", number("0"), "0"],
  ["negative zero", number("-0"), "0"],
  ["largest", number("1.7976931348623157E+308"), "1.797693134862E+308"],
  ["declared as a number", cell('t="n"', "<v>2.50</v>"), "2.5"],
];

const FORMATTED: readonly Line[] = [
  ["percent", number("0.05", STYLE.percent), "5%"],
  ["percent with decimals", number("0.12345", STYLE.percentWithDecimals), "12.35%"],
  ["accounting", number("1234.5", STYLE.accounting), "1,234.50 €"],
  ["euro", number("1234.5", STYLE.euro), "1,234.50 €"],
  ["rounded on the screen", number("0.123456789", STYLE.bitcoin), "0.12345679"],
  ["scientific", number("1.0000000000000001E-5", STYLE.scientific), "1.00E-05"],
  ["days", number("45992.5", STYLE.days), "45992.50 days"],
  ["red", number("-5", STYLE.redNegative), "-5.00"],
  ["a number in a text cell's style", number("0.5", STYLE.text), "0.5"],
];

function textNumbersFile(): Buffer {
  const strings = new SharedStrings();
  const lines: readonly (readonly [string, MakeCell])[] = [
    ["PAY-1", shared(strings, "0.05", STYLE.text)],
    ["PAY-2", shared(strings, "0.00000546", STYLE.quotePrefix)],
    ["00042", shared(strings, "0.123456789012345678", STYLE.text)],
    ["1E5", shared(strings, "0.10", STYLE.text)],
    ["'PAY-5", shared(strings, "'0.3", STYLE.text)],
    ["=PAY-6", shared(strings, "+0.3", STYLE.quotePrefix)],
  ];
  const ignored = '<ignoredErrors><ignoredError sqref="A2:B7" numberStoredAsText="1"/></ignoredErrors>';
  const rows = [
    row(1, [shared(strings, "reference"), shared(strings, "amount")]),
    ...lines.map(([reference, amount], index) =>
      row(index + 2, [shared(strings, reference, STYLE.text), amount]),
    ),
  ];
  return excelFile({ sheets: [{ name: "Payouts", rows: rows.join(""), after: ignored }], strings });
}

const DATES: readonly Line[] = [
  ["built-in 14", number("46357", STYLE.date), "2026-12-01"],
  ["built-in 22", number("46357.520833333336", STYLE.dateTime), "2026-12-01 12:30"],
  ["custom", number("46357", STYLE.isoDate), "2026-12-01"],
  ["custom, in German", number("46357", STYLE.germanDate), "1. Dez 2026"],
  ["a second before midnight", number("46356.999988425923", STYLE.dateTime), "2026-11-30 23:59:59"],
  ["first day", number("1", STYLE.isoDate), "1900-01-01"],
  ["28 February 1900", number("59", STYLE.isoDate), "1900-02-28"],
  ["29 February 1900, which never was", number("60", STYLE.isoDate), "1900-02-29"],
  ["1 March 1900", number("61", STYLE.isoDate), "1900-03-01"],
  ["last day", number("2958465", STYLE.isoDate), "9999-12-31"],
  ["a time of day", number("0.5", STYLE.time), "12:00"],
  ["a duration", number("1.5", STYLE.duration), "36:00:00"],
  ["negative", number("-1", STYLE.date), "########"],
  ["the same number without a date format", number("46357"), "46357"],
  ["by type d, as strict writers do", cell('t="d"', "<v>2026-12-01</v>"), "2026-12-01"],
  ["by type d, with a time", cell('t="d"', "<v>2026-12-01T12:30:00.000</v>"), "2026-12-01 12:30"],
];

const DATES_1904: readonly Line[] = [
  ["built-in 14", number("44895", STYLE.date), "2026-12-01"],
  ["day 0", number("0", STYLE.isoDate), "1904-01-01"],
  ["custom", number("44895.520833333336", STYLE.dateTime), "2026-12-01 12:30"],
  ["a number", number("44895"), "44895"],
];

const error = (text: string): MakeCell => cell('t="e"', `<v>${text}</v>`);

const BOOLEANS_AND_ERRORS: readonly Line[] = [
  ["yes", cell('t="b"', "<v>1</v>"), "TRUE"],
  ["no", cell('t="b"', "<v>0</v>"), "FALSE"],
  ...["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"].map(
    (text): Line => [`error ${text}`, error(text), text],
  ),
  ["a newer error", cell('t="e" vm="1"', "<v>#VALUE!</v>"), "#SPILL!"],
  ["formatted, but empty", cell(`s="${STYLE.bitcoin}"`, ""), ""],
];

function hyperlinkFile(): Buffer {
  const strings = new SharedStrings();
  const rows = [
    row(
      1,
      ["reference", "amount", "payee"].map((text) => shared(strings, text)),
    ),
    row(2, [shared(strings, "PAY-1"), number("0.05"), shared(strings, "Blue Harbour")]),
    row(3, [
      shared(strings, "PAY-2"),
      number("0.3"),
      formula('HYPERLINK("https://payee.example.com","Nina Quist")', "Nina Quist", "str"),
    ]),
  ];
  const after =
    '<hyperlinks><hyperlink ref="C2" r:id="rId1" tooltip="their page"/><hyperlink ref="A2" location="Notes!A1" display="elsewhere"/></hyperlinks>';
  const sheet: ExcelSheet = {
    name: "Payouts",
    rows: rows.join(""),
    after,
    relations: relation("rId1", "hyperlink", "https://payee.example.com/", ' TargetMode="External"'),
  };
  return excelFile({ sheets: [sheet], strings });
}

const FORMULAS: readonly Line[] = [
  ["number", formula("B3/2", "0.05"), "0.05"],
  ["text", formula('"0."&"1"', "0.1", "str"), "0.1"],
  ["boolean", formula("1=1", "1", "b"), "TRUE"],
  ["error", formula("1/0", "#DIV/0!", "e"), "#DIV/0!"],
  ["date", cell(`s="${STYLE.isoDate}"`, "<f>DATE(2026,12,1)</f><v>46357</v>"), "2026-12-01"],
  ["nothing shown", formula('IF(1=2,1,"")', "", "str"), ""],
  ["shared, first", cell("", '<f t="shared" ref="B8:B9" si="0">ROW()/2</f><v>4</v>'), "4"],
  ["shared, other", cell("", '<f t="shared" si="0"/><v>4.5</v>'), "4.5"],
  ["array", cell("", '<f t="array" ref="B10:B11">ROW(A8:A9)</f><v>8</v>'), "8"],
  ["array, spilled into", number("9"), "9"],
  ["data table", cell("", '<f t="dataTable" ref="B12" dt2D="0" dtr="0" r1="A1"/><v>12</v>'), "12"],
  ["never calculated", formula("SUM(B2:B3)"), ""],
  ["saved as nothing", cell("", "<f>SUM(B2:B3)</f><v></v>"), ""],
];

/** A formula as the amount of a payout: paid with a warning if it has a saved result, otherwise refused. */
function formulaPayouts(): Buffer {
  const strings = new SharedStrings();
  const cells = typedCells(strings);
  const rows = payoutXml({
    ...cells,
    amount: (text) =>
      text === "0.3" ? formula("0.1+0.2") : formula("H1*1", text === "0.05" ? "0.05" : "5.46E-6"),
  });
  return excelFile({ sheets: [{ name: "Payouts", rows }], strings });
}
