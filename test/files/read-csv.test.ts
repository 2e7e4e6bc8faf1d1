import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import { type CsvOptions, readCsv } from "../../src/readers/csv/read-csv.ts";
import { DEFAULT_FILE_LIMITS } from "../../src/readers/file-limits.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-csv-"));
let count = 0;

async function read(bytes: string | Uint8Array, options: Partial<CsvOptions> = {}) {
  count += 1;
  const path = join(folder, `drop-${count}`);
  writeFileSync(path, bytes);
  const grid = await readCsv(path, { limits: DEFAULT_FILE_LIMITS, ...options });
  return { grid, cells: grid.lines.map(({ cells }) => cells), lines: grid.lines.map(({ line }) => line) };
}

async function refusal(reading: Promise<unknown>) {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Fault)) throw error ?? new Error("nothing was refused");
  return error.problem;
}

const TEXT = "reference;amount;payee\r\nR1;0,5;Jürgen “Jo” Müller\r\nR2;1;Zoë\r\n";

describe("encodings", () => {
  test("half a letter is no end-of-file mark: UTF-16 may end in U+1A00", async () => {
    const { cells } = await read(Buffer.from("\ufeffreference;payee\r\nR1;\u1a00", "utf16le"));
    expect(cells[1]).toEqual(["R1", "\u1a00"]);
  });

  test.each([
    ["UTF-8", Buffer.from(TEXT)],
    ["UTF-8 with BOM", Buffer.from(`\ufeff${TEXT}`)],
    ["UTF-16 LE", Buffer.from(`\ufeff${TEXT}`, "utf16le")],
    ["UTF-16 BE", Buffer.from(`\ufeff${TEXT}`, "utf16le").swap16()],
    ["Windows-1252", Buffer.from(TEXT.replace("“", "\x93").replace("”", "\x94"), "latin1")],
  ])("reads %s and says so", async (name, bytes) => {
    const { grid, cells } = await read(bytes);
    expect(grid.dialect).toBe(`${name}, semicolons`);
    expect(cells).toEqual([
      ["reference", "amount", "payee"],
      ["R1", "0,5", "Jürgen “Jo” Müller"],
      ["R2", "1", "Zoë"],
    ]);
  });

  test("keeps every character that crosses a piece of the file", async () => {
    const filler = "R;1;x\n".repeat(43_690);
    for (const shift of ["", "a", "ab", "abc"])
      for (const encoding of ["utf8", "utf16le"] as const) {
        const text = `\ufeffreference;amount;payee\n${shift}${filler}R;1;${"€💶".repeat(20)}\n`;
        const { cells } = await read(Buffer.from(text, encoding));
        expect(cells.at(-1)).toEqual(["R", "1", "€💶".repeat(20)]);
      }
  });

  test.each([
    ["windows-1250", "Windows-1250", "\xa3ukasz \x8c", "Łukasz Ś"],
    ["windows-1251", "Windows-1251", "\xc8\xe2\xe0\xed", "Иван"],
    ["macintosh", "macintosh", "Zo\x91", "Zoë"],
  ] as const)("reads what is not UTF-8 in the declared encoding: %s", async (encoding, name, bytes, text) => {
    const line = "reference,amount,payee\nR1,1,";
    const { grid, cells } = await read(Buffer.from(line + bytes, "latin1"), { encoding });
    expect(grid.dialect).toBe(`${name}, commas`);
    expect(cells.at(-1)).toEqual(["R1", "1", text]);
    expect(grid.csv).toMatchObject({ encoding, isEncodingGuessed: false });
    const guessed = await read(Buffer.from(`${line}\xe9`, "latin1"));
    expect(guessed.grid.csv?.isEncodingGuessed).toBe(true);
  });

  test("refuses bytes that an encoding does not have, and names their line", async () => {
    const undefinedThere = read(Buffer.from("reference,amount\nR\x83,1\n", "latin1"), {
      encoding: "windows-1250",
    });
    expect(await refusal(undefinedThere)).toMatchObject({ code: "ENCODING_INVALID", line: 2 });
    const behindMark = read(Buffer.from("\xef\xbb\xbfreference,amount\nR1,\xff1\n", "latin1"));
    expect(await refusal(behindMark)).toMatchObject({ code: "ENCODING_INVALID", line: 2 });
    const half = Buffer.from("\ufeffreference,amount\nR1,1\n", "utf16le").subarray(0, -1);
    expect(await refusal(read(half))).toMatchObject({ code: "ENCODING_INVALID" });
  });

  test("refuses NUL characters as binary data", async () => {
    const wide = Buffer.from("\ufeffreference,amount\nR\0,1\n", "utf16le");
    for (const bytes of [Buffer.from("reference,amount\nR\0,1\n"), wide])
      expect(await refusal(read(bytes))).toMatchObject({ code: "FILE_FORMAT_UNKNOWN" });
  });
});

