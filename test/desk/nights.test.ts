/**
 * The Nights page at the desk: open breaks and their amounts at stake, a break's own page, and the decisions of
 * controllers there.
 */
import { EventEmitter, once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { Hints } from "../../src/daemon/index.ts";
import { deskServer } from "../../src/desk/index.ts";
import { addPersonStep, createDepositStep, createPayoutStep, trackStep } from "../../src/index.ts";
import { DAY_MS, shifted } from "../../src/model/index.ts";
import { breaksStep, reconcileStep } from "../../src/nights/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { KEYS, openProvenDesk } from "../site/proven-desk.ts";
import { ADDRESS, byClock, DEPOSIT, openSite } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { decideBy, deskOf, ORIGIN, provenVisitor, trialVisitor } from "./visitor.ts";

/** Payouts of these amounts at `url`, made by somebody else; no file of ours asked for them. */
async function strangersAt(url: string, amounts: Readonly<Record<string, string>>): Promise<void> {
  const elsewhere = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: url });
  for (const [reference, amount] of Object.entries(amounts)) {
    const cells = { reference, amount, destinationAddress: ADDRESS };
    await createPayoutStep(elsewhere.workplace, { cells, submittedBy: "ann", approvedBy: ["bob"] });
  }
}

async function deskWithStrangers() {
  const desk = await openProvenDesk({ PAYDROP_RECONCILIATION_SETTLE_ALONE: '{ BTC: "0.01" }' });
  const { credential } = KEYS.mallory;
  const roles = ["controller"] as const;
  await addPersonStep(desk.workplace, { name: "mallory", roles, credential, person: "dave" });
  await strangersAt(desk.sandbox.url, { "EXT-1": "0.015", "EXT-2": "0.002" });
  const strangers = async () =>
    (await reconcileStep(desk.workplace)).openBreaks.filter(({ kind }) => kind === "unexpected");
  await expect.poll(strangers).toHaveLength(2);
  const open = (await strangers()).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const named = (reference: string) => open.find((each) => each.reference === reference)?.opening ?? "";
  const app = await deskOf(desk.workplace);
  return { ...desk, named, visit: (name: string) => provenVisitor(app, desk.workplace, name) };
}

const plainText = (page: string) => page.replaceAll(/<[^>]+>/g, "");

test("the page says in one sentence whether both sides agree, with the sum at stake, and is narrowed", async () => {
  const { visit } = await deskWithStrangers();
  const ben = await visit("ben");
  const page = (await ben.get("/nights?kind=payouts")).text;
  expect(plainText(page)).toMatch(/Both sides agree but for \d breaks with 0\.01700000 BTC at stake, as of/);
  expect(plainText(page)).toContain("A full night, because all of it fits on one page");
  expect(page).toContain("Unexpected payout");
  expect(page).not.toContain('type="checkbox"');
  const shows = async (query: string) => {
    const { text } = await ben.get(`/nights?${query}`);
    return ["EXT-1", "EXT-2"].filter((name) => text.includes(`>${name}<`));
  };
  expect(await shows("min=0.01")).toEqual(["EXT-1"]);
  expect(await shows("min=0.01+btc&owner=nobody")).toEqual(["EXT-1"]);
  expect(await shows("owner=me")).toEqual([]);
  expect(await shows("account=savings-btc")).toEqual([]);
  const narrowed = (await ben.get("/nights?min=99")).text;
  expect(narrowed).toContain("No such break");
  expect(narrowed).not.toContain("Nothing that was compared differs");
  expect((await ben.get("/nights?min=much")).status).toBeGreaterThanOrEqual(400);
});

test("before the first comparison no sentence says that nothing differs", async () => {
  const { text } = await (await trialVisitor(await deskOf((await openSite()).workplace), "ben")).get(
    "/nights",
  );
  expect(text).toContain("Not compared yet");
  expect(text).not.toContain("differs.");
});

