/**
 * Takes the pictures in docs/desk: every page of the trial, wide and narrow, light and dark. Needs Debian's
 * chromium and pngquant.
 */
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../people/virtual-authenticator.ts";
import { cookieOfAnn, everyPage, startTrial, trialFolder } from "./trial.ts";

const OUT = fileURLToPath(new URL("../../docs/desk/", import.meta.url));

const WIDTHS = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } } as const;

/** Pages that are like others, or nothing to see. */
const NOT_TAKEN = [
  "batch-released",
  "pay-again",
  "break-decision",
  "found",
  "deposit",
  "receipt",
  "record-verified",
  "not-found",
];

/** Longer pages are cut there: the pictures stay small. */
const HEIGHT_MAX = 1_100;

/** With at most 256 colours, of which nobody sees that the others are gone. */
function smaller(png: Buffer): Buffer {
  return execFileSync("pngquant", ["--speed", "1", "-"], { input: png });
}

const { folder, remove } = await trialFolder();
const trial = await startTrial(folder);
const browser = await launchChromium();
try {
  await mkdir(OUT, { recursive: true });
  const pages = await everyPage(trial.origin, await cookieOfAnn(trial.origin));
  const shown = pages.filter(([name]) => !NOT_TAKEN.includes(name));
  for (const [width, viewport] of Object.entries(WIDTHS))
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
      for (const [name, path] of shown) {
        await page.goto(`${trial.origin}${path}`);
        const whole = (await page.locator("html").boundingBox())?.height ?? 0;
        const clip = { x: 0, y: 0, width: viewport.width, height: Math.min(HEIGHT_MAX, whole) };
        const picture = await page.screenshot({ clip, fullPage: true });
        await writeFile(`${OUT}${name}-${width}-${colorScheme}.png`, smaller(picture));
        if (name === "enrol") {
          await page.goto(`${trial.origin}/sign-in`);
          await page.click("button[value=ben]");
        }
      }
    }
} finally {
  await browser.close();
  await trial.stop();
  await remove();
}
