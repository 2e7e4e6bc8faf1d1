/** The kinds of files that have retention periods, and their configuration keys. */

export const RETENTION_KINDS = ["archive", "answers", "suspected", "nights", "exports", "notices"] as const;

export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** For headings and sentences. */
export const RETENTION_WORDS: Readonly<Record<RetentionKind, string>> = {
  archive: "sent files in the archive",
  answers: "answers in the outbox",
  suspected: "files kept aside",
  nights: "report files of nights",
  exports: "bytes of export files in the database",
  notices: "words of messages",
};
