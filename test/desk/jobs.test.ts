/** Jobs: the history of each, running one now, and the checks before money moves. */
import { EventEmitter } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { jobs } from "../../jobs/index.ts";
import { type Hints, runScheduler } from "../../src/daemon/index.ts";
import { deskServer } from "../../src/desk/index.ts";
import { doctorStep } from "../../src/index.ts";
import { openProvenDesk } from "../site/proven-desk.ts";
import { openSite } from "../site/service.ts";
import { deskOf, ORIGIN, provenVisitor, trialVisitor } from "./visitor.ts";

/** A desk beside the scheduled jobs. None of their slots comes while a test runs. */
async function served() {
  const { workplace, sandbox, folder, environment } = await openSite();
  const { reconcile } = workplace.config.schedule;
  const schedule = Object.fromEntries(
    jobs.map(({ name }) => [name, reconcile]),
  ) as typeof workplace.config.schedule;
  const hints: Hints = new EventEmitter();
  const stop = new AbortController();
  const running = runScheduler(
    { ...workplace, config: { ...workplace.config, schedule } },
    jobs,
    stop.signal,
    hints,
  );
  const doctor = () => doctorStep(`${folder}/paydrop.yaml`, environment, stop.signal);
  const app = await deskServer(workplace, ORIGIN, { hints, doctor });
  onTestFinished(async () => {
    stop.abort();
    await Promise.all([running, app.close()]);
  });
  return { app, sandbox, workplace };
}

test("whoever may runs a job now; its history says how it ended and what to do", async () => {
  const { app, sandbox } = await served();
  const dave = await trialVisitor(app, "dave");
  expect((await dave.get("/jobs/of/pay")).text).toContain("No run yet");
  expect((await dave.post("/jobs/run", { job: "pay" })).location).toBe("/jobs?asked=pay");
  await expect.poll(async () => (await dave.get("/jobs/of/pay")).text).toContain("fine");
  await sandbox.close();
  await dave.post("/jobs/run", { job: "reconcile" });
  await expect.poll(async () => (await dave.get("/jobs/of/reconcile")).text).toContain("SERVICE_");
  expect((await dave.get("/jobs")).text).toMatch(/did not end well/);
  expect((await dave.post("/jobs/run", { job: "nothing" })).status).toBe(409);
  expect((await dave.get("/jobs/of/nothing")).status).toBe(404);
});

test("a controller runs what compares and books, an approver nothing", async () => {
  const { workplace } = await openProvenDesk();
  const app = await deskServer(workplace, ORIGIN, { hints: new EventEmitter() });
  onTestFinished(() => app.close());
  const as = (name: "ann" | "carol") => provenVisitor(app, workplace, name);
  const [ann, carol] = [await as("ann"), await as("carol")];
  expect((await carol.get("/jobs/of/reconcile")).text).toContain("Run now");
  expect((await carol.get("/jobs/of/pay")).text).not.toContain("Run now");
  expect((await carol.post("/jobs/run", { job: "reconcile" })).status).toBe(303);
  expect((await carol.post("/jobs/run", { job: "pay" })).status).toBe(403);
  expect((await ann.post("/jobs/run", { job: "reconcile" })).status).toBe(403);
});

test("a desk without the jobs runs none, and checks nothing without the secrets", async () => {
  const { workplace } = await openSite();
  const dave = await trialVisitor(await deskOf(workplace), "dave");
  expect((await dave.get("/jobs")).text).not.toMatch(/Run now|Check everything/);
  expect((await dave.post("/jobs/run", { job: "pay" })).status).toBe(409);
  expect((await dave.get("/jobs/checks")).status).toBe(404);
});

test("the checks name what is not good first, with what helps", async () => {
  const { app, sandbox } = await served();
  const dave = await trialVisitor(app, "dave");
  expect((await dave.get("/jobs/checks")).text).toContain("All checks are good.");
  await sandbox.close();
  const { text } = await dave.get("/jobs/checks");
  expect(text).toMatch(/checks? of \d+ (is|are) not good/);
  expect(text.indexOf(">wrong<")).toBeLessThan(text.indexOf(">good<"));
});
