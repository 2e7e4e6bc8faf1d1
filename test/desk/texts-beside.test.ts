/**
 * Texts of columns that are not read stand beside their rows wherever a file or batch is shown, even after it was
 * accepted.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveStep, previewStep, submitFile } from "../../src/index.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { addressOf } from "../files/bitcoin-addresses.ts";
import { openSite } from "../site/service.ts";
import { deskOf, trialVisitor, unescaped } from "./visitor.ts";

const textOf = (html: string) => unescaped(html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " "));

/** The texts are new in each month, like comments. */
const csvOf = (month: number, amount = "0.01") =>
  [
    "#,Invoice,Payee,Wallet,Amount (BTC),Comment,Approved by",
    `1,I-${month}1,Ana,${addressOf(1)},${amount}${month}1,work of ${month},CFO on ${month}`,
    `2,I-${month}2,Ben,${addressOf(2)},0.02${month}2,do not pay ${month},CEO on ${month}`,
    `3,I-${month}3,Cleo,${addressOf(3)},0.03${month}3,,COO on ${month}`,
    "",
  ].join("\n");

test("texts of accepted columns are shown beside their rows in the terminal, on the batch's page and in a repair", async () => {
  const senders = { PAYDROP_FILES_SENDERS: '[{ name: acme, match: "acme-*.csv" }]' };
  const { workplace, folder, environment } = await openSite({}, senders);
  const send = async (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return submitFile(workplace, join(folder, name), "ann");
  };
  const first = await send("acme-1.csv", csvOf(1));
  expect(first.reading?.questions).toHaveLength(1);
  await approveStep(workplace, first.digest ?? "", "ben", { acceptReading: 1 });
  const second = await send("acme-2.csv", csvOf(2));
  expect(second.reading?.questions).toEqual([]);
  const beside = {
    columns: ["Comment", "Approved by"],
    rows: [
      { row: 1, texts: ["work of 2", "CFO on 2"] },
      { row: 2, texts: ["do not pay 2", "CEO on 2"] },
      { row: 3, texts: ["", "COO on 2"] },
    ],
  };
  expect(second.textsBeside).toEqual(beside);
  expect((await previewStep(workplace, second.batchId ?? "")).textsBeside).toEqual(beside);
  const { stdout } = await paydropInTurn(folder, ["preview", second.batchId ?? ""], environment);
  expect(stdout).toContain("row 2: Comment: do not pay 2; Approved by: CEO on 2");
  expect(stdout).toContain("row 3: Approved by: COO on 2");
  const app = await deskOf(workplace);
  const ben = await trialVisitor(app, "ben");
  const page = textOf((await ben.get(`/batches/${second.batchId}`)).text);
  expect(page).toMatch(/I-22 row 2 Ben \S+ Comment: do not pay 2 Approved by: CEO on 2/);
  const wrong = await send("acme-3.csv", csvOf(3, "0.x"));
  const ann = await trialVisitor(app, "ann");
  expect(textOf((await ann.get(`/files/${wrong.sha256}`)).text)).toContain(
    "Comment: work of 3 Approved by: CFO on 3",
  );
});

test("a file that is checked before it is sent shows them too, and no column that only counts", async () => {
  const { folder, environment } = await openSite();
  writeFileSync(join(folder, "new.csv"), csvOf(4));
  const { stdout } = await paydropInTurn(folder, ["validate", "new.csv"], environment);
  expect(stdout).toContain("row 1: Comment: work of 4; Approved by: CFO on 4");
  expect(stdout).not.toContain("#:");
});
