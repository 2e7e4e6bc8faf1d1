/** Attacks on the desk; all of them fail. */
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { giveStopOrder, openWorkplace, stderrLog, stopOrder } from "../../src/index.ts";
import { all, run, sql } from "../../src/store/sql.ts";
import { openDeskWorkplace } from "../../src/workplace/workplace.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { openProvenDesk } from "../site/proven-desk.ts";
import { openSite } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { openCountedService } from "./counted-service.ts";
import { deskOf, hiddenFieldsOf, provenVisitor, trialVisitor, visitor } from "./visitor.ts";

const SESSION = "__Host-session";

describe("a session cannot be taken over", () => {
  test("by a token that the attacker put into the browser before", async () => {
    const { workplace } = await openSite();
    const app = await deskOf(workplace);
    const ann = visitor(app);
    ann.cookies.set(SESSION, "known to the attacker");
    await ann.post("/sign-in", { name: "ann" });
    expect((await ann.get("/")).status).toBe(200);
    expect(ann.cookies.get(SESSION)).not.toBe("known to the attacker");
    const attacker = visitor(app);
    attacker.cookies.set(SESSION, "known to the attacker");
    expect((await attacker.get("/")).status).toBe(303);
  });

  test("by a token that was stolen, once its owner has signed out", async () => {
    const { workplace } = await openSite();
    const app = await deskOf(workplace);
    const ann = await trialVisitor(app, "ann");
    const thief = visitor(app);
    thief.cookies.set(SESSION, ann.cookies.get(SESSION) ?? "");
    expect((await thief.get("/")).status).toBe(200);
    expect((await ann.post("/sign-out")).location).toBe("/sign-in");
    expect(ann.cookies.has(SESSION)).toBe(false);
    expect((await thief.get("/")).status).toBe(303);
  });

  test("by who reads the database, or writes a session into it without having signed", async () => {
    const { workplace } = await openProvenDesk();
    const app = await deskOf(workplace);
    const ben = await provenVisitor(app, workplace, "ben");
    const token = ben.cookies.get(SESSION) ?? "";
    const stored = await workplace.store.read(() => all(sql`select * from session`));
    expect(JSON.stringify(stored)).not.toContain(token);
    await workplace.store.write(() => run(sql`update session set person = 'dave'`));
    expect((await ben.get("/people")).status).toBe(303);
    await workplace.store.write(() => run(sql`update session set statement = null`));
    expect((await ben.get("/")).status).toBe(303);
  });

  test("by a script or over a plain line: the cookie is for this host, https and its own pages only", async () => {
    const { workplace } = await openSite();
    const app = await deskOf(workplace);
    const { headers } = await visitor(app).post("/sign-in", { name: "ann" });
    expect(String(headers["set-cookie"])).toMatch(
      /__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict/,
    );
  });
});

describe("a page of another site", () => {
  test("cannot send a form, also not one without an origin, or from another port of this host", async () => {
    const { workplace } = await openSite();
    const ann = await trialVisitor(await deskOf(workplace), "ann");
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "" },
      { origin: "http://localhost:8081" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const { status, text } = await ann.post("/jobs/stop", { reason: "evil" }, headers);
      expect([headers, status]).toEqual([headers, 403]);
      expect(text).toContain("This did not come from a page of the desk");
    }
    expect(await stopOrder(workplace)).toBeUndefined();
  });

  test("is not where somebody is led after signing in", async () => {
    const { workplace } = await openSite();
    const app = await deskOf(workplace);
    for (const to of ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
      expect((await visitor(app).post("/sign-in", { name: "ann", to })).location).toBe("/");
    expect((await visitor(app).post("/sign-in", { name: "ann", to: "/jobs?all=1" })).location).toBe(
      "/jobs?all=1",
    );
  });
});

const SCRIPT = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

