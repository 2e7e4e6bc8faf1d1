/** The batch page: who sees it, what must be ticked, what a decision needs, and what is said when somebody was faster. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { approveStep, payStep, submitFile, type Workplace } from "../../src/index.ts";
import { addPersonStep } from "../../src/pipeline/people/people-step.ts";
import { recallStep } from "../../src/pipeline/recall-step.ts";
import { KEYS, openProvenDesk } from "../pipeline/proven-desk.ts";
import { ADDRESS, openSite, type Site } from "../pipeline/service.ts";
import { enrol, openDesk } from "./browser.ts";
import { decideBy, deskOf, hiddenFieldsOf, provenVisitor, trialVisitor } from "./visitor.ts";

async function send({ folder }: Pick<Site, "folder">, workplace: Workplace, name: string, rows: string) {
  const path = join(folder, `${name}.csv`);
  writeFileSync(path, `reference,amount,destinationAddress,customerId,Status\n${rows}\n`);
  const { batchId, digest = "", problems } = await submitFile(workplace, path, "ann");
  if (batchId === undefined) throw new Error(JSON.stringify(problems));
  return { path: `/batches/${batchId}`, digest, id: batchId };
}

test("nothing is approved until every box is ticked, and none is ticked before", async () => {
  const site = await openSite({}, { PAYDROP_APPROVAL_RULES: '[{"people":2}]' });
  const { workplace } = site;
  const rows = `A-1,0.01,${ADDRESS},Zoë,open\nA-2,0.01,${ADDRESS},Other,open\nA-3,0.02,${ADDRESS},Zoë,hold`;
  const { path } = await send(site, workplace, "rows", rows);
  const app = await deskOf(workplace);
  const [ben, carol] = [await trialVisitor(app, "ben"), await trialVisitor(app, "carol")];
  const { text } = await ben.get(path);
  expect(text).toContain(ADDRESS);
  expect(text).toContain("says &#34;hold&#34; in 1 row");
  expect(text).not.toContain(" checked");
  // Each fact once: what is ticked is not said again for information.
  expect(text.match(/\bhold\b/g)).toHaveLength(1);
  expect(text).not.toContain("Columns not read");
  const boxes = [...text.matchAll(/type="checkbox" id="t-\w+" name="(\w+)" value="\d+" required/g)].map(
    ([, name = ""]) => name,
  );
  expect(boxes.toSorted()).toEqual(["other", "repeats", "values"]);
  const fields = hiddenFieldsOf(text, `${path}/approve`);
  const ticked = { other: "1", repeats: "1", values: "2" };
  for (const box of boxes) {
    const { status, text: refused } = await ben.post(`${path}/approve`, { ...fields, ...ticked, [box]: "" });
    expect([box, status]).toEqual([box, 409]);
    expect(refused).toContain("Nothing was done.");
  }
  const another = await ben.post(`${path}/approve`, { ...ticked, stamp: "of another page" });
  expect([
    another.status,
    another.text.includes("STATEMENT") || another.text.includes("is not what the page showed"),
  ]).toEqual([409, true]);
  expect((await ben.post(`${path}/approve`, { ...fields, ...ticked })).location).toBe(path);
  expect((await ben.get(path)).text).toContain("You have approved it; others must as well.");
  const again = hiddenFieldsOf((await carol.get(path)).text, `${path}/approve`);
  expect((await carol.post(`${path}/approve`, { ...again, other: "1", repeats: "1" })).location).toBe(path);
  await payStep(workplace);
  expect(site.sandbox.creations()).toHaveLength(3);
  expect((await ben.get(path)).text).toContain("3 payments");
});

test("says why it takes so many people: the sum, of how many hours, and above which limit", async () => {
  const site = await openSite(
    {},
    { PAYDROP_APPROVAL_RULES: '[{ upTo: { BTC: "0.5" }, people: 1 }, { people: 2 }]' },
  );
  const { workplace } = site;
  const first = await send(site, workplace, "first", `F-1,0.45,${ADDRESS},Zoë,open`);
  await approveStep(workplace, first.digest, "ben", { acceptReading: 1 });
  const { path } = await send(site, workplace, "second", `S-1,0.12345678,${ADDRESS},Zoë,open`);
  const ben = await trialVisitor(await deskOf(workplace), "ben");
  expect((await ben.get(path)).text).toContain("2 people</dd><dd>0.57 BTC in 24 hours, above 0.5 BTC");
  const large = await send(site, workplace, "third", `T-1,0.9,${ADDRESS},Zoë,open`);
  expect((await ben.get(large.path)).text).toMatch(
    /2 people<\/dd><dd>\S+ BTC(?: in 24 hours)?, above 0.5 BTC/,
  );
});

test("who sent a file in is told why they may not approve it, and who only submits sees no other file", async () => {
  const desk = await openProvenDesk();
  const { workplace } = desk;
  await addPersonStep(workplace, {
    name: "mallory",
    roles: ["submitter"],
    person: "dave",
    credential: KEYS.mallory.credential,
  });
  const { path } = await send(desk, workplace, "own", `A-1,0.01,${ADDRESS},Zoë,`);
  const app = await deskOf(workplace);
  const ann = await provenVisitor(app, workplace, "ann");
  const { text } = await ann.get(path);
  expect(text).toContain("Ann submitted this batch and cannot approve it.");
  expect(text).not.toContain('form="ap"');
  expect((await ann.post(`${path}/approve`, hiddenFieldsOf(text, `${path}/approve`))).status).toBe(409);
  const mallory = await provenVisitor(app, workplace, "mallory");
  expect((await mallory.get(path)).status).toBe(404);
  expect((await mallory.post(`${path}/reject`, { reason: "mine" })).status).toBe(403);
  expect((await ann.get("/batches/B-999999")).status).toBe(404);
});

test("if somebody was faster, nothing is applied, and the page shows how it is now", async () => {
  const desk = await openProvenDesk();
  const { workplace } = desk;
  const { path, id } = await send(desk, workplace, "slow", `A-1,0.01,${ADDRESS},Zoë,`);
  const app = await deskOf(workplace);
  const ben = await provenVisitor(app, workplace, "ben");
  const fields = hiddenFieldsOf((await ben.get(path)).text, `${path}/approve`);
  await recallStep(workplace, { reference: id, person: "carol", reason: "not ours" });
  const { status, text } = await decideBy(ben, KEYS.ben, `${path}/approve`, fields);
  expect(status).toBe(409);
  expect(text).toContain("Nothing was done.");
  expect(text).toContain("It was rejected, and nothing of it is paid.");
});

test("a file is rejected with a reason and a signature", async () => {
  const desk = await openProvenDesk();
  const { workplace } = desk;
  const { path, digest } = await send(desk, workplace, "bad", `A-1,0.01,${ADDRESS},Zoë,`);
  const ben = await provenVisitor(await deskOf(workplace), workplace, "ben");
  expect((await ben.post(`${path}/reject`, { reason: " " })).status).toBe(409);
  expect((await decideBy(ben, KEYS.ben, `${path}/reject`, { reason: "not ours" })).location).toBe(path);
  await expect(approveStep(workplace, digest, "carol")).rejects.toThrow();
});

test("a large batch is shown at once, and approved once its payments have been looked through", async () => {
  const site = await openSite({}, { PAYDROP_LIMITS_PER_DAY: '{ BTC: "0.1" }' });
  const { workplace } = site;
  const rows = Array.from({ length: 2_001 }, (_, row) => `A-${row},0.000${1000 + row},${ADDRESS},Zoë,`);
  const { path } = await send(site, workplace, "large", rows.join("\n"));
  const { browser, origin, complaints } = await openDesk(workplace);
  const page = await browser();
  await page.goto(origin + path);
  await page.getByRole("button", { name: "ben" }).click();
  await page.getByText("compared with all that was paid before").waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).isVisible()).toBe(false);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Approved by ben.").waitFor();
  await page.getByRole("link", { name: "Today" }).click();
  // They are 0.4002 BTC.
  await page.getByText("0.30020000 BTC more than the limits of a day leave").waitFor();
  expect(complaints).toEqual([]);
}, 60_000);

test("two people approve with passkeys on a narrow screen, and the service gets each payment once", async () => {
  const desk = await openProvenDesk({ PAYDROP_APPROVAL_RULES: '[{"people":2}]' });
  const { workplace } = desk;
  const { path } = await send(desk, workplace, "two", `A-1,0.01,${ADDRESS},Zoë,\nA-2,0.01,${ADDRESS},Zoë,`);
  const { browser, origin, complaints } = await openDesk(workplace);
  for (const name of ["erin", "frank"]) {
    const { invitation } = await addPersonStep(workplace, { name, roles: ["approver"], person: "dave" });
    const page = await browser({ viewport: { width: 390, height: 800 } });
    await enter(page, name, invitation?.code ?? "");
    await page.goto(origin + path);
    expect(await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    await page.getByRole("link", { name: "Go to sign" }).click();
    await page.getByRole("button", { name: "Approve and sign…" }).click();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.getByLabel("It is meant to be paid again").check();
    await page.getByRole("button", { name: "Approve and sign…" }).click();
    await page.getByRole("button", { name: "Sign with passkey" }).click();
    await page.getByRole("heading", { name: "Who approved" }).waitFor();
    expect(desk.sent()).toEqual([]);
    expect((await payStep(workplace)).accepted).toBe(name === "erin" ? 0 : 2);
  }
  expect(desk.sent().toSorted()).toEqual(["A-1", "A-2"]);
  expect(complaints).toEqual([]);
}, 180_000);

async function enter(page: Page, name: string, code: string): Promise<void> {
  await enrol(page, name, code);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Sign in with passkey" }).click();
  await page.getByRole("button", { name: "Sign with passkey" }).click();
  await page.getByRole("heading", { name: "Waits for you", exact: true }).waitFor();
}