test("several breaks are picked and given to a person, noted on and settled, each by a controller's signature", async () => {
  const { visit, named, workplace } = await deskWithStrangers();
  const carol = await visit("carol");
  const picked = { break: [named("EXT-1"), named("EXT-2")] };
  const query = `break=${named("EXT-1")}&break=${named("EXT-2")}`;
  expect((await carol.get(`/nights/decide?do=give&owner=ben&${query}`)).text).toContain("Assign 2 breaks?");
  await decideBy(carol, KEYS.carol, "/nights/give", { ...picked, owner: "ben" });
  await decideBy(carol, KEYS.carol, "/nights/note", { ...picked, note: "Asked who holds a key." });
  const question = plainText((await carol.get(`/nights/decide?do=settle&${query}`)).text);
  expect(question).toContain("0.01500000 BTC is above 0.01000000 BTC, so a second controller must confirm.");
  await decideBy(carol, KEYS.carol, "/nights/settle", { ...picked, reason: "paid by the branch" });
  const [waiting] = (await breaksStep(workplace, { kind: "unexpected" })).open;
  expect(waiting).toMatchObject({ reference: "EXT-1", owner: "ben", proposed: { person: "carol" } });
  const mallory = await visit("mallory");
  const path = `/nights/break?name=${named("EXT-1")}`;
  expect((await carol.get(path)).text).not.toContain("Confirm…");
  const ownProposal = await carol.get(`/nights/decide?do=settle&${query}`);
  expect(plainText(ownProposal.text)).toContain("another controller confirms it");
  expect(ownProposal.text).not.toContain('class="btn main big"');
  expect((await mallory.get(path)).text).toContain("Confirm…");
  const confirmed = { break: named("EXT-1"), reason: "I asked the branch", from: named("EXT-1") };
  expect((await decideBy(mallory, KEYS.mallory, "/nights/settle", confirmed)).location).toBe(path);
  const story = plainText((await mallory.get(path)).text);
  for (const part of [
    "no row of any file",
    "carol gave it to ben",
    "carol: Asked who holds a key.",
    "carol and mallory settled it: paid by the branch",
  ])
    expect(story).toContain(part);
  expect((await breaksStep(workplace, { kind: "unexpected" })).open).toEqual([]);
  await decideBy(carol, KEYS.carol, "/nights/reopen", { break: named("EXT-2"), reason: "it was not" });
  expect((await breaksStep(workplace, { kind: "unexpected" })).open).toMatchObject([{ reference: "EXT-2" }]);
});

test("who is no controller decides nothing about breaks, and nothing is picked by an empty form", async () => {
  const { visit, named } = await deskWithStrangers();
  const ben = await visit("ben");
  expect((await ben.get(`/nights/decide?do=settle&break=${named("EXT-1")}`)).status).toBe(403);
  for (const what of ["give", "note", "settle", "reopen"])
    expect((await ben.post(`/nights/${what}`, { break: named("EXT-1"), reason: "x" })).status).toBe(403);
  const carol = await visit("carol");
  for (const query of ["do=settle", "do=drop&break=BR-1", "do=settle&break=BR-999"])
    expect((await carol.get(`/nights/decide?${query}`)).status).toBeGreaterThanOrEqual(400);
  expect((await carol.get("/nights/break?name=BR-999")).status).toBe(404);
});

test("“Compare now” starts the comparison where the scheduled jobs run, and stands nowhere else", async () => {
  const { workplace } = await openSite();
  const hints: Hints = new EventEmitter();
  const app = await deskServer(workplace, ORIGIN, { hints });
  onTestFinished(() => app.close());
  const ann = await trialVisitor(app, "ann");
  expect((await ann.get("/nights")).text).toContain("Compare now");
  const heard = once(hints, "hint");
  expect((await ann.post("/nights/compare")).location).toBe("/nights?asked=yes");
  expect(await heard).toEqual(["reconcile"]);
  const alone = await trialVisitor(await deskOf(workplace), "ann");
  expect((await alone.get("/nights")).text).not.toContain("Compare now");
  expect((await alone.post("/nights/compare")).status).toBeGreaterThanOrEqual(400);
});

