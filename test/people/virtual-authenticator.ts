/** A person with passkeys before a browser: Chromium, whose virtual authenticator answers as a security key would. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { pathOfChromium } from "../programs.ts";

/** A browser without a graphics card, and without its software for one. Fails where there is none. */
export function launchChromium(): Promise<Browser> {
  const executablePath = pathOfChromium();
  if (executablePath === undefined) throw new Error("these tests need Chromium, or CHROMIUM with its path");
  const args = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"];
  return chromium.launch({ executablePath, args });
}

const BUNDLE = new URL(
  "../../node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js",
  import.meta.url,
);

export interface VirtualAuthenticator extends AsyncDisposable {
  /** Of the page that asks: "http://localhost:PORT". Its passkeys are the site localhost's. */
  readonly origin: string;
  /** What the browser answers to the options of a registration. */
  register(options: object): Promise<unknown>;
  /** What the browser answers to a request; rejects if the authenticator refuses. */
  sign(request: object): Promise<unknown>;
  /** Whether the person gives the right PIN or fingerprint from now on. */
  verifiesUser(does: boolean): Promise<void>;
}

export async function virtualAuthenticator(): Promise<VirtualAuthenticator> {
  const page = `<!doctype html><script>${readFileSync(fileURLToPath(BUNDLE), "utf8")}</script>`;
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(page));
  await once(server.listen(0, "localhost"), "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const browser = await launchChromium();
  const tab = await browser.newPage();
  await tab.goto(origin);
  const devTools = await tab.context().newCDPSession(tab);
  await devTools.send("WebAuthn.enable");
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  const call = (name: string, optionsJSON: object) =>
    tab.evaluate<unknown>(`SimpleWebAuthnBrowser.${name}(${JSON.stringify({ optionsJSON })})`);
  return {
    origin,
    register: (options) => call("startRegistration", options),
    sign: (request) => call("startAuthentication", request),
    verifiesUser: async (isUserVerified) => {
      await devTools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      server.close();
    },
  };
}
