/** Every page over the trial's data, in a real browser in both themes, wide and narrow, and without JavaScript. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { IS_WHOLE } from "../slice.ts";
import { chromiumOfWorker, expectFits, flaws, STILL, send } from "./browser.ts";
import { cookieOfAnn, everyPage, startTrial, type Trial, trialFolder } from "./trial.ts";

const place = await trialFolder();
afterAll(place.remove);

let trial: Trial;
let pages: Awaited<ReturnType<typeof everyPage>>;
let cookie: string;

beforeAll(async () => {
  trial = await startTrial(place.folder);
  cookie = await cookieOfAnn(trial.origin);
  pages = await everyPage(trial.origin, cookie);
});
afterAll(() => trial.stop());

test("without JavaScript every page answers with its main heading", async () => {
  for (const [name, path] of pages) {
    const answer = await fetch(`${trial.origin}${path}`, { headers: { cookie } });
    expect([name, answer.status]).toEqual([name, name === "not-found" ? 404 : 200]);
    expect(await answer.text()).toMatch(/<h1[ >]/);
  }
});

test.each([
  [1280, "light", 0],
  [390, "dark", 1],
] as const)(
  "%d pixels wide, %s: nothing to find for axe-core, no error, no other host, nothing sideways",
  async (width, colorScheme, turn) => {
    const found: string[] = [];
    let at = "sign-in";
    const viewport = { width, height: 900 };
    const context = await (await chromiumOfWorker()).newContext({ ...STILL, viewport, colorScheme });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.on("console", (message) => {
      // The browser logs an error for the page that does not exist.
      if (message.type() === "error" && at !== "not-found") found.push(`${at}: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(`${trial.origin}/`)) found.push(`it asked ${request.url()}`);
    });
    await page.goto(`${trial.origin}/sign-in`);
    await send(page, "ann", "Waits for you");
    for (const [pageName, path] of pages.filter((_, index) => IS_WHOLE || index % 4 === turn)) {
      at = pageName;
      await page.goto(`${trial.origin}${path}`);
      await expectFits(page);
      found.push(...(await flaws(page)).map((flaw) => `${pageName}: ${flaw}`));
      await page.emulateMedia({ media: "print" });
      if (await page.locator(".btn:visible").count()) found.push(`${pageName}: a button is printed`);
      await page.emulateMedia({ media: "screen" });
    }
    expect(found).toEqual([]);
  },
  // A browser on a busy machine is slow.
  180_000,
);
