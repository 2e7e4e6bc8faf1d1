/** Sessions at the desk: who is signed in, by what, and until when. */
import { describe, expect, test } from "vitest";
import { listPeopleStep, revokeStep, stopOrder, type Workplace } from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { proveDecision } from "../../src/proof/prove.ts";
import { run, sql } from "../../src/store/sql.ts";
import { signBy } from "../people/keys.ts";
import { KEYS, openProvenDesk, signing, withKey } from "../site/proven-desk.ts";
import { byClock } from "../site/service.ts";
import { codeOn, decideBy, deskOf, hiddenFieldsOf, provenVisitor, visitor } from "./visitor.ts";

const SIGNED_OUT = { status: 303, location: "/sign-in?to=%2F" };

describe("a person signs in by their SSH key", () => {
  test("once for each code, and only the browser that shows it", async () => {
    const { workplace } = await openProvenDesk();
    const app = await deskOf(workplace);
    const [ben, thief] = [visitor(app), visitor(app)];
    const code = codeOn((await ben.get("/sign-in")).text);
    await thief.get("/sign-in");
    expect((await ben.post("/sign-in/signed")).text).toContain("Nobody has signed this code yet");
    await proveDecision(workplace, { decision: "sign in", person: "ben", subject: code });
    expect((await thief.post("/sign-in/signed")).status).toBe(401);
    const before = new Map(ben.cookies);
    expect((await ben.post("/sign-in/signed")).location).toBe("/");
    expect((await ben.get("/")).text).toContain("ben<small>approver, operator</small>");
    for (const [name, value] of before) thief.cookies.set(name, value);
    expect((await thief.post("/sign-in/signed")).status).toBe(401);
  });

  test("not with a code that somebody else signed for them", async () => {
    const { workplace } = await openProvenDesk();
    const ben = visitor(await deskOf(workplace));
    const code = codeOn((await ben.get("/sign-in")).text);
    const forged = signing(workplace, withKey(KEYS.mallory));
    await expect(
      proveDecision(forged, { decision: "sign in", person: "ben", subject: code }),
    ).rejects.toMatchObject({
      problem: { code: "SIGNATURE_INVALID" },
    });
    expect((await ben.post("/sign-in/signed")).status).toBe(401);
  });
});

