/** Text files written byte by byte: encodings, delimiters and lines as programs and people produce them. */
import payouts from "./payouts.json" with { type: "json" };

export function csvFiles(): Readonly<Record<string, Buffer>> {
  const commas = lines(",");
  const semicolons = lines(";");
  return {
    "excel-comma-utf-8-bom.csv": Buffer.from(`\ufeff${commas.join("\r\n")}\r\n`),
    "excel-semicolon-windows-1252.csv": windows1252(`${semicolons.join("\r\n")}\r\n`),
    "excel-unicode-text.txt": Buffer.from(`\ufeff${lines("\t").join("\r\n")}\r\n`, "utf16le"),
    "excel-decimal-comma.csv": windows1252(`${lines(";", ",").join("\r\n")}\r\n`),
    "excel-decimal-comma-undeclared.csv": windows1252(`${lines(";", ",").join("\r\n")}\r\n`),
    "utf-16-big-endian.csv": Buffer.from(`\ufeff${semicolons.join("\n")}\n`, "utf16le").swap16(),
    "utf-16-without-mark.csv": Buffer.from(commas.join("\n"), "utf16le"),
    "broken-utf-8-behind-mark.csv": Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      windows1252(commas.join("\r\n")),
    ]),
    "mac-roman.csv": Buffer.from(`${commas.slice(0, 2).join("\r")}\r`.replace(/ü/g, "\x9f"), "latin1"),
    "dos-code-page-850.csv": Buffer.from(
      `${commas.slice(0, 2).join("\r\n")}\r\n`.replace(/ü/g, "\x81"),
      "latin1",
    ),
    "carriage-returns.csv": Buffer.from(`${commas.join("\r")}\r`),
    "mixed-line-endings.csv": Buffer.from(`${commas[0]}\n${commas[1]}\r\n${commas[2]}\r${commas[3]}`),
    "ends-in-an-accent.csv": Buffer.from("reference;amount;payee\nPAY-1;0.05;Zoë\nPAY-2;0.3;Café"),
    "pipes.txt": Buffer.from(`${lines("|").join("\n")}\n`),
    "sep-line.csv": windows1252(`sep=;\r\n${semicolons.join("\r\n")}\r\n`),
    "sep-line-tab.csv": Buffer.from(`sep=\t\n${lines("\t").join("\n")}\n`),
    "sep-line-unusual.csv": Buffer.from(`\ufeff"sep=^"\r\n${lines("^").join("\r\n")}\r\n`),
    "title-lines.csv": Buffer.from(
      `Payroll of November 2026;;;;;;\r\n"prepared by; for ""treasury""";Nina Quist;;;;;\r\n;;;;;;\r\n${semicolons.join("\r\n")}\r\n`,
    ),
    "blank-lines.csv": Buffer.from(`\n\n${commas.join("\n\n")}\n,,,,,,\n   \n\n\n`),
    "quoted-newlines.csv": Buffer.from(QUOTED_NEWLINES),
    "another-header-below.csv": Buffer.from(`${OTHER_HEADER_BELOW.join("\r\n")}\r\n`),
    "cells-as-formulas.csv": Buffer.from(
      [commas[0], commas[1]?.replace("PAY-1", '="0123"'), commas[3], ""].join("\r\n"),
    ),
    "rows-divided-unlike-the-header.csv": Buffer.from([semicolons[0], commas[1], ""].join("\r\n")),
    "one-broken-row.csv": Buffer.from([commas[0], commas[1], BROKEN, commas[3], ""].join("\r\n")),
    "quote-never-closed.csv": Buffer.from(
      [...commas.slice(0, 3), commas[3]?.replace("O'Neil", "\"O'Neil"), ""].join("\n"),
    ),
    "row-too-short.csv": Buffer.from([commas[0], commas[1], "PAY-2,BTC,0.3", commas[3], ""].join("\n")),
    "trailing-delimiters.csv": Buffer.from(`${semicolons.map((line) => `${line};;`).join("\r\n")}\r\n`),
    "guarded-formulas.csv": Buffer.from(
      "reference,amount,payee\r\nPAY-1,0.05,'=cmd|' /C calc'!A0\r\nPAY-2,0.3,'-Müller\r\nPAY-3,-5,''@home\r\nPAY-4,1,'t Hooft\r\n",
    ),
    "excel-errors.csv": Buffer.from(
      "reference,amount,payee\r\nPAY-1,#REF!,x\r\nPAY-2,########,#N/A\r\nPAY-3,5.46E-06,x\r\n",
    ),
    "no-header.csv": Buffer.from(`${commas.slice(1).join("\r\n")}\r\n`),
    "header-only.csv": Buffer.from(`${commas[0]}\r\n`),
    "only-blank-lines.csv": Buffer.from("\r\n\r\n  \r\n"),
    "empty.csv": Buffer.alloc(0),
    "end-of-file-mark.csv": Buffer.from(`${commas.join("\r\n")}\r\n\x1a`),
    "end-of-file-marks-behind-a-digit.csv": Buffer.from(
      `Custody account,Destination address,Reference,Amount\r\ntreasury-btc,bc1q3pudjj6e27qfvl2yvhetaem25d33ux44j5qz4r,PAY-1,0.05${"\x1a".repeat(31)}`,
    ),
    "end-of-file-mark-before-a-row.csv": Buffer.from(
      `${commas.slice(0, 3).join("\r\n")}\r\n\x1a${commas[3]}\r\n`,
    ),
    "spaces-before-quotes.csv": Buffer.from(
      `${commas
        .slice(0, 2)
        .map((line) =>
          line
            .split(",")
            .map((cell) => JSON.stringify(cell))
            .join(", "),
        )
        .join("\n")}\n`,
    ),
    "lines-quoted-as-a-whole.csv": Buffer.from(
      `${commas
        .slice(0, 2)
        .map((line) => JSON.stringify(line))
        .join("\r\n")}\r\n`,
    ),
    "divided-by-carets.txt": Buffer.from(
      `${commas
        .slice(0, 2)
        .map((line) => line.replaceAll(",", "^"))
        .join("\n")}\n`,
    ),
    "oracle.csv": Buffer.from(ORACLE),
    "web-page.csv": Buffer.from(
      "<html><body><table><tr><td>reference</td><td>amount</td></tr></table></body></html>\n",
    ),
    "json.csv": Buffer.from('[{"reference":"PAY-1","amount":"0.05"}]\n'),
  };
}

