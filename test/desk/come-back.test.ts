/** The text of a form whose person's session had ended, and the page to which a refusal leads back. */
import { describe, expect, test } from "vitest";
import { giveStopOrder, stopOrder, type Workplace } from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { openSite } from "../site/service.ts";
import { deskOf, hiddenFieldsOf, ORIGIN, trialVisitor, unescaped, type Visitor } from "./visitor.ts";

const HALF_AN_HOUR = 31 * 60_000;
const REASON = `the auditor "said" so <b>& it's fine`;

/** A desk whose clock the test moves forward. */
async function siteLater() {
  const { workplace } = await openSite();
  await giveStopOrder(workplace, "dave", "an audit");
  let later = 0;
  const { context } = workplace;
  const clock = { ...context.clock, now: () => shifted(context.clock.now(), later) };
  const moved: Workplace = { ...workplace, context: { ...context, clock } };
  const app = await deskOf(moved);
  return { app, workplace: moved, pass: (ms: number) => (later += ms) };
}

async function typedTooLate(from = "/jobs") {
  const site = await siteLater();
  const dave = await trialVisitor(site.app, "dave");
  site.pass(HALF_AN_HOUR);
  const answer = await dave.post("/jobs/go", { reason: REASON }, { referer: `${ORIGIN}${from}` });
  return { ...site, dave, answer };
}

async function signInAt(visitor: Visitor, location: string, name: string) {
  const to = new URL(location, ORIGIN).searchParams.get("to") ?? "";
  return { to, answer: await visitor.post("/sign-in", { name, to }) };
}

describe("who typed a reason into a page of an ended session", () => {
  test("comes back to that page, with the reason in its field, and nothing was done", async () => {
    const { workplace, dave, answer } = await typedTooLate();
    expect(answer).toMatchObject({ status: 303, location: expect.stringMatching(/^\/sign-in\?to=%2Fjobs/) });
    expect((await dave.get(answer.location ?? "")).text).toContain(
      "You were signed out before this was sent.",
    );
    const { answer: signedIn } = await signInAt(dave, answer.location ?? "", "dave");
    const { text } = await dave.get(signedIn.location ?? "");
    expect(text).toContain("What you typed is in its fields again");
    expect(text).toMatch(
      /<textarea id="go-why"[^>]*>the auditor &#34;said&#34; so &#60;b&#62;&#38; it&#39;s fine</,
    );
    expect(await stopOrder(workplace)).toBeDefined();
    // Only once: opened again, the page has its usual content.
    expect((await dave.get(signedIn.location ?? "")).text).not.toContain("the auditor");
  });

  test("is the only one who gets it back", async () => {
    const { dave, answer } = await typedTooLate();
    const { answer: signedIn } = await signInAt(dave, answer.location ?? "", "ben");
    const { status, text } = await dave.get(signedIn.location ?? "");
    expect([status, text.includes("the auditor"), text.includes("What you typed")]).toEqual([
      200,
      false,
      false,
    ]);
  });

  test("who signed out themselves, or never were in, leave nothing behind", async () => {
    const { app, dave } = await typedTooLate();
    const again = await trialVisitor(app, "dave");
    const token = new Map(again.cookies);
    await again.post("/sign-out");
    for (const [name, value] of token) again.cookies.set(name, value);
    dave.cookies.clear();
    for (const nobody of [again, dave]) {
      const { location } = await nobody.post("/jobs/go", { reason: REASON });
      expect(location).toMatch(/^\/sign-in/);
      expect(location).not.toContain("kept");
    }
  });

  test("gets no more back than a person types, and no signature", async () => {
    const site = await siteLater();
    const dave = await trialVisitor(site.app, "dave");
    site.pass(HALF_AN_HOUR);
    const much = await dave.post("/jobs/go", { reason: "x".repeat(30_000) });
    const signed = await dave.post("/jobs/go", { statement: "{}", signature: "s", ssh: "s" });
    expect([much.location, signed.location].join()).not.toContain("kept");
  });

  test("is led to no other host, and to a page of the desk only", async () => {
    const site = await siteLater();
    const dave = await trialVisitor(site.app, "dave");
    site.pass(HALF_AN_HOUR);
    for (const referer of [
      "https://evil.example/jobs",
      `${ORIGIN}/jobs/go`,
      `${ORIGIN}//evil.example`,
      "",
      "x",
    ]) {
      const { location = "" } = await dave.post("/jobs/go", { reason: "x" }, { referer });
      expect(new URL(location, ORIGIN).searchParams.get("to")).toMatch(/^\/jobs\?kept=[\w-]+$/);
    }
  });

  test("finds the form that they had among others like it", async () => {
    const { workplace } = await openSite();
    const { replaceOpenBreaks } = await import("../../src/store/breaks.ts");
    const found = ["one", "two"].map((name) => {
      return { id: name, kind: "unexpected", severity: "alarm", sentence: name, reference: name } as const;
    });
    await workplace.store.write(() => replaceOpenBreaks(found, "2026-11-20T00:00:00.000Z"));
    const { context } = workplace;
    let later = 0;
    const clock = { ...context.clock, now: () => shifted(context.clock.now(), later) };
    const app = await deskOf({ ...workplace, context: { ...context, clock } });
    const carol = await trialVisitor(app, "carol");
    later = HALF_AN_HOUR;
    const decision = { break: "BR-2", reason: "known to us" };
    const referer = `${ORIGIN}/nights/decide?do=settle&break=BR-2`;
    const { location = "" } = await carol.post("/nights/settle", decision, { referer });
    const { answer } = await signInAt(carol, location, "carol");
    const { text } = await carol.get(answer.location ?? "");
    const forms = text.split("<form").filter((form) => form.includes("known to us"));
    expect(forms).toHaveLength(1);
    expect(forms[0]).toContain('name="break" value="BR-2"');
  });
});

