/** All scheduled jobs, in the order of a payment's way. */
import { backupJob } from "./backup.ts";
import { digestJob } from "./digest.ts";
import { expectedJob } from "./expected.ts";
import { intakeJob } from "./intake.ts";
import type { Job } from "./job.ts";
import { ledgerJob } from "./ledger.ts";
import { payJob } from "./pay.ts";
import { reconcileJob } from "./reconcile.ts";
import { retentionJob } from "./retention.ts";
import { trackJob } from "./track.ts";

export const jobs: readonly Job[] = [
  intakeJob,
  expectedJob,
  payJob,
  trackJob,
  reconcileJob,
  ledgerJob,
  digestJob,
  retentionJob,
  backupJob,
];
