/**
 * Mistakes in a chart of accounts are reported before money moves: lines that are missing, repeated or never used,
 * and values that a target cannot hold.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkChartStep } from "../../src/books/index.ts";
import { createPayoutStep, type Environment } from "../../src/index.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { temporaryFolder } from "../store/stored-batch.ts";
import { booked } from "./booked-month.ts";
import { CHART_TEXT } from "./movements.ts";

const HEADER =
  "role,key,project,distribution,share,code,name,customer,reference,account.netsuite,account.quickbook,dimension.region";

const SAMPLE = [
  ["treasury", "treasury-btc", "", "", "", "1511", "assets:crypto:treasury"],
  ["treasury", "savings-btc", "", "", "", "1512", "assets:crypto:savings"],
  ["receivable", "", "", "", "", "1200", "assets:receivable"],
  ["deposits-clearing", "", "", "", "", "2210", "liabilities:deposits"],
  ["overpayments", "", "", "", "", "2290", "liabilities:over"],
  ["suspense", "", "", "", "", "2999", "liabilities:suspense"],
  ["network-fees", "", "", "", "", "6810", "expenses:network fees"],
  ["gl", "Hosting", "", "", "", "6300", "expenses:hosting"],
].map((cells) => cells.join(","));

async function checked(lines: readonly string[], settings: Environment = {}, header = HEADER) {
  const { workplace } = openPlace({ PAYDROP_LEDGER_CHART: "chart.csv", ...settings });
  writeFileSync(workplace.config.ledger.chart, [header, ...SAMPLE, ...lines].join("\n"));
  const { findings, notes } = await checkChartStep(workplace);
  const said = (some: typeof findings) =>
    some.map(({ code, line, column, message }) => [code, line, column, message.replace(/^[^:]*: /, "")]);
  for (const { fix } of [...findings, ...notes]) expect(fix).not.toBe("");
  return { findings: said(findings), notes: said(notes) };
}

const PLAIN = "role,key,project,distribution,share,code,name";

test.each([
  "[]",
  // Its column of amounts wants two decimals.
  "[{ preset: datev, settings: { consultant: '1001', client: '1' } }]",
])("a sound chart has no findings with the targets %s", async (targets) => {
  expect(await checked([], { PAYDROP_LEDGER_EXPORTS: targets }, PLAIN)).toEqual({ findings: [], notes: [] });
});

test("every mistake of an unusable chart is a finding, with its line", async () => {
  const { findings } = await checked(["gl,Rent,,,0.3,6401,expenses:a", "banana,,,,,1,b"], {}, PLAIN);
  expect(findings).toEqual([["CHART_UNUSABLE", 11, "role", expect.stringContaining('"banana"')]]);
  const { findings: shares } = await checked(["gl,Rent,,,0.3,6401,expenses:a"], {}, PLAIN);
  expect(shares).toEqual([["CHART_UNUSABLE", 10, undefined, expect.stringContaining("add up to 0.3")]]);
});

test.each<[string, string, unknown[]]>([
  [
    "two spellings of a name",
    "gl,hosting,,,,6301,expenses:small",
    ["CHART_OVERLAP", 10, "key", expect.stringContaining('"Hosting" (line 9) and "hosting" differ in case')],
  ],
  [
    "a name that is another account's code",
    "gl,6300,,,,6301,expenses:small",
    ["CHART_OVERLAP", 10, "key", expect.stringContaining("also the code of expenses:hosting (line 9)")],
  ],
  [
    "an account that there is not",
    "network-fees,old-btc,,,,6811,expenses:old",
    ["CHART_LINE_IDLE", 10, "key", "no custody account or currency is called old-btc"],
  ],
  [
    "a name whose account has a line by its id",
    "treasury,6f1cbb7e-0000-4000-8000-000000000001,,,,1513,assets:again",
    [
      "CHART_LINE_IDLE",
      2,
      "key",
      expect.stringContaining("line 10 has the id of the custody account treasury-btc"),
    ],
  ],
  [
    "a currency all of whose accounts have lines",
    "treasury,BTC,,,,1510,assets:crypto",
    ["CHART_LINE_IDLE", 10, "key", "each custody account in BTC has a line of its own"],
  ],
  [
    "a key of suspense",
    "suspense,treasury-btc,,,,2998,liabilities:more suspense",
    ["CHART_LINE_IDLE", 10, "key", "suspense is for everything that no line maps, so its key has no effect"],
  ],
])("%s is told", async (_what, line, finding) => {
  expect((await checked([line], {}, PLAIN)).findings).toEqual([finding]);
});

test("names and dimensions of targets: one that there is not, one that cannot hold them, one without a place", async () => {
  const narrow =
    '{ name: own, columns: [{ header: A, value: "{accountCode}", lengthMax: 4 }, { header: B, value: "{amount}" }] }';
  const settings = { PAYDROP_LEDGER_EXPORTS: `[{ preset: netsuite }, { preset: csv }, ${narrow}]` };
  const { findings, notes } = await checked(["gl,Rent,,,,64000,expenses:rent,,,Rent,Rent,EU"], settings);
  expect(findings).toEqual([
    [
      "CHART_LINE_IDLE",
      1,
      "account.quickbook",
      "no target is called quickbook; there are hledger, netsuite, csv, own",
    ],
    ["CHART_UNFIT", 10, undefined, expect.stringContaining('"64000" is too long for the column A of own')],
  ]);
  expect(notes).toEqual([
    [
      "CHART_PLACELESS",
      1,
      "dimension.region",
      "the files of netsuite have no column for region, so it is left out",
    ],
    [
      "CHART_PLACELESS",
      1,
      "dimension.region",
      "the files of own have no column for region, so it is left out",
    ],
  ]);
});

test("values of payments that no line maps, and those in another case", async () => {
  const { workplace } = await openSite({}, { PAYDROP_LEDGER_CHART: "chart.csv" });
  writeFileSync(workplace.config.ledger.chart, CHART_TEXT);
  for (const [index, generalLedgerName] of ["Stob", "Stob", "contractors", "Contractors"].entries()) {
    const cells = {
      reference: `P-${index}`,
      amount: `0.00${index + 1}`,
      destinationAddress: ADDRESS,
      generalLedgerName,
    };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  }
  const { findings, notes } = await checkChartStep(workplace);
  expect(findings.map(({ code, message }) => [code, message])).toEqual([
    [
      "CHART_GAP",
      'the chart of accounts has no line for GL account "Stob", which 2 payments have: it is booked to suspense (2999)',
    ],
    [
      "CHART_GAP",
      "the chart of accounts has no line for the treasury of savings-btc, which is a custody account of the configuration",
    ],
    [
      "CHART_LINE_IDLE",
      "this part of the chart of accounts never applies: no custody account or currency is called cold-btc",
    ],
  ]);
  expect(notes.map(({ message }) => message)).toEqual([
    'payments write "contractors", which is read as "Contractors" of the chart of accounts',
  ]);
});

test("an account that has entries and is gone from the chart, or has another name there, is a note", async () => {
  const workplace = await booked();
  const path = join(temporaryFolder(), "chart.csv");
  const changed = CHART_TEXT.replace("assets:crypto:btc", "assets:bitcoin").replace(
    "gl,Contractors",
    "gl,Others",
  );
  writeFileSync(path, changed.replace("6200,expenses:contractors", "6205,expenses:other"));
  const { notes } = await checkChartStep(workplace, path);
  expect(notes.map(({ code, message }) => [code, message])).toEqual([
    [
      "CHART_LEFT",
      "1510 assets:crypto:btc has entries, but the chart of accounts calls this code assets:bitcoin",
    ],
    ["CHART_LEFT", expect.stringMatching(/^6200 expenses:contractors has entries, but no line .* has it/)],
  ]);
});

test("the command tells each with its line and fix, also as JSON, and ends with 4; another file can be checked", async () => {
  const { folder, workplace } = openPlace();
  const sample = await paydropInTurn(folder, ["ledger", "check-chart"], SANDBOX_SECRETS);
  expect(sample).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/chart-of-accounts\.csv: 16 lines, nothing to correct\n$/),
  });
  writeFileSync(
    join(folder, "new.csv"),
    [PLAIN, ...SAMPLE, "network-fees,old-btc,,,,6811,expenses:old"].join("\n"),
  );
  const { exitCode, stdout } = await paydropInTurn(
    folder,
    ["ledger", "check-chart", "new.csv"],
    SANDBOX_SECRETS,
  );
  expect(exitCode).toBe(4);
  expect(stdout).toMatch(
    /CHART_LINE_IDLE in \S*new\.csv, line 10[^\n]*\n {2}this part.*old-btc\n {2}fix: Correct it, or delete it\.\n/s,
  );
  const json = await paydropInTurn(folder, ["--json", "ledger", "check-chart", "new.csv"], SANDBOX_SECRETS);
  expect(JSON.parse(json.stdout)).toMatchObject({
    lines: 9,
    findings: [{ code: "CHART_LINE_IDLE", line: 10 }],
  });
  expect(workplace.config.ledger.chart).toContain("chart-of-accounts.csv");
});
