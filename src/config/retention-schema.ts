/** The parts of paydrop.yaml about retention periods, and about trying backups. */
import { z } from "zod";

/** A century at most, so that the day is a date. */
const days = z.int().min(1).max(36_500).optional();

/** Periods by kind; a kind that is not named is kept for ever. */
export const retention = z.strictObject({
  archiveDays: days.describe("Sent files in the archive, from the day on which they came."),
  answersDays: days.describe("Answers in the outbox, from the day on which they were written."),
  suspectedDays: days.describe("Files with a suspected key; without it 30 days, as without `retention`."),
  nightsDays: days.describe("The report files of nights. What they say stays in the database."),
  exportsDays: days.describe("The bytes of export batches in the database; files in the ledger folder stay."),
  noticesDays: days.describe("Words and recipients of messages that were delivered or given up."),
});

export const backup = z.strictObject({
  folder: z.string().min(1).describe("Where backups made by `paydrop backup` are kept."),
  staleAfterDays: z
    .int()
    .min(1)
    .max(3660)
    .default(8)
    .describe("After how many days without a newer backup this is reported."),
});
