/**
 * A summary of a night: when both sides were compared, and how many breaks were open then. Also the formats of its
 * report.
 */
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

/**
 * opening + received + transferredIn - sent - fees = expected; difference = found - expected. As BalanceProofRow,
 * with decimals as texts, as in a stored night.
 */
export interface NightProofRow {
  readonly custodyAccountId: string;
  readonly account: string;
  readonly currency: string;
  readonly opening?: string;
  readonly openedAt?: Instant;
  readonly received: string;
  readonly transferredIn: string;
  readonly sent: string;
  readonly fees: string;
  readonly sharedFees: string;
  readonly depositFees: string;
  readonly unconfirmedIn: string;
  readonly unconfirmedOut: string;
  readonly expected?: string;
  readonly found?: string;
  readonly foundAt?: Instant;
  readonly difference?: string;
  readonly uncountedMovements: number;
  readonly ties: boolean;
}

export const REPORT_FORMATS = ["html", "xlsx", "json"] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];
