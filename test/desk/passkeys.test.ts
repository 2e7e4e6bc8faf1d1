/** People with passkeys at the desk, in a real browser. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { addPersonStep, listPeopleStep } from "../../src/pipeline/people/people-step.ts";
import { stopOrder } from "../../src/pipeline/sending/stop-order.ts";
import { openProvenDesk } from "../pipeline/proven-desk.ts";
import { enrol, openDesk } from "./browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A browser on a busy machine is slow. */
const BROWSER_MS = 180_000;

/** What axe finds on a page; it is put in by the debugger, since the page's policy lets no script in. */
async function flaws(page: Page): Promise<readonly string[]> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Runtime.evaluate", { expression: AXE });
  return page.evaluate(
    "axe.run(document).then((found) => found.violations.map((each) => each.id + ': ' + each.help))",
  );
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Sign in with passkey" }).click();
  expect(await page.textContent(".kv")).toContain("decisionsign in");
  expect(await flaws(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign with passkey" }).click();
  await page.getByRole("heading", { name: "Waits for you", exact: true }).waitFor();
}

test(
  "somebody enrols a passkey by their code, signs in with it, stops, goes, and invites another",
  async () => {
    const { workplace } = await openProvenDesk();
    const roles = ["operator", "admin"] as const;
    const { invitation } = await addPersonStep(workplace, { name: "erin", roles, person: "dave" });
    const { browser, complaints } = await openDesk(workplace);
    const page = await browser({ viewport: { width: 390, height: 800 } });
    await enrol(page, "erin", invitation?.code ?? "");
    const erin = (await listPeopleStep(workplace)).people.find(({ name }) => name === "erin");
    expect(erin?.keys.map(({ kind }) => kind)).toEqual(["passkey"]);
    await signIn(page, "erin");

    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.getByRole("button", { name: "Stop sending…" }).click();
    await page.getByLabel("Reason").fill("the service is slow");
    await page.getByRole("button", { name: "Stop sending", exact: true }).click();
    await page.getByText("Sending is stopped.").waitFor();
    expect((await stopOrder(workplace))?.reason).toContain("the service is slow");
    await page.getByLabel("Why it may go on").fill("it's fast again");
    await page.getByRole("button", { name: "Go on…" }).click();
    expect(await page.textContent("pre")).toContain('reason: "it\'s fast again"');
    await page.getByRole("button", { name: "Sign with passkey" }).click();
    await page.getByText("Sending is on.").waitFor();
    expect(await stopOrder(workplace)).toBeUndefined();

    await page.goto(`${new URL(page.url()).origin}/people`);
    await page.getByLabel("Name").fill("frank");
    await page.getByLabel("viewer").check();
    await page.getByRole("button", { name: "Make a one-time code…" }).click();
    await page.getByRole("button", { name: "Sign with passkey" }).click();
    const code = (await page.textContent(".sum")) ?? "";
    const phone = await browser({ viewport: { width: 390, height: 800 } });
    await enrol(phone, "frank", code);
    await signIn(phone, "frank");
    expect(complaints).toEqual([]);
  },
  BROWSER_MS,
);

test(
  "no page has a flaw that axe finds, in light and dark, wide and narrow",
  async () => {
    const { workplace, submit } = await openProvenDesk();
    await submit("A-1");
    const roles = ["operator", "admin", "approver"] as const;
    const { invitation } = await addPersonStep(workplace, { name: "erin", roles, person: "dave" });
    const { browser, origin, complaints } = await openDesk(workplace);
    const page = await browser();
    await enrol(page, "erin", invitation?.code ?? "");
    await signIn(page, "erin");
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        for (const path of ["/", "/jobs", "/people"]) {
          await page.goto(origin + path);
          expect([path, colorScheme, width, await flaws(page)]).toEqual([path, colorScheme, width, []]);
          const isWider = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
          expect([path, width, isWider]).toEqual([path, width, false]);
        }
      }
    }
    expect(complaints).toEqual([]);
  },
  BROWSER_MS,
);
