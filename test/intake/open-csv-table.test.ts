import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { payoutTableSigns } from "../../src/initiation/index.ts";
import { DEFAULT_FILE_LIMITS, openTable } from "../../src/intake/index.ts";
import { rowsOf } from "../rows-of.ts";
import { fileOf, LAYOUT, read, refusal } from "./reading.ts";

const TEXT = "reference;amount;payee\r\nR1;0,5;Jürgen “Jo” Müller\r\nR2;1;Zoë\r\n";
const TEXTS = [
  ["R1", "0,5", "Jürgen “Jo” Müller"],
  ["R2", "1", "Zoë"],
];

describe("encodings", () => {
  test.each([
    ["UTF-8", Buffer.from(TEXT)],
    ["UTF-8 with BOM", Buffer.from(`\ufeff${TEXT}`)],
    ["UTF-16 LE", Buffer.from(`\ufeff${TEXT}`, "utf16le")],
    ["UTF-16 BE", Buffer.from(`\ufeff${TEXT}`, "utf16le").swap16()],
    ["Windows-1252", Buffer.from(TEXT.replace("“", "\x93").replace("”", "\x94"), "latin1")],
  ])("reads %s and says so", async (name, bytes) => {
    const { table, texts } = await read(bytes);
    expect(table.dialect).toBe(`${name}, semicolons`);
    expect(table.header).toEqual(["reference", "amount", "payee"]);
    expect(texts).toEqual(TEXTS);
  });

  test("does not take a character that crosses a chunk of the file for Windows-1252", async () => {
    const filler = "R;1;x\n".repeat(43_690);
    for (const shift of ["", "a", "ab", "abc"]) {
      const { table, texts } = await read(`reference;amount;payee\n${shift}${filler}R;1;${"€".repeat(20)}\n`);
      expect(table.dialect).toBe("UTF-8, semicolons");
      expect(texts.at(-1)).toEqual(["R", "1", "€".repeat(20)]);
    }
  });

  test.each(["é", "€", "💶"])(
    "takes a file that ends in %s, without a line ending, for UTF-8",
    async (end) => {
      const { table, texts } = await read(`reference,amount,payee\nR1,1,Caf${end}`);
      expect(table.dialect).toBe("UTF-8, commas");
      expect(texts).toEqual([["R1", "1", `Caf${end}`]]);
    },
  );

  test.each([
    ["windows-1250", "Windows-1250", "\xa3ukasz \x8c", "Łukasz Ś"],
    ["iso-8859-2", "ISO-8859-2", "\xa3ukasz", "Łukasz"],
    ["windows-1251", "Windows-1251", "\xc8\xe2\xe0\xed", "Иван"],
    ["macintosh", "macintosh", "Zo\x91", "Zoë"],
  ] as const)(
    "reads what is not UTF-8 in the encoding that is declared: %s",
    async (encoding, name, bytes, text) => {
      const line = "reference,amount,payee\nR1,1,";
      const { table, texts } = await read(Buffer.from(line + bytes, "latin1"), { encoding });
      expect(table.dialect).toBe(`${name}, commas`);
      expect(texts).toEqual([["R1", "1", text]]);
      expect(table.source).toMatchObject({ encoding: { label: encoding } });
      expect(table.source).not.toHaveProperty("encoding.isGuessed");
      expect((await read(line + text, { encoding })).texts).toEqual(texts);
      const guessed = await read(Buffer.from(`${line}\xe9`, "latin1"));
      expect(guessed.table.source).toHaveProperty("encoding.isGuessed", true);
    },
  );

  test("refuses bytes that the declared encoding leaves undefined", async () => {
    const bytes = Buffer.from("reference,amount\nR\x83,1\n", "latin1");
    const problem = await refusal(read(bytes, { encoding: "windows-1250" }));
    expect(problem).toMatchObject({ code: "ENCODING_INVALID", line: 2 });
    expect(problem.message).toContain("UTF-8 or Windows-1250");
  });

  test("refuses broken UTF-8 behind a byte order mark and names the offset", async () => {
    const problem = await refusal(read(Buffer.from("\xef\xbb\xbfreference,amount\nR1,\xff1\n", "latin1")));
    expect(problem).toMatchObject({ code: "ENCODING_INVALID" });
    expect(problem).toMatchObject({ line: 2 });
    expect(problem.message).toContain("offset 23");
  });

  test("refuses bytes that neither UTF-8 nor Windows-1252 knows", async () => {
    const problem = await refusal(read(Buffer.from("reference,amount\nR\xe9,\x8d1\n", "latin1")));
    expect(problem).toMatchObject({ code: "ENCODING_INVALID" });
  });

  test("refuses UTF-16 that ends in half a character", async () => {
    const bytes = Buffer.from("\ufeffreference,amount\nR1,1\n", "utf16le");
    expect(await refusal(read(bytes.subarray(0, -1)))).toMatchObject({ code: "ENCODING_INVALID" });
  });

  test("refuses NUL characters as binary data", async () => {
    expect(await refusal(read("reference,amount\nR\0,1\n"))).toMatchObject({ code: "FILE_FORMAT_UNKNOWN" });
    const wide = Buffer.from("\ufeffreference,amount\nR\0,1\n", "utf16le");
    expect(await refusal(read(wide))).toMatchObject({ code: "FILE_FORMAT_UNKNOWN" });
  });
});

