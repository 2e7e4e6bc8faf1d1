import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { lookUpGeneralLedger, openChart, readChart, respeltIn } from "../../src/books/index.ts";
import { ConfigFault } from "../../src/config/index.ts";
import { Fault, type Problem } from "../../src/faults/index.ts";
import { temporaryFolder } from "../store/stored-batch.ts";
import { CHART_TEXT, chartLines, chartOf } from "./movements.ts";

const problemsOf = (text: string) =>
  readChart(chartLines(text), "csv").problems.map(({ line, column, message }) => ({ line, column, message }));

function chartFile(content: string | Buffer, name = "chart.csv"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** All mistakes of the file. */
async function mistakesIn(path: string): Promise<readonly Problem[]> {
  try {
    await openChart(path);
    return [];
  } catch (error) {
    if (error instanceof ConfigFault) return [error.problem, ...error.otherProblems];
    if (error instanceof Fault) return [error.problem];
    throw error;
  }
}

describe("a chart of accounts", () => {
  test("the sample can be used", async () => {
    const path = fileURLToPath(new URL("../../samples/chart-of-accounts.csv", import.meta.url));
    expect(await mistakesIn(path)).toEqual([]);
  });

  test("may come from a spreadsheet: byte order mark, semicolons, CRLF, columns in another order, empty rows", async () => {
    const lines = CHART_TEXT.trim()
      .split("\n")
      .map((line) => line.split(",").toReversed().join(";"));
    const text = `\ufeff${lines.join("\r\n")}\r\n;;;;;;\r\n`;
    expect((await openChart(chartFile(text))).rows).toEqual(chartOf(CHART_TEXT).rows);
  });

  const specific = chartOf(`${CHART_TEXT}gl,,,,,7000,any
gl,,P,,,7001,project
gl,,,D,,7002,distribution
gl,Contractors,,D,,7003,name and distribution
gl,Contractors,P,,,7004,name and project
gl,Contractors,P,D,,7005,all three
`);

  test.each([
    ["Contractors", "P", "D", "7005"],
    ["Contractors", "P", "X", "7004"],
    ["Contractors", "X", "D", "7003"],
    ["Contractors", "X", undefined, "6200"],
    [" Contractors ", undefined, undefined, "6200"],
    ["Other", "P", "D", "7001"],
    ["Other", undefined, "D", "7002"],
    [undefined, undefined, undefined, "7000"],
  ])("the most specific row takes %s / %s / %s", (name, project, distribution, code) => {
    const rows = lookUpGeneralLedger(specific, {
      generalLedgerName: name,
      generalLedgerProject: project,
      generalLedgerDistribution: distribution,
    });
    expect(rows.map(({ account }) => account.code)).toEqual([code]);
  });

  test("a name is found in whichever way a program wrote its accents", () => {
    for (const [inChart, inFile] of [
      ["NFC", "NFD"],
      ["NFD", "NFC"],
    ] as const) {
      const chart = chartOf(`${CHART_TEXT}${"gl,Löhne,Büro,,,6100,wages".normalize(inChart)}\n`);
      const fields = { generalLedgerName: "Löhne", generalLedgerProject: "Büro" };
      const written = Object.fromEntries(
        Object.entries(fields).map(([name, text]) => [name, text.normalize(inFile)]),
      );
      expect(lookUpGeneralLedger(chart, written)).toMatchObject([{ account: { code: "6100" } }]);
    }
  });

  const codeOf = (chart: ReturnType<typeof chartOf>, fields: object) =>
    lookUpGeneralLedger(chart, fields).map(({ account }) => account.code);

  test.each([
    ["contractors ", "6200"],
    ["CONTRACTORS", "6200"],
    ["\u00a0Contractors\u00a0", "6200"],
    ["Kira  bedeli", "6400"],
    ["kira\u00a0BEDELI", "6400"],
    ["KİRA BEDELİ", undefined],
    ["kıra bedeli", undefined],
    ["contractor", undefined],
  ])("a name in another case, or with other spaces, is the chart's: %s", (name, code) => {
    const chart = chartOf(`${CHART_TEXT}gl,Kira bedeli,,,,6400,expenses:rent\n`);
    expect(codeOf(chart, { generalLedgerName: name })).toEqual(code === undefined ? [] : [code]);
  });

  test("says which values are written otherwise than in the chart", () => {
    const chart = chartOf(`${CHART_TEXT}gl,Contractors,PRJ-ALPHA,,,6210,expenses:alpha\n`);
    const respelt = (name: string, project?: string) =>
      respeltIn(chart, { generalLedgerName: name, generalLedgerProject: project });
    expect(respelt("contractors", "prj-alpha")).toEqual([
      { field: "generalLedgerName", value: "contractors", inChart: "Contractors" },
      { field: "generalLedgerProject", value: "prj-alpha", inChart: "PRJ-ALPHA" },
    ]);
    expect(respelt(" Contractors ", "PRJ-ALPHA")).toEqual([]);
    expect(respelt("contractors", "prj-beta").map(({ field }) => field)).toEqual(["generalLedgerName"]);
    expect(respelt("Other")).toEqual([]);
  });

  test("where the chart has a name in two cases, only each of them counts", () => {
    const chart = chartOf(`${CHART_TEXT}gl,contractors,,,,6201,expenses:small\n`);
    expect(codeOf(chart, { generalLedgerName: "Contractors" })).toEqual(["6200"]);
    expect(codeOf(chart, { generalLedgerName: "contractors" })).toEqual(["6201"]);
    expect(codeOf(chart, { generalLedgerName: "CONTRACTORS" })).toEqual([]);
  });

  test("a long chart is looked up by an index: no line of it is read for a payout", () => {
    const many = Array.from(
      { length: 3_000 },
      (_, index) => `gl,N${index},,,,${10_000 + index},expenses:n${index}\n`,
    );
    const chart = chartOf(`${CHART_TEXT}${many.join("")}`);
    let read = 0;
    for (const row of chart.rows) {
      const { key } = row;
      Object.defineProperty(row, "key", {
        get() {
          read += 1;
          return key;
        },
      });
    }
    expect(codeOf(chart, { generalLedgerName: "n2999" })).toEqual(["12999"]);
    expect(codeOf(chart, { generalLedgerName: "12999" })).toEqual(["12999"]);
    expect(codeOf(chart, { generalLedgerName: "nobody" })).toEqual([]);
    expect(read).toBeLessThan(10);
  });
});

describe("a chart that cannot be used is refused with every reason", () => {
  test.each([
    ["an empty file", "", "the file is empty"],
    ["no header", "gl,Contractors,6200,expenses", "there is no column `role`"],
    ["a column twice", "role,key,code,name,name\n", "there are two columns `name`"],
    ["a column without meaning", "role,key,code,name,colour\n", "the column `colour` has no meaning"],
    ["a broken quote", 'role,key,code,name\ngl,"x,1,y\n', "a quote is opened in this row and never closed"],
  ])("%s", async (_what, text, reason) => {
    const mistakes = await mistakesIn(chartFile(text));
    expect(mistakes.map(({ code }) => code)).toEqual(mistakes.map(() => "CHART_UNUSABLE"));
    expect(mistakes.map(({ message }) => message).join("\n")).toContain(reason);
  });

  test.each([
    ["an unknown role", "banana,,,,,1,a", "role", '"banana" is not one of the roles'],
    ["no code", "gl,X,,,,,a", "code", "the account code is empty"],
    ["a name with a comment in it", "gl,X,,,,1,a ; b", "name", "cannot name a ledger account"],
    ["a name with two spaces", "gl,X,,,,1,a  b", "name", "cannot name a ledger account"],
    ["a name with an empty part", "gl,X,,,,1,a::b", "name", "cannot name a ledger account"],
    ["a virtual account", "gl,X,,,,1,(a)", "name", "cannot name a ledger account"],
    ["a share that is no number", "gl,X,,,half,1,a", "share", 'the share "half" is not a number'],
    ["a share above 1", "gl,X,,,1.1,1,a", "share", 'the share "1.1" is not a number'],
    ["shares that do not add up", "gl,X,,,0.9,1,a", undefined, "add up to 0.9, not to 1"],
    [
      "a line twice",
      "gl,Contractors,,,,6200,expenses:contractors",
      undefined,
      'gl "Contractors" is mapped 2 times',
    ],
    [
      "a system account twice",
      "suspense,,,,,2999,liabilities:suspense",
      undefined,
      'suspense "" is mapped 2 times',
    ],
    [
      "a project on a system account",
      "suspense,x,P,,,2999,liabilities:suspense",
      "project",
      "only rows of the role gl",
    ],
    [
      "a code with two names",
      "gl,X,,,,6200,other",
      "name",
      "code 6200 is named expenses:contractors and other",
    ],
    ["a name with two codes", "gl,X,,,,1,assets:ar", "code", "assets:ar has the codes 1200 and 1"],
    ["too many cells", "gl,X,,,,1,a,b", undefined, "8 cells under 7 columns"],
  ])("%s", (_what, row, column, reason) => {
    const problems = problemsOf(`${CHART_TEXT}${row}\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(reason);
    expect(problems[0]?.column).toBe(column);
    expect(problems[0]?.line).toBeGreaterThan(1);
  });

  test("a system account is missing", () => {
    const text = CHART_TEXT.split("\n")
      .filter((line) => !/^(suspense|treasury)/.test(line))
      .join("\n");
    expect(problemsOf(text).map(({ message }) => message)).toEqual([
      "the chart of accounts cannot be used: no row maps treasury",
      "the chart of accounts cannot be used: no row with an empty key maps suspense",
    ]);
  });
});
