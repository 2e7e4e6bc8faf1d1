/** The alert rules, judged by Prometheus's own tool and compared with the daemon's metrics. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { jobs } from "../../jobs/index.ts";
import { startMonitoring } from "../../src/daemon/index.ts";
import { endRun, startRun } from "../../src/store/runs.ts";
import { openSite } from "../site/service.ts";

const RULES = "deploy/prometheus-rules.yaml";

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const rules: readonly Rule[] = parse(readFileSync(RULES, "utf8")).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);

/** The daemon's answer at /metrics once each job has run. */
async function metrics(): Promise<string> {
  const site = await openSite({}, { PAYDROP_MONITORING_LISTEN: "127.0.0.1:0" });
  const monitoring = await startMonitoring(site.workplace, "1.2.3");
  onTestFinished(() => monitoring?.close());
  const at = "2026-11-22T10:00:00.000Z";
  await site.workplace.store.write(function* () {
    for (const { name } of jobs) yield* endRun(yield* startRun(name, at, at), '{"outcome":"done"}', at);
  });
  return (await fetch(`${monitoring?.url}/metrics`)).text();
}

test("each metric and label that a rule names is shown by the daemon", async () => {
  const shown = await metrics();
  for (const { alert, expr } of rules) {
    const [, name = "", label, operator, value = ""] =
      /(paydrop_\w+)(?:\{(\w+)(=|!~)"([^"]+)"\})?/.exec(expr) ?? [];
    expect(shown, alert).toContain(`# TYPE ${name} gauge\n`);
    if (label === undefined) continue;
    for (const each of operator === "=" ? [value] : value.split("|"))
      expect(shown, alert).toContain(`${name}{${label}="${each}"} `);
  }
});

/** A daemon in good order, minute by minute for 30 hours. `series` are changed, or removed if `undefined`. */
function minutes(series: Readonly<Record<string, string | undefined>>) {
  const well: Readonly<Record<string, string | undefined>> = {
    'paydrop_info{version="1"}': "1x1800",
    'paydrop_needs{about="alarms"}': "0x1800",
    'paydrop_needs{about="approval"}': "3x1800",
    'paydrop_needs{about="in doubt"}': "0x1800",
    'paydrop_payments_longest_seconds{standing="received"}': "60x1800",
    'paydrop_job_last_start_timestamp_seconds{job="pay"}': "0+60x1800",
    'paydrop_job_last_end_timestamp_seconds{job="reconcile"}': "0+60x1800",
    ...series,
  };
  return Object.entries(well).flatMap(([name, values]) =>
    values === undefined ? [] : [{ series: name, values }],
  );
}

const CASES: readonly (readonly [alert: string, at: string, series: Record<string, string | undefined>])[] = [
  ["", "29h", {}],
  ["PaydropDown", "6m", { 'paydrop_info{version="1"}': undefined }],
  ["PaydropAlarm", "1m", { 'paydrop_needs{about="alarms"}': "1x1800" }],
  ["", "29m", { 'paydrop_needs{about="in doubt"}': "2x1800" }],
  ["PaydropNeedsSomebody", "31m", { 'paydrop_needs{about="in doubt"}': "2x1800" }],
  [
    "PaydropWaitsForApproval",
    "1m",
    { 'paydrop_payments_longest_seconds{standing="received"}': "14401x1800" },
  ],
  ["PaydropSendsNothing", "242m", { 'paydrop_job_last_start_timestamp_seconds{job="pay"}': "0x1800" }],
  ["", "25h", { 'paydrop_job_last_end_timestamp_seconds{job="reconcile"}': "0x1800" }],
  ["PaydropNotCompared", "27h", { 'paydrop_job_last_end_timestamp_seconds{job="reconcile"}': "0x1800" }],
];

test("each alert is raised by what it is about, and by nothing else", () => {
  expect(new Set(CASES.map(([alert]) => alert))).toEqual(new Set(["", ...rules.map(({ alert }) => alert)]));
  const tests = CASES.map(([alert, at, series]) => {
    const labels = `{alertname="${alert}"}`;
    const raised = alert === "" ? [] : [{ labels, value: 1 }];
    const expr = 'count by (alertname) (ALERTS{alertstate="firing"})';
    const expected = { expr, eval_time: at, exp_samples: raised };
    return { interval: "1m", input_series: minutes(series), promql_expr_test: [expected] };
  });
  const path = join(mkdtempSync(join(tmpdir(), "alerts-")), "cases.yaml");
  // JSON is YAML.
  writeFileSync(path, JSON.stringify({ rule_files: [resolve(RULES)], evaluation_interval: "1m", tests }));
  expect(promtool("test", "rules", path)).toEqual({ status: 0, said: expect.stringContaining("SUCCESS") });
});

function promtool(...args: string[]) {
  const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
  return { status, said: stdout + stderr };
}

test("Prometheus takes the rules", () => {
  expect(promtool("check", "rules", RULES)).toEqual({
    status: 0,
    said: expect.stringContaining("6 rules found"),
  });
});
