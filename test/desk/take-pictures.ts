/** Takes the pictures in docs/desk: every page of the trial, wide and narrow, light and dark. */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { chromium } from "playwright-core";
import { CHROMIUM } from "../people/virtual-authenticator.ts";
import { cookieOfAnn, everyPage, startTrial, trialFolder } from "./trial.ts";

const OUT = fileURLToPath(new URL("../../docs/desk/", import.meta.url));

const WIDTHS = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } } as const;

/** Longer pages are cut there: the pictures stay small. */
const HEIGHT_MAX = 1_100;

/** The same PNG, packed harder than a browser does. */
function smaller(png: Buffer): Buffer {
  const parts: { readonly type: string; readonly data: Buffer }[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    parts.push({
      type: png.toString("latin1", at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  const pixels = Buffer.concat(parts.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const packed = { type: "IDAT", data: deflateSync(inflateSync(pixels), { level: 9, memLevel: 9 }) };
  const header = parts.filter(({ type }) => type === "IHDR");
  const chunks = [...header, packed, { type: "IEND", data: Buffer.alloc(0) }].map(({ type, data }) => {
    const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  });
  return Buffer.concat([png.subarray(0, 8), ...chunks]);
}

const { folder, remove } = await trialFolder();
const trial = await startTrial(folder);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  await mkdir(OUT, { recursive: true });
  const pages = await everyPage(trial.origin, await cookieOfAnn(trial.origin));
  const shown = pages.filter(([name]) => !["batch-released", "not-found"].includes(name));
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
