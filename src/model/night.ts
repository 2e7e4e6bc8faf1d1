/** A night in one line: when both sides were compared, and how many breaks were open then; and the formats of its report. */
import type { Day, Instant } from "./instant.ts";

export interface NightSummary {
  readonly number: number;
  /** In the company's time zone; a day may have several nights. */
  readonly day: Day;
  readonly comparedAt: Instant;
  readonly isComplete: boolean;
  /** The breaks that were open then. */
  readonly alarms: number;
  readonly warnings: number;
  readonly notes: number;
}

export const REPORT_FORMATS = ["html", "xlsx", "json"] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];
