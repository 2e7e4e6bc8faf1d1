/** The desk in a real browser, with a passkey authenticator made of software, and what the browser complained about. */
import { createServer } from "node:net";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { startDesk } from "../../src/desk/server.ts";
import type { Workplace } from "../../src/index.ts";
import { CHROMIUM } from "../people/virtual-authenticator.ts";

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

async function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "localhost", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
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
