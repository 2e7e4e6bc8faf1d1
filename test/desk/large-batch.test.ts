/** A batch of more payments than are looked through while somebody waits, in a real browser. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { submitFile } from "../../src/index.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { follow, openDesk, send } from "./browser.ts";

test("a large batch is shown at once, and approved once its payments have been looked through", async () => {
  const { workplace, folder } = await openSite({}, { PAYDROP_LIMITS_PER_DAY: '{ BTC: "0.1" }' });
  const rows = Array.from({ length: 2_001 }, (_, row) => `A-${row},0.000${1000 + row},${ADDRESS}`);
  const file = join(folder, "large.csv");
  writeFileSync(file, `reference,amount,destinationAddress\n${rows.join("\n")}\n`);
  const { batchId } = await submitFile(workplace, file, "ann");
  const { browser, origin, complaints } = await openDesk(workplace);
  // The only test whose pages fade into each other, as people see them.
  const page = await browser({ reducedMotion: "no-preference" });
  await page.goto(`${origin}/batches/${batchId}`);
  await send(page, "ben", "large.csv");
  await page.getByText("compared with all that was paid before").waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).isVisible()).toBe(false);
  await send(page, "Approve", "large.csv");
  await page.getByText("Approved by ben.").waitFor();
  await follow(page.getByRole("link", { name: "Today" }), "Waits for you");
  // The sum is 0.4002 BTC.
  await page.getByText("0.30020000 BTC more than the limits of a day leave").waitFor();
  expect(complaints).toEqual([]);
});