describe("delimiters", () => {
  test.each([
    [",", "commas"],
    [";", "semicolons"],
    ["\t", "tabs"],
    ["|", "pipes"],
  ])("finds %j", async (mark, name) => {
    const text = `reference${mark}amount${mark}payee\nR1${mark}0.5${mark}x\n`;
    expect((await read(text)).grid.dialect).toBe(`UTF-8, ${name}`);
  });

  test("prefers the one that makes column names, in a file whose decimal commas outnumber them", async () => {
    const text = "Rechnung;Betrag\nA, B und C, D, E;1,5\nF, G, H, I, J;2,5\nK, L, M, N, O;3,5\n";
    const knownNames = (cells: readonly string[]) => cells.filter((cell) => cell === "Betrag").length;
    expect((await read(text, { knownNames })).grid.csv?.delimiter).toBe(";");
  });

  test.each(["sep=;\r\n", '"sep=;"\n', "SEP=^\n"])("honours the first line %j", async (line) => {
    const mark = line.includes("^") ? "^" : ";";
    const { grid, cells } = await read(`${line}a,a${mark}b\n1${mark}2\n`);
    expect(grid.csv?.delimiter).toBe(mark);
    expect(cells).toEqual([
      ["a,a", "b"],
      ["1", "2"],
    ]);
  });
});

describe("lines", () => {
  test("counts every line ending, also mixed ones, blank ones and those in quotes", async () => {
    const { lines, cells } = await read('a,b\r\n1,"x\r\ny\nz"\r2,\n\n ,\n3,"\r"\n4,5');
    expect(lines).toEqual([1, 2, 5, 8, 10]);
    expect(cells[1]).toEqual(["1", "x\r\ny\nz"]);
  });

  test("keeps a text to the letter, and takes white space alone for nothing", async () => {
    expect((await read("a,b\n x ,\u2003\u00a0\n")).cells.at(-1)).toEqual([" x ", ""]);
  });

  test("takes off the guard against formulas that our own files carry, and only it", async () => {
    expect((await read("a,b\n'=1+1,''-x\n'x,-5\n")).cells.slice(1)).toEqual([
      ["=1+1", "'-x"],
      ["'x", "-5"],
    ]);
  });
});

describe("what csv-parse cannot read is refused whole, at the line where the record begins", () => {
  test.each([
    ["a quote that is never closed", 'a,b\n1,2\n3,"4\n5,6\n7,8\n', 3],
    ["a quote inside a cell", 'a,b\n1,5" pipe\n3,4\n', 2],
    ["text behind a closing quote", 'a,b\n1,2\n"x\ny" z,3\n4,5\n', 3],
    ['a text forced by ="..."', 'a,b\n="01",2\n', 2],
  ])("%s", async (_, text, line) => {
    expect(await refusal(read(text))).toMatchObject({ code: "CSV_MALFORMED", line });
  });

  test("in a file of any length", async () => {
    const text = `a,b\n${"1,2\n".repeat(50_000)}3,"4\n${"5,6\n".repeat(50)}`;
    expect(await refusal(read(text))).toMatchObject({ code: "CSV_MALFORMED", line: 50_002 });
  });
});

describe("limits", () => {
  test.each([
    ["rows", "a,b\n".repeat(1100), { rowsMax: 50 }],
    ["columns", `${"a,".repeat(12)}\n`, { columnsMax: 10 }],
    ["lines", "\n".repeat(300), { linesMax: 200 }],
    ["characters in one row", `a,"${"x".repeat(3000)}"\n`, { rowCharactersMax: 2000 }],
  ])("too many %s", async (unit, text, limits) => {
    const problem = await refusal(read(text, { limits: { ...DEFAULT_FILE_LIMITS, ...limits } }));
    expect(problem.code).toBe("FILE_TOO_LARGE");
    expect(problem.message).toContain(unit);
  });

  test("an empty file and one of blanks", async () => {
    for (const text of ["\n\n", " , \n", "\ufeff"])
      expect(await refusal(read(text))).toMatchObject({ code: "FILE_EMPTY" });
  });
});
