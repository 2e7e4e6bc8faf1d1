/** Movements that cannot be booked, or only to suspense; each is reported in a file beside the ledger files. */
import { entriesOf } from "./entry.ts";

export const ledgerFaults = entriesOf("needs-person", {
  UNDER_WAY: {
    message: "another process is {work}",
    fix: "Wait until it has finished; {after}. If it died on another machine, this takes a minute and a half.",
    next: "will-retry",
    about: {
      message: "another process is doing the same work already",
      fix: "Wait until it has finished, then run the command again. If it died on another machine, this takes a minute and a half.",
    },
  },
  EXPORT_FILES_UNKNOWN: {
    message:
      "{file} belongs to an export batch that this database never issued: it was restored from a backup, or started afresh. Nothing was exported",
    fix: "Restore the newer database. If it is lost: move the files of that batch and of all later ones to another folder, and export again. Their entries are exported again under the same entry ids; accounting imports only those that it has not imported yet, and leaves the others as they are, whatever account they name now.",
  },
  EXPORT_BYTES_NOT_KEPT: {
    message:
      "export batch {number} of {target} was issued by an earlier version, which did not keep the bytes of its files; nothing was written",
    fix: "Take its files from a backup of the ledger folder. Batches that were issued since the upgrade can be written again; where another target has one of the same number, ask for that target alone.",
    next: "correct-usage",
  },
  EXPORT_FILE_ALTERED: {
    message: "{file} holds other bytes than were issued, so it was left as it is",
    fix: "Compare it with what the ERP imported. To have the issued file back, move this one away and run the command again.",
  },
  ANSWER_COLUMN_MISSING: {
    message: "the answer of {target} has no column {wanted}",
    fix: "Export it from the ERP with that column, or name the one that it has under `answers` of this target in `ledger.exports`.",
    next: "correct-file",
  },
  ANSWER_CELL_UNREADABLE: {
    message: "the answer cannot be read: {what}",
    fix: "{how}",
    next: "correct-file",
    about: {
      message:
        "a cell of an ERP's answer cannot be read: an id is missing, or a status is none of the configured words",
      fix: "Correct the cell, or the words under `answers` in `ledger.exports`.",
    },
  },
  ANSWER_NOT_AN_ANSWER: {
    message: "{why}: this folder is for the answers of ERPs, and no payment is read here",
    fix: "Move a payment file to the inbox itself. An answer has no column of addresses.",
    next: "correct-file",
  },
  ANSWER_TARGET_UNKNOWN: {
    message: "whose answer this is cannot be told: {targets}",
    fix: "Say whose answer it is, or drop it in a folder with the name of that target among the answers of ERPs in the inbox.",
    next: "correct-usage",
  },
  ANSWER_CHANGED_NOTHING: {
    message: "the answer of {target} says that {saidOf} was {verdict}, which changed nothing: {why}",
    fix: "Look it up in the ERP. The comparison keeps it as a break until somebody settles it.",
  },
  LEDGER_ENTRY_REFUSED: {
    message: "{target} refused {entryId} of export batch {number}: {reason}",
    fix: "Correct what it names, in the ERP or in the chart of accounts. The next batch of this target has the entry again.",
  },
  CHART_GAP: {
    message: "the chart of accounts has no line for {what}, which {where}",
    fix: "Add a line for it. What lies on suspense is booked again by `paydrop ledger remap`.",
  },
  CHART_OVERLAP: {
    message: "a line of the chart of accounts can be taken for another: {reason}",
    fix: "Write them alike, or delete one of them.",
  },
  CHART_LINE_IDLE: {
    message: "this part of the chart of accounts never applies: {reason}",
    fix: "Correct it, or delete it.",
  },
  CHART_UNFIT: {
    message: "what this line of the chart of accounts books cannot be handed to {target}: {reason}",
    fix: "Correct the line, or the columns of that target in `ledger.exports`.",
  },
  CHART_RESPELT: {
    message: "payments write {value}, and the chart of accounts {inChart}: it is taken for that",
    fix: "Nothing has to be done.",
  },
  CHART_PLACELESS: {
    message: "{target} has no place for {dimension}, and leaves it out",
    fix: "Nothing has to be done. A column of one's own in `ledger.exports` may have `{field}`.",
  },
  LEDGER_UNMAPPED: {
    message: "no ledger account is mapped for {what}; it was booked to suspense",
    fix: "Add a line to the chart of accounts, which maps later entries. A controller then has this one reversed and booked again, with `paydrop ledger remap`; or rebook it in the ERP, and not both.",
  },
  LEDGER_QUESTION_REVERSED: {
    message:
      "{entryId}, which is booked otherwise now, is reversed: what was done by hand because of it would count twice",
    fix: "Undo in the ERP what you have rebooked or reversed because of it. What replaces it is in the same export batch or in an earlier one.",
  },
  LEDGER_RATE_MISSING: {
    message: "there is no rate from {from} into {currency}, so this movement is held",
    fix: "It is booked as soon as the service reports that rate. Until then the balance in the ERP lacks it; if you book it there by hand, undo that once it is in an export batch.",
  },
  LEDGER_FEE_RATE_MISSING: {
    message:
      "the fee is {fee}, and there is no rate from its currency into {currency}, so this movement is held with its fee",
    fix: "The service shows one rate for each movement, and this fee has none. Book the payment and its fee by hand in the ERP, and undo that if an export batch has them later.",
  },
  LEDGER_FACT_UNCLEAR: {
    message: "this movement is held: {reason}",
    fix: "Compare it with the service; it is booked once the figures agree.",
  },
  LEDGER_NOT_SETTLED: {
    message: "this movement is not settled: {reason}",
    fix: "Nothing to do; it is booked once the network has confirmed it.",
    next: "will-retry",
  },
  LEDGER_UNEXPECTED_PAYOUT: {
    message: "this payout belongs to none of our instructions; {booking}",
    fix: "Find out who created it at the service, then rebook it in the ERP.",
  },
  LEDGER_FAILED_BUT_MOVED: {
    message: "this payout ended {state}, but shows {evidence}, so it is held",
    fix: "Ask the service whether the money left, and book it by hand if it did; undo that if an export batch has it later.",
  },
  LEDGER_POSTED_FACT_GONE: {
    message:
      "the service no longer shows what was booked as {entryId}{now}; the entry stands, and a deposit that lost a receipt is held",
    fix: "Compare it with the service. Reverse the entry in the ERP if it is not true any more (the money never moved, or another entry books it), and undo that if the service shows it again.",
  },
  LEDGER_SHORT: {
    message: "{why}, so {short} of {requested} is missing and {booking}",
    fix: "Ask the customer for the rest, or write it off.",
  },
  LEDGER_DEPOSIT_UNAPPLIED: {
    message: "the deposit is {state}, but {received} was received",
    fix: "It stays in deposits clearing. Apply it to the customer's receivable or refund it, in the ERP; undo that if an export batch applies it later.",
  },
  LEDGER_CELL_TOO_LONG: {
    message:
      'the file for {name} cannot hold this movement: its column {column} takes {lengthMax} characters, and "{text}" has more',
    fix: "Give the account, project or distribution a shorter code in the chart of accounts, or change that column in `ledger.exports`. Until then this movement is held, and the others are booked and exported.",
  },
  LEDGER_CELL_UNWRITABLE: {
    message:
      'the file for {name} cannot hold this movement as it is: the encoding {encoding} lacks "{character}", which is in "{text}" in the column {column}',
    fix: "Write it without that letter in the chart of accounts (of a project or distribution: under `bookProject` or `bookDistribution`), or change the `encoding` in `ledger.exports`. Until then a movement is held whose account has the letter, and in a project or distribution it becomes `?`.",
  },
  LEDGER_CELL_REFUSED: {
    message: 'the program behind {name} would refuse this movement: its column {column} takes no "{text}"',
    fix: "Give the account, project or distribution the key that the program has, in the chart of accounts (`code`, `name`, `bookProject`, `bookDistribution`) or under `accounts` in `ledger.exports`. A payment whose key the program would refuse is not paid; what is booked already is held, and the others are exported.",
  },
  LEDGER_NAME_REFUSED: {
    message:
      '{target} cannot call the account {code} "{name}", as line {line} of the chart of accounts says in the column `{column}`: {reason}',
    fix: "Correct that cell of the chart of accounts. Until then {target} is not handed what is booked to this account; everybody else is.",
    about: {
      message: "a target cannot call an account as the chart of accounts says",
      fix: "Correct the name in the chart's column of that target. The others are handed everything.",
    },
  },
  LEDGER_ENTRY_TOO_LONG: {
    message:
      "the file for {name} cannot hold this movement: it has {lines} lines, the file takes {linesMax}, and an entry is never cut in two",
    fix: "Map its general-ledger fields to fewer shares in the chart of accounts, or correct `linesMax` in `ledger.exports`. Until then this movement is held, and the others are booked and exported.",
  },
  LEDGER_CURRENCY_CHANGED: {
    message: "entry {entryId} was booked in {booked}, and `ledger.functionalCurrency` is {currency} now",
    fix: "Set it back to {booked}; nothing is booked or exported until then. These books keep the currency that they began in: convert them in the ERP.",
    next: "correct-usage",
  },
});
