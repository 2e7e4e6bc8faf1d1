/**
 * A workbook's whole way through the desk, in real browsers: from the first people to the payments at the service.
 */
import ExcelJS from "exceljs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { addPersonStep, payStep, trackStep, type Workplace } from "../../src/index.ts";
import { proveDecision } from "../../src/proof/prove.ts";
import { signBy } from "../people/keys.ts";
import { KEYS, provenEnvironment, signing } from "../site/proven-desk.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { enrol, expectFits, flaws, follow, openDesk, send, sign, signIn } from "./browser.ts";

/** A browser on a busy machine is slow. */
const BROWSER_MS = 180_000;

/** A page that does not answer for this long fails the test, and the message names what was awaited. */
const PAGE_MS = 20_000;

const NARROW = { viewport: { width: 390, height: 800 } };

/** The file does not say whether "Net" or "Gross" is the amount; three cells are wrong. */
const ROWS = [
  ["W-1", 0.01, 0.02, ADDRESS, "Zoë"],
  ["W-2", 0.03, 0.04, ADDRESS.replace("w508", "w509"), "Zoë"],
  ["W-3", 0.01, 0.02, ADDRESS, "Other"],
  ["", 0.05, 0.06, ADDRESS, "Zoë"],
  ["W-5", "0.0x", 0.08, ADDRESS, "Zoë"],
];

const REFERENCES = ["W-1", "W-2", "W-3", "W-4", "W-5"];

/** The story of the payment whose first request never reached the service. */
const STORY = [
  "In the file",
  "Approved by ben",
  "Approved by carol",
  "Sent 2 times, as the same request",
  "Payout in doubt, by Paydrop",
  "Looked for it",
  "Signed, by ben",
  "Send payout again, by ben",
  "Payout sent again, by ben",
  "Taken by the service",
  "Arrived",
];

async function workbook(): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  book
    .addWorksheet("Payments")
    .addRows([["reference", "Net BTC", "Gross BTC", "destinationAddress", "customerId"], ...ROWS]);
  return Buffer.from(await book.xlsx.writeBuffer());
}

async function openWay() {
  const faults = [
    { operation: "createPayoutV2", nth: 1, effect: { kind: "cut-before-read" } },
    { operation: "createPayoutV2", nth: 2, effect: { kind: "cut-after-commit" } },
  ] as const;
  const rules = { PAYDROP_APPROVAL_RULES: '[{"people":2}]', PAYDROP_NONCE_RULE: "unknown" };
  const { sandbox, ...site } = await openSite({ faults }, { ...provenEnvironment(), ...rules });
  const workplace = signing(site.workplace);
  const { credential } = KEYS.dave;
  await addPersonStep(workplace, { name: "dave", roles: ["admin"], credential, person: "dave" });
  const desk = await openDesk(workplace);
  const browser = async (options = {}) => {
    const page = await desk.browser(options);
    page.setDefaultTimeout(PAGE_MS);
    return page;
  };
  return { ...desk, browser, workplace, sandbox };
}

async function signInBySsh(page: Page, workplace: Workplace, person: string): Promise<void> {
  await page.getByText("Sign in with an SSH key").click();
  const subject = /desk sign-in (\S+)/.exec((await page.textContent("pre")) ?? "")?.[1] ?? "";
  await proveDecision(workplace, { decision: "sign in", person, subject });
  await send(page, "I have signed", "Waits for you");
}

type Sign = (page: Page, heading: string) => Promise<void>;

const signBySsh: Sign = async (page, heading) => {
  const statement = await page.locator('[name="statement"]').inputValue();
  await page.getByLabel("Signature").fill(signBy(KEYS.dave, statement));
  await send(page, "Send the signature", heading);
};

/** Fills in the page of people; returns the one-time code that it shows in the end. */
async function invite(page: Page, name: string, roles: readonly string[], by: Sign): Promise<string> {
  await page.getByLabel("Name").fill(name);
  for (const role of roles) await page.getByLabel(role).check();
  await send(page, "Make a one-time code…", `Put ${name} on the roster?`);
  await by(page, `${name} is on the roster`);
  const code = await page.textContent(".sum");
  await follow(page.getByRole("link", { name: "Done" }), "People");
  return code ?? "";
}

/** Uses the navigation, which a narrow screen hides behind a button. */
async function goTo(page: Page, label: string): Promise<void> {
  const menu = page.getByRole("button", { name: "Menu" });
  if (await menu.isVisible()) await menu.click();
  await follow(page.getByRole("navigation").getByRole("link", { name: label }), label);
}

/** Sends the workbook in, answers the question, and repairs two cells and then the third. */
async function sendIn(page: Page): Promise<void> {
  await goTo(page, "Files");
  await page
    .getByLabel("Choose files, or drop them here")
    .setInputFiles({ name: "bills.xlsx", mimeType: "application/octet-stream", buffer: await workbook() });
  await send(page, "Send in", "bills.xlsx");
  await page.getByRole("group", { name: "Which column is the amount?" }).getByLabel("B, “Net BTC”").check();
  await send(page, "Check again", "3 cells to repair");
  await page.getByLabel("cell D3").fill(ADDRESS);
  await page.getByLabel("cell A5").fill("W-4");
  await send(page, "Check again", "1 cell to repair");
  await page.getByLabel("cell B6").fill("0.07");
  await send(page, "Check again", "What you sign");
  await sign(page, "Who approved");
}

