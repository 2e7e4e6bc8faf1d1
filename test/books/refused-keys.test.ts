/** A key that the ERP's program would refuse is found before money moves, for every value of `onUnmapped`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWorkplace, stderrLog, validateFile } from "../../src/index.ts";
import { ADDRESS } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

async function validated(exports: string, chart: (text: string) => string = (text) => text) {
  const place = openPlace();
  const path = join(place.folder, "chart-of-accounts.csv");
  writeFileSync(path, chart(readFileSync(path, "utf8")));
  const file = join(place.folder, "run.csv");
  writeFileSync(
    file,
    `reference,amount,destinationAddress,generalLedgerName,generalLedgerProject\nK-1,0.01,${ADDRESS},Contractors,PRJ-ALPHA\n`,
  );
  const environment = { ...place.environment, PAYDROP_LEDGER_EXPORTS: exports };
  const workplace = openWorkplace(join(place.folder, "paydrop.yaml"), environment, stderrLog("silent"));
  onTestFinished(() => workplace.close());
  const { verdict, problems } = await validateFile(workplace, file);
  return { verdict, problems: problems.map(({ code, column, message }) => ({ code, column, message })) };
}

const ODOO = "[{ preset: odoo, settings: { journal: Crypto } }]";

test("an analytic key that is no id of Odoo's database refuses the row, at the project's column", async () => {
  const { verdict, problems } = await validated(ODOO);
  expect(verdict).toBe("rejected");
  expect(problems).toMatchObject([{ code: "LEDGER_CELL_REFUSED", column: "generalLedgerProject" }]);
  expect(problems[0]?.message).toContain("line_ids/analytic_distribution does not take");
});

test("an id in the chart in its place is accepted, and so is the key where no target refuses it", async () => {
  const withIds = (text: string) =>
    text
      .split("\n")
      .map((line, index) => (line === "" ? line : `${line},${index === 0 ? "bookProject" : ""}`))
      .map((line) => line.replace(/^(gl,Contractors,PRJ-ALPHA,.*),$/, "$1,17"))
      .join("\n");
  expect((await validated(ODOO, withIds)).verdict).toBe("accepted");
  expect((await validated("[{ preset: netsuite }]")).verdict).toBe("accepted");
});

test("an account that beancount has no root for, and one that DATEV has no number for, refuse the row as well", async () => {
  const renamed = (text: string) => text.replace("6210,expenses:contractors:alpha", "62A0,costs:alpha");
  const beancount = await validated("[{ preset: beancount }]", renamed);
  expect(beancount.problems).toMatchObject([{ code: "LEDGER_CELL_REFUSED" }]);
  const datev = await validated('[{ preset: datev, settings: { consultant: "1", client: "2" } }]', renamed);
  expect(datev.problems).toMatchObject([{ code: "LEDGER_CELL_REFUSED" }]);
  const named = '[{ preset: beancount, accounts: { "62A0": "Expenses:Alpha" } }]';
  expect((await validated(named, renamed)).verdict).toBe("accepted");
});
