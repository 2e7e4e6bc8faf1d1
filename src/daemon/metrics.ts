/** Exposes the figures, and those of the process, as Prometheus metrics. */
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Instant } from "../model/index.ts";
import type { Figures } from "../pipeline/standings/figures.ts";
import { wentWrong } from "./run-outcome.ts";

export interface Metrics {
  readonly contentType: string;
  textOf(figures: Figures): Promise<string>;
}

export function openMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  /** One gauge per label value, all set again at each scrape. */
  const gaugePer = (label: string, name: string, help: string) => {
    const gauge = new Gauge({ name, help, labelNames: [label], registers: [registry] });
    return (values: Iterable<readonly [string, number]>) => {
      gauge.reset();
      for (const [labelValue, value] of values) gauge.set({ [label]: labelValue }, value);
    };
  };
  const payments = gaugePer("standing", "paydrop_payments", "Payments by standing");
  const longest = gaugePer(
    "standing",
    "paydrop_payments_longest_seconds",
    "Age of the longest-waiting payment of this standing",
  );
  const changesInDoubt = new Gauge({
    name: "paydrop_changes_in_doubt",
    help: "Deposits, voids and authorizations with an unknown outcome",
    registers: [registry],
  });
  const breaks = gaugePer("severity", "paydrop_open_breaks", "Unsettled breaks of the last comparison");
  const stopped = gaugePer("reason", "paydrop_sending_stopped", "1 if nothing is sent for this reason");
  const started = gaugePer("job", "paydrop_job_last_start_timestamp_seconds", "When the last run began");
  const ended = gaugePer(
    "job",
    "paydrop_job_last_end_timestamp_seconds",
    "When the last completed run ended",
  );
  const wrong = gaugePer(
    "job",
    "paydrop_job_last_run_went_wrong",
    "1 if the last completed run failed or was stopped",
  );
  gaugePer("version", "paydrop_info", "Version of the daemon")([[version, 1]]);
  return {
    contentType: registry.contentType,
    textOf: (figures) => {
      const { lastRuns, lastEndedRuns } = figures;
      payments(figures.payments);
      longest([...figures.longestMs].map(([standing, ms]) => [standing, ms / 1000]));
      changesInDoubt.set(figures.changesInDoubt);
      breaks(Object.entries(figures.openBreaks));
      stopped(
        Object.entries(figures.sendingStopped).map(([reason, isStopped]) => [reason, Number(isStopped)]),
      );
      started(lastRuns.map(({ job, startedAt }) => [job, unixSeconds(startedAt)]));
      ended(lastEndedRuns.map(({ job, endedAt = "" }) => [job, unixSeconds(endedAt)]));
      wrong(lastEndedRuns.map((run) => [run.job, Number(wentWrong(run))]));
      return registry.metrics();
    },
  };
}

function unixSeconds(at: Instant): number {
  return Date.parse(at) / 1000;
}