describe("delimiters", () => {
  test.each([
    [",", "commas"],
    [";", "semicolons"],
    ["\t", "tabs"],
    ["|", "pipes"],
  ])("finds %j by the header", async (delimiter, name) => {
    const { table, texts } = await read(
      `reference,amount;a|b\tc\n${["reference", "amount", "note"].join(delimiter)}\nR1${delimiter}1${delimiter}"x${delimiter}y"\n`,
    );
    expect(table.dialect).toBe(`UTF-8, ${name}`);
    expect(texts).toEqual([["R1", "1", `x${delimiter}y`]]);
  });

  test("names a first line that declares another separator than the header has", async () => {
    const problem = await refusal(read("sep=;\nreference,amount\nR1,1\n"));
    expect(problem).toMatchObject({
      code: "HEADER_NOT_FOUND",
      message: expect.stringContaining("separated by `,`, but the file begins with `sep=;`"),
    });
  });

  test.each(["sep=;\r\n", '"sep=;"\n', "SEP=;\n"])("honours the first line %j", async (line) => {
    const { table, texts, rows } = await read(`${line}reference;amount\nR1;1,5\n`);
    expect(table.dialect).toBe("UTF-8, semicolons (declared by sep=)");
    expect(texts).toEqual([["R1", "1,5"]]);
    expect(table.headerLine).toBe(2);
    expect(rows[0]).toMatchObject({ row: 1, line: 3 });
  });

  test("honours a declared delimiter that nobody would guess", async () => {
    expect((await read("sep=^\nreference^amount\nR1^1\n")).texts).toEqual([["R1", "1"]]);
  });
});

describe("titles above the header", () => {
  test.each([
    '"Payroll of May\n',
    'Screens of 6", all paid; in May\n',
    '"Payroll" of May, June; July\n\n',
    "Payroll, May, 2026, all of it, and more\n;;\n",
  ])("%j hides neither the header nor its delimiter", async (title) => {
    const { table, texts, problems } = await read(`${title}reference;amount\nR1;1,5\nR2;2,5\n`);
    expect(table.dialect).toBe("UTF-8, semicolons");
    expect(texts).toEqual([
      ["R1", "1,5"],
      ["R2", "2,5"],
    ]);
    expect(problems).toEqual([]);
  });
});