describe("a refusal leads back", () => {
  test.each([
    ["/jobs/go", { reason: "" }, /<a href="\/jobs">Back to Jobs</],
    ["/nights/settle", { break: "x", reason: "y" }, />Back to Nights</],
    ["/files/send-in", { upload: "nothing", name: "a.csv" }, />Back to Files</],
  ])("from %s", async (path, form, link) => {
    const { workplace } = await openSite();
    const dave = await trialVisitor(await deskOf(workplace), "dave");
    const { status, text } = await dave.post(path, form);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain("Nothing was done.");
    expect(text).toMatch(link);
  });

  test("with what was typed in its fields, once", async () => {
    const [page, path] = ["/people", "/people/add"];
    const form = { name: "submitter", mail: "n@example.com", draft: "x" };
    const { workplace } = await openSite();
    const dave = await trialVisitor(await deskOf(workplace), "dave");
    const { status, text } = await dave.post(path, { ...form, sure: "yes" }, { referer: `${ORIGIN}${page}` });
    expect(status).toBe(409);
    const back = unescaped(/<a href="([^"]*)">Back to/.exec(text)?.[1] ?? "");
    expect(back.startsWith(page)).toBe(true);
    const shown = (await dave.get(back)).text;
    expect(shown).toContain("<b>Nothing was done.</b> What you typed is in its fields again");
    const again = (await dave.get(back)).text;
    const fields = [/name="name"[^>]* value="submitter"/, /name="mail"[^>]* value="n@example.com"/];
    for (const field of fields) {
      expect(shown).toMatch(field);
      expect(again).not.toMatch(field);
    }
  });

  test("from a page that asks whether somebody is sure, to the page before it", async () => {
    const { workplace } = await openSite();
    const dave = await trialVisitor(await deskOf(workplace), "dave");
    await dave.post("/jobs/stop", { reason: "an audit" });
    const asked = await dave.post("/jobs/go", { reason: REASON }, { referer: `${ORIGIN}/jobs?asked=pay` });
    const sure = hiddenFieldsOf(asked.text, "/jobs/go");
    expect(sure).toMatchObject({ "from-page": "/jobs?asked=pay" });
    for (const [at, to] of [
      ["/jobs?asked=pay", "/jobs?asked=pay"],
      ["//evil.example/", "/jobs"],
    ] as const) {
      const { text } = await dave.post("/jobs/go", { ...sure, reason: " ", "from-page": at });
      expect(unescaped(/<a href="([^"]*)">Back to/.exec(text)?.[1] ?? "").split(/[?&]kept=/)[0]).toBe(to);
    }
  });

  test("from a page that is not there to the one above it, never to itself", async () => {
    const { workplace } = await openSite();
    const dave = await trialVisitor(await deskOf(workplace), "dave");
    const missing = [
      "/expected/999",
      "/nights/2020-01-01",
      "/nights/break?name=BR-9",
      "/payments/story?reference=x",
    ];
    for (const path of [...missing, "/jobs/of/x", `/files/${"0".repeat(64)}`, "/batches/B-9", "/x"]) {
      const { status, text } = await dave.get(path);
      const [, back = "no link"] = /<a href="([^"]*)">Back to/.exec(text) ?? [];
      expect([path, status, (await dave.get(back)).status]).toEqual([path, 404, 200]);
    }
  });
});
