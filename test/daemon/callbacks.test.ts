/**
 * Callbacks over HTTP to a daemon whose own slots are far away: with ids that the service received, and with others.
 */
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { jobs } from "../../jobs/index.ts";
import type { Job } from "../../jobs/job.ts";
import { type Hints, runScheduler, startCallbacks } from "../../src/daemon/index.ts";
import { approveStep, createDepositStep, payStep, submitFile } from "../../src/index.ts";
import type { RunningSandbox, ServerOptions } from "../../src/sandbox/index.ts";
import { listLastRuns } from "../../src/store/runs.ts";
import { oneDeposit } from "../../src/views/search-step.ts";
import { SAMPLES } from "../cli/program.ts";
import { DEPOSIT, openSite } from "../site/service.ts";

const ONCE_A_YEAR = `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`;

const YEARLY = Object.fromEntries(
  jobs.map(({ name }) => [`PAYDROP_SCHEDULE_${name.toUpperCase()}`, ONCE_A_YEAR]),
);

/**
 * A daemon, after a file was paid, except for payments that the service's faults prevented. Collects hints for no
 * time, or until `pass` is called.
 */
async function served(options: ServerOptions = {}, gathering: "at once" | "by hand" = "at once") {
  const site = await openSite(options, { PAYDROP_CALLBACKS_LISTEN: "127.0.0.1:0", ...YEARLY });
  const { workplace } = site;
  const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.csv"), "alice");
  for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
  await payStep(workplace);

  const hints: Hints = new EventEmitter();
  const runs: string[] = [];
  const ended = new EventEmitter();
  const told = jobs.map((job): Job => {
    const tell =
      (what: string, work: Job["run"]): Job["run"] =>
      async (...all) => {
        const fields = await work(...all);
        runs.push(what);
        ended.emit(job.name);
        return fields;
      };
    const look = job.look === undefined ? {} : { look: tell(`look of ${job.name}`, job.look) };
    return { ...job, run: tell(job.name, job.run), ...look };
  });
  const { promise: gathered, resolve: pass } = Promise.withResolvers<void>();
  const clock = { ...workplace.context.clock, sleep: () => gathered };
  if (gathering === "at once") pass();
  const stop = new AbortController();
  const inItsTime = { ...workplace, context: { ...workplace.context, clock } };
  const scheduler = runScheduler(inItsTime, told, stop.signal, hints);
  const callbacks = await startCallbacks(workplace, hints);
  onTestFinished(async () => {
    stop.abort();
    await scheduler;
    await callbacks?.close();
  });
  const call = async (path: string, init: RequestInit = { method: "POST", body: "{}" }) =>
    (await fetch(`${callbacks?.url}${path}`, init)).status;
  return { ...site, runs, ran: (job: Job["name"]) => once(ended, job), call, pass };
}

/** Makes the service show none of its payouts. */
const FORGETFUL = {
  operation: "findPayoutFilteredV2",
  effect: {
    kind: "answer",
    statusCode: 200,
    body: JSON.stringify({ results: { content: [], totalPages: 0, totalElements: 0, number: 0 } }),
    committed: false,
  },
} as const;

/** Sends a callback as a proxy forwards it, to the path of a callbackUrl that the service received. */
const pathOf = (callbackUrl: string) => new URL(callbackUrl).pathname;

function pathsOfPayouts(sandbox: RunningSandbox): string[] {
  return sandbox.creations().map(({ body }) => pathOf(JSON.parse(body).callbackUrl));
}

test("a callback about a payout triggers a look at its state at once, whatever it contains", async () => {
  // The payouts stay under way, because final ones are not looked up.
  const { sandbox, arrived, runs, ran, call } = await served({ stepMs: 3_600_000 });
  const [first = "", second = "", third = ""] = pathsOfPayouts(sandbox);
  const asked = arrived("findPayoutFilteredV2");
  const done = ran("track");
  expect(await call(first, { method: "POST", body: '{"state":"SEND_FAILED"' })).toBe(204);
  await done;
  expect(runs).toEqual(["track"]);
  expect(arrived("findPayoutFilteredV2")).toBe(asked + 1);
  expect(await call(`${second}/?event=sent`, { method: "GET" })).toBe(204);
  const xml = { method: "PUT", body: "<event/>", headers: { "content-type": "text/xml" } };
  expect(await call(third.toUpperCase(), xml)).toBe(204);
  expect(await call(first, { method: "POST", body: "x", headers: { "content-type": ";" } })).toBe(204);
});

test("a callback about a payout in doubt triggers a look at once, but no send before the next slot", async () => {
  const { workplace, sandbox, arrived, runs, ran, call } = await served({
    faults: [{ operation: "createPayoutV2", nth: 3, effect: { kind: "cut-after-commit" } }, FORGETFUL],
  });
  sandbox.setFaults([]);
  const due = await submitFile(workplace, join(SAMPLES, "payouts.xlsx"), "alice");
  // Both samples have payees of the same names.
  const accepted = { acceptReading: 5, acceptLookAlikes: due.lookAlikeRows?.length };
  await approveStep(workplace, due.digest ?? "", "bob", accepted);
  const asked = arrived("findPayoutFilteredV2");
  const sent = arrived("createPayoutV2");
  const lastRuns = await workplace.store.read(() => listLastRuns());
  const done = ran("pay");
  expect(await call(pathsOfPayouts(sandbox)[2] ?? "")).toBe(204);
  await done;
  expect(runs).toEqual(["look of pay"]);
  expect(arrived("findPayoutFilteredV2")).toBeGreaterThan(asked);
  expect(arrived("createPayoutV2")).toBe(sent);
  expect(await workplace.store.read(() => listLastRuns())).toEqual(lastRuns);
});

test("many callbacks within a while are one look", async () => {
  const { sandbox, runs, ran, call, pass } = await served({}, "by hand");
  for (const path of pathsOfPayouts(sandbox)) expect(await call(path)).toBe(204);
  expect(runs).toEqual([]);
  const done = ran("track");
  pass();
  await done;
  expect(runs).toEqual(["track"]);
});

test("a callback about a deposit triggers a look; one about nothing of ours does nothing", async () => {
  const { workplace, sandbox, ran, call, runs } = await served();
  await createDepositStep(workplace, DEPOSIT);
  const strangers = [
    "/",
    "/hook",
    "/hook/00000000-0000-4000-8000-000000000000",
    `/hook/${sandbox.creations()[0]?.reference}`,
    "/hook/%00",
    "/hook/' or 1=1 --",
  ];
  for (const path of strangers) expect(await call(path)).toBe(404);
  expect(runs).toEqual([]);
  const { callbackUrl } = await oneDeposit(workplace, DEPOSIT.reference);
  const done = ran("track");
  expect(await call(pathOf(callbackUrl ?? ""))).toBe(204);
  await done;
  expect(runs).toEqual(["track"]);
});
