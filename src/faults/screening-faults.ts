/**
 * Well-formed payments that must not be paid, or not without a second look: limits, lists, history, chart,
 * balances.
 */
import { entriesOf, text } from "./entry.ts";

export const screeningFaults = entriesOf("correct-file", {
  DESTINATION_NOT_LISTED: {
    message: "the destination {destination} is not on the list of allowed ones",
    fix: "Compare it with the payee's own; if it is right, have treasury add it to {list}.",
  },
  DESTINATION_NEVER_PAID: {
    message: "nothing was ever paid to {destination}, and only known destinations may be paid",
    fix:
      "Compare it with the payee's own. If it is right, have treasury add it to the file of " +
      "`destinations.allowList`.",
  },
  DESTINATION_OVER_LIMIT: {
    message: "up to this row {amount} go to {destination}, more than the limit of {limit} per day",
    fix: "Nothing to do if the rest may go out on later days; otherwise have treasury raise `limits.perDestination`.",
  },
  FILE_OVER_DAY_LIMIT: {
    message: "up to this row the file pays {amount}, more than the limit of {limit} per day",
    fix: "Nothing to do if the rest may go out on later days; otherwise have treasury raise `limits.perDay`.",
  },
  PAYMENT_IN_FILE_TWICE: {
    message: "the same payment, {amount} to {destination}, is in {earlier}",
    fix: "Delete the row if it is the same payment; if both are intended, the approver has to say so.",
  },
  PAYMENT_MADE_BEFORE: {
    message: "the same payment, {amount} to {destination}, was submitted on {day}: {earlier}",
    fix: "Delete the row if it is the same payment; if it is intended, the approver has to say so.",
  },
  REPEATS_NOT_ACCEPTED: {
    message:
      "payments of batch {batch} that repeat an earlier one: {count}, of which {accepted} were accepted",
    fix: "See `paydrop preview {batch}`. If each is intended, approve with `--accept-repeats {count}`.",
    next: "needs-person",
  },
  DESTINATION_LOOKS_ALIKE: {
    message:
      "{destination} was never paid before and looks like {other}, {where}; the brackets show where they differ",
    fix:
      "Get the payee's own address through another channel and compare every character. If it is right, the " +
      "approver has to say so.",
  },
  DESTINATION_NOT_USUAL: {
    message: '"{payee}" is new at {destination} and is known at another address: {where}; this is {times}',
    fix:
      "Ask the payee through another channel whether the address has changed. If it has, the approver has to " +
      "say so.",
  },
  DESTINATION_OF_ANOTHER: {
    message: 'the address {destination} belongs to "{payee}" here, but to "{other}" {where}',
    fix: "Compare the address with the payee's own. If it is right for both names, the approver has to say so.",
  },
  LOOK_ALIKES_NOT_ACCEPTED: {
    message:
      "payments of batch {batch} with addresses to compare: {count}, of which {accepted} were accepted",
    fix: "See `paydrop preview {batch}`. If each address is right, approve with `--accept-look-alikes {count}`.",
    next: "needs-person",
  },
  READING_NOT_ACCEPTED: {
    message: "questions about the file of batch {batch}: {count}, of which {accepted} were accepted",
    fix: text(
      "See `paydrop preview {batch}`. Approve with `--accept-reading {count}`, or leave rows out with `paydrop",
      "layout accept`.",
    ),
    next: "needs-person",
  },
  LEDGER_FIELDS_UNMAPPED: {
    message:
      "the chart of accounts has no line for {fields}, which {will} go to suspense ({suspense}); it has {choices}",
    fix: "Write one of those, or have accounting add a line to the chart.",
  },
  LEDGER_FIELDS_RESPELT: {
    message: "a value was read as the chart of accounts writes it: {values}",
    fix: "Nothing to do.",
  },
  LEDGER_FIELDS_UNCHECKED: {
    message: "the general-ledger fields were not compared with the chart of accounts: {reason}",
    fix: "Correct the file that `ledger.chart` names.",
    next: "correct-usage",
  },
  ALLOW_LIST_INVALID: {
    message: "the list of allowed destinations cannot be used: {reason}",
    fix: "Give it a column `address` and one valid address or account id per line; a column `name` is for people.",
    next: "correct-usage",
  },
  BALANCE_SHORT: {
    message: "{custodyAccount} lacks {missing}: {available} are available, {needed} are needed {fees}",
    fix: "Fund the account before the payments are due, or pay fewer of them.",
    next: "needs-person",
  },
  FUNDS_LOCKED: {
    message: "the service says that the funds of {custodyAccount} cannot be spent",
    fix: "Ask the service's operator why.",
    next: "needs-person",
  },
  BALANCE_UNKNOWN: {
    message: "the balance of {custodyAccount} is not known: {reason}",
    fix: "Check `paydrop balances`, and the account's id and currency in the configuration.",
    next: "needs-person",
  },
});
