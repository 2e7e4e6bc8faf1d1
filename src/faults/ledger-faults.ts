/** Movements that cannot be booked, or only to suspense; each is reported in a file beside the ledger files. */
import { entriesOf } from "./entry.ts";

export const ledgerFaults = entriesOf("needs-person", {
  UNDER_WAY: {
    message: "another process is {work}",
    fix:
      "Wait until it has finished, then run this again. If it crashed on another machine, its lock ends after " +
      "90 seconds.",
    next: "will-retry",
    about: {
      message: "another process is doing the same work already",
      fix:
        "Wait until it has finished, then run this again. " +
        "If it crashed on another machine, its lock ends after 90 seconds.",
    },
  },
  EXPORT_FILES_UNKNOWN: {
    message:
      "nothing was exported: this database did not issue the batch of {file}, so it is an older or a new one",
    fix:
      "Restore the newer database. If it is lost, move the files of that and all later batches away and export " +
      "again; entries keep their ids, so import only new ones.",
  },
  EXPORT_BYTES_NOT_KEPT: {
    message: "export batch {number} of {target} was issued by an earlier version, which kept no copy",
    fix:
      "Take its files from a backup of the ledger folder. If another target has a batch with this number, " +
      "ask for that target alone.",
    next: "correct-usage",
  },
  EXPORT_FILE_ALTERED: {
    message: "{file} was changed after it was issued, and is left as it is",
    fix: "Compare it with what the ERP imported. To get the issued file back, move this one away and run it again.",
  },
  ANSWER_COLUMN_MISSING: {
    message: "the answer of {target} has no column {wanted}",
    fix: "Export it with that column, or name the column that it has under `answers` in `ledger.exports`.",
    next: "correct-file",
  },
  ANSWER_CELL_UNREADABLE: {
    message: "the answer cannot be read: {what}",
    fix: "{how}",
    next: "correct-file",
    about: {
      message: "a cell, row or sheet of an ERP's answer cannot be read",
      fix: "Correct it, or the words under `answers` in `ledger.exports`.",
    },
  },
  ANSWER_NOT_AN_ANSWER: {
    message:
      "the file has destination addresses, but this folder is for answers of ERPs; no payment is read here",
    fix: "Move a payment file to the inbox itself. An answer has no column of addresses.",
    next: "correct-file",
  },
  ANSWER_TARGET_UNKNOWN: {
    message: "it is unclear which target gave this answer: {targets}",
    fix: "Name the target, or drop the file into the folder of that target.",
    next: "correct-usage",
  },
  ANSWER_CHANGED_NOTHING: {
    message: "{target} answered that {saidOf} was {verdict}, which changed nothing: {reason}",
    reasons: {
      unknown: "it never received that",
      "refused-after-posted": "it had said before that it was posted, which is final",
      "posted-after-refused": "it had refused it before, so the next batch has it again",
      superseded: "it had refused it before, and a later batch has it",
      "posted-otherwise": "it had named another document before",
      "read-before": "the same answer was read before; only with the document number does it count again",
    },
    fix: "Look it up in the ERP; it stays a break until a person settles it.",
  },
  LEDGER_ENTRY_REFUSED: {
    message: "{target} refused {entryId} of export batch {number}: {reason}",
    fix: "Correct what it names, in the ERP or the chart of accounts; the next batch has the entry again.",
  },
  CHART_GAP: {
    message: "the chart of accounts has no line for {what}, which {where}",
    fix: "Add a line for it. Then `paydrop ledger remap` rebooks what is on suspense.",
  },
  CHART_OVERLAP: {
    message: "two lines of the chart of accounts are easily confused: {reason}",
    fix: "Write them alike, or delete one of them.",
  },
  CHART_LINE_IDLE: {
    message: "this part of the chart of accounts never applies: {reason}",
    fix: "Correct it, or delete it.",
  },
  CHART_UNFIT: {
    message: "{target} cannot take what this line of the chart of accounts books: {reason}",
    fix: "Correct the line, or the target's columns in `ledger.exports`.",
  },
  CHART_RESPELT: {
    message: "payments write {value}, which is read as {inChart} of the chart of accounts",
    fix: "Nothing to do.",
  },
  CHART_LEFT: {
    message: "{account} has entries, but {reason}",
    reasons: {
      gone: "no line of the chart of accounts has it: what it would take is booked elsewhere",
      renamed: "the chart of accounts calls this code {name}",
    },
    fix: "Correct the line; if it is meant, move the balance in the ERP.",
  },
  CHART_PLACELESS: {
    message: "the files of {target} have no column for {dimension}, so it is left out",
    fix: "To export it, add a column with `{field}` in `ledger.exports`.",
  },
  LEDGER_UNMAPPED: {
    message: "no ledger account is mapped for {what}; it was booked to suspense",
    fix:
      "Add a line to the chart of accounts. For this entry, have a controller run `paydrop ledger remap`, or " +
      "rebook it in the ERP, not both.",
  },
  LEDGER_QUESTION_REVERSED: {
    message:
      "entry {entryId} was reversed and booked differently; manual bookings because of it would count twice",
    fix: "Undo these in the ERP; its replacement is in the same or an earlier export batch.",
  },
  LEDGER_RATE_MISSING: {
    message: "there is no rate from {from} into {currency}, so this movement is held",
    fix:
      "It is booked once the service reports that rate. If you book it by hand, undo that once an export batch " +
      "has it.",
  },
  LEDGER_FEE_RATE_MISSING: {
    message: "there is no rate into {currency} for the fee of {fee}, so this movement is held with its fee",
    fix: "Book payment and fee by hand in the ERP, and undo that if an export batch has them later.",
  },
  LEDGER_FACT_UNCLEAR: {
    message: "this movement is held: {reason}",
    fix: "Compare it with the service; it is booked once the figures agree.",
  },
  LEDGER_UNDECIDED: {
    message: "this payout moved money, and whether it is ours is in doubt or held",
    fix: "`paydrop doubt` shows what may be decided; it is booked once that is.",
  },
  LEDGER_NOT_SETTLED: {
    message: "this movement is not settled: {reason}",
    fix: "Nothing to do; it is booked once the network has confirmed it.",
    next: "will-retry",
  },
  LEDGER_UNEXPECTED_PAYOUT: {
    message: "none of our payments asked for this payout; {booking}",
    fix: "Find out who created it, then rebook it in the ERP.",
  },
  LEDGER_FAILED_BUT_MOVED: {
    message: "this payout ended {state}, but shows {evidence}, so it is held",
    fix:
      "Ask the service's operator whether the money left. If so, book it by hand, and undo that if an export " +
      "batch has it later.",
  },
  LEDGER_POSTED_FACT_GONE: {
    message: "the service no longer shows the movement that was booked as {entryId}{now}; the entry stands",
    fix:
      "Compare it with the service. If the money never moved or another entry books it, reverse the entry in " +
      "the ERP; undo that if the service shows it again.",
  },
  LEDGER_SHORT: {
    message: "{why}, so {short} of {requested} is missing and {booking}",
    fix: "Ask the customer for the rest, or write it off.",
  },
  LEDGER_DEPOSIT_UNAPPLIED: {
    message: "the deposit is {state}, but {received} was received",
    fix:
      "Apply it in the ERP to the customer's receivable, or refund it; undo that if an export batch applies it " +
      "later.",
  },
  LEDGER_CELL_TOO_LONG: {
    message: '"{text}" is too long for the column {column} of {name}, which takes {lengthMax} characters',
    fix:
      "Shorten the code in the chart of accounts, or change that column in `ledger.exports`. Until then it is " +
      "held.",
  },
  LEDGER_CELL_UNWRITABLE: {
    message:
      '"{text}" in the column {column} of {name} has "{character}", which the encoding {encoding} lacks',
    fix:
      "Avoid it in the chart of accounts, or change the `encoding` in `ledger.exports`. Until then a project or " +
      "distribution has `?` in its place, and an account holds the movement.",
  },
  LEDGER_CELL_REFUSED: {
    message: '{name} would refuse this movement: its column {column} does not take "{text}"',
    fix:
      "Write the key that the program knows into the chart of accounts, or under `accounts` in " +
      "`ledger.exports`. Until then it is not paid, or held.",
  },
  LEDGER_NAME_REFUSED: {
    message:
      '{target} cannot use the name "{name}" of account {code} (chart of accounts, line {line}, `{column}`): {reason}',
    fix: "Correct the name in the chart's column of that target.",
    about: {
      message: "a target cannot use the name that the chart of accounts gives to an account",
      fix: "Correct the name in the chart's column of that target. The other targets lack nothing.",
    },
  },
  LEDGER_ENTRY_TOO_LONG: {
    message: "this movement has {lines} lines, but the file for {name} takes {linesMax} for an entry",
    fix:
      "Map it to fewer shares in the chart of accounts, or correct `linesMax` in `ledger.exports`. Until then " +
      "it is held.",
  },
  LEDGER_CURRENCY_CHANGED: {
    message: "entry {entryId} was booked in {booked}, but `ledger.functionalCurrency` is now {currency}",
    fix: "Set it back to {booked}; convert to other currencies in the ERP.",
    next: "correct-usage",
  },
});
