/** Takes the pictures in docs/desk: every page of the trial, wide and narrow, light and dark. */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { CHROMIUM } from "../people/virtual-authenticator.ts";
import { cookieOfAnn, everyPage, startTrial, trialFolder } from "./trial.ts";

const OUT = fileURLToPath(new URL("../../docs/desk/", import.meta.url));

const WIDTHS = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } } as const;

/** Longer pages are cut there: the pictures stay small. */
const HEIGHT_MAX = 1_600;

const { folder, remove } = await trialFolder();
const trial = await startTrial(folder);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  await mkdir(OUT, { recursive: true });
  const pages = await everyPage(trial.origin, await cookieOfAnn(trial.origin));
  for (const [width, viewport] of Object.entries(WIDTHS))
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
      for (const [name, path] of pages) {
        await page.goto(`${trial.origin}${path}`);
        const whole = (await page.locator("html").boundingBox())?.height ?? 0;
        const clip = { x: 0, y: 0, width: viewport.width, height: Math.min(HEIGHT_MAX, whole) };
        await page.screenshot({ path: `${OUT}${name}-${width}-${colorScheme}.png`, clip, fullPage: true });
        if (name === "enrol") {
          await page.goto(`${trial.origin}/sign-in`);
          await page.click("button[value=ann]");
        }
      }
    }
} finally {
  await browser.close();
  await trial.stop();
  await remove();
}
