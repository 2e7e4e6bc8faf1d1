/** References, payees and file names without a place to break stay on the page, wide and narrow. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { submitFile } from "../../src/index.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { expectFits, openDesk, send } from "./browser.ts";

const REFERENCE = `R-${"X".repeat(62)}`;

test("endless names widen no page", async () => {
  const { folder, workplace } = await openSite();
  const file = join(folder, `${"n".repeat(120)}.csv`);
  const header = "reference,amount,destinationAddress,customerId,remark";
  writeFileSync(file, `${header}\n${REFERENCE},0.01,${ADDRESS},${"p".repeat(120)},${"r".repeat(120)}\n`);
  const { batchId } = await submitFile(workplace, file, "ann");
  expect(batchId).toBeDefined();
  const wrong = join(folder, `${"w".repeat(120)}.csv`);
  writeFileSync(wrong, `${header}\n${REFERENCE}2,0.x,${ADDRESS},${"q".repeat(120)},\n`);
  const { sha256 } = await submitFile(workplace, wrong, "ann");
  const desk = await openDesk(workplace);
  const page = await desk.browser();
  await send(page, "ann", "Waits for you");
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const own = [`/batches/${batchId}`, `/files/${sha256}`, `/payments/story?reference=${REFERENCE}`];
    for (const path of [...own, "/", "/files", "/payments", "/record"]) {
      await page.goto(`${desk.origin}${path}`);
      await expectFits(page);
    }
  }
  expect(desk.complaints).toEqual([]);
});
