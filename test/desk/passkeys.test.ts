/** People with passkeys at the desk, in a real browser. */
import { expect, test } from "vitest";
import { addPersonStep, listPeopleStep, stopOrder } from "../../src/index.ts";
import { openProvenDesk } from "../site/proven-desk.ts";
import { longTest } from "../slice.ts";
import { enrol, expectFits, flaws, follow, openDesk, send, sign, signIn } from "./browser.ts";

/** A browser on a busy machine is slow. */
const BROWSER_MS = 180_000;

test(
  "somebody enrols a passkey by their code, signs in with it, stops, goes, and invites another",
  async () => {
    const { workplace } = await openProvenDesk();
    const roles = ["operator", "admin"] as const;
    const { invitation } = await addPersonStep(workplace, { name: "erin", roles, person: "dave" });
    const { browser, complaints } = await openDesk(workplace);
    // The only test whose pages fade into each other, as people see them.
    const page = await browser({ viewport: { width: 390, height: 800 }, reducedMotion: "no-preference" });
    await enrol(page, "erin", invitation?.code ?? "");
    const erin = (await listPeopleStep(workplace)).people.find(({ name }) => name === "erin");
    expect(erin?.keys.map(({ kind }) => kind)).toEqual(["passkey"]);
    await page.getByLabel("Name").fill("erin");
    await send(page, "Sign in with passkey", "Sign");
    expect(await page.textContent(".kv")).toContain("decisionsign in");
    await sign(page, "Waits for you");

    await page.getByRole("button", { name: "Menu" }).click();
    await follow(page.getByRole("link", { name: "Jobs", exact: true }), "Jobs");
    await page.getByRole("button", { name: "Stop sending…" }).click();
    await page.getByLabel("Reason").fill("the service is slow");
    await send(page, "Stop sending", "Jobs");
    await page.getByText("Sending is stopped.").waitFor();
    expect((await stopOrder(workplace))?.reason).toContain("the service is slow");
    await page.getByLabel("Why it may go on").fill("it's fast again");
    await send(page, "Go on…", "Let sending go on?");
    expect(await page.textContent("pre")).toContain('reason: "it\'s fast again"');
    await sign(page, "Jobs");
    await page.getByText("Sending is on.").waitFor();
    expect(await stopOrder(workplace)).toBeUndefined();

    await page.goto(`${new URL(page.url()).origin}/people`);
    await page.getByLabel("Name").fill("frank");
    await page.getByLabel("viewer").check();
    await send(page, "Make a one-time code…", "Put frank on the roster?");
    await sign(page, "frank is on the roster");
    const code = (await page.textContent(".sum")) ?? "";
    const phone = await browser({ viewport: { width: 390, height: 800 } });
    await enrol(phone, "frank", code);
    await signIn(phone, "frank");
    expect(complaints).toEqual([]);
  },
  BROWSER_MS,
);

longTest(
  "no page has a flaw that axe finds, in light and wide, and in dark and narrow",
  async () => {
    const { workplace, submit } = await openProvenDesk();
    await submit("A-1");
    const roles = ["operator", "admin", "approver"] as const;
    const { invitation } = await addPersonStep(workplace, { name: "erin", roles, person: "dave" });
    const { browser, origin, complaints } = await openDesk(workplace);
    const page = await browser();
    await enrol(page, "erin", invitation?.code ?? "");
    await page.getByLabel("Name").fill("erin");
    await send(page, "Sign in with passkey", "Sign");
    const found: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await flaws(page)));
    }
    await sign(page, "Waits for you");
    for (const path of ["/", "/jobs", "/people"]) {
      await page.goto(origin + path);
      for (const [colorScheme, width] of [
        ["light", 1280],
        ["dark", 390],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await expectFits(page);
        found.push(...(await flaws(page)).map((flaw) => `${path}, ${colorScheme}: ${flaw}`));
      }
    }
    expect([found, complaints]).toEqual([[], []]);
  },
  BROWSER_MS,
);
