/** Exposes the figures, and those of the process, as Prometheus metrics. */
import { collectDefaultMetrics, Gauge, Registry } from "@prometheus-io/client";
import type { Instant } from "../model/index.ts";
import { countBySeverity } from "../store/breaks.ts";
import type { Figures } from "../views/figures.ts";
import { needsOf } from "../views/needs.ts";

interface Metrics {
  readonly contentType: string;
  textOf(figures: Figures): Promise<string>;
}

/** A gauge with one value per value of its label; without a label it has a single value. */
interface Metric {
  readonly help: string;
  readonly label?: string;
  valuesOf(figures: Figures): Iterable<readonly [labelValue: string, value: number]>;
}

const METRICS: Readonly<Record<string, Metric>> = {
  paydrop_payments: {
    help: "Payments by standing",
    label: "standing",
    valuesOf: ({ payments }) => payments,
  },
  paydrop_payments_longest_seconds: {
    help: "Age of the longest-waiting payment of this standing",
    label: "standing",
    valuesOf: ({ longestMs }) => [...longestMs].map(([standing, ms]) => [standing, ms / 1000]),
  },
  paydrop_needs: {
    help: "Cases that need a person, by the subjects of notices",
    label: "about",
    valuesOf: (figures) => needsOf(figures).map(({ about, count }) => [about, count]),
  },
  paydrop_open_breaks: {
    help: "Unsettled breaks of the last comparison",
    label: "severity",
    valuesOf: ({ openBreaks }) => Object.entries(countBySeverity(openBreaks)),
  },
  paydrop_comparison_incomplete_since_timestamp_seconds: {
    help: "Since when no comparison has been complete; 0 if the last one was",
    valuesOf: ({ incompleteComparison: incomplete }) => [
      ["", incomplete ? unixSeconds(incomplete.since) : 0],
    ],
  },
  paydrop_job_last_start_timestamp_seconds: {
    help: "When the last run began",
    label: "job",
    valuesOf: ({ lastRuns }) => lastRuns.map(({ job, startedAt }) => [job, unixSeconds(startedAt)]),
  },
  paydrop_job_last_end_timestamp_seconds: {
    help: "When the last completed run ended",
    label: "job",
    valuesOf: ({ lastEndedRuns }) =>
      lastEndedRuns.map(({ job, endedAt = "" }) => [job, unixSeconds(endedAt)]),
  },
};

export function openMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const help = "Version of the daemon";
  new Gauge({ name: "paydrop_info", help, labelNames: ["version"], registers }).set({ version }, 1);
  const setters = Object.entries(METRICS).map(([name, { help, label, valuesOf }]) => {
    const gauge = new Gauge({ name, help, labelNames: label === undefined ? [] : [label], registers });
    return (figures: Figures) => {
      gauge.reset();
      for (const [labelValue, value] of valuesOf(figures))
        gauge.set(label === undefined ? {} : { [label]: labelValue }, value);
    };
  });
  return {
    contentType: registry.contentType,
    textOf: (figures) => {
      for (const set of setters) set(figures);
      return registry.metrics();
    },
  };
}

function unixSeconds(at: Instant): number {
  return Date.parse(at) / 1000;
}