describe("lines", () => {
  test("counts every line ending, also mixed ones and those in quotes", async () => {
    const { rows, texts } = await read(
      'Payroll of May\r\n\r\nreference,amount,note\nR1,1,"a\r\nb\nc\rd"\rR2,2,\r\n   \r\n,,\nR3,3,x',
    );
    expect(texts).toEqual([
      ["R1", "1", "a\r\nb\nc\rd"],
      ["R2", "2", ""],
      ["R3", "3", "x"],
    ]);
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [1, 4],
      [2, 8],
      [3, 11],
    ]);
  });

  test("keeps the text of a cell to the letter, and takes white space alone for nothing", async () => {
    const { rows } = await read('reference,amount\n" R1 ",\u00a0 \n');
    expect(rows[0]?.cells).toEqual([
      { kind: "text", text: " R1 " },
      { kind: "empty", text: "" },
    ]);
  });

  test("takes off the guard against formulas that our own files carry, and only it", async () => {
    const { texts } = await read("reference,amount\n'=1+1,'-5\n''@x,'t Hooft\n'+1,'@a\n");
    expect(texts).toEqual([
      ["=1+1", "-5"],
      ["'@x", "'t Hooft"],
      ["+1", "@a"],
    ]);
  });

  test('reads ="0123", by which programs keep Excel from making a number of a text, as that text', async () => {
    const rows = '="R1",="007",="="\n"=""R2""","=""0.10""","=""a"" & ""b"""\r\n="R3",="",="€"';
    for (const before of ["", " ".repeat(65_500), " ".repeat(65_530)]) {
      const { texts, problems } = await read(`reference,="amount",note\n${before}\n${rows}`);
      expect(problems).toEqual([]);
      expect(texts).toEqual([
        ["R1", "007", "="],
        ["R2", "0.10", '="a" & "b"'],
        ["R3", "", "€"],
      ]);
    }
  });

  test('knows by its quote that a last cell written as ="0123" is whole', async () => {
    const last = async (cell: string) => (await read(`reference,amount\nR1,1\nR2,${cell}`)).rows.at(-1);
    expect(await last("2")).toHaveProperty("endsWithoutLineBreak");
    expect(await last('="2"')).not.toHaveProperty("endsWithoutLineBreak");
    expect((await last('="2'))?.problems).toMatchObject([{ code: "CSV_MALFORMED" }]);
  });

  test("passes over the numbers of the rows in a first column without a name, and nothing else there", async () => {
    const { texts, problems } = await read('"",reference,amount\n"0",R1,1\n12,R2,2\n1.5,R3,3\nstop,R4,4\n');
    expect(texts[1]).toEqual(["12", "R2", "2"]);
    expect(problems).toMatchObject([
      { code: "CELL_WITHOUT_COLUMN", line: 4 },
      { code: "CELL_WITHOUT_COLUMN", line: 5 },
    ]);
  });

  test("leaves out the unnamed columns at the end of the header", async () => {
    const { table, texts, problems } = await read("reference,amount,,\nR1,1,,\n");
    expect(table.header).toEqual(["reference", "amount"]);
    expect(texts).toEqual([["R1", "1"]]);
    expect(problems).toEqual([]);
  });

  test("does not drop a value whose column has no name in silence", async () => {
    const { problems } = await read("reference,amount,\nR1,1,urgent\n");
    expect(problems).toMatchObject([{ code: "CELL_WITHOUT_COLUMN", row: 1, line: 2, column: "C" }]);
  });
});