const BROKEN =
  'PAY-2,BTC,0.00000546,3MLYA12mNAGYjYFEvJBTHqyJKGjXUg8kvD,treasury-btc,"Zoë "Z" Ltd",2026-12-31';

/** SQL*Plus with `set markup csv on`: no zero before the point, a blank line before the heading. */
const ORACLE = `
"REFERENCE","AMOUNT","DESTINATION_ADDRESS","CUSTODY_ACCOUNT"
"PAY-1",.05,"bc1q3pudjj6e27qfvl2yvhetaem25d33ux44j5qz4r","treasury-btc"
"PAY-2",1.5,"3MLYA12mNAGYjYFEvJBTHqyJKGjXUg8kvD","treasury-btc"
`;

const OTHER_HEADER_BELOW = [
  "Payee,Reference,Amount,Destination address,Custody account",
  "Ann,PAY-1,0.05,bc1q3pudjj6e27qfvl2yvhetaem25d33ux44j5qz4r,treasury-btc",
  "",
  "Reference,Payee,Amount,Destination address,Custody account",
  "PAY-2,Ben,0.3,bc1q3pudjj6e27qfvl2yvhetaem25d33ux44j5qz4r,treasury-btc",
];

const QUOTED_NEWLINES = [
  "reference,amount,payee",
  'PAY-1,0.05,"Ana Sample\r\nattn: Accounts, ""urgent"""',
  '"PAY-2","0.3","one\ntwo\rthree"',
  "PAY-3,1,plain",
  "",
].join("\r\n");

function lines(delimiter: string, decimalMark = "."): readonly string[] {
  const body = payouts.rows.map((cells) =>
    cells.map((text, column) => (column === 2 ? text.replace(".", decimalMark) : text)),
  );
  return [payouts.header, ...body].map((cells) =>
    cells.map((text) => quoted(text, delimiter)).join(delimiter),
  );
}

function quoted(text: string, delimiter: string): string {
  return text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The characters of payouts.json whose bytes differ between Windows-1252 and Latin-1. */
const ELSEWHERE: Readonly<Record<string, string>> = { "“": "\x93", "”": "\x94", "€": "\x80" };

function windows1252(text: string): Buffer {
  return Buffer.from(
    text.replace(/[“”€]/g, (character) => ELSEWHERE[character] ?? character),
    "latin1",
  );
}
