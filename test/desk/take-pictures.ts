/**
 * Takes the pictures in docs/desk: every page of the trial, wide and narrow, light and dark. Needs Debian's
 * chromium, pngquant, and fonts-ipafont-gothic for a payee's name in Japanese.
 */
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../people/virtual-authenticator.ts";
import { cookieOfAnn, everyPage, startTrial, trialFolder, within } from "./trial.ts";

const OUT = fileURLToPath(new URL("../../docs/desk/", import.meta.url));

const WIDTHS = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } } as const;

/** Pages that are like others, nothing to see, or about this machine (checks). */
const NOT_TAKEN = [
  "batch-released",
  "pay-again",
  "break-decision",
  "found",
  "job",
  "checks",
  "deposit",
  "receipt",
  "record-verified",
  "not-found",
];

/** Longer pages are cut there: the pictures stay small. */
const HEIGHT_MAX = 1_100;

/** A picture that takes longer will never come. */
const PICTURE_MS = 30_000;
const CLOSES_MS = 15_000;
const PNG_BYTES_MAX = 16_000_000;

/** With at most 64 colours, of which nobody sees that the others are gone. */
function smaller(png: Buffer): Buffer {
  const bounds = { timeout: PICTURE_MS, maxBuffer: PNG_BYTES_MAX };
  return execFileSync("pngquant", ["--speed", "1", "64", "-"], { input: png, ...bounds });
}

async function takeAll(origin: string, browser: Browser): Promise<void> {
  await mkdir(OUT, { recursive: true });
  const pages = await everyPage(origin, await cookieOfAnn(origin));
  const shown = pages.filter(([name]) => !NOT_TAKEN.includes(name));
  for (const [width, viewport] of Object.entries(WIDTHS))
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
      page.setDefaultTimeout(PICTURE_MS);
      for (const [name, path] of shown) {
        const file = `${name}-${width}-${colorScheme}.png`;
        await page.goto(`${origin}${path}`);
        await writeFile(`${OUT}${file}`, smaller(await pictureOf(page)));
        process.stdout.write(`${file}\n`);
        if (name === "enrol") await signIn(page, origin);
      }
    }
}

async function pictureOf(page: Page): Promise<Buffer> {
  const whole = (await page.locator("html").boundingBox())?.height ?? 0;
  const clip = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height: Math.min(HEIGHT_MAX, whole) };
  return page.screenshot({ clip, fullPage: true });
}

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/sign-in`);
  await Promise.all([page.waitForURL(`${origin}/`), page.click("button[value=ben]")]);
}

// Without the event "exit" the trial would outlive this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const { folder, remove } = await trialFolder();
const trial = await startTrial(folder);
try {
  const browser = await launchChromium();
  try {
    await takeAll(trial.origin, browser);
  } finally {
    await within(CLOSES_MS, "the browser did not close", browser.close());
  }
} finally {
  await trial.stop();
  await remove();
}
