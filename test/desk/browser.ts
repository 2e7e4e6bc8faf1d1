/** The desk in a real browser, with a passkey authenticator made of software, and what the browser complained about. */
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { startDesk } from "../../src/desk/server.ts";
import type { Workplace } from "../../src/index.ts";
import { CHROMIUM } from "../people/virtual-authenticator.ts";
import { freePort } from "./trial.ts";

export interface OpenDesk {
  readonly origin: string;
  /** Another person's browser, with a passkey device of its own. */
  browser(options?: Parameters<Awaited<ReturnType<typeof chromium.launch>>["newContext"]>[0]): Promise<Page>;
  /** Console errors, errors of scripts, and requests to other hosts, of all browsers. */
  readonly complaints: string[];
}

/** `workplace`: with this origin in its people's passkeys. */
export async function openDesk(workplace: Workplace): Promise<OpenDesk> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const desk = await startDesk(workplace, { listen: `localhost:${port}`, origin });
  onTestFinished(() => desk.close());
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  onTestFinished(() => browser.close());
  const complaints: string[] = [];
  return {
    origin,
    complaints,
    browser: async (options = {}) => {
      const context = await browser.newContext(options);
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

/** From the sign-in page: makes a passkey by the one-time code, and is back there. */
export async function enrol(page: Page, name: string, code: string): Promise<void> {
  await page.getByRole("link", { name: "enrol" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("One-time code").fill(code);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.getByRole("button", { name: "Sign with passkey" }).click();
  await page.getByRole("link", { name: "Sign in" }).click();
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
