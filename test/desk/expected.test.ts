/** Expected receipts at the desk, in a real browser on a narrow screen: sent in, shown with addresses, decided. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import jsQR from "jsqr";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectedNow, expectedStep, expectFileStep } from "../../src/expected/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { csv, expectations } from "../expected/place.ts";
import { byClock, openSite, type Site, TREASURY } from "../site/service.ts";
import { expectFits, follow, openDesk, send } from "./browser.ts";
import { deskOf, trialVisitor } from "./visitor.ts";

const NARROW = { viewport: { width: 390, height: 800 } };
/** Its types declare the other kind of module. */
const readCode = jsQR as unknown as typeof jsQR.default;
/** A browser on a busy machine is slow. */
const BROWSER_MS = 180_000;
const PAGE_MS = 20_000;

/** Reads a QR code off the screen, with a library other than the one that drew it. */
async function readBack(page: Page, code: Locator): Promise<string | undefined> {
  const picture = (await code.screenshot()).toString("base64");
  const other = await page.context().newPage();
  const pixels = await other.evaluate<{ data: number[]; width: number; height: number }>(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${picture}";
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return { data: [...canvas.getImageData(0, 0, width, height).data], width, height };
  })()`);
  await other.close();
  return readCode(Uint8ClampedArray.from(pixels.data), pixels.width, pixels.height)?.data;
}

async function receive({ sandbox, workplace }: Site, amount: string): Promise<void> {
  sandbox.operator.openDeposit({
    ...{ depositId: "0d5d6e8a-0000-4000-8000-0000000000e1", accountId: TREASURY, reference: "elsewhere" },
    ...{ callbackUrl: "https://elsewhere.example/hook", listsOriginal: false },
    parts: [{ amount, afterMs: 0, confirmAfterMs: 1, confirmations: 6 }],
  });
  sandbox.operator.passTime(60_000);
  await reconcileStep(workplace);
}

test(
  "a file is sent in, its addresses are shown with a code that a wallet reads, and a candidate is decided",
  async () => {
    const site = await openSite();
    const { workplace, folder } = site;
    const desk = await openDesk(workplace);
    const page = await desk.browser(NARROW);
    page.setDefaultTimeout(PAGE_MS);
    await send(page, "ann", "Waits for you");
    await page.goto(`${desk.origin}/expected`);
    await expectFits(page);

    const bad = join(folder, "bad.csv");
    writeFileSync(bad, csv("INV-0,Zoë,treasury-btc,half,BTC,,,"));
    await page.getByLabel("Choose a file, or drop it here").setInputFiles(bad);
    await send(page, "Send in", "Not taken in");
    await page.getByText('amount "half"').waitFor();
    await expectFits(page);
    expect(await expectations(site)).toEqual([]);

    const good = join(folder, "receivables.csv");
    writeFileSync(
      good,
      csv(
        "INV-1,Ada,treasury-btc,0.5,BTC,2099-01-01,,yes",
        "INV-2,Bert,treasury-btc,0.25,BTC,2026-01-15,,",
        "INV-3,Cleo,treasury-btc,0.125,BTC,2099-01-01,,",
      ),
    );
    await page.goto(`${desk.origin}/expected`);
    await page.getByLabel("Choose a file, or drop it here").setInputFiles(good);
    await send(page, "Send in", "Expected");
    await page.getByText("3 receipts are still to come. 1 is overdue.").waitFor();
    await expectedStep(workplace);
    site.sandbox.operator.passTime(1_000);
    await expectedStep(workplace);
    await receive(site, "0.125");

    await page.goto(`${desk.origin}/`);
    await page.getByText("1 receipt is overdue").waitFor();
    await page.goto(`${desk.origin}/expected`);
    await expectFits(page);
    await follow(page.getByRole("link", { name: "INV-1" }).first(), "INV-1 due");
    const [kept] = await expectations(site);
    await page.getByText(kept?.address ?? "no address", { exact: true }).waitFor();
    await expectFits(page);
    const code = page.getByRole("img", { name: "QR code of the address for INV-1" });
    expect(await readBack(page, code)).toBe(`bitcoin:${kept?.address}?amount=0.5`);

    await page.goto(`${desk.origin}/expected`);
    await follow(page.getByRole("link", { name: "Decide", exact: true }), "What was it for?");
    await page.getByText(/amount exact, \d+ days early, customer not known/).waitFor();
    await expectFits(page);
    await send(page, "It is for INV-3", "Expected");
    expect(await page.getByText("Received, and not matched yet").count()).toBe(0);
    const { standings } = await expectedNow(workplace);
    expect(standings.map(({ state }) => state)).toEqual(["due", "overdue", "received"]);

    await follow(page.getByRole("link", { name: "INV-3" }).first(), "INV-3 received");
    await page.getByLabel("Why it is taken back").fill("it was Bert’s");
    await send(page, "Take it back", "INV-3 due");
    await page.goto(`${desk.origin}/expected`);
    await page.getByRole("heading", { name: "Received, and not matched yet" }).waitFor();
    await page.goto(`${desk.origin}/expected?customer=Nobody`);
    expect(await page.getByText("Received, and not matched yet").count()).toBe(0);
    expect(desk.complaints).toEqual([]);
  },
  BROWSER_MS,
);

test("a code names no amount once its fixed rate has expired, and only the account's own coin", async () => {
  const site = await openSite();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const path = join(site.folder, "receivables.csv");
  writeFileSync(path, csv(`INV-1,Ada,treasury-btc,100,EUR,2099-01-01,${until},yes`));
  await expectFileStep(site.workplace, path, "ann");
  await expectedStep(site.workplace);
  site.sandbox.operator.passTime(1_000);
  await expectedStep(site.workplace);
  const uriOf = async (workplace: Site["workplace"]) =>
    (await expectedNow(workplace)).standings[0]?.paymentUri;
  expect(await uriOf(site.workplace)).toMatch(/^bitcoin:(?:bc1|[13])\w+\?amount=0\.\d+$/);
  const later = byClock(site.workplace, () => new Date(Date.now() + 7_200_000).toISOString());
  expect(await uriOf(later)).toMatch(/^bitcoin:(?:bc1|[13])\w+$/);
});

test("only controllers decide, only approvers approve, and nobody their own file", async () => {
  const site = await openSite({}, { PAYDROP_EXPECTED_APPROVAL: "true" });
  const app = await deskOf(site.workplace);
  const path = join(site.folder, "receivables.csv");
  writeFileSync(path, csv("INV-1,Ada,treasury-btc,0.5,BTC,2099-01-01,,"));
  await expectFileStep(site.workplace, path, "ann");
  const [ann, ben] = [await trialVisitor(app, "ann"), await trialVisitor(app, "ben")];
  const approved = await ann.post("/expected/approve", { number: "1", sure: "yes" });
  expect(approved.text).toContain("sent in file 1 and may not approve it");
  expect((await ben.get("/expected")).text).toContain("Approve…");
  const question = (await ben.post("/expected/approve", { number: "1" })).text;
  for (const part of ["Approve receivables.csv?", "ann sent it in."]) expect(question).toContain(part);
  expect((await ben.post("/expected/approve", { number: "1", sure: "yes" })).location).toBe("/expected");
  expect((await expectedNow(site.workplace)).standings[0]?.state).toBe("due");
  expect((await ann.get("/expected/7")).status).toBe(404);
  expect((await ann.get("/expected/answers/1")).headers["content-disposition"]).toContain(
    "receivables.expected.csv",
  );
});
