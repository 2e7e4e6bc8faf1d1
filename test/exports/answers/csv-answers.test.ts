import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeRejectedAnswer } from "../../../src/exports/answers/index.ts";
import { problem } from "../../../src/faults/index.ts";
import { correctedFile } from "../../../src/model/index.ts";
import { droppedAgain, opened, readCsv } from "./sent-table.ts";
import { withProblems } from "./with-problems.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paydrop-answers-"));
});
afterAll(() => rm(folder, { recursive: true }));

let run = 0;

/** The answer to a sent file whose row on line `wrongLine` lacks its amount. */
async function answerTo(bytes: Buffer | string, wrongLine = 0): Promise<Buffer> {
  run += 1;
  const sent = join(folder, `${run}.csv`);
  const path = join(folder, `${run}.rejected.csv`);
  await writeFile(sent, bytes);
  const table = await opened(sent);
  const missing = problem("VALUE_MISSING", { field: "amount" }, { line: wrongLine, column: "amount" });
  await writeRejectedAnswer({
    table: withProblems(table, ({ line }) => (line === wrongLine ? [missing] : [])),
    path,
    file: "pay.csv",
  });
  return readFile(path);
}

const REASON = "line 4, amount: amount is empty - Fill in amount.";

describe("a CSV comes back as it was sent, with a column of problems", () => {
  test("keeps title, declared delimiter, quoting, line breaks and what stands below the table, line by line", async () => {
    const sent =
      'sep=;\r\n"Payroll of May"\r\nreference;"amount";note\r\nA-1;;"a ""b"""\n\r\nA-2;0,5;\nTotal;;\r\n';
    expect((await answerTo(sent, 4)).toString()).toBe(
      'sep=;\r\n"Payroll of May"\r\nreference;"amount";note;paydrop: problems (pay.csv)\r\n' +
        `A-1;;"a ""b""";${REASON}\n\r\nA-2;0,5;;\nTotal;;;\r\n`,
    );
  });

  test("keeps texts that are written as a formula of themselves, and reads them as before", async () => {
    const answer = await answerTo('reference,amount,note\n="A-1",="007","=""x"""\n');
    expect(answer.toString()).toBe(
      'reference,amount,note,paydrop: problems (pay.csv)\n="A-1",="007","=""x""",\n',
    );
    const { rows } = await droppedAgain(join(folder, `${run}.rejected.csv`));
    expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([["A-1", "007", "x", ""]]);
  });

  test("puts its column behind unnamed ones, and stays readable", async () => {
    const answer = await answerTo("reference,amount,,\nA-1,1,,\n");
    expect(answer.toString()).toBe("reference,amount,,,paydrop: problems (pay.csv)\nA-1,1,,,\n");
    expect((await droppedAgain(join(folder, `${run}.rejected.csv`))).rows).toMatchObject([{ problems: [] }]);
  });

  test.each([
    ["a row of four hundred thousand characters", "x".repeat(400_000)],
    ["a cell of two hundred thousand lines", `"${"x\n".repeat(200_000)}"`],
  ])("takes %s as it takes short ones", async (_, note) => {
    const answer = await answerTo(`reference,amount,note\nA-1,1,${note}\n`);
    expect(answer.includes(`\nA-1,1,${note},`)).toBe(true);
  });

  test("quotes its own fields where the sender quotes all", async () => {
    const sent = '"reference","amount"\n"A-1","1"';
    expect((await answerTo(sent)).toString()).toBe(
      '"reference","amount","paydrop: problems (pay.csv)"\n"A-1","1",""',
    );
  });

  test.each([
    ["UTF-8", (text: string) => Buffer.from(text)],
    ["UTF-8 with BOM", (text: string) => Buffer.from(`\ufeff${text}`)],
    ["UTF-16 LE", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 BE", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
    ["Windows-1252", (text: string) => Buffer.from(text.replaceAll("€", "\x80"), "latin1")],
  ])("keeps the encoding: %s", async (_, encode) => {
    const answer = await answerTo(encode("reference,amount,note\nA-1,1,Löhne in €\n"));
    expect(answer).toEqual(encode("reference,amount,note,paydrop: problems (pay.csv)\nA-1,1,Löhne in €,\n"));
  });

  test("takes its own column out again when the answer is dropped again, and names the file it answers", async () => {
    const first = await answerTo("reference,amount,note\nA-0,1,x\nA-1,2,y\n\nA-2,,z\n", 5);
    const second = await answerTo(first);
    expect(second.toString()).toBe(
      "reference,amount,note,paydrop: problems (pay.csv)\nA-0,1,x,\nA-1,2,y,\n\nA-2,,z,\n",
    );
    const { table } = await droppedAgain(join(folder, `${run}.rejected.csv`));
    expect(correctedFile(table.header)).toBe("pay.csv");
    expect(correctedFile(["reference", "amount"])).toBeUndefined();
  });

  test("does not count a row in which only our reason is left", async () => {
    await answerTo("reference,amount,paydrop: problems (pay.csv)\nA-0,1,\n,,line 3: it was empty\n");
    expect((await droppedAgain(join(folder, `${run}.rejected.csv`))).rows).toHaveLength(1);
  });
});

describe("a row that breaks the format", () => {
  test.each([
    ["too few cells", "A-1,1\n", '"A-1,1",,'],
    ["too many cells", "A-1,1,234.5,x\n", '"A-1,1,234.5,x",,'],
    ["a quote inside a cell", 'A-1,1"2,x\n', '"A-1,1""2,x",,'],
    ["a quote that is never closed", 'A-1,"1,x\n', '"A-1,""1,x",,'],
    ["a quoted cell that goes on", 'A-1,"1"2,x\n', '"A-1,""1""2,x",,'],
  ])("comes back whole in its first cell and never passes for a good one: %s", async (_, line, shown) => {
    const answer = (await answerTo(`reference,amount,note\n${line}\nA-2,2,y\n\nend`)).toString();
    const lines = answer.split("\n");
    expect(
      lines[1]?.startsWith(`${shown},line 2: this is not valid CSV`) ||
        lines[1]?.startsWith(`${shown},"line 2: this is not valid CSV`),
    ).toBe(true);
    expect(lines.slice(2, 4)).toEqual(["", "A-2,2,y,"]);
    const { rows } = await droppedAgain(join(folder, `${run}.rejected.csv`));
    expect(rows[0]?.cells[1]).toMatchObject({ kind: "empty" });
    expect(rows[1]?.cells.map(({ text }) => text)).toEqual(["A-2", "2", "y", ""]);
  });
});

describe("formulas", () => {
  const HOSTILE = ['=HYPERLINK("http://x","y")', "+1+1", "-1+1", "@SUM(A1)", "'=1", "-2-3", "＝1"];
  /** With the guard where other programs would divide them. */
  const DIVIDED = { "\t=1": "\t'=1", "Acme;=1+1": "Acme;'=1+1", '="a;=1+1;b"': `'="a;'=1+1;b"` };
  const HARMLESS = ["-5", "-0.5", "-1.234,56", "a=b", "'quoted'", ""];

  test("are neutralised in every text, title, header and reason, and nothing else is", async () => {
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const rows = [...HOSTILE, ...Object.keys(DIVIDED), ...HARMLESS].map((text) => `R,1,${quote(text)}\n`);
    await answerTo(`=title\nreference,amount,=note\n${rows.join("")}=end,,\n`);
    const [title, header, ...body] = (await readFile(join(folder, `${run}.rejected.csv`), "utf8")).split(
      "\n",
    );
    expect(title).toBe("'=title");
    expect(header).toBe("reference,amount,'=note,paydrop: problems (pay.csv)");
    expect(body.at(-2)).toBe("'=end,,,");
    const path = join(folder, "bare.csv");
    await writeFile(path, body.slice(0, -2).join("\n"));
    // A `'` before a formula is the guard of an earlier answer.
    const guarded = HOSTILE.map((text) => (text.startsWith("'") ? text : `'${text}`));
    const read = (await readCsv(path)).map(([, , note]) => note);
    expect(read).toEqual([...guarded, ...Object.values(DIVIDED), ...HARMLESS]);
  });
});

const TEXT = fc.string({ unit: fc.constantFrom(..."aB1 ,;|\t\"'=-+@éÜß\r\n＝"), maxLength: 10 });
const DIALECT = fc.record({
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  lineBreak: fc.constantFrom("\n", "\r\n", "\r"),
  quotesAll: fc.boolean(),
  isDeclared: fc.boolean(),
  title: fc.constantFrom("", "Payroll of May", '"=title"'),
  encoding: fc.constantFrom("utf8", "latin1", "utf16le"),
  endsWithBreak: fc.boolean(),
});

test("a corrected answer that is dropped again reads back equal, whatever the texts and the dialect", async () => {
  await fc.assert(
    fc.asyncProperty(
      DIALECT,
      fc.array(fc.tuple(TEXT, TEXT), { minLength: 1, maxLength: 6 }),
      async (dialect, texts) => {
        const { delimiter, lineBreak, quotesAll } = dialect;
        const field = (text: string) =>
          quotesAll || /["\r\n]/.test(text) || text.includes(delimiter)
            ? `"${text.replaceAll('"', '""')}"`
            : text;
        const rows = texts.map(([left, right], index) => [`R-${index}`, left, "1", right]);
        const lines = [["reference", "left", "amount", "right"], ...rows].map((row) =>
          row.map(field).join(delimiter),
        );
        const declared = dialect.isDeclared ? [`sep=${delimiter}`] : [];
        const title = dialect.title === "" ? [] : [dialect.title];
        const text =
          [...declared, ...title, ...lines].join(lineBreak) + (dialect.endsWithBreak ? lineBreak : "");
        const mark = dialect.encoding === "utf16le" ? "\ufeff" : "";
        const written = dialect.encoding === "latin1" ? text.replaceAll("＝", "=") : text;
        await answerTo(Buffer.from(mark + written, dialect.encoding as BufferEncoding), 3);
        const sent = await droppedAgain(join(folder, `${run}.csv`));
        const answer = await droppedAgain(join(folder, `${run}.rejected.csv`));
        expect(answer.rows.map(({ line, cells }) => [line, ...cells.slice(0, 4)])).toEqual(
          sent.rows.map(({ line, cells }) => [line, ...cells]),
        );
        expect(answer.rows.flatMap(({ problems }) => problems)).toEqual([]);
        expect(answer.table.header.slice(0, 4)).toEqual(sent.table.header);
      },
    ),
    { numRuns: 150 },
  );
});
