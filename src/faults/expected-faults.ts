/** Receipts that are expected: their files, their deposits and addresses, and what people decide about them. */
import { entriesOf } from "./entry.ts";

export const expectedFaults = entriesOf("correct-file", {
  EXPECTED_COLUMNS_MISSING: {
    message: "no line{sheets} has the columns of expected receipts: {missing}",
    fix: 'Write one line with the names of the columns above the rows: "reference" and "amount" at least; "customer", "account", "currency", "due day", "rate until" and "create" as needed.',
  },
  EXPECTED_COLUMN_TWICE: {
    message: 'each of the columns "{first}" and "{second}" may hold the {what}',
    fix: "Give one of them another name.",
  },
  EXPECTED_SHEET_UNCLEAR: {
    message: "several visible sheets look like expected receipts: {sheets}",
    fix: "Keep one of them, and put the others into files of their own.",
  },
  EXPECTED_NO_ROWS: {
    message: "there is a line of column names, but no expected receipt below it",
    fix: "Add at least one row and send the file in again.",
  },
  EXPECTED_HAS_ADDRESSES: {
    message:
      "the file holds destination addresses, so it asks for payments: only expected receipts are read here",
    fix: "Send payments in where payments are sent in. Expected receipts have no column of addresses: the service makes them.",
  },
  EXPECTED_IN_INBOX: {
    message:
      'this is a file of expected receipts, not of payments: it has no addresses, and a column "{column}"',
    fix: "Nothing of it is paid or expected. Put it into the folder for expected receipts, which lies in the inbox, or send it in on the page Expected.",
  },
  EXPECTED_REFERENCE_USED: {
    message: 'the reference "{reference}" is that of an earlier expected receipt: {earlier}',
    fix: "Delete the row if it is the same one. Another receipt gets a reference of its own.",
  },
  EXPECTED_DEPOSIT_EXISTS: {
    message: 'a deposit was asked for with the reference "{reference}" before, by {person} at {when}',
    fix: "Give this row a reference of its own, or do not have a deposit made for it.",
  },
  EXPECTED_ROW_IS_TOTAL: {
    message: "the amount is the sum of the {rows} rows above: this seems to be their total",
    fix: "Delete the row. If it is a receipt of its own, put it above the others.",
  },
  EXPECTED_RATE_UNFIT: {
    message: "a rate cannot be fixed until {until}: {why}",
    fix: "Leave the cell empty, or correct it. A rate is fixed for amounts in a fiat currency, until an instant to come.",
  },
  EXPECTED_FILE_KNOWN: {
    message: "exactly this file was taken in before, as number {file}",
    fix: "Nothing is expected twice. Only rows that are new can be sent in, as a new file.",
  },
  EXPECTED_NOT_SENT_YET: {
    message: "no deposit was made for {reference}: {reason}",
    fix: "Nothing has to be done: the next run goes on by itself.",
    next: "will-retry",
  },
  EXPECTED_IN_DOUBT: {
    message: "whether the service made the deposit of {reference} is not known, so it is not asked again",
    fix: "The next run looks for it. If it stays so, decide with `paydrop doubt`.",
    next: "needs-person",
  },
  EXPECTED_REFUSED: {
    message: "the service made no deposit for {reference}: {reason}",
    fix: "Correct what it names, in a row with a reference of its own; withdraw this one.",
    next: "needs-person",
  },
  EXPECTED_AT_SERVICE: {
    message:
      "the service shows a deposit under the reference {reference} that was not made for it: {depositId}",
    fix: "Give its address to nobody, and ask the service's operator who made it. Nothing is made for this row.",
    next: "needs-person",
  },
  EXPECTED_ADDRESS_UNFIT: {
    message: "the address of {reference} is not shown: {why}",
    fix: "Give it to nobody, and ask the service's operator. It is looked up again by itself.",
    next: "needs-person",
  },
  EXPECTED_ADDRESS_CHANGED: {
    message:
      "the service shows another address for {reference} than before, so none is shown any more: {before}, then {now}",
    fix: "Tell whoever was given the address to pay nothing to it, and ask the service's operator who changed it.",
    next: "needs-person",
  },
  EXPECTED_DEPOSIT_CLOSED: {
    message: "the deposit of {reference} is {state}, so its address is not shown",
    fix: "Nothing has to be done if nothing is owed. Otherwise expect it in another file, under a reference of its own.",
    next: "needs-person",
  },
  EXPECTED_UNKNOWN: {
    message: "nothing is expected under {name}",
    fix: "`paydrop deposits expected` lists what is.",
    next: "correct-usage",
  },
  EXPECTED_FILE_NOT_WAITING: {
    message: "file {file} waits for nobody's approval: {why}",
    fix: "`paydrop deposits expected` lists the files that wait.",
    next: "correct-usage",
  },
  EXPECTED_OWN_FILE: {
    message: "{person} sent in file {file}, and may not approve it too",
    fix: "Have somebody else approve it.",
    next: "needs-person",
  },
  EXPECTED_MATCH_REFUSED: {
    message: "this receipt cannot be matched so: {why}",
    fix: "`paydrop deposits expected` lists the receipts that are nobody's yet, and for which expectations each may be meant.",
    next: "correct-usage",
  },
  EXPECTED_END_REFUSED: {
    message: "{reference} cannot be ended so: {why}",
    fix: "`paydrop explain {reference}` shows where it stands.",
    next: "correct-usage",
  },
  EXPECTED_VOID_NOT_ALLOWED: {
    message: "the deposit of {reference} cannot be voided: {why}",
    fix: "Nothing was sent. Withdraw it with `--keep-deposit`: the deposit stays at the service, and what still arrives there is nobody's until somebody decides.",
    next: "correct-usage",
  },
});