describe("a session ends", () => {
  test("half an hour after the last click, and ten hours after the first", async () => {
    const { workplace } = await openProvenDesk();
    let later = 0;
    const { app, moved, ben } = await deskLater(workplace, () => later);
    for (const minutes of [29, 58, 87]) {
      later = minutes * 60_000;
      expect((await ben.get("/")).status).toBe(200);
    }
    later += 31 * 60_000;
    expect(await ben.get("/")).toMatchObject(SIGNED_OUT);
    const again = await provenVisitor(app, moved, "ben");
    const start = later;
    while (later < start + 9.8 * 3_600_000) {
      later += 25 * 60_000;
      if (later < start + 10 * 3_600_000) expect((await again.get("/")).status).toBe(200);
    }
    later = start + 10 * 3_600_000 + 1000;
    expect(await again.get("/")).toMatchObject(SIGNED_OUT);
  });

  test("when the person, or the key by which they signed in, is revoked", async () => {
    const { workplace } = await openProvenDesk();
    const app = await deskOf(workplace);
    const [ben, carol] = [
      await provenVisitor(app, workplace, "ben"),
      await provenVisitor(app, workplace, "carol"),
    ];
    await revokeStep(workplace, { name: "ben", reason: "left", person: "dave" });
    const key = KEYS.carol.fingerprint;
    await revokeStep(workplace, { name: "carol", key, reason: "lost", person: "dave" });
    expect(await ben.get("/")).toMatchObject(SIGNED_OUT);
    expect(await carol.get("/")).toMatchObject(SIGNED_OUT);
  });

  test("not because an open page looks again by itself, which keeps it going no longer either", async () => {
    const { workplace } = await openProvenDesk();
    let later = 0;
    const { app, ben } = await deskLater(workplace, () => later);
    const cookie = [...ben.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const polled = () => app.inject({ url: "/", headers: { cookie, "hx-request": "true" } });
    later = 20 * 60_000;
    expect((await polled()).statusCode).toBe(200);
    later = 31 * 60_000;
    expect((await polled()).statusCode).toBe(303);
  });
});

describe("a decision at the desk", () => {
  test("is shown in words, signed, and done once", async () => {
    const { workplace } = await openProvenDesk();
    const app = await deskOf(workplace);
    const ben = await provenVisitor(app, workplace, "ben");
    await ben.post("/jobs/stop", { reason: "look" });
    const { text } = await ben.post("/jobs/go", { reason: "it's <fine>" });
    expect(text).toContain("decision: go");
    expect(await stopOrder(workplace)).toBeDefined();
    expect(hiddenFieldsOf(text, "/jobs/go")).toMatchObject({ reason: "it's <fine>" });
    expect((await decideBy(ben, KEYS.ben, "/jobs/go", { reason: "it's <fine>" })).location).toBe("/jobs");
    expect(await stopOrder(workplace)).toBeUndefined();
  });

  test("takes the person's own signature of this very decision", async () => {
    const { workplace } = await openProvenDesk();
    const ben = await provenVisitor(await deskOf(workplace), workplace, "ben");
    await ben.post("/jobs/stop", { reason: "look" });
    const forged = await decideBy(ben, KEYS.mallory, "/jobs/go", { reason: "fine" });
    expect([forged.status, forged.text]).toEqual([409, expect.stringContaining("SIGNATURE_INVALID")]);
    const fields = hiddenFieldsOf((await ben.post("/jobs/go", { reason: "fine" })).text, "/jobs/go");
    const ssh = signBy(KEYS.ben, fields["statement"] ?? "");
    const other = await ben.post("/jobs/go", { ...fields, reason: "other", ssh });
    expect([other.status, other.text]).toEqual([409, expect.stringContaining("STATEMENT_CHANGED")]);
    expect(await stopOrder(workplace)).toBeDefined();
  });
});

test("an admin invites at the desk; the code is shown once, and works", async () => {
  const { workplace } = await openProvenDesk();
  const app = await deskOf(workplace);
  const dave = await provenVisitor(app, workplace, "dave");
  const { draft = "" } = hiddenFieldsOf((await dave.get("/people")).text, "/people/add");
  const { text } = await decideBy(dave, KEYS.dave, "/people/add", {
    draft,
    name: "erin",
    role: ["approver", "viewer"],
  });
  const [code = ""] = /(?:[0-9a-z]{4}-){4}[0-9a-z]{4}/.exec(text) ?? [];
  expect((await visitor(app).post("/enrol", { name: "erin", code })).text).toContain("The code is right.");
  expect((await listPeopleStep(workplace)).people.find(({ name }) => name === "erin")).toMatchObject({
    roles: ["approver", "viewer"],
  });
  expect((await dave.get("/people")).text).not.toContain(code);
  const revoked = await decideBy(dave, KEYS.dave, "/people/revoke", { name: "erin", reason: "a mistake" });
  expect(revoked.location).toBe("/people");
});

test("where the roster does not hold, nobody is signed in, and every page says why", async () => {
  const { workplace } = await openProvenDesk();
  const ben = await provenVisitor(await deskOf(workplace), workplace, "ben");
  await workplace.store.write(() => run(sql`update statement set body = signature where number = 2`));
  const again = visitor(await deskOf(workplace));
  for (const [name, value] of ben.cookies) again.cookies.set(name, value);
  for (const path of ["/", "/people", "/sign-in"]) {
    const { status, text } = await again.get(path);
    expect([path, status, text]).toEqual([path, 409, expect.stringContaining("ROSTER_BROKEN")]);
  }
});

/** A desk whose clock is ahead by so many ms, and ben at it. */
async function deskLater(workplace: Workplace, later: () => number) {
  const { clock } = workplace.context;
  const moved = signing(byClock(workplace, () => shifted(clock.now(), later())));
  const app = await deskOf(moved);
  return { app, moved, ben: await provenVisitor(app, moved, "ben") };
}
