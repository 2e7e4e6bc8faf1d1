/** Every page over the trial's data, in a real browser in both themes, wide and narrow, and without JavaScript. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHROMIUM } from "../people/virtual-authenticator.ts";
import { cookieOfAnn, everyPage, startTrial, type Trial, trialFolder } from "./trial.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds, as one line each. */
const FINDINGS = `axe.run(document).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target.join(" "))))`;

const place = await trialFolder();
afterAll(place.remove);

let trial: Trial;
let pages: Awaited<ReturnType<typeof everyPage>>;
let cookie: string;

beforeAll(async () => {
  trial = await startTrial(place.folder);
  cookie = await cookieOfAnn(trial.origin);
  pages = await everyPage(trial.origin, cookie);
}, 60_000);
afterAll(() => trial.stop());

test("without JavaScript every page answers with its main heading", async () => {
  for (const [name, path] of pages) {
    const answer = await fetch(`${trial.origin}${path}`, { headers: { cookie } });
    expect([name, answer.status]).toEqual([name, name === "not-found" ? 404 : 200]);
    expect(await answer.text()).toMatch(/<h1[ >]/);
  }
});

test.each([
  [1280, "light"],
  [390, "dark"],
] as const)(
  "%d pixels wide, %s: nothing to find for axe-core, no error, no other host, nothing sideways",
  async (width, colorScheme) => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    try {
      const found: string[] = [];
      let at = "sign-in";
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      const page = await context.newPage();
      const devTools = await context.newCDPSession(page);
      const evaluate = async (expression: string): Promise<unknown> => {
        const options = { expression, awaitPromise: true, returnByValue: true } as const;
        return (await devTools.send("Runtime.evaluate", options)).result.value;
      };
      page.on("console", (message) => {
        // The browser says so of the page that is not there.
        if (message.type() === "error" && at !== "not-found") found.push(`${at}: ${message.text()}`);
      });
      page.on("request", (request) => {
        if (!request.url().startsWith(`${trial.origin}/`)) found.push(`it asked ${request.url()}`);
      });
      await page.goto(`${trial.origin}/sign-in`);
      await page.click("button[value=ann]");
      for (const [pageName, path] of pages) {
        at = pageName;
        await page.goto(`${trial.origin}${path}`);
        // By the debugger, since the page's own policy lets no other script in.
        await evaluate(`${AXE}; undefined`);
        const findings = (await evaluate(FINDINGS)) as string[];
        found.push(...findings.map((finding) => `${pageName}: ${finding}`));
        const wide = Number(await evaluate("document.documentElement.scrollWidth"));
        if (wide > width) found.push(`${pageName} is ${wide} pixels wide`);
      }
      expect(found).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  60_000,
);
