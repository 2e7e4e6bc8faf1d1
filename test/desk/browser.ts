/**
 * The desk in a real browser, with a passkey authenticator made of software, and what the browser complained about.
 * Tests press what leads to another page by `follow` alone, so that nothing looks at a page which the browser is
 * leaving.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { startDesk } from "../../src/desk/index.ts";
import type { Workplace } from "../../src/index.ts";
import { launchChromium } from "../people/virtual-authenticator.ts";
import { freePort } from "./trial.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const FINDINGS = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target.join(" "))))`;

/** A page that fades into the next is drawn many times, in software: half of a test's time. */
export const STILL = { reducedMotion: "reduce" } as const;

export interface OpenDesk {
  readonly origin: string;
  /** Another person's browser, with a passkey device of its own. */
  browser(options?: Parameters<Browser["newContext"]>[0]): Promise<Page>;
  /** Console errors, errors of scripts, and requests to other hosts, of all browsers. */
  readonly complaints: string[];
}

/** `workplace`: with this origin in its people's passkeys. */
export async function openDesk(workplace: Workplace): Promise<OpenDesk> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const desk = await startDesk(workplace, { listen: `localhost:${port}`, origin });
  onTestFinished(() => desk.close());
  const complaints: string[] = [];
  return {
    origin,
    complaints,
    browser: async (options = {}) => {
      const context = await (await chromiumOfWorker()).newContext({ ...STILL, ...options });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("request", (request) => {
        if (!request.url().startsWith(origin)) complaints.push(`it asked ${request.url()}`);
      });
      await withPasskeys(context, page);
      await page.goto(`${origin}/sign-in`);
      return page;
    },
  };
}

let launched: Promise<Browser> | undefined;

/** One for all test files of a worker, with which it ends; each person has a context of their own. */
export function chromiumOfWorker(): Promise<Browser> {
  launched ??= launchChromium();
  return launched;
}

/**
 * Presses what leads to another page, and waits until that page is loaded and shows this heading. A look that begins
 * before finds the old page, or none.
 */
export async function follow(press: Locator, heading: string): Promise<void> {
  const page = press.page();
  await Promise.all([page.waitForEvent("load"), press.click()]);
  await page.getByRole("heading", { name: heading, exact: true }).first().waitFor();
}

/** `follow`, for a button. */
export function send(page: Page, button: string, heading: string): Promise<void> {
  return follow(page.getByRole("button", { name: button, exact: true }), heading);
}

/** No page is wider than its screen. */
export async function expectFits(page: Page): Promise<void> {
  const isWider = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
  expect([page.url(), isWider]).toEqual([page.url(), false]);
}

/** What axe-core finds, as one line each. By the debugger, since the page's own policy lets no other script in. */
export async function flaws(page: Page): Promise<string[]> {
  const devTools = await page.context().newCDPSession(page);
  const options = { expression: `${AXE};${FINDINGS}`, awaitPromise: true, returnByValue: true } as const;
  const { result, exceptionDetails } = await devTools.send("Runtime.evaluate", options);
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
  // The session stays: with its end the page would lose its passkey device.
  return result.value as string[];
}

/** From the sign-in page: makes a passkey by the one-time code, and is back there. */
export async function enrol(page: Page, name: string, code: string): Promise<void> {
  await follow(page.getByRole("link", { name: "enrol" }), "Enrol a passkey");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("One-time code").fill(code);
  await send(page, "Go on", "Make your passkey");
  await send(page, "Make a passkey", "Sign");
  await sign(page, "Your passkey is enrolled");
  await follow(page.getByRole("link", { name: "Sign in" }), "Sign in");
}

/** From the sign-in page to the first page; who only submits sees a heading of their own. */
export async function signIn(page: Page, name: string, heading = "Waits for you"): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await send(page, "Sign in with passkey", "Sign");
  await sign(page, heading);
}

/** At the page that shows what is signed. */
export async function sign(page: Page, heading: string): Promise<void> {
  await expectFits(page);
  await send(page, "Sign with passkey", heading);
}

async function withPasskeys(context: BrowserContext, page: Page): Promise<void> {
  const devTools = await context.newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}