/** Ticks every box, on a narrow screen; returns the words that approvers read to each other by telephone. */
async function approve(page: Page, file: string): Promise<string> {
  await goTo(page, "Files");
  await follow(page.getByRole("link", { name: file, exact: true }), file);
  const words = await page.locator(".spoken").innerText();
  const { pathname } = new URL(page.url());
  await page.getByRole("link", { name: "Go to sign" }).click();
  await page.getByRole("button", { name: "Approve and sign…" }).click();
  // The browser sends nothing before every box is ticked.
  expect(new URL(page.url()).pathname).toBe(pathname);
  const boxes = await page.locator("#ap").getByRole("checkbox").all();
  expect(boxes.length).toBeGreaterThan(1);
  for (const box of boxes) await box.check();
  await expectFits(page);
  await send(page, "Approve and sign…", `Approve ${file}?`);
  expect(await page.locator(".spoken").innerText()).toBe(words);
  await sign(page, "Who approved");
  await page.getByText("You", { exact: true }).waitFor();
  return words;
}

async function stop(page: Page): Promise<void> {
  await goTo(page, "Jobs");
  await page.getByRole("button", { name: "Stop sending…" }).click();
  await page.getByLabel("Reason").fill("the bank asked us to wait");
  await send(page, "Stop sending", "Jobs");
  await page.getByText("Sending is stopped.").waitFor();
}

async function go(page: Page): Promise<void> {
  await goTo(page, "Jobs");
  await page.getByLabel("Why it may go on").fill("it's over");
  await send(page, "Go on…", "Let sending go on?");
  expect(await page.textContent("pre")).toContain('reason: "it\'s over"');
  await sign(page, "Jobs");
  await page.getByText("Sending is on.").waitFor();
}

/** Has the same request sent again, and sees the payment's story. */
async function resolve(page: Page, reference: string): Promise<void> {
  await goTo(page, "Doubts");
  await follow(page.getByRole("link", { name: reference }), "Your choices");
  await expectFits(page);
  await page.getByLabel("Send the same request again").check();
  await page.getByLabel("Reason").fill("the service has never got it");
  await send(page, "Decide…", `Send it again: ${reference}?`);
  await sign(page, "Its story");
  await expectFits(page);
}

async function find(page: Page, reference: string): Promise<void> {
  await goTo(page, "Payments");
  await page.getByLabel("Reference, payee, address or hash").fill(reference);
  await send(page, "Find", "Its story");
}

test(
  "a workbook with mistakes is repaired, approved and paid in the browser, and the service gets each payment once",
  async () => {
    const { workplace, sandbox, browser, complaints } = await openWay();
    const sent = () => sandbox.creations().map(({ reference }) => reference);
    const admin = await browser();
    await signInBySsh(admin, workplace, "dave");
    await goTo(admin, "People");
    const [ann, ben, carol] = [await browser(), await browser(NARROW), await browser(NARROW)];
    await enrol(ann, "ann", await invite(admin, "ann", ["submitter"], signBySsh));
    await signIn(ann, "ann", "Your files");
    await enrol(ben, "ben", await invite(admin, "ben", ["approver", "operator", "admin"], signBySsh));
    await signIn(ben, "ben");
    await goTo(ben, "People");
    await enrol(carol, "carol", await invite(ben, "carol", ["approver"], sign));
    await carol.getByLabel("Name").fill("carol");
    await send(carol, "Sign in with passkey", "Sign");
    expect(await carol.textContent(".kv")).toContain("decisionsign in");
    for (const colorScheme of ["light", "dark"] as const) {
      await carol.emulateMedia({ colorScheme });
      expect([colorScheme, await flaws(carol)]).toEqual([colorScheme, []]);
    }
    await sign(carol, "Waits for you");

    await sendIn(ann);
    const words = await approve(ben, "bills.xlsx");
    expect(words).toMatch(/^(?:[a-z]+ ){5}[a-z]+$/);
    expect((await payStep(workplace)).accepted).toBe(0);
    expect(await approve(carol, "bills.xlsx")).toBe(words);
    await stop(carol);
    expect((await payStep(workplace)).accepted).toBe(0);
    expect(sent()).toEqual([]);
    await go(ben);
    expect(await payStep(workplace)).toMatchObject({ accepted: 4, inDoubt: 1, doubtedOnTheWay: 2 });

    const [lost = ""] = REFERENCES.filter((each) => !sent().includes(each));
    await resolve(ben, lost);
    await find(ann, lost);
    const arrived = async () => {
      await trackStep(workplace);
      await ann.reload();
      return ann.locator(".story h3").allTextContents();
    };
    await expect.poll(arrived, { timeout: PAGE_MS }).toContain("Arrived");
    expect(await arrived()).toEqual(STORY);
    expect(await payStep(workplace)).toMatchObject({ due: 0, accepted: 0 });
    expect(sent().toSorted()).toEqual(REFERENCES);
    expect(complaints).toEqual([]);
  },
  BROWSER_MS,
);