describe("rows that break the format", () => {
  test("locates wrong column counts without losing the other rows", async () => {
    const { rows, problems } = await read("reference,amount\nR1,1\nR2\nR3,3,3\nR4,4\n");
    expect(rows.map(({ line, cells, problems }) => [line, cells[0]?.text, problems.length])).toEqual([
      [2, "R1", 0],
      [3, "R2", 1],
      [4, "R3", 1],
      [5, "R4", 0],
    ]);
    expect(problems[0]).toMatchObject({ code: "CSV_MALFORMED", row: 2, line: 3 });
    expect(problems[0]?.message).toContain("1 cell, the header has 2");
  });

  test("says of too few cells what helps where Excel left out the last ones, and of too many where programs end lines with a separator", async () => {
    const { problems } = await read("reference,amount,note\nR1,1,x\nR2,2\nR3,3,y,z\n");
    expect(problems[0]?.message).toContain("2 cells, the header has 3; if its last cells are empty");
    expect(problems[1]?.message).toContain("4 cells, the header has 3; if the program ends every line");
  });

  describe("that end before the last columns, as Excel writes them from line 17 on", () => {
    const isRead = (name: string) => name !== "note" && name !== "status";
    const early = async (text: string, layout = {}) =>
      read(`reference,amount,note,status\nR1,1,x,ok\n${text}`, {
        isRead,
        mayEndAt: (name: string) => name === "amount",
        ...layout,
      });

    test.each(["R2,2\n", "R2,2,y\n", "R2,2\nR3,3,z,ok"])(
      "are read where nothing that is read is missing: %j",
      async (text) => {
        const { texts, problems } = await early(text);
        expect(problems).toEqual([]);
        expect(texts[1]?.slice(0, 2)).toEqual(["R2", "2"]);
        expect(texts[1]).toHaveLength(4);
      },
    );

    test.each<[string, string, object]>([
      ["lack a column that is read", "R2\n", {}],
      ["are the last, without the end of a line", "R2,2", {}],
      ["lack one that is read behind others", "R2,2\n", { isRead: (name: string) => name !== "note" }],
      ["may not", "R2,2\n", { mayEndAt: () => false }],
    ])("are refused where they %s", async (_, text, layout) => {
      expect((await early(text, layout)).problems).toMatchObject([{ code: "CSV_MALFORMED", line: 3 }]);
    });
  });

  test.each([
    ["a quote inside an unquoted cell", 'R2,2,5" nails'],
    ["text behind a closing quote", 'R2,2,"ACME" Inc'],
    ["a quote that is never closed", 'R2,2,"ACME Inc'],
    ["a text formula that is never closed", 'R2,2,="ACME Inc'],
    ["a text formula that goes on", 'R2,2,="ACME"&"Inc"'],
    ["a text formula with a comma, which other programs divide", 'R2,2,="ACME, Inc"'],
  ])("locates %s without losing the other rows", async (_, line) => {
    for (const tail of ['R3,3,"x"\nR4,4,y\n', "R3,3,x\nR4,4,y", 'R3,3,x\nR4,4,"""y"'] as const) {
      const { rows, problems } = await read(`reference,amount,note\nR1,1,"two\nlines"\n${line}\n${tail}`);
      expect(rows.map(({ line, cells }) => [line, cells[0]?.text])).toEqual([
        [2, "R1"],
        [4, "R2"],
        [5, "R3"],
        [6, "R4"],
      ]);
      expect(problems).toMatchObject([{ code: "CSV_MALFORMED", row: 2, line: 4 }]);
    }
  });

  test("names the line of the quote when the row began further up", async () => {
    const { rows, problems } = await read('reference,amount,note\n"R\n1",1,"open\nR2,2,x\n');
    expect(problems).toMatchObject([{ code: "CSV_MALFORMED", line: 3 }]);
    expect(rows.map(({ line }) => line)).toEqual([2, 4]);
  });

  test("keeps every good row between thousands of broken ones", async () => {
    const lines = Array.from({ length: 6_000 }, (_, index) =>
      index % 3 === 0 ? `R${index},"1"0` : `R${index},1`,
    );
    const { rows, problems } = await read(`reference,amount\n${lines.join("\r\n")}`);
    expect(rows.length).toBe(6_000);
    expect(problems.length).toBe(2_000);
    expect(rows.every(({ row, line, cells }) => line === row + 1 && cells[0]?.text === `R${row - 1}`)).toBe(
      true,
    );
  });

  test("locates a quote that is never closed in a file longer than a row may be", async () => {
    const lines = Array.from(
      { length: 60_000 },
      (_, index) => `R${index},${index === 9 ? '"' : ""}1234567890`,
    );
    const { rows, problems } = await read(`reference,amount\n${lines.join("\n")}\n`);
    expect(rows.length).toBe(60_000);
    expect(problems).toMatchObject([{ code: "CSV_MALFORMED", line: 11 }]);
    expect(rows.at(-1)?.line).toBe(60_001);
  });
});

