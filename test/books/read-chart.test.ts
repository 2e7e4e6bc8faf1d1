import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lookUpGeneralLedger, readChart } from "../../src/books/index.ts";
import { CHART_TEXT, chartOf } from "./movements.ts";

const problemsOf = (text: string) =>
  readChart(text).problems.map(({ line, column, message }) => ({ line, column, message }));

describe("a chart of accounts", () => {
  test("the sample can be used", () => {
    const text = readFileSync(new URL("../../samples/chart-of-accounts.csv", import.meta.url), "utf8");
    expect(readChart(text).problems).toEqual([]);
  });

  test("may come from a spreadsheet: byte order mark, semicolons, CRLF, columns in another order, empty rows", () => {
    const lines = CHART_TEXT.trim()
      .split("\n")
      .map((line) => line.split(",").toReversed().join(";"));
    const text = `\ufeff${lines.join("\r\n")}\r\n;;;;;;\r\n`;
    expect(readChart(text).chart?.rows).toEqual(chartOf(CHART_TEXT).rows);
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

  test("names are compared exactly, not by resemblance", () => {
    expect(lookUpGeneralLedger(chartOf(CHART_TEXT), { generalLedgerName: "contractors" })).toEqual([]);
  });
});

describe("a chart that cannot be used is refused with every reason", () => {
  test.each([
    ["an empty file", "", "it is empty"],
    ["no header", "gl,Contractors,6200,expenses", "there is no column `role`"],
    ["a column twice", "role,key,code,name,name\n", "there are two columns `name`"],
    ["a column without meaning", "role,key,code,name,colour\n", "the column `colour` has no meaning"],
    ["a broken quote", 'role,key,code,name\ngl,"x,1,y\n', "it is not CSV"],
  ])("%s", (_what, text, reason) => {
    const { chart, problems } = readChart(text);
    expect(chart).toBeUndefined();
    expect(problems.map(({ message }) => message).join("\n")).toContain(reason);
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