test("the search finds an unexpected payout, a deposit, a file, a break and an amount, and each has a page", async () => {
  const { workplace, sandbox } = await openSite();
  const cells = { reference: "A-1", amount: "0.0070", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  await createDepositStep(workplace, DEPOSIT);
  await strangersAt(sandbox.url, { "EXT-1": "0.015" });
  const unexpected = async () =>
    (await reconcileStep(workplace)).openBreaks.filter(({ kind }) => kind === "unexpected");
  await expect.poll(unexpected).toHaveLength(1);
  await trackStep(workplace);
  const [{ opening = "", payoutId = "" } = {}] = await unexpected();
  const ann = await trialVisitor(await deskOf(workplace), "ann");
  const search = (text: string) => ann.get(`/payments?q=${encodeURIComponent(text)}`);
  expect((await search("EXT-1")).text).toContain(`/nights/break?name=${opening}`);
  const { text: itsBreak } = await ann.get(`/nights/break?name=${opening}`);
  expect(itsBreak).toContain("Find out who made it at the service");
  expect(itsBreak).toMatch(/class="btn main" href="\/nights\/decide\?do=settle/);
  const payout = `/payments/resource?kind=payout&id=${payoutId}`;
  for (const text of [payoutId, payoutId.toUpperCase()]) {
    const { location, text: page } = await search(text);
    expect(location ?? page).toContain(payoutId);
  }
  const page = plainText((await ann.get(payout)).text);
  for (const part of ["A payout that no file asked for.", ADDRESS, "0.01500000 BTC"])
    expect(page).toContain(part);
  const { location: deposit = "" } = await search("DEP-1");
  expect(deposit).toMatch(/^\/payments\/resource\?kind=deposit/);
  expect((await ann.get(deposit)).text).toContain("Deposit DEP-1");
  expect((await search("b-000001")).location).toBe("/batches/B-000001");
  expect((await search("0.007")).location).toBe("/payments/story?reference=A-1");
  expect((await search("0.015 BTC")).location).toBe(`/nights/break?name=${opening}`);
  expect((await search(opening)).location ?? "").toContain(opening);
  expect((await search("0.0151")).text).toContain("Nothing found");
  const ours = `/payments/resource?kind=payout&id=${(await ann.get("/payments/story?reference=A-1")).text.match(/01[0-9a-f]{6}-[0-9a-f-]{27}/)?.[0]}`;
  expect((await ann.get(ours)).location).toBe("/payments/story?reference=A-1");
  expect((await ann.get("/payments/resource?kind=deposit&id=none")).status).toBe(404);
});

test("the page has the proof, both sides and 14 nights, and the report to take away, also of an earlier night", async () => {
  const { workplace } = await openSite();
  const ann = await trialVisitor(await deskOf(workplace), "ann");
  expect((await ann.get("/nights")).text).not.toContain("Balance proof");
  const { night, day } = await reconcileStep(workplace);
  const page = (await ann.get("/nights")).text;
  for (const part of ["Balance proof", "Both sides", "14 nights", "treasury-btc", "<svg"])
    expect(page).toContain(part);
  for (const format of ["xlsx", "html", "json"]) expect(page).toContain(`/nights/${night}/report/${format}`);
  const kept = await ann.get(`/nights/${night}/report/json`);
  expect(JSON.parse(kept.text)).toMatchObject({ number: night, night: { day } });
  expect((await ann.get(`/nights/${night}/report/html`)).text).toMatch(/^<!doctype html>/);
  const later = byClock(workplace, () => shifted(new Date().toISOString(), 2 * DAY_MS));
  await reconcileStep(later);
  expect((await ann.get("/nights")).text).toContain(`/nights/${day}`);
  const earlier = (await ann.get(`/nights/${day}`)).text;
  expect(earlier).toContain(`/nights/${night}/report/xlsx`);
  expect(earlier).toContain("Breaks that were open then");
  for (const path of [
    "/nights/2020-01-01",
    "/nights/soon",
    "/nights/99/report/html",
    `/nights/${night}/report/exe`,
  ])
    expect([path, (await ann.get(path)).status]).toEqual([path, 404]);
});
