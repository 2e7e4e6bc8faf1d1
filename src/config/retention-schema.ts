/** The parts of paydrop.yaml about retention periods, and about trying backups. */
import { z } from "zod";

/** A century at most, so that the day is a date. */
const days = z.int().min(1).max(36_500).optional();

/** Periods by kind; a kind that is not named is kept for ever. */
export const retention = z.strictObject({
  archiveDays: days.describe("Sent files in the archive."),
  answersDays: days.describe("Answers in the outbox."),
  suspectedDays: days.describe("Files with a suspected key; otherwise 30 days."),
  nightsDays: days.describe("Report files of nights; the database keeps what they say."),
  exportsDays: days.describe("The bytes of export batches in the database, not in the ledger folder."),
  noticesDays: days.describe("Words and recipients of ended messages."),
});

export const backup = z.strictObject({
  folder: z.string().min(1).describe("Where `paydrop backup` writes them."),
  staleAfterDays: z.int().min(1).max(3660).default(8).describe("Days until a missing newer one is reported."),
});