test("a script in a name or a reason is shown as a text", async () => {
  const { workplace } = await openSite();
  await giveStopOrder(workplace, "eve", SCRIPT);
  const app = await deskOf(workplace);
  const eve = await trialVisitor(app, SCRIPT);
  for (const path of ["/", "/jobs", `/sign-in?to=${encodeURIComponent(SCRIPT)}`, `/${SCRIPT}`]) {
    const { text } = await eve.get(path);
    expect(text).not.toMatch(/<script>|<img|onerror='/);
  }
  expect((await eve.get("/")).text).toContain("&#60;script&#62;alert(1)");
});

test("a role opens only its own pages and does only its own actions, and says which role is missing", async () => {
  const { workplace } = await openProvenDesk();
  const app = await deskOf(workplace);
  const ben = await provenVisitor(app, workplace, "ben");
  const { status, text } = await ben.get("/people");
  expect([status, text]).toEqual([403, expect.stringContaining("An admin can give ben the role admin.")]);
  expect((await ben.get("/")).text).not.toContain('href="/people"');
  expect((await ben.post("/people/revoke", { name: "carol", reason: "mine" })).status).toBe(403);
  await ben.post("/jobs/stop", { reason: "look" });
  const carol = await provenVisitor(app, workplace, "carol");
  expect((await carol.post("/jobs/go", { reason: "fine" })).status).toBe(403);
  expect((await visitor(app).post("/jobs/go", { reason: "fine" })).location).toMatch(/^\/sign-in\?/);
  expect(await stopOrder(workplace)).toBeDefined();
});

describe("guessing", () => {
  test("does not tell who is on the roster", async () => {
    const { workplace } = await openProvenDesk();
    const app = await deskOf(workplace);
    const stranger = visitor(app);
    await stranger.get("/sign-in");
    const answers = await Promise.all(["ben", "nobody"].map((name) => stranger.post("/sign-in", { name })));
    // What was typed stays in its field.
    const alike = ({ text }: { text: string }) => text.replaceAll(/ value="(?:ben|nobody)"/g, "");
    expect(new Set(answers.map(alike)).size).toBe(1);
    const codes = await Promise.all(
      ["ben", "nobody"].map((name) => stranger.post("/enrol", { name, code: "aaaa" })),
    );
    expect(new Set(codes.map(alike)).size).toBe(1);
  });
});

test("a form that is too large is refused whole", async () => {
  const { workplace } = await openSite();
  const ann = await trialVisitor(await deskOf(workplace), "ann");
  expect((await ann.post("/jobs/stop", { reason: "x".repeat(6_000_000) })).status).toBe(413);
});

test("files outside of the desk's own are not served", async () => {
  const { workplace } = await openSite();
  const app = await deskOf(workplace);
  for (const name of [
    "..%2f..%2fpackage.json",
    "%2e%2e/server.ts",
    "passkey.js%00.css",
    "constructor",
    "__proto__",
  ])
    expect((await app.inject({ url: `/assets/${name}` })).statusCode).toBe(404);
  expect((await app.inject({ url: "/assets/desk.css" })).statusCode).toBe(200);
});

test("the process of the desk cannot reach the service, whatever it is asked to do", async () => {
  const { baseUrl, connections } = await openCountedService();
  const environment = { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: baseUrl };
  const { folder } = openPlace(environment);
  const desk = openDeskWorkplace(join(folder, "paydrop.yaml"), environment, stderrLog("silent"));
  onTestFinished(() => desk.close());
  expect(() => desk.service()).toThrow("PAYDROP_KEY");
  await expect(
    desk.context.transport.send({
      method: "GET",
      url: baseUrl,
      headers: {},
      body: Buffer.of(),
      timeoutMs: 1000,
    }),
  ).rejects.toMatchObject({ problem: { code: "DESK_NEVER_CONNECTS" } });
  expect(connections()).toBe(0);
});

test.each([
  ["https://10.0.0.1", "an address"],
  ["https://[::1]:8443", "an address"],
  ["https://0x7f.1", "an address"],
  ["http://127.0.0.1:8080", "an address"],
  ["http://pay.example.com", "expected https://"],
  ["https://pay.example.com/desk", "expected https://"],
  ["https://ann@pay.example.com", "expected https://"],
])("%s is no origin, and the reason is said", (origin, reason) => {
  const { folder } = openPlace();
  const environment = { PAYDROP_DESK: JSON.stringify({ listen: "127.0.0.1:8080", origin }) };
  expect(() => openWorkplace(join(folder, "paydrop.yaml"), environment, stderrLog("silent"))).toThrow(reason);
});

test("a code that is in somebody's form is not their session", async () => {
  const { workplace } = await openProvenDesk();
  const app = await deskOf(workplace);
  const dave = await provenVisitor(app, workplace, "dave");
  const page = (await dave.get("/people")).text;
  expect(page).not.toContain(dave.cookies.get(SESSION));
  expect(hiddenFieldsOf(page, "/people/add")["draft"]).toMatch(/^[\w-]{43}$/);
});
