/** The answers that a monitor reads over HTTP, with a real database and a service that misbehaves. */
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Job } from "../../jobs/job.ts";
import { runScheduler, startMonitoring, UnrecordedRuns } from "../../src/daemon/index.ts";
import { approveStep, type Environment, giveStopOrder, payStep, submitFile } from "../../src/index.ts";
import { STANDINGS } from "../../src/model/index.ts";
import type { ServerOptions } from "../../src/sandbox/index.ts";
import { endRun, startRun } from "../../src/store/runs.ts";
import { SAMPLES, SANDBOX_SECRETS } from "../cli/program.ts";
import { openSite, type Site } from "../site/service.ts";
import { onFullDisk } from "./full-disk.ts";

const NOBODY = "postgresql://paydrop:canary@127.0.0.1:9/paydrop";

async function monitored(
  options: ServerOptions = {},
  changes: Environment = {},
  unrecorded = new UnrecordedRuns(),
): Promise<Site & { ask(path: string): Promise<Response> }> {
  const site = await openSite(options, { PAYDROP_MONITORING_LISTEN: "127.0.0.1:0", ...changes });
  const monitoring = await startMonitoring(site.workplace, "1.2.3", unrecorded);
  onTestFinished(() => monitoring?.close());
  return { ...site, ask: (path) => fetch(`${monitoring?.url}${path}`) };
}

/** One run of a job, as the daemon stores it. */
function ran(
  { workplace }: Site,
  job: string,
  outcome: Readonly<Record<string, unknown>>,
  at: string,
): Promise<void> {
  return workplace.store.write(function* () {
    const id = yield* startRun(job, at, at);
    yield* endRun(id, JSON.stringify(outcome), at);
  });
}