describe("files that are no table", () => {
  test("refuses an empty file and one of blanks", async () => {
    expect(await refusal(read(""))).toMatchObject({ code: "FILE_EMPTY" });
    expect(await refusal(read("\ufeff"))).toMatchObject({ code: "FILE_EMPTY" });
    expect(await refusal(read(" \n\n,,\n"))).toMatchObject({ code: "FILE_EMPTY" });
  });

  test("says which columns it looked for when no line is the header", async () => {
    const problem = await refusal(read("a,b\n1,2\n", { needed: "reference, amount" }));
    expect(problem).toMatchObject({ code: "HEADER_NOT_FOUND" });
    expect(problem.message).toContain("reference, amount");
  });

  test("does not look for the header below line 30", async () => {
    expect((await read(`${"note\n".repeat(29)}reference,amount\nR1,1\n`)).table.headerLine).toBe(30);
    const late = read(`${"note\n".repeat(30)}reference,amount\nR1,1\n`);
    expect(await refusal(late)).toMatchObject({ code: "HEADER_NOT_FOUND" });
  });

  test.each([
    ["rows", { rowsMax: 2 }, "reference,amount\n1,1\n2,2\n3,3\n"],
    ["columns", { columnsMax: 3 }, "reference,amount,c,d\n1,1,1,1\n"],
    ["columns", { columnsMax: 3 }, "reference,amount\n,,,\n"],
    ["bytes", { bytesMax: 10 }, "reference,amount\n1,1\n"],
    ["characters in one row", { rowCharactersMax: 1000 }, `reference,amount\nR1,${"1".repeat(2000)}\n`],
    ["characters in one row", { rowCharactersMax: 1000 }, `reference,amount\n${",".repeat(10_000_000)}`],
  ])("refuses more %s than the limit", async (unit, limits, text) => {
    const problem = await refusal(read(text, { limits: { ...DEFAULT_FILE_LIMITS, ...limits } }));
    expect(problem).toMatchObject({ code: "FILE_TOO_LARGE" });
    expect(problem.message).toContain(unit);
  });

  test("refuses a row in whose cell two stray quotes have hidden another row", async () => {
    const address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    const between = (line: string) =>
      `reference,amount,address,memo\nR1,1,${address},"pay\n${line}"\nR3,3,${address},x\n`;
    for (const amount of ["0.2", "1e-05"]) {
      const hidden = await read(between(`R2,${amount},${address},now`), {
        mayBePayout: payoutTableSigns({}).mayBePayout,
      });
      expect(hidden.problems).toMatchObject([{ code: "CSV_MALFORMED", row: 1, line: 2 }]);
      expect(hidden.problems[0]?.message).toContain("may be a payout of its own");
    }
    for (const line of ["now, at 2", `to ${address}, 2 times`, "R2,0.2,no address,now"])
      expect((await read(between(line), { mayBePayout: payoutTableSigns({}).mayBePayout })).problems).toEqual(
        [],
      );
  });

  test("gives up a file that breaks its format in row after row, or is blank without end", async () => {
    const limits = { ...DEFAULT_FILE_LIMITS, brokenRowsMax: 3 };
    const broken = await refusal(read(`reference,amount\n${'R,"1"0\n'.repeat(5)}`, { limits }));
    expect(broken).toMatchObject({ code: "CSV_MALFORMED", line: 5 });
    expect((await read(`reference,amount\n${'R,"1"0\n'.repeat(3)}`, { limits })).problems).toHaveLength(3);
    const blank = await refusal(read(`reference,amount\n${"\n".repeat(1_048_577)}`));
    expect(blank).toMatchObject({ code: "FILE_TOO_LARGE" });
    expect(blank.message).toContain("blank lines");
  });

  test("refuses a text that is too long for any field", async () => {
    const { problems } = await read(`reference,amount\nR1,${"1".repeat(40_000)}\nR2,2\n`);
    expect(problems).toMatchObject([{ code: "VALUE_TOO_LONG", line: 2, column: "amount" }]);
  });
});

test("a row may leave out what is empty below columns without a name, and nothing else", async () => {
  const { texts, problems } = await read("reference,amount,,\nR1,1,,\nR2,2\nR3,3,\nR4\nR5,5,,,\n");
  expect(texts.slice(0, 3)).toEqual([
    ["R1", "1"],
    ["R2", "2"],
    ["R3", "3"],
  ]);
  expect(problems).toMatchObject([
    { code: "CSV_MALFORMED", line: 5 },
    { code: "CSV_MALFORMED", line: 6 },
  ]);
});

test("can be left before its end, and read twice", async () => {
  const { table } = await read(`reference,amount\n${"R,1\n".repeat(200_000)}`);
  for await (const _ of table.windows()) break;
  const lengths = [];
  for await (const { length } of table.windows()) lengths.push(length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(200_000);
  expect(Math.max(...lengths)).toBe(100);
});

test("does not mix the header of one file with the rows of another", async () => {
  const path = fileOf("reference,amount\nR1,1\n");
  const table = await openTable(path, LAYOUT);
  writeFileSync(path, "amount,reference,x\n1,R1,1\n");
  expect(await refusal(rowsOf(table))).toMatchObject({ code: "FILE_CHANGED" });
});
