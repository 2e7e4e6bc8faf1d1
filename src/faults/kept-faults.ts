/** Retention periods, and the backups that are tried. */
import { entriesOf } from "./entry.ts";

export const keptFaults = entriesOf("needs-person", {
  REMOVED_BY_RETENTION: {
    message: "{what} was removed on {day}, as `retention.{key}` says",
    fix: "References, hashes and the record stay known. The file itself may be in a backup of its folder.",
  },
  BACKUP_MISSING: {
    message: "there is no backup in {folder}",
    fix: "Have `paydrop backup FILE` write one there every day, or correct `backup.folder`.",
  },
  BACKUP_DAMAGED: {
    message: "the backup {path} is damaged: {what}",
    fix:
      "Do not restore it. Make and verify a new one (`paydrop backup FILE`, `paydrop backup verify FILE`), and " +
      "check the disk.",
  },
  BACKUP_OF_ANOTHER: {
    message: "the backup {path} is not of this database: {what}",
    fix: "Do not restore it here. Find out who put it there, and make a new one.",
  },
  BACKUP_STALE: {
    message: "the backup {path} is from {day}; `backup.staleAfterDays` allows {days} days",
    fix: "Find out why there is no newer one, and make one with `paydrop backup FILE`.",
  },
  BACKUP_OLDER_VERSION: {
    message: "the backup {path} was made by an older version: only its record is verified",
    fix: "Make a new one with `paydrop backup FILE`.",
  },
  BACKUP_NOT_TYING: {
    message: "the backup {path} does not tie: {what}",
    fix:
      "Run `paydrop reconcile verify` and `paydrop ledger verify` on the database in use. If they agree, make a " +
      "new backup; otherwise find out who changed it.",
  },
});