describe("/metrics", () => {
  test("counts payments by standing, ages, changes, breaks and why nothing is sent", async () => {
    const site = await monitored({
      faults: [{ operation: "createPayoutV2", nth: 3, effect: { kind: "cut-after-commit" } }],
      visibilityLagMs: 3_600_000,
    });
    const { workplace, ask } = site;
    const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.csv"), "alice");
    expect(await (await ask("/metrics")).text()).toContain('paydrop_payments{standing="received"} 40\n');
    for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
    const { accepted, inDoubt } = await payStep(workplace);
    expect([accepted, inDoubt]).toEqual([39, 1]);
    await ran(site, "track", { outcome: "done" }, "2026-11-22T10:00:00.000Z");
    await giveStopOrder(workplace, "dora", "an audit");

    const response = await ask("/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    const counts = STANDINGS.map((standing) => metricOf(text, `paydrop_payments{standing="${standing}"}`));
    expect(counts).toEqual(STANDINGS.map((one) => ({ accepted: 39, "in doubt": 1 })[one as string] ?? 0));
    expect(metricOf(text, 'paydrop_payments_longest_seconds{standing="in doubt"}')).toBeGreaterThan(0);
    expect(metricOf(text, 'paydrop_payments_longest_seconds{standing="held"}')).toBe(0);
    expect(metricOf(text, 'paydrop_needs{about="in doubt"}')).toBe(1);
    expect(metricOf(text, 'paydrop_needs{about="changes in doubt"}')).toBe(0);
    expect(metricOf(text, 'paydrop_open_breaks{severity="alarm"}')).toBe(0);
    expect(metricOf(text, 'paydrop_needs{about="stop order"}')).toBe(1);
    expect(metricOf(text, 'paydrop_needs{about="database restored"}')).toBe(0);
    expect(metricOf(text, 'paydrop_needs{about="job track"}')).toBe(0);
    expect(metricOf(text, 'paydrop_job_last_end_timestamp_seconds{job="track"}')).toBe(
      Date.parse("2026-11-22T10:00:00.000Z") / 1000,
    );
    expect(metricOf(text, 'paydrop_info{version="1.2.3"}')).toBe(1);
    expect(metricOf(text, "process_resident_memory_bytes")).toBeGreaterThan(0);
    for (const secret of Object.values(SANDBOX_SECRETS)) expect(text).not.toContain(secret);
    expect(text).not.toContain("payouts.csv");
  });

  test("reports a job's last completed run, even while the next one runs", async () => {
    const site = await monitored();
    await ran(site, "pay", { outcome: "failed", message: "no" }, "2026-11-22T10:00:00.000Z");
    const at = "2026-11-22T10:05:00.000Z";
    await site.workplace.store.write(() => startRun("pay", at, at));
    const text = await (await site.ask("/metrics")).text();
    expect(metricOf(text, 'paydrop_needs{about="job pay"}')).toBe(1);
    expect(metricOf(text, 'paydrop_job_last_start_timestamp_seconds{job="pay"}')).toBe(Date.parse(at) / 1000);
  });
});

describe("/health", () => {
  test("is good while no job's last run failed, and otherwise names job and code only", async () => {
    const site = await monitored();
    expect(await answerOf(site.ask("/health"))).toEqual([200, { status: "good", problems: [] }]);
    const failed = { outcome: "failed", code: "CHART_UNUSABLE", message: "PAY-1 to Mr Canary" };
    await ran(site, "ledger", failed, "2026-11-22T10:00:00.000Z");
    const problems = [{ job: "ledger", code: "CHART_UNUSABLE" }];
    expect(await answerOf(site.ask("/health"))).toEqual([503, { status: "bad", problems }]);
    expect(await answerOf(site.ask("/health/live"))).toEqual([200, { status: "good" }]);
    await ran(site, "ledger", { outcome: "done" }, "2026-11-23T10:00:00.000Z");
    expect((await site.ask("/health")).status).toBe(200);
  });

  test.each([
    ["a run that an outage stopped", { outcome: "done", code: "SERVICE_OUT", message: "0 accepted" }, 503],
    ["a slot that another machine does", { outcome: "done", code: "LANE_TAKEN", message: "taken" }, 200],
    ["an inbox that another machine takes in", { outcome: "done", code: "UNDER_WAY" }, 200],
  ])("%s", async (_what, outcome, status) => {
    const site = await monitored();
    await ran(site, "pay", outcome, "2026-11-22T10:00:00.000Z");
    expect((await site.ask("/health")).status).toBe(status);
  });

  test("is bad while the runs of a job cannot be kept, as on a full disk, and good once one is", async () => {
    const unrecorded = new UnrecordedRuns();
    const site = await monitored({}, { PAYDROP_SCHEDULE_PAY: "* * * * * *" }, unrecorded);
    const { store, makeRoom } = onFullDisk(site.workplace.store);
    const stop = new AbortController();
    const job: Job = { name: "pay", run: async () => ({}) };
    const running = runScheduler({ ...site.workplace, store }, [job], stop.signal, undefined, unrecorded);
    const health = async () => answerOf(site.ask("/health"));
    const problems = [{ job: "pay", code: "DATABASE_UNUSABLE" }];
    await expect.poll(health, { timeout: 20_000 }).toEqual([503, { status: "bad", problems }]);
    makeRoom();
    await expect.poll(health, { timeout: 20_000 }).toEqual([200, { status: "good", problems: [] }]);
    stop.abort();
    await running;
  });

  test("is bad if the database does not answer, though the process lives", async () => {
    // Nobody listens at the discard port.
    const { ask } = await monitored({}, { PAYDROP_DATABASE: "postgresql", DATABASE_URL: NOBODY });
    const [status, body] = await answerOf(ask("/health"));
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: "bad", problems: [{ code: "DATABASE_UNREACHABLE" }] });
    const metrics = await ask("/metrics");
    expect(metrics.status).toBe(503);
    expect(`${JSON.stringify(body)}${await metrics.text()}`).not.toContain("canary");
    expect((await ask("/health/live")).status).toBe(200);
  });
});

test("nothing else is served, and nothing can be changed", async () => {
  const { ask } = await monitored();
  for (const path of ["/", "/metrics/", "/health/..%2f", "/paydrop.yaml"])
    expect((await ask(path)).status).toBe(404);
  const url = (await ask("/health/live")).url;
  for (const method of ["POST", "PUT", "DELETE"])
    expect((await fetch(url, { method, body: "{}" })).status).toBe(404);
});

test("a port that another program has is reported with its key", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  const listen = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const { workplace } = await openSite({}, { PAYDROP_MONITORING_LISTEN: listen });
  await expect(startMonitoring(workplace, "1.2.3")).rejects.toMatchObject({
    problem: {
      code: "CONFIG_KEY_INVALID",
      key: "monitoring.listen",
      message: expect.stringContaining(listen),
      fix: expect.stringContaining("monitoring.listen"),
    },
  });
});

test("without monitoring.listen nothing listens", async () => {
  const { workplace } = await openSite();
  expect(await startMonitoring(workplace, "1.2.3")).toBeUndefined();
});

async function answerOf(asked: Promise<Response>): Promise<[number, unknown]> {
  const response = await asked;
  return [response.status, await response.json()];
}

/** The value of a metric with its labels, from the text. */
function metricOf(text: string, metric: string): number {
  const line = text.split("\n").find((one) => one.startsWith(`${metric} `));
  return Number(line?.slice(metric.length + 1));
}
