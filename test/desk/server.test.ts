/** The pages of the desk, over HTTP: what they show to whom, and the headers that browsers get. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { submitFile } from "../../src/index.ts";
import { SAMPLES } from "../cli/program.ts";
import { openSite } from "../site/service.ts";
import { deskOf, hiddenFieldsOf, trialVisitor, visitor } from "./visitor.ts";

describe("a trial", () => {
  test("lets anybody be anybody, and says so on every page", async () => {
    const { workplace } = await openSite();
    const app = await deskOf(workplace);
    const stranger = visitor(app);
    expect((await stranger.get("/jobs")).location).toBe("/sign-in?to=%2Fjobs");
    const ann = await trialVisitor(app, "ann");
    for (const path of ["/", "/jobs", "/people"]) {
      const { status, text } = await ann.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain("Trial: this desk signs for everybody.");
    }
  });

  test("has a roster like any installation, which its People page shows and changes", async () => {
    const { workplace } = await openSite();
    const ann = await trialVisitor(await deskOf(workplace), "ann");
    const { text } = await ann.get("/people");
    for (const name of ["trial", "ann", "ben", "carol", "dave"])
      expect(text).toContain(`role="rowheader">${name}</th>`);
    expect(text).toContain("trial added dave as viewer, submitter, approver, operator, controller, admin");
    const asked = await ann.post("/people/add", {
      ...{ name: "erin", role: "viewer", draft: "1", mail: "erin@example.com" },
    });
    expect(asked.text).toContain("Put erin on the roster?");
    expect((await ann.get("/people")).text).not.toContain(`role="rowheader">erin</th>`);
    const added = await ann.post("/people/add", hiddenFieldsOf(asked.text, "/people/add"));
    expect(added.text).toContain("erin is on the roster");
    expect((await ann.get("/people")).text).toContain("erin@example.com");
    const [code = ""] = /(?:[0-9a-z]{4}-){4}[0-9a-z]{4}/.exec(added.text) ?? [];
    const erin = visitor(await deskOf(workplace));
    expect((await erin.post("/enrol", { name: "erin", code })).text).toContain("You are enrolled");
    expect((await erin.post("/sign-in", { name: "erin" })).location).toBe("/");
    expect((await erin.get("/people")).text).toContain("You are viewer");
    await ann.post("/people/revoke", { name: "ben", reason: "left" });
    const stranger = visitor(await deskOf(workplace));
    await stranger.get("/sign-in");
    const refused = await stranger.post("/sign-in", { name: "ben" });
    expect([refused.status, refused.text.includes("Ben is not on the roster")]).toEqual([409, true]);
  });

  test("shows today what waits for whom", async () => {
    const { workplace } = await openSite();
    await submitFile(workplace, join(SAMPLES, "payouts.csv"), "ann");
    const app = await deskOf(workplace);
    const [ann, ben] = [await trialVisitor(app, "ann"), await trialVisitor(app, "ben")];
    expect((await ben.get("/")).text).toContain("1 thing waits for you.");
    const { text } = await ann.get("/");
    expect(text).toContain("Nothing waits for you.");
    expect(text).toContain("payouts.csv");
    // Nothing but sections: an empty list leaves no stray "0".
    expect((await ben.get("/")).text).not.toMatch(/<\/section>\s*\d/);
  });
});

test("a page that is not there, and one that breaks, say what was not done", async () => {
  const { workplace } = await openSite();
  const errors: unknown[] = [];
  const log = { ...workplace.context.log, error: (_: string, fields: unknown) => errors.push(fields) };
  const broken = { ...workplace, context: { ...workplace.context, log } };
  const app = await deskOf(broken);
  const ann = await trialVisitor(app, "ann");
  expect(await ann.get("/nothing")).toMatchObject({ status: 404 });
  await workplace.close();
  const { status, text } = await ann.get("/jobs");
  expect(status).toBe(500);
  expect(text).not.toMatch(/\.ts|node_modules|Error:/);
  const [number] = /E-[0-9A-F]{8}/.exec(text) ?? [];
  expect(errors).toContainEqual(expect.objectContaining({ code: number }));
});
