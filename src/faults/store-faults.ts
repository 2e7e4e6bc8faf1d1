/** The database and its anchor. */
import { entriesOf } from "./entry.ts";

export const storeFaults = entriesOf("stopped", {
  DATABASE_UNUSABLE: {
    message: "the database {path} cannot be used: {reason}",
    fix:
      "Check the free space (`paydrop doctor`; for a server, its own disk and log), then path and " +
      "permissions. Restore a backup only if the file is damaged, as docs/operating.md says.",
  },
  DATABASE_LOG_LEFT: {
    message:
      "the database {path} was restored from a backup, but the log of the old file still lies beside it",
    fix: "Stop everything that uses it, move {path}-wal and {path}-shm away, and run this again.",
    next: "needs-person",
  },
  DATABASE_UNREACHABLE: {
    message: "the database {path} cannot be reached: {reason}",
    fix: "Check the server, the network and DATABASE_URL, and run it again.",
    next: "will-retry",
  },
  DATABASE_TLS: {
    message: "no secure connection to the database {path}: {reason}",
    fix:
      "Append `?sslmode=verify-full&sslrootcert=FILE` to DATABASE_URL; FILE is the certificate of the authority " +
      "that signed the server's. Write the host as the server's certificate names it. Do not switch the check " +
      "off: others could change payments.",
    next: "correct-usage",
  },
  DATABASE_URL_INVALID: {
    message: "`DATABASE_URL` cannot be used: {reason}",
    fix:
      "Write it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE. In the password, marks such as @ : / ? # % " +
      "are written as %40 %3A %2F %3F %23 %25.",
    next: "correct-usage",
  },
  DATABASE_REFUSED: {
    message: "the server of the database {path} refused: {reason}",
    fix:
      "Check that DATABASE_URL names the primary server and a user who owns the schema `paydrop` or may " +
      "create it.",
    next: "correct-usage",
  },
  DATABASE_POOLED: {
    message:
      "the database {path} is behind a pooler in transaction or statement mode, but Paydrop needs its own session",
    fix: "Point DATABASE_URL to the server itself, or to a pooler in session mode.",
    next: "correct-usage",
  },
  DATABASE_VERSION_UNKNOWN: {
    message: "the database {path} has version {found}, and this Paydrop knows versions up to {known}",
    fix: "Use the newer Paydrop that wrote it.",
  },
  DATABASE_OUTDATED: {
    message: "the database {path} has version {found}, and this Paydrop reads version {known}",
    fix:
      "Back it up. Then run `paydrop track`, which upgrades it and sends no payment. An older Paydrop " +
      "refuses it from then on.",
    next: "correct-usage",
  },
  DATABASE_LAYOUT_UNKNOWN: {
    message: "the database {path} claims version {found} but does not have its layout: {reason}",
    fix: "Nothing was changed. Continue with the Paydrop version that wrote it, and report this.",
  },
  DATABASE_IN_USE: {
    message:
      "the old database {path} cannot be upgraded to version {known} while another process has it open",
    fix: "Stop every Paydrop that uses it, `paydrop serve` first, and run this again.",
    next: "will-retry",
  },
  DATABASE_BUSY: {
    message: "the database {path} is busy: {reason}",
    fix: "Wait until the other processes have finished, then run this again.",
    next: "will-retry",
  },
  AUDIT_CHAIN_BROKEN: {
    message: "the audit trail does not verify{where}",
    fix: "Nothing is sent. Restore a backup and find out who changed the database.",
    next: "needs-person",
  },
  BATCH_ALTERED: {
    message: "{what} were changed in the database after they were recorded",
    fix: "Nothing is sent. Restore a backup and find out who changed the database.",
    next: "needs-person",
  },
  INVARIANT_BROKEN: {
    message: "an internal invariant is violated: {what}",
    fix: "Nothing more is done. Keep the database and report this.",
  },
  UNEXPECTED: {
    message: "unexpected failure: {reason}",
    fix: "What was stored is kept, so run the command again. If it fails again, report these lines.",
  },
  OPEN_TO_OTHERS: {
    message: "other users of this machine may open {files}: {harm}",
    fix: "Run `chmod {mode} FILE` for each. Replace a secret if other people use this machine.",
    next: "needs-person",
  },
  INTERRUPTED: {
    message: "a signal asked to stop, so this was left undone",
    fix: "Run it again: it starts from the beginning.",
    next: "will-retry",
  },
  OUTPUT_EXISTS: {
    message: "there is already a file {path}",
    fix: "Name another file, or move that one away first; it is never overwritten.",
    next: "correct-usage",
  },
  OUTPUT_UNWRITABLE: {
    message: "{path} cannot be written: {reason}",
    fix: "Check the folder's permissions and the free space, then run the command again.",
  },
  DATABASE_BEHIND_ANCHOR: {
    message:
      "the database is older than its anchor {path} (last nonce {nonce}): it was restored, replaced or cut",
    fix:
      "Restore the newer database. If it is lost: run `paydrop stop`, set `nonce.floor` above that nonce, run " +
      "`paydrop reconcile`, check what the service has, and only then remove the anchor. Repeat later decisions " +
      "(`paydrop reject`, `paydrop doubt`) before `paydrop go`.",
    next: "needs-person",
  },
  DATABASE_COPIED: {
    message:
      "the database was copied or restored together with its anchor {path}, and may lack payments made since",
    fix:
      "Use the original. If it is lost or was moved here: run `paydrop stop` and `paydrop reconcile`, check " +
      "what the service has, and only then remove the anchor. Repeat later decisions (`paydrop reject`, " +
      "`paydrop doubt`) before `paydrop go`.",
    next: "needs-person",
  },
  DATABASE_FROM_SERVER: {
    message: "the database is the backup of one on a PostgreSQL server: it can be read, and sends nothing",
    fix:
      "Use the database on the server. If that is lost, restore it by the server's own means and set `database: " +
      "postgresql`.",
    next: "needs-person",
  },
  DATABASE_MOVED: {
    message: "the database {path} moved to {place} on {when}: it can be read, and sends nothing",
    fix:
      "Work with the database there: `database: postgresql` in the configuration, and DATABASE_URL. Do not remove " +
      "the mark: payments would be sent from two databases.",
    next: "correct-usage",
  },
  MOVE_REFUSED: {
    message: "the database {path} was not moved: {reason}",
    reasons: {
      filled: "{place} is not empty: its table {table} has rows",
      open: "another process has it open",
    },
    fix:
      "Nothing was changed. Stop every Paydrop that uses it, `paydrop serve` first, and name an empty " +
      "database.",
    next: "correct-usage",
  },
  MOVE_NOT_EQUAL: {
    message:
      "the database {path} was not moved, because its table {table} has {here} rows and came as {there}",
    fix: "Nothing was changed. Report this.",
  },
  ANCHOR_UNREADABLE: {
    message: "the anchor {path} is damaged, so an older database would go unnoticed",
    fix: "Make sure that the database was not restored from a backup, then remove the anchor file.",
    next: "needs-person",
  },
});
