/** The page of a night in a real browser: complete without any other file, on narrow screens and on paper. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { type NightReport, reportBytes } from "../../src/nights/index.ts";
import { chromiumOfWorker, expectFits, flaws } from "../desk/browser.ts";
import { FORMULA, madeUpReport, TAG } from "./made-up-report.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-page-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nights = [27, 28, 29].map((day, index) => ({
  number: index + 1,
  day: `2026-11-${day}`,
  comparedAt: `2026-11-${day}T03:00:00.000Z`,
  isComplete: day !== 28,
  alarms: index,
  warnings: 3,
  notes: 0,
}));

/** Opens the page from a file, as people send and keep it. */
async function openPage(report: NightReport, width: number, colorScheme: "light" | "dark") {
  const path = join(folder, `${width}-${colorScheme}.html`);
  writeFileSync(path, await reportBytes(report, "html"));
  const context = await (await chromiumOfWorker()).newContext({
    viewport: { width, height: 900 },
    colorScheme,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(path).href) complaints.push(`it asked ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  return { page, complaints };
}

test.each([
  [1280, "light"],
  [390, "dark"],
] as const)(
  "%d pixels wide, %s: no error, no other file, nothing sideways, nothing to find for axe-core",
  async (width, scheme) => {
    const report = await madeUpReport();
    const { period: _, ...night } = { ...report, trend: { from: "2026-11-16", to: "2026-11-29", nights } };
    const { page, complaints } = await openPage(night, width, scheme);
    await expectFits(page);
    expect(await flaws(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

test("texts of the service and of files are shown, and are no part of the page", async () => {
  const { page } = await openPage(await madeUpReport(), 1280, "light");
  const shown = await page.innerText("main");
  for (const text of [TAG, FORMULA]) expect(shown).toContain(text);
  expect(await page.locator("img, script, link").count()).toBe(0);
});

test("it prints, with the proof and every break on its sheets", async () => {
  const { page } = await openPage(await madeUpReport(), 1280, "dark");
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? [];
  expect(sheets.length).toBeGreaterThanOrEqual(2);
  expect(sheets.length).toBeLessThanOrEqual(5);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 1032, height: 700 });
  await expectFits(page);
});
